"""Budgets: the window given to a policy, and its division."""

from dataclasses import dataclass, field, replace

from inspector.assembly.columns import Section


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """The window divided by a policy: its size in tokens, and its model.

    `given` is true if a scenario or file names the size, and not only the model.
    """

    tokens: int
    model: str = ""
    given: bool = True


@dataclass(frozen=True, slots=True)
class SectionBudget:
    """The limit of a section before borrowing (None for no limit), and the loan on top, in tokens, with its lender.

    A loan below 0 is a debt of the lender, paid by this section.
    """

    limit: int | None
    borrowed: int = 0
    lender: Section | None = None

    @property
    def room(self) -> int | None:
        """Limit and loan together."""
        return None if self.limit is None else self.limit + self.borrowed


@dataclass(frozen=True, slots=True)
class Budget:
    """How a policy divided the window, in tokens. `available` is None for policies without such a figure."""

    context_window: int
    available: int | None = None
    response_reserve: int = 0
    safety_margin: int = 0
    sections: dict[Section, SectionBudget] = field(default_factory=dict)

    def leaving(self, reply: int | None) -> "Budget":
        """Return the same with so many tokens left for the reply; None keeps the reserve of the policy."""
        return self if reply is None else replace(self, response_reserve=reply)

    def free(self, prompt: int) -> int:
        """Return the tokens of the window left by the reserve and a prompt of this size; below 0 the excess."""
        return self.context_window - prompt - self.response_reserve

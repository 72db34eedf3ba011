"""Budgets: the window a policy is given, and what it made of it."""

from dataclasses import dataclass, field

from inspector.assembly.columns import Section


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """The window that a policy divides: its size in tokens, and the model it belongs to.

    `given` says that a scenario or file names the size, and not only the model.
    """

    tokens: int
    model: str = ""
    given: bool = True


@dataclass(frozen=True, slots=True)
class SectionBudget:
    """Limit of a section before borrowing (None: none), and what it was lent on top, in tokens, by which section.

    A loan below 0 is a debt of the lender that this section pays.
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
    """How a policy divided the window, in tokens. `available` is None where a policy has no such figure."""

    context_window: int
    available: int | None = None
    response_reserve: int = 0
    safety_margin: int = 0
    sections: dict[Section, SectionBudget] = field(default_factory=dict)

    def free(self, prompt: int) -> int:
        """What a prompt of so many tokens and the reserve leave of the window; below 0 what they exceed it by."""
        return self.context_window - prompt - self.response_reserve

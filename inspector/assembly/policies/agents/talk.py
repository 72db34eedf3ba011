"""The messages of a session as columns: their costs and roles, worked out once for all queries.

A place is the number of a message among those that take part, counted from 0.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any
from weakref import ReferenceType, ref

import numpy as np

from inspector.assembly.columns import I64, ROLE_NUMBER, U8, Bool, Kind, Rows
from inspector.assembly.defaults import leave_out, split_pinned
from inspector.assembly.items import ItemTexts
from inspector.assembly.ledger import Ledger
from inspector.derived import Derived, Deriving, cached_property
from inspector.model import Call, Message, Result
from inspector.tokens.counting import TokenCounts

SYSTEM, USER, ASSISTANT, TOOL = (ROLE_NUMBER[role] for role in ("system", "user", "assistant", "tool"))
_OTHERS = tuple(kind for kind in Kind if kind != Kind.MESSAGE)


@dataclass(frozen=True, eq=False)
class Talk(Deriving):
    """The open messages of a conversation that are not pinned, in their order, with their costs in tokens.

    A message that calls tools costs what its content does. `keeper` keeps it, beside what depends on it alone, so it
    only refers to it weakly: what was opened goes at once when it is closed.
    """

    keeper: ReferenceType[Derived]
    items: ItemTexts
    counts: TokenCounts
    rows: Rows
    costs: tuple[int, ...]
    roles: U8
    _derived: dict[str, dict[Hashable, Any]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.costs)

    @cached_property
    def sums(self) -> I64:
        """The cost of the first n messages, for n from 0 on."""
        return np.concatenate([[0], np.cumsum(np.array(self.costs, np.int64))])

    @cached_property
    def role_numbers(self) -> tuple[int, ...]:
        """The roles as plain numbers, for a walk from message to message."""
        return tuple(self.roles.tolist())

    @cached_property
    def counts_of_contents(self) -> tuple[int, ...]:
        """The counted tokens of each content, also where the file records others."""
        return self.column("counts", lambda place: self.count(self.content(place)))

    @cached_property
    def is_result(self) -> Bool:
        """Which messages are results of tools."""
        return self.roles == TOOL

    def message(self, place: int) -> Message:
        """Return the message at a place."""
        thing = self.items.things[int(self.rows[place])]
        assert isinstance(thing, Message)
        return thing

    def content(self, place: int) -> str:
        """Return its text, without its calls."""
        return self.items.contents[int(self.rows[place])]

    def calls(self, place: int) -> tuple[Call, ...]:
        """Return its calls of tools."""
        return self.message(place).tool_calls

    def call_id(self, place: int) -> str:
        """Return the id of the call whose result it is, "" for none."""
        return self.message(place).tool_call_id

    def tool_name(self, place: int) -> str:
        """Return the name of the tool whose result it is, "" if it is unknown."""
        return self._tool_names[place]

    @cached_property
    def _tool_names(self) -> tuple[str, ...]:
        """By place the name that a result has itself, else that of the newest call of its id: APIs name the call."""
        called: dict[str, str] = {}
        found: list[str] = []
        for message in map(self.message, range(len(self))):
            called.update((call.id, call.name) for call in message.tool_calls)
            own = message.name or next((part.name for part in message.parts if isinstance(part, Result)), "")
            found.append(own or called.get(message.tool_call_id, ""))
        return tuple(found)

    def count(self, text: str) -> int:
        """Return the tokens of a text."""
        return self.counts.count(text)

    def column(self, name: str, value: Callable[[int], int]) -> tuple[int, ...]:
        """Return a number for each place, worked out once under this name."""
        return self.derived(name, (), lambda: tuple(map(value, range(len(self)))))

    @cached_property
    def requests(self) -> I64:
        """The places after which the program asks the model: the last user message of a run, the last result of one."""
        roles = self.roles
        following = np.append(roles[1:], np.uint8(255))
        ends = ((roles == USER) | (roles == TOOL)) & (following != roles)
        return np.flatnonzero(ends).astype(np.int64)


def open_talk(ledger: Ledger, base_tokens: int | None = None) -> tuple[Rows, Talk]:
    """Return the pinned messages, and the others as a talk. Everything else is dropped.

    `base_tokens` are those of what the program sends beside its messages; None if it sends nothing beside them.
    """
    sent_beside = base_tokens is not None and bool(len(ledger.rows(Kind.SYSTEM)))
    leave_out(ledger, ledger.rows(*_OTHERS), _beside_messages(base_tokens or 0) if sent_beside else "")
    candidates = ledger.candidates
    ledger.recost(candidates.items.callers, candidates.caller_tokens)
    pinned, rows = split_pinned(ledger, ledger.rows(Kind.MESSAGE))

    keeper = candidates.before_query

    def make() -> Talk:
        given = candidates.items, candidates.counts, rows, tuple(ledger.costs[rows].tolist()), candidates.role[rows]
        return Talk(ref(keeper), *given)

    return pinned, keeper.derived("agents: talk", (), make)


def _beside_messages(base_tokens: int) -> str:
    """Return where the system prompt is counted, as it is in none of the messages."""
    counted_as = f"in the {base_tokens:,} of base_tokens" if base_tokens else "give its tokens as base_tokens"
    return f"The program sends its system prompt beside the messages: {counted_as}."

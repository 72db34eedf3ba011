"""Compaction: many messages told by one summary, and the events at which a program shortened its list of messages.

A summary is no candidate: no list of the workspace holds it. It stands in the prompt as `summary:N`, and a later one
may tell it in turn. The events are those of a session lived through from its first message.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, overload

import numpy as np

from inspector.assembly.columns import I32, I64, U8, Action, Bool
from inspector.assembly.reasons import Reason

END = -1
EventKind = Literal[
    "compacted",
    "truncated",
    "pruned",
    "cleared",
    "deduplicated",
    "failed_inflated",
    "truncated_only",
    "forgotten",
]
EventUnit = Literal["token", "entry"]

COMPACTION = Reason("compaction", "a summary", "It stands for the messages told by it, as the program would write it.")
COMPACTED = Reason(
    "compacted",
    "told by a summary",
    "The program wrote one summary of {thing} ({tokens} tokens) and of the messages before it, and sends that instead.",
)


@dataclass(frozen=True, slots=True)
class Compaction:
    """The `number`-th summary of a session, counted from 1, of `size` tokens, heading included.

    `text` is its text, or words that stand for it where only its size is known; `told` is the number of messages and
    earlier summaries in it. `into` is the number of the later summary that tells it, 0 for none; `lost` is the reason
    why it went without a trace, None if it did not.
    """

    number: int
    size: int
    role: str
    text: str
    told: int
    into: int = 0
    lost: Reason | None = None

    @property
    def id(self) -> str:
        """Its id among the items of an answer."""
        return summary_id(self.number)

    @property
    def spent(self) -> int:
        """Its tokens in the prompt."""
        return self.size if self.stands else 0

    @property
    def stands(self) -> bool:
        """Whether it is in the prompt."""
        return not self.into and self.lost is None

    @property
    def is_assumed(self) -> bool:
        """Whether only its size is known, and words stand for its text."""
        return self.text == stand_in(self.told, self.size)


@dataclass(frozen=True, slots=True)
class Event:
    """A moment at which the program shortened its list: `row` is the message before or after which it happened, `END`
    after the last.

    `before` and `after` are the size of the list by the program's own measure, in `unit`: tokens or entries. `range`
    has the first and the last of the messages that are cut out of the middle by now, counted from 0; None for none.
    `rows` are the results that were cleared, in the order of that, and `tokens` what they cost together.
    """

    row: int
    kind: EventKind
    before: int
    after: int
    range: tuple[int, int] | None = None
    rows: tuple[int, ...] = ()
    tokens: int = 0
    unit: EventUnit = "token"


def summary_id(number: int) -> str:
    """Return the id of the `number`-th summary."""
    return f"summary:{number}"


def stand_in(told: int, size: int) -> str:
    """Return words for a summary whose text only the program's model would write."""
    return f"[Summary of {told:,} messages, about {size:,} tokens: written by the program's model]"


_Thing = TypeVar("_Thing", Compaction, Event)


class MadeWhenAsked(Sequence[_Thing]):
    """A sequence whose things are made when they are asked for: there may be as many as messages."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    @abstractmethod
    def made(self, place: int) -> _Thing:
        """Return the thing at a place from 0 on."""

    @overload
    def __getitem__(self, place: int) -> _Thing: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[_Thing]: ...
    def __getitem__(self, place: int | slice) -> _Thing | Sequence[_Thing]:
        """Return the thing at a place, or those of a slice."""
        if isinstance(place, slice):
            return tuple(map(self.made, range(self._count)[place]))
        return self.made(range(self._count)[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class Compactions(MadeWhenAsked[Compaction]):
    """The summaries of a session in their order, as columns: `sizes` in tokens, `told` and `into` as in `Compaction`.

    `words` returns the role of the summary at a place, and its text or None where only its size is known; `lost` are
    the reasons why summaries went, by their numbers.
    """

    def __init__(
        self,
        sizes: I64,
        told: I64,
        into: I32,
        words: Callable[[int], tuple[str, str | None]],
        lost: Mapping[int, Reason],
    ) -> None:
        super().__init__(len(sizes))
        self.sizes, self.told, self.into, self._words, self._lost = sizes, told, into, words, lost

    @staticmethod
    def of(made: Iterable[Compaction]) -> "Compactions":
        """Return these summaries as columns."""
        each = tuple(made)
        return Compactions(
            np.array([one.size for one in each], np.int64),
            np.array([one.told for one in each], np.int64),
            np.array([one.into for one in each], np.int32),
            lambda place: (each[place].role, each[place].text),
            {one.number: one.lost for one in each if one.lost is not None},
        )

    def without(self, numbers: Iterable[int], reason: Reason) -> "Compactions":
        """Return the summaries, with those of these numbers lost."""
        return Compactions(
            self.sizes, self.told, self.into, self._words, {**self._lost, **dict.fromkeys(numbers, reason)}
        )

    @property
    def stands(self) -> Bool:
        """Which summaries are in the prompt."""
        there = self.into == 0
        there[[number - 1 for number in self._lost]] = False
        return there

    @property
    def standing(self) -> Sequence[Compaction]:
        """The summaries in the prompt."""
        return tuple(map(self.made, np.flatnonzero(self.stands).tolist()))

    @property
    def actions(self) -> U8:
        """The decision about each summary: a later one may tell it in turn."""
        kept = np.where(self.stands, np.uint8(Action.KEPT), np.uint8(Action.DROPPED))
        return np.where(self.into > 0, np.uint8(Action.SUMMARIZED), kept)

    def made(self, place: int) -> Compaction:
        """Return the summary at a place from 0 on."""
        role, text = self._words(place)
        size, told = int(self.sizes[place]), int(self.told[place])
        words = stand_in(told, size) if text is None else text
        return Compaction(place + 1, size, role, words, told, int(self.into[place]), self._lost.get(place + 1))


NO_COMPACTIONS = Compactions.of(())

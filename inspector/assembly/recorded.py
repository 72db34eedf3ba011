"""Decisions about messages recorded by the program that wrote the file, compared with the decisions here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import U8, Action, Fate, Rows, frozen, outcome_words
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.derived import cached_property
from inspector.model import Message


class Recorded(IntEnum):
    """The recorded decision about a message; NOTHING if none is recorded."""

    NOTHING = 0
    KEPT = 1
    SUMMARIZED = 2
    DROPPED = 3


NOTHING_RECORDED = "This conversation has no record of the prompts sent."

_BY_WORD = {one.name.lower(): one for one in Recorded if one is not Recorded.NOTHING}
_AS_HERE = {
    Action.KEPT: Recorded.KEPT,
    Action.SUMMARIZED: Recorded.SUMMARIZED,
    Action.TRUNCATED: Recorded.KEPT,  # no format records that a message was cut
    Action.DROPPED: Recorded.DROPPED,
}


def recorded_note(thing: object) -> Mapping[str, Any]:
    """Return the note of the source about a message: its `action`, and if known `by` and `reason`; empty for none."""
    note = thing.metadata.get("recorded") if isinstance(thing, Message) else None
    if isinstance(note, Mapping):
        return note
    return {"action": note} if isinstance(note, str) and note else {}


def recorded_of(thing: object) -> Recorded:
    """Return the recorded decision about a message."""
    action = recorded_note(thing).get("action")
    return _BY_WORD.get(action, Recorded.NOTHING) if isinstance(action, str) else Recorded.NOTHING


def recorded_column(items: ItemTexts) -> U8:
    """Return a `Recorded` for each candidate, found once for the same items."""
    return items.derived("recorded", None, lambda: _column(items))


def _column(items: ItemTexts) -> U8:
    found = np.zeros(len(items.things), np.uint8)
    for row, thing in enumerate(items.things[items.first_message :], items.first_message):
        if isinstance(thing, Message) and "recorded" in thing.metadata:
            found[row] = recorded_of(thing)
    return frozen(found)


def recorded_sentence(thing: object) -> str:
    """Return the note as a sentence, "" for none."""
    note = recorded_note(thing)
    if not note:
        return ""
    by = f", by {note['by']}" if note.get("by") else ""
    reason = f" ({note['reason']})" if note.get("reason") else ""
    return f"The program that wrote this file recorded: {note.get('action', 'decided')}{by}{reason}."


Share = Literal["only recorded", "only here", "both", "neither", "not yet"]
"""Which prompts have a message, the recorded one or the one here, whole or in a summary; "not yet" if the turn shown is
before it.
"""

_SHARES: tuple[Share, ...] = ("only recorded", "only here", "both", "neither", "not yet")


@dataclass(frozen=True, slots=True, eq=False)
class RecordedGroup:
    """The messages with the same recorded decision and the same fate here: their places in the comparison.

    `recorded_tokens` is their cost if sent in full, 0 if they were not; `tokens` is their cost here.
    """

    recorded: Recorded
    fate: Fate
    places: Rows
    recorded_tokens: int
    tokens: int

    def __len__(self) -> int:
        return len(self.places)

    @property
    def share(self) -> Share:
        """Which of the two prompts has these messages."""
        if self.fate == Fate.NOT_YET:
            return "not yet"
        was_sent, is_here = self.recorded != Recorded.DROPPED, self.fate < Fate.DROPPED
        if was_sent and is_here:
            return "both"
        return "only recorded" if was_sent else "only here" if is_here else "neither"


@dataclass(frozen=True, slots=True)
class ShareTotal:
    """All messages of one share, with their tokens on both sides."""

    share: Share
    messages: int
    recorded_tokens: int
    tokens: int


@dataclass(frozen=True, eq=False)
class RecordedComparison:
    """The messages of an assembly with a recorded decision, in conversation order.

    `rows` are their rows in the assembly, `recorded` a `Recorded` for each.
    """

    assembly: Assembly
    rows: Rows
    recorded: U8

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def fates(self) -> U8:
        """The fate here at each place."""
        return self.assembly.fate[self.rows]

    @cached_property
    def differs(self) -> np.ndarray:
        """For each place, whether the decision here differs; messages that do not exist yet do not differ."""
        table = np.array([_AS_HERE[action] for action in Action], np.uint8)
        return (table[self.assembly.action[self.rows]] != self.recorded) & (self.fates != Fate.NOT_YET)

    @cached_property
    def recorded_spent(self) -> NDArray[np.int64]:
        """For each place, the tokens of the whole message if sent, else 0: no file records the cost of a part."""
        tokens = self.assembly.candidates.tokens[self.rows].astype(np.int64)
        return np.where(self.recorded == Recorded.KEPT, tokens, 0)

    @cached_property
    def spent(self) -> NDArray[np.int64]:
        """For each place, the tokens of the message in this prompt, 0 if it is not in it."""
        return np.where(self.fates < Fate.DROPPED, self.assembly.spent[self.rows].astype(np.int64), 0)

    @cached_property
    def groups(self) -> tuple[RecordedGroup, ...]:
        """The messages by recorded decision and fate here, by share; within a share those that differ first."""
        codes = self.recorded.astype(np.intp) * len(Fate) + self.fates
        found = [self._group(code, np.flatnonzero(codes == code)) for code in np.unique(codes).tolist()]
        return tuple(sorted(found, key=lambda one: (_SHARES.index(one.share), not self.differs[one.places[0]])))

    def _group(self, code: int, places: Rows) -> RecordedGroup:
        spent = (int(column[places].sum()) for column in (self.recorded_spent, self.spent))
        recorded, fate = divmod(code, len(Fate))
        return RecordedGroup(Recorded(recorded), Fate(fate), places, *spent)

    @cached_property
    def shares(self) -> tuple[ShareTotal, ...]:
        """The totals of each share; together they are `recorded_total` and `total`."""
        found = []
        for share in _SHARES:
            groups = [group for group in self.groups if group.share == share]
            sums = (
                sum(map(len, groups)),
                sum(one.recorded_tokens for one in groups),
                sum(one.tokens for one in groups),
            )
            if groups:
                found.append(ShareTotal(share, *sums))
        return tuple(found)

    @property
    def recorded_total(self) -> int:
        """The tokens of all messages sent in full."""
        return int(self.recorded_spent.sum())

    @property
    def total(self) -> int:
        """The tokens of all of them in this prompt."""
        return int(self.spent.sum())

    @property
    def sentence(self) -> str:
        """The degree of agreement, in words."""
        if not len(self):
            return NOTHING_RECORDED
        same = len(self) - int(self.differs.sum())
        return (
            f"{same:,} of {len(self):,} recorded messages fare the same here; "
            f"{self.recorded_total:,} tokens were sent in full, {self.total:,} are here"
        )


def compare_recorded(assembly: Assembly) -> RecordedComparison:
    """Compare the recorded decisions with an assembly."""
    column = recorded_column(assembly.candidates.items)
    rows = np.flatnonzero(column)
    return RecordedComparison(assembly, rows, frozen(column[rows]))


_AS_ACTION: dict[int, Action] = {
    Recorded.KEPT: Action.KEPT,
    Recorded.SUMMARIZED: Action.SUMMARIZED,
    Recorded.DROPPED: Action.DROPPED,
}


def recorded_text(recorded: int) -> str:
    """The outcome that a file records for a message (a `Recorded`), written as an action is; "" where there is none."""
    action = _AS_ACTION.get(recorded)
    return "" if action is None else outcome_words(action)

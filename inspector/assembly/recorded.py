"""What the program that wrote a file did with each message, where it noted that, beside what is done with it here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from inspector.assembly.columns import U8, Action, Fate, Rows, frozen
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.model import Message


class Recorded(IntEnum):
    """What a file says became of a message; NOTHING where it does not say."""

    NOTHING = 0
    KEPT = 1
    SUMMARIZED = 2
    DROPPED = 3


_BY_WORD = {one.name.lower(): one for one in Recorded if one is not Recorded.NOTHING}
_AS_HERE = {
    Action.KEPT: Recorded.KEPT,
    Action.SUMMARIZED: Recorded.SUMMARIZED,
    Action.TRUNCATED: Recorded.KEPT,  # no format records that a message was cut
    Action.DROPPED: Recorded.DROPPED,
}


def recorded_note(thing: object) -> Mapping[str, Any]:
    """What the source noted of a message: its `action`, and where they are known `by` and `reason`; empty for none."""
    note = thing.metadata.get("recorded") if isinstance(thing, Message) else None
    if isinstance(note, Mapping):
        return note
    return {"action": note} if isinstance(note, str) and note else {}


def recorded_of(thing: object) -> Recorded:
    """What the source says became of a message."""
    action = recorded_note(thing).get("action")
    return _BY_WORD.get(action, Recorded.NOTHING) if isinstance(action, str) else Recorded.NOTHING


def recorded_column(items: ItemTexts) -> U8:
    """A `Recorded` for each candidate, found once for the same items."""
    return items.derived("recorded", None, lambda: _column(items))


def _column(items: ItemTexts) -> U8:
    found = np.zeros(len(items.things), np.uint8)
    for row, thing in enumerate(items.things[items.first_message :], items.first_message):
        if isinstance(thing, Message) and "recorded" in thing.metadata:
            found[row] = recorded_of(thing)
    return frozen(found)


def recorded_sentence(thing: object) -> str:
    """What was noted, in a sentence; "" for nothing."""
    note = recorded_note(thing)
    if not note:
        return ""
    by = f", by {note['by']}" if note.get("by") else ""
    reason = f" ({note['reason']})" if note.get("reason") else ""
    return f"The program that wrote this file recorded: {note.get('action', 'decided')}{by}{reason}."


@dataclass(frozen=True, eq=False)
class RecordedComparison:
    """The messages of an assembly of which the file says what became of them, in conversation order.

    `rows` are their rows in the assembly, `recorded` a `Recorded` for each.
    """

    assembly: Assembly
    rows: Rows
    recorded: U8

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def differs(self) -> np.ndarray:
        """For each place whether something else is done with the message here; what does not yet exist is no other."""
        table = np.array([_AS_HERE[action] for action in Action], np.uint8)
        return (table[self.assembly.action[self.rows]] != self.recorded) & (
            self.assembly.fate[self.rows] != Fate.NOT_YET
        )

    def tokens(self, kept: bool) -> int:
        """The tokens of the messages that were kept: as recorded, or with False as they are here."""
        if kept:
            chosen = self.rows[self.recorded == Recorded.KEPT]
            return int(self.assembly.candidates.tokens[chosen].sum(dtype=np.int64))
        inside = self.rows[self.assembly.action[self.rows] < Action.DROPPED]
        return int(self.assembly.spent[inside].sum(dtype=np.int64))

    @property
    def sentence(self) -> str:
        """How far both agree, in words."""
        if not len(self):
            return "This conversation records nothing of what was sent."
        same = len(self) - int(self.differs.sum())
        return (
            f"{same:,} of {len(self):,} recorded messages fare the same here; "
            f"{self.tokens(True):,} tokens were sent in full, {self.tokens(False):,} are here"
        )


def compare_recorded(assembly: Assembly) -> RecordedComparison:
    """What was recorded beside what is assembled."""
    column = recorded_column(assembly.candidates.items)
    rows = np.flatnonzero(column)
    return RecordedComparison(assembly, rows, frozen(column[rows]))

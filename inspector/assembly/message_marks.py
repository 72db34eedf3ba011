"""Marks of messages as columns: what the file or the person says of each, and, by choice, what rules find in its text.

What the file or the person says always wins; the rules only fill in what nobody said. Which class that makes of a
message is said in message_class.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import cast

import numpy as np

from inspector.assembly.columns import F64, U8, Bool, frozen
from inspector.model import Message
from inspector.retrieval.message_classes import MessageReader

_READ_ROLES = ("user", "assistant")
"""Whose messages the rules read: system messages and results of tools are nobody's feelings or decisions."""


class Mark(IntFlag):
    """The marks of a message, as bits."""

    EMOTIONAL_WEIGHT = 1
    KEY_MOMENT = 2
    FILLER = 4


@dataclass(frozen=True, eq=False, slots=True)
class MessageMarks:
    """Columns of the candidates' length; nothing is marked before the messages.

    `emotional_weight` lies in 0–1, NaN where it is not known. `computed` and `told` hold the `Mark` bits that come from
    the rules, and those that come from anybody at all: a `filler` that is False and not told was never looked at.
    """

    emotional_weight: F64
    key_moment: Bool
    filler: Bool
    computed: U8
    told: U8

    @property
    def any_computed(self) -> bool:
        """Whether the rules filled in anything."""
        return bool(self.computed.any())


def message_marks(things: Sequence[object], first_message: int, reader: MessageReader | None) -> MessageMarks:
    """The marks of these things, of which those from `first_message` on are messages, as the file says.

    With a reader, every text of a user or assistant whose file leaves something open is read.
    """
    size = len(things)
    weights = np.full(size, np.nan)
    columns = {mark: np.zeros(size, np.bool_) for mark in (Mark.KEY_MOMENT, Mark.FILLER)}
    computed, told = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    for row, message in _messages(things, first_message):
        if reader is None and not _is_marked(message):
            continue
        marks = _recorded(message)
        told[row] = sum(marks)
        if reader is not None and message.role in _READ_ROLES:
            found = {mark: value for mark, value in _computed(message, reader).items() if mark not in marks}
            computed[row] = sum(found)
            told[row] |= computed[row]
            marks |= found
        weights[row] = marks.get(Mark.EMOTIONAL_WEIGHT, np.nan)
        for mark, column in columns.items():
            column[row] = marks.get(mark, False)
    key_moment, filler = columns.values()
    return MessageMarks(frozen(weights), frozen(key_moment), frozen(filler), frozen(computed), frozen(told))


def texts_to_read(things: Sequence[object], first_message: int) -> list[str]:
    """The texts that the rules read."""
    return [message.content for _, message in _messages(things, first_message) if message.role in _READ_ROLES]


def _messages(things: Sequence[object], first_message: int) -> Iterator[tuple[int, Message]]:
    yield from enumerate(cast("Sequence[Message]", things[first_message:]), first_message)


def _is_marked(message: Message) -> bool:
    """Whether the file, or the person in its place, says anything of a message."""
    return not (message.emotional_weight is message.key_moment is message.filler is None)


def _recorded(message: Message) -> dict[Mark, float]:
    """What the file, or the person in its place, says of a message."""
    said = {
        Mark.EMOTIONAL_WEIGHT: message.emotional_weight,
        Mark.KEY_MOMENT: message.key_moment,
        Mark.FILLER: message.filler,
    }
    return {mark: value for mark, value in said.items() if value is not None}


def _computed(message: Message, reader: MessageReader) -> dict[Mark, float]:
    """What the rules find in the text of a message."""
    reading = reader.read(message.content)
    found: dict[Mark, float] = {Mark.KEY_MOMENT: reading.key_moment, Mark.FILLER: reading.filler}
    if reading.emotional_weight is not None:
        found[Mark.EMOTIONAL_WEIGHT] = reading.emotional_weight
    return found

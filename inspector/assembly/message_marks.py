"""Marks of messages as columns: from the file or the user and, by choice, from rules over its text.

Marks of the file or the user always win; the rules only fill gaps. `message_class.py` derives the class of a message
from them.
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
"""The roles whose messages the rules read: system messages and results of tools express no feelings or decisions."""


class Mark(IntFlag):
    """The marks of a message, as bits."""

    EMOTIONAL_WEIGHT = 1
    KEY_MOMENT = 2
    FILLER = 4


@dataclass(frozen=True, eq=False, slots=True)
class MessageMarks:
    """Columns of the candidates' length; nothing is marked before the messages.

    `emotional_weight` is in 0–1, NaN if unknown. `computed` holds the `Mark` bits set by the rules, `told` those set by
    any source: a `filler` that is False and not told was never examined.
    """

    emotional_weight: F64
    key_moment: Bool
    filler: Bool
    computed: U8
    told: U8

    @property
    def any_computed(self) -> bool:
        """Whether the rules filled in any mark."""
        return bool(self.computed.any())


def message_marks(things: Sequence[object], first_message: int, reader: MessageReader | None) -> MessageMarks:
    """Return the marks of these things, which are messages from `first_message` on, as recorded in the file.

    With a reader, every text of a user or assistant with missing marks is read.
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
    """Return the texts for the rules to read."""
    return [message.content for _, message in _messages(things, first_message) if message.role in _READ_ROLES]


def _messages(things: Sequence[object], first_message: int) -> Iterator[tuple[int, Message]]:
    yield from enumerate(cast("Sequence[Message]", things[first_message:]), first_message)


def _is_marked(message: Message) -> bool:
    """Return whether a message has a mark from the file or the user."""
    return not (message.emotional_weight is message.key_moment is message.filler is None)


def _recorded(message: Message) -> dict[Mark, float]:
    """Return the marks of a message from the file or the user."""
    said = {
        Mark.EMOTIONAL_WEIGHT: message.emotional_weight,
        Mark.KEY_MOMENT: message.key_moment,
        Mark.FILLER: message.filler,
    }
    return {mark: value for mark, value in said.items() if value is not None}


def _computed(message: Message, reader: MessageReader) -> dict[Mark, float]:
    """Return the marks found in the text of a message by the rules."""
    reading = reader.read(message.content)
    found: dict[Mark, float] = {Mark.KEY_MOMENT: reading.key_moment, Mark.FILLER: reading.filler}
    if reading.emotional_weight is not None:
        found[Mark.EMOTIONAL_WEIGHT] = reading.emotional_weight
    return found

"""Classes of messages, as assigned by a strategy that summarizes old messages, and their overrides.

The marks are checked in this order: emotional, key moment, recent, filler; the rest is ordinary.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from inspector.assembly.columns import U8, Bool, Rows, word
from inspector.assembly.message_marks import Mark, MessageMarks
from inspector.retrieval.message_classes import key_moment_signs

if TYPE_CHECKING:
    from inspector.assembly.decisions import Assembly


class MessageClass(IntEnum):
    """The class of a message; NONE if the strategy does not look at it."""

    NONE = 0
    EMOTIONAL = 1
    KEY_MOMENT = 2
    RECENT = 3
    FILLER = 4
    ORDINARY = 5


OVERRIDES: Mapping[MessageClass, Mapping[str, Any]] = {
    MessageClass.EMOTIONAL: {"emotional_weight": 1.0, "key_moment": False, "filler": False},
    MessageClass.KEY_MOMENT: {"emotional_weight": 0.0, "key_moment": True, "filler": False},
    MessageClass.FILLER: {"emotional_weight": 0.0, "key_moment": False, "filler": True},
    MessageClass.ORDINARY: {"emotional_weight": 0.0, "key_moment": False, "filler": False},
}
"""The fields of a message that force a class, whatever its file or the rules say. Recent messages follow from the
conversation and the strategy.
"""

_FIELDS = ("emotional_weight", "key_moment", "filler")
_DECISIVE = {
    MessageClass.EMOTIONAL: Mark.EMOTIONAL_WEIGHT,
    MessageClass.KEY_MOMENT: Mark.KEY_MOMENT,
    MessageClass.FILLER: Mark.FILLER,
    MessageClass.ORDINARY: Mark.EMOTIONAL_WEIGHT | Mark.KEY_MOMENT | Mark.FILLER,
}
_ARTICLES = {MessageClass.KEY_MOMENT: "a "}


def classes_of(marks: MessageMarks, rows: Rows, recent: Bool, emotional_threshold: float) -> U8:
    """Return the class of each message row, in the order of the rows; `recent` is a mask over them."""
    return np.select(
        [marks.emotional_weight[rows] >= emotional_threshold, marks.key_moment[rows], recent, marks.filler[rows]],
        [MessageClass.EMOTIONAL, MessageClass.KEY_MOMENT, MessageClass.RECENT, MessageClass.FILLER],
        MessageClass.ORDINARY,
    ).astype(np.uint8)


def overridden_class(
    overrides: Mapping[str, Mapping[str, Any]], ids: Iterable[str], chosen: MessageClass | None
) -> dict[str, Mapping[str, Any]]:
    """Return the overrides of a scenario with this class forced for these messages; None removes the override."""
    changed = dict(overrides)
    for name in ids:
        others = {field: value for field, value in changed.pop(name, {}).items() if field not in _FIELDS}
        fields = {**others, **(OVERRIDES[chosen] if chosen is not None else {})}
        if fields:
            changed[name] = fields
    return changed


def is_overridden(overrides: Mapping[str, Mapping[str, Any]], name: str) -> bool:
    """Return whether the user chose the class of this message."""
    return any(field in _FIELDS for field in overrides.get(name, {}))


def class_of(assembly: "Assembly", row: int) -> MessageClass:
    """Return the class of a row; NONE if no strategy looks at it."""
    return MessageClass.NONE if assembly.classes is None else MessageClass(int(assembly.classes[row]))


def class_words(kind: MessageClass) -> str:
    """Return a class in words, such as `key moment`; "" for NONE."""
    return "" if kind is MessageClass.NONE else word(kind).replace("_", " ")


def is_computed(assembly: "Assembly", row: int) -> bool:
    """Return whether the class of a row follows from its text by the rules."""
    decisive = _DECISIVE.get(class_of(assembly, row), Mark(0))
    return bool(assembly.candidates.marks.computed[row] & decisive)


def class_sentence(assembly: "Assembly", row: int) -> str:
    """Return the class of a message and its reason as a sentence, "" for NONE."""
    kind = class_of(assembly, row)
    if kind is MessageClass.NONE:
        return ""
    why = _why(assembly, row, kind)
    return f"It counts as {_ARTICLES.get(kind, '')}{class_words(kind)}{f': {why}' if why else ''}."


def class_numbers(assembly: "Assembly") -> U8:
    """Return the class of each candidate as a number; 0 throughout if the policy does not classify."""
    return np.zeros(len(assembly.candidates), np.uint8) if assembly.classes is None else assembly.classes


def _why(assembly: "Assembly", row: int, kind: MessageClass) -> str:
    if kind is MessageClass.RECENT:
        return "it is among the newest messages"
    if kind not in (MessageClass.KEY_MOMENT, MessageClass.FILLER):
        return _weight(assembly, row)
    marks = assembly.candidates.marks
    if int(marks.told[row]) & ~int(marks.computed[row]) & _DECISIVE[kind]:
        return "the file or you marked it so"
    if kind is MessageClass.FILLER:
        return "by the rules it only says something like okay or thanks"
    return _signs(assembly, row)


def _weight(assembly: "Assembly", row: int) -> str:
    """Return the emotional weight of a message and its origin in words, "" if unknown."""
    marks = assembly.candidates.marks
    weight = float(marks.emotional_weight[row])
    if np.isnan(weight):
        return ""
    is_from_text = marks.computed[row] & Mark.EMOTIONAL_WEIGHT
    return f"emotional weight {weight:.2f}, {'computed by VADER from the text' if is_from_text else 'as marked'}"


def _signs(assembly: "Assembly", row: int) -> str:
    """Return the signs of a key moment found in the text by the rules."""
    thing = assembly.candidates.things[row]
    signs = dict(key_moment_signs(getattr(thing, "content", "")))
    return "by the rules it says " + ", ".join(f"{what} (“{text}”)" for what, text in signs.items())

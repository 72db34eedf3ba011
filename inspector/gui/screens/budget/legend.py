"""The legend of the budget bar: every possible part in this conversation, in prompt order, and its place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.gui.parts.bar_picture import BarPart
from inspector.gui.theme import UNIT

SQUARE = 10
_GAP = UNIT
_BETWEEN = 3 * UNIT


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A part of the bar with its rectangle in the legend; the square of its colour is at the left end."""

    part: BarPart
    place: QRect

    @property
    def square(self) -> QRect:
        """Where its colour is."""
        top = self.place.center().y() - SQUARE // 2
        return QRect(self.place.left(), top, SQUARE, SQUARE)

    @property
    def title(self) -> QRect:
        """Where its name is."""
        return self.place.adjusted(SQUARE + _GAP, 0, 0, 0)


def place_legend(parts: Sequence[BarPart], width_of: Callable[[str], int], row: QRect) -> list[LegendEntry]:
    """Return an entry for each part from left to right, as many as there is room for."""
    entries: list[LegendEntry] = []
    left = row.left()
    for part in parts:
        width = SQUARE + _GAP + width_of(part.title)
        if left + width > row.right():
            break
        entries.append(LegendEntry(part, QRect(left, row.top(), width, row.height())))
        left += width + _BETWEEN
    return entries

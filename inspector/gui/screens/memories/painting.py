"""The painting of memories: a stacked bar for the signals of a score, and a rule at a limit."""

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QPainter

from inspector.assembly.columns import Section
from inspector.assembly.explain import Signal
from inspector.gui.palettes import Theme, blended
from inspector.gui.screens.memories.model import SignalBar
from inspector.gui.table.model import Cell
from inspector.gui.table.row_painter import PADDING, Place, RowPainter
from inspector.gui.theme import UNIT, theme

SHADES = (0.86, 0.56, 0.32)
"""The strength of the memory colour in the second and further parts of a bar, over the ground of the table."""
DEEPEST = 0.55
"""The share of the memory colour in the first part; the rest is the colour of text."""
UNRANKED = 0.35
_GAP = 1.0


def signal_color(number: int) -> QColor:
    """Return the colour of a signal: a shade of the memory colour, since other colours mean other sections
    everywhere.
    """
    return _shade(theme(), number)


@lru_cache
def _shade(look: Theme, number: int) -> QColor:
    ink = look.section_color(Section.MEMORY)
    if number == 0:
        return blended(ink, look.text, DEEPEST)
    return blended(ink, look.base, SHADES[(number - 1) % len(SHADES)])


def bar_parts(signals: Sequence[Signal], width: float) -> list[tuple[float, float]]:
    """Return (left, right) of each signal in a bar, in pixels; the whole width is the highest possible score."""
    whole = sum(max(signal.weight, 0.0) for signal in signals)
    parts: list[tuple[float, float]] = []
    left = 0.0
    for signal in signals:
        right = left + width * min(max(signal.part, 0.0) / whole, 1.0) if whole else left
        parts.append((left, right))
        left = right
    return parts


class MemoryRowPainter(RowPainter):
    """The painter of memories: the bar of each over its row, and limits as rules with a caption."""

    def _paint_cell(self, painter: QPainter, strip: QRect, place: Place, cell: Cell, selected: bool) -> None:
        super()._paint_cell(painter, strip, place, cell, selected)
        if isinstance(cell.figure, SignalBar) and cell.figure.signals:
            self._paint_bar(painter, QRect(place.x, strip.y(), place.width, strip.height()), *cell.figure)

    def _paint_bar(self, painter: QPainter, room: QRect, signals: tuple[Signal, ...], ranked: bool) -> None:
        bar = room.adjusted(PADDING, 2 * UNIT, -PADDING, -2 * UNIT)
        look = theme()
        painter.fillRect(bar.x(), bar.bottom() + 1, bar.width(), 1, look.border)
        opacity = painter.opacity()
        painter.setOpacity(opacity * (1.0 if ranked else UNRANKED))
        for number, (left, right) in enumerate(bar_parts(signals, bar.width())):
            gap = _GAP if right - left > 2 * _GAP else 0.0
            part = QRectF(bar.x() + left, bar.y(), right - left - gap, bar.height())
            painter.fillRect(part, signal_color(number))
        painter.setOpacity(opacity)

    def _paint_heading(self, painter: QPainter, strip: QRect, heading: str) -> None:
        """Paint a rule across all columns, with its caption at the left."""
        look, middle = theme(), strip.center().y()
        painter.fillRect(strip.adjusted(0, 0, 0, 1), look.window)
        prepared, used, tall = self._texts.text(heading, strip.width() - 4 * PADDING)
        painter.setPen(look.warning)
        painter.drawLine(strip.left(), middle, strip.left() + PADDING, middle)
        painter.drawStaticText(QPointF(2 * PADDING, strip.y() + (strip.height() - tall) / 2), prepared)
        painter.drawLine(int(3 * PADDING + used), middle, strip.right(), middle)

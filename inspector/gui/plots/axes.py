"""The axes of plots: the words at whole numbers, and days and hours."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor

import pyqtgraph as pg
from PySide6.QtGui import QFontMetrics, QFontMetricsF

from inspector.drawings.drawing import Axis, Ticks, round_steps
from inspector.gui.theme import UNIT, named_font, theme

_DIGITS = 8
_GRID = 38
"""How strong the lines of the grid are, of 255."""


class DrawnAxis(pg.AxisItem):
    """The axis of a drawing: words at whole numbers, such as 12,000; between two of them there is no mark."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.enableAutoSIPrefix(False)
        self.axis = Axis(0.0, 1.0)

    def tickValues(
        self,
        minVal: float,  # noqa: N803
        maxVal: float,  # noqa: N803
        size: float,
    ) -> list[tuple[float, list[float]]]:
        """Return marks at whole numbers only, and on an upright axis only as many as have room for their numbers."""
        if self.axis.ticks is Ticks.NONE:
            return []
        levels = [(step, values) for step, values in super().tickValues(minVal, maxVal, size) if step >= 1]
        if not levels:  # so few that they are farther apart than the marks between them would be
            levels = [(1.0, [float(place) for place in range(ceil(minVal), floor(maxVal) + 1)])]
        if self.orientation not in ("left", "right"):
            return levels
        line, pixel = QFontMetricsF(named_font("caption")).height(), size / max(maxVal - minVal, 1e-9)
        fitting = [(step, values) for step, values in levels if step * pixel >= line]
        if fitting or size < line:
            return fitting
        step = next(step for step in round_steps(levels[0][0]) if step * pixel >= line)
        return [(step, [place * step for place in range(ceil(minVal / step), floor(maxVal / step) + 1)])]

    def show_axis(self, axis: Axis) -> None:
        """Show the words and ticks of an axis."""
        before, self.axis = self.axis, axis
        if axis.write is not before.write:
            self.picture = None
            self.update()
        if axis.title != before.title:
            self.setLabel(escape(axis.title))
        if axis.lines != before.lines:
            self.make_room()

    def make_room(self) -> None:
        """Set the height for several lines: by default an axis has room for a single line."""
        height = round(self.axis.lines * QFontMetricsF(named_font("caption")).lineSpacing()) + 2 * UNIT
        self.setHeight(height if self.axis.lines > 1 else None)

    def width_in(self, metrics: QFontMetrics) -> int:
        """Return the width of its words beside an upright axis: the width of numbers is the same for all plots."""
        if self.axis.ticks is not Ticks.PLACES:
            return metrics.horizontalAdvance("0" * _DIGITS)
        words = self.axis.write(range(ceil(self.axis.first), floor(self.axis.end) + 1))
        return metrics.horizontalAdvance(max(words, key=len, default="")) + metrics.height() + 4 * UNIT

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return list(self.axis.write([round(value) for value in values]))


class TimeAxis(pg.DateAxisItem):
    """Days and hours of seconds since 1970, in UTC."""

    def __init__(self, side: str) -> None:
        super().__init__(side, utcOffset=0)
        self.enableAutoSIPrefix(False)


def restyle(axis: pg.AxisItem, grid: bool) -> None:
    """Give an axis the colours and the font of the theme."""
    axis.setPen(theme().border)
    axis.setTickPen(theme().muted_text)
    axis.setTextPen(theme().muted_text)
    axis.setTickFont(named_font("caption"))
    axis.setStyle(tickLength=0, tickTextOffset=UNIT)
    axis.setGrid(_GRID if grid else False)

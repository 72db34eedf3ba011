"""The axes of plots: whole numbers with their thousands separated, and days and hours."""

from collections.abc import Iterator, Sequence
from itertools import count
from math import ceil, floor, log10

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from inspector.gui.theme import UNIT, small_font, theme

_GRID = 38
"""How strong the lines of the grid are, of 255."""


class NumberAxis(pg.AxisItem):
    """Whole numbers, such as 12,000; between two of them there is no mark."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.enableAutoSIPrefix(False)

    def tickValues(
        self,
        minVal: float,  # noqa: N803
        maxVal: float,  # noqa: N803
        size: float,
    ) -> list[tuple[float, list[float]]]:
        """Marks at whole numbers only, and on an upright axis none whose numbers would lie over each other."""
        levels = [(step, values) for step, values in super().tickValues(minVal, maxVal, size) if step >= 1]
        if self.orientation not in ("left", "right"):
            return levels
        line, pixel = QFontMetricsF(small_font()).height(), size / max(maxVal - minVal, 1e-9)
        fitting = [(step, values) for step, values in levels if step * pixel >= line]
        if fitting or not levels or size < line:
            return fitting
        step = next(step for step in _round_steps(levels[0][0]) if step * pixel >= line)
        return [(step, [place * step for place in range(ceil(minVal / step), floor(maxVal / step) + 1)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Each number as it is written everywhere."""
        return [f"{value:,.0f}" for value in values]


def _round_steps(least: float) -> Iterator[float]:
    """The steps 1, 2, 5, 10, 20 … from about this one on."""
    for power in count(floor(log10(least))):
        yield from (digit * 10.0**power for digit in (1, 2, 5))


class PlaceAxis(NumberAxis):
    """Places 0, 1, 2, … with a text for each, such as the values of a knob."""

    texts: Sequence[str] = ()

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """The text of each place; nothing beside the places."""
        places = [round(value) for value in values]
        return [self.texts[place] if 0 <= place < len(self.texts) else "" for place in places]

    def show_texts(self, texts: Sequence[str]) -> None:
        """Have other texts."""
        self.texts = tuple(texts)
        self.picture = None
        self.update()


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
    axis.setTickFont(small_font())
    axis.setStyle(tickLength=0, tickTextOffset=UNIT)
    axis.setGrid(_GRID if grid else False)

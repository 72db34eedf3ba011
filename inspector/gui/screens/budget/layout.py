"""The lines of the budget bar from top to bottom, in pixels. The room of each is there before it is needed."""

from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.gui.parts.bar_zoom import BarZoom
from inspector.gui.screens.budget.scale import BarScale
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

BASELINE_HEIGHT = 2 * UNIT
LOAN_HEIGHT = 2 * UNIT
"""The lane above the bar in which loans are drawn."""
BAR_HEIGHT = 7 * UNIT
LARGE_BAR_HEIGHT = 28 * UNIT
_BELOW_BAR = 6


@dataclass(frozen=True, slots=True)
class BarLayout:
    """The rectangles of a bar of this size, in a widget so wide, with totals of `side_width` beside it and labels."""

    width: int
    side_width: int
    label_height: int
    bar_height: int = BAR_HEIGHT
    has_last_line: bool = True

    @property
    def bar(self) -> QRect:
        """The bar itself."""
        side = self.side_width + GAP if self.side_width else 0
        top = UNIT + BASELINE_HEIGHT + LOAN_HEIGHT
        return QRect(PANEL_MARGIN, top, max(1, self.width - 2 * PANEL_MARGIN - side), self.bar_height)

    @property
    def baseline(self) -> QRect:
        """The thin bar above it."""
        return QRect(self.bar.left(), UNIT, self.bar.width(), BASELINE_HEIGHT)

    @property
    def below(self) -> QRect:
        """The line of labels under the bar."""
        return QRect(self.bar.left(), self.bar.bottom() + _BELOW_BAR, self.bar.width(), self.label_height)

    @property
    def last_line(self) -> QRect:
        """The line of the legend and the scale, as wide as the widget; empty where there is no room for it."""
        top = self.below.bottom() + UNIT
        if not self.has_last_line:
            return QRect()
        return QRect(PANEL_MARGIN, top, max(1, self.width - 2 * PANEL_MARGIN), self.label_height + 2)

    @property
    def lost(self) -> QRect:
        """Below the totals: the bell for what must survive and is dropped."""
        return self.side(self.below.center().y())

    @property
    def height(self) -> int:
        """How high all of it is."""
        return (self.last_line if self.has_last_line else self.below).bottom() + UNIT

    def side(self, middle: int) -> QRect:
        """A line of the totals, around a height."""
        height = self.label_height + 2
        return QRect(self.width - PANEL_MARGIN - self.side_width, middle - height // 2, self.side_width, height)

    def scale(self, zoom: BarZoom) -> BarScale:
        """The scale of the bar under a zoom."""
        return BarScale(self.bar, zoom)

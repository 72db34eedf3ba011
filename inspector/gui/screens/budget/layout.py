"""The lines of the budget bar from top to bottom, in pixels. Each keeps its room even while it is empty."""

from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.gui.parts.bar_zoom import BarZoom
from inspector.gui.screens.budget.scale import BarScale
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

BASELINE_HEIGHT = 2 * UNIT
LOAN_HEIGHT = 2 * UNIT
"""The height of the lane above the bar for loans."""
BAR_HEIGHT = 7 * UNIT
LARGE_BAR_HEIGHT = 28 * UNIT
_BELOW_BAR = 6


@dataclass(frozen=True, slots=True)
class BarLayout:
    """The rectangles of the bar, its totals (`side_width` wide, beside it), labels and legend in a widget of
    `width`.
    """

    width: int
    side_width: int
    label_height: int
    bar_height: int = BAR_HEIGHT
    has_last_line: bool = True

    @property
    def bar(self) -> QRect:
        """The rectangle of the bar itself."""
        side = self.side_width + GAP if self.side_width else 0
        top = UNIT + BASELINE_HEIGHT + LOAN_HEIGHT
        return QRect(PANEL_MARGIN, top, max(1, self.width - 2 * PANEL_MARGIN - side), self.bar_height)

    @property
    def baseline(self) -> QRect:
        """The thin bar of the baseline above it."""
        return QRect(self.bar.left(), UNIT, self.bar.width(), BASELINE_HEIGHT)

    @property
    def below(self) -> QRect:
        """The line of labels below the bar."""
        return QRect(self.bar.left(), self.bar.bottom() + _BELOW_BAR, self.bar.width(), self.label_height)

    @property
    def last_line(self) -> QRect:
        """The line of the legend and the scale, as wide as the widget; empty without room for it."""
        top = self.below.bottom() + UNIT
        if not self.has_last_line:
            return QRect()
        return QRect(PANEL_MARGIN, top, max(1, self.width - 2 * PANEL_MARGIN), self.label_height + 2)

    @property
    def lost(self) -> QRect:
        """The place of the bell for dropped must-survive items, below the totals."""
        return self.side(self.below.center().y())

    @property
    def height(self) -> int:
        """The height of all lines together."""
        return (self.last_line if self.has_last_line else self.below).bottom() + UNIT

    def side(self, middle: int) -> QRect:
        """Return a line of the totals, centred at this height."""
        height = self.label_height + 2
        return QRect(self.width - PANEL_MARGIN - self.side_width, middle - height // 2, self.side_width, height)

    def scale(self, zoom: BarZoom) -> BarScale:
        """Return the scale of the bar under a zoom."""
        return BarScale(self.bar, zoom)

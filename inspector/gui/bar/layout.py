"""The rows of the bar in its widget, and the place of tokens on them, in pixels."""

from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont

from inspector.gui.parts.bar_picture import BarZoom, Limit, Loan, Segment
from inspector.gui.theme import UNIT, named_font, scaled

BAR_HEIGHT = 34
COMPARED_HEIGHT = 26
BASELINE_HEIGHT = 10
_BETWEEN = 2
AROUND = UNIT
"""Room around the bar in its widget, for the line at the end of the window and the ring of the focus."""
_BEYOND = 2
"""A segment that is cut off continues this many pixels beyond the bar, so that its outline shows no end."""
_FAR = 8


@dataclass(frozen=True, slots=True)
class BarSize:
    """The height of the bar and the size of its labels in pixels; None: as usual, in proportion to all text."""

    height: int | None = None
    label_pixels: int | None = None

    def font(self, strong: bool = False) -> QFont:
        """Return the font of names, or of figures."""
        font = named_font("secondary")
        if self.label_pixels is not None:
            font.setPixelSize(self.label_pixels)
        if strong:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    @property
    def bar_height(self) -> int:
        """The height of the bar alone."""
        return scaled(BAR_HEIGHT) if self.height is None else self.height

    @property
    def baseline_height(self) -> int:
        """The height of the bar of a baseline."""
        return round(self.bar_height * BASELINE_HEIGHT / BAR_HEIGHT)

    @property
    def compared_height(self) -> int:
        """The height of the bar below that of a baseline."""
        return round(self.bar_height * COMPARED_HEIGHT / BAR_HEIGHT)


@dataclass(frozen=True, slots=True)
class BarScale:
    """The rectangle of the bar and the stretch of tokens across its width."""

    bar: QRect
    zoom: BarZoom

    def x(self, tokens: float) -> int:
        """Return the pixel at the end of this many tokens, possibly outside the bar."""
        return self.bar.left() + round((tokens - self.zoom.first) * self.bar.width() / self.zoom.tokens)

    def tokens_at(self, x: float) -> float:
        """Return the token at a pixel."""
        return self.zoom.first + (x - self.bar.left()) * self.zoom.tokens / self.bar.width()

    def in_sight(self, tokens: float) -> int:
        """Return the pixel of a number of tokens; for far ones, a place a little outside the bar."""
        return min(max(self.x(tokens), self.bar.left() - _FAR), self.bar.right() + _FAR)

    def span(self, segment: Segment, row: QRect) -> QRect:
        """Return the visible rectangle of a segment in a row; a segment with tokens is always visible."""
        left, right = self.x(segment.start), self.x(segment.end)
        right = max(right, left + 2) if segment.tokens else left
        left, right = max(left, self.bar.left() - _BEYOND), min(right, self.bar.right() + 1 + _BEYOND)
        return QRect(left, row.top(), max(right - left, 0), row.height())

    def outline(self, limit: Limit) -> QRect:
        """Return the visible rectangle from the start of a section to its limit."""
        left, right = (self.in_sight(place) for place in (limit.start, limit.end))
        return QRect(left, self.bar.top(), max(right - left, 2), self.bar.height())

    def stretch(self, loan: Loan) -> QRect:
        """Return the visible rectangle of a loan on the bar."""
        left, right = (self.in_sight(place) for place in (loan.start, loan.end))
        return QRect(left, self.bar.top(), max(right - left, 2), self.bar.height())

    @property
    def sentence(self) -> str:
        """The range in sight: `2,000 to 5,200`."""
        return f"{self.zoom.first:,.0f} to {self.zoom.last:,.0f}"


@dataclass(frozen=True, slots=True)
class BarLayout:
    """The rectangles of the bar in a widget of `width`, with or without the bar of a baseline above it."""

    width: int
    size: BarSize
    has_baseline: bool = False

    @property
    def baseline(self) -> QRect:
        """The thin bar of the baseline; empty if there is none."""
        height = self.size.baseline_height if self.has_baseline else 0
        return QRect(AROUND, AROUND, max(1, self.width - 2 * AROUND), height)

    @property
    def bar(self) -> QRect:
        """The rectangle of the bar itself."""
        above = self.baseline
        if not self.has_baseline:
            return QRect(above.left(), above.top(), above.width(), self.size.bar_height)
        return QRect(above.left(), above.bottom() + 1 + _BETWEEN, above.width(), self.size.compared_height)

    @property
    def height(self) -> int:
        """The height of the widget."""
        return self.bar.bottom() + 1 + AROUND

    def scale(self, zoom: BarZoom) -> BarScale:
        """Return the scale of the bar under a zoom."""
        return BarScale(self.bar, zoom)

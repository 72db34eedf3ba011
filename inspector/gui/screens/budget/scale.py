"""The places of tokens on the budget bar, in pixels: measured once per painting, by calculation only."""

from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.assembly.columns import word
from inspector.figures import counted
from inspector.gui.parts.bar_picture import BarPicture, Limit, Loan, Segment
from inspector.gui.parts.bar_zoom import BarZoom

_BEYOND = 2
"""A segment that is cut off continues this many pixels beyond the bar, so its outline shows no end."""
_FAR = 8


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

    def stretch(self, loan: Loan) -> QRect:
        """Return the visible rectangle of a loan on the bar."""
        first, last = self.bar.left(), self.bar.right()
        left, right = (min(max(self.x(place), first - _FAR), last) for place in (loan.start, loan.end))
        left = min(left, last - 1)
        return QRect(left, self.bar.top(), max(right - left, 2), self.bar.height())

    def ticks(self, picture: BarPicture) -> dict[int, list[Limit]]:
        """Return the visible limits by pixel; sections ending together, such as memories and lore, share a pixel.

        Sections with tokens come first.
        """
        ticks: dict[int, list[Limit]] = {}
        for limit in sorted(picture.limits, key=lambda limit: picture.named(word(limit.section)) is None):
            if self.zoom.first <= limit.end <= self.zoom.last:
                ticks.setdefault(self.x(limit.end), []).append(limit)
        return ticks

    @property
    def sentence(self) -> str:
        """The tokens per pixel, and the range in sight unless it is the whole: `2,000 to 5,200 · 1 px ≈ 3 tokens`."""
        each = self.zoom.tokens / self.bar.width()
        tokens = counted(round(each), "token") if each >= 0.95 else f"{each:.2g} tokens"
        size = f"1 px ≈ {tokens}"
        return size if self.zoom.is_whole else f"{self.zoom.first:,.0f} to {self.zoom.last:,.0f} · {size}"

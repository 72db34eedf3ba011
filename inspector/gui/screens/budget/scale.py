"""Where tokens stand on the budget bar, in pixels: measured once for a picture of it. No painting here."""

from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.assembly.columns import word
from inspector.figures import counted
from inspector.gui.parts.bar_picture import BarPicture, Limit, Loan, Segment
from inspector.gui.parts.bar_zoom import BarZoom

_BEYOND = 2
"""So many pixels beyond the bar a segment goes on that is cut off there: its outline has no end in sight."""
_FAR = 8


@dataclass(frozen=True, slots=True)
class BarScale:
    """The rectangle of the bar, and the stretch of tokens that its width stands for."""

    bar: QRect
    zoom: BarZoom

    def x(self, tokens: float) -> int:
        """The pixel that so many tokens end at, which may be beyond the bar."""
        return self.bar.left() + round((tokens - self.zoom.first) * self.bar.width() / self.zoom.tokens)

    def tokens_at(self, x: float) -> float:
        """The token at a pixel."""
        return self.zoom.first + (x - self.bar.left()) * self.zoom.tokens / self.bar.width()

    def in_sight(self, tokens: float) -> int:
        """The pixel of so many tokens; a little beyond the bar for what is further away."""
        return min(max(self.x(tokens), self.bar.left() - _FAR), self.bar.right() + _FAR)

    def span(self, segment: Segment, row: QRect) -> QRect:
        """The rectangle of what can be seen of a segment in a row; one with tokens can always be seen."""
        left, right = self.x(segment.start), self.x(segment.end)
        right = max(right, left + 2) if segment.tokens else left
        left, right = max(left, self.bar.left() - _BEYOND), min(right, self.bar.right() + 1 + _BEYOND)
        return QRect(left, row.top(), max(right - left, 0), row.height())

    def stretch(self, loan: Loan) -> QRect:
        """Where a loan is on the bar, as far as the bar shows it."""
        first, last = self.bar.left(), self.bar.right()
        left, right = (min(max(self.x(place), first - _FAR), last) for place in (loan.start, loan.end))
        left = min(left, last - 1)
        return QRect(left, self.bar.top(), max(right - left, 2), self.bar.height())

    def ticks(self, picture: BarPicture) -> dict[int, list[Limit]]:
        """The pixel of every limit in sight; sections that end together, as memories and lore do, share one.

        Where they do, the first is one that has tokens.
        """
        ticks: dict[int, list[Limit]] = {}
        for limit in sorted(picture.limits, key=lambda limit: picture.named(word(limit.section)) is None):
            if self.zoom.first <= limit.end <= self.zoom.last:
                ticks.setdefault(self.x(limit.end), []).append(limit)
        return ticks

    @property
    def sentence(self) -> str:
        """What a pixel stands for, and of a part of the bar which: `2,000 to 5,200 · 1 px ≈ 3 tokens`."""
        each = self.zoom.tokens / self.bar.width()
        tokens = counted(round(each), "token") if each >= 0.95 else f"{each:.2g} tokens"
        size = f"1 px ≈ {tokens}"
        return size if self.zoom.is_whole else f"{self.zoom.first:,.0f} to {self.zoom.last:,.0f} · {size}"

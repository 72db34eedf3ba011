"""Where tokens stand on the budget bar, in pixels: measured once for a picture of it. No painting here."""

from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.assembly.columns import word
from inspector.gui.parts.bar_picture import BarPicture, Limit, Loan, Segment


@dataclass(frozen=True, slots=True)
class BarScale:
    """The rectangle of the bar, and how many tokens its width stands for."""

    bar: QRect
    tokens: int

    def x(self, tokens: float) -> int:
        """The pixel that so many tokens end at."""
        return self.bar.left() + round(tokens * self.bar.width() / self.tokens)

    def span(self, segment: Segment, row: QRect) -> QRect:
        """The rectangle of a segment in a row; one with tokens can always be seen."""
        left = self.x(segment.start)
        width = self.x(segment.end) - left
        return QRect(left, row.top(), max(width, 2) if segment.tokens else 0, row.height())

    def stretch(self, loan: Loan) -> QRect:
        """Where a loan is on the bar, as far as the bar shows it."""
        last = self.bar.right()
        left, right = min(self.x(loan.start), last - 1), min(self.x(loan.end), last)
        return QRect(left, self.bar.top(), max(right - left, 2), self.bar.height())

    def ticks(self, picture: BarPicture) -> dict[int, list[Limit]]:
        """The pixel of every limit on the scale; sections that end together, as memories and lore do, share one.

        Where they do, the first is one that has tokens.
        """
        ticks: dict[int, list[Limit]] = {}
        for limit in sorted(picture.limits, key=lambda limit: picture.named(word(limit.section)) is None):
            if limit.end <= self.tokens:
                ticks.setdefault(self.x(limit.end), []).append(limit)
        return ticks

"""The parts of the budget bar at a point: segments, ticks, loans, the baseline and the legend, with their sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

from inspector.gui.parts.bar_picture import BarPicture, Loan, Segment
from inspector.gui.screens.budget.layout import LOAN_HEIGHT, BarLayout, BarScale
from inspector.gui.screens.budget.legend import LegendEntry

TICK_REACH = 3
"""A tick is hit up to this many pixels beside it."""
TICK_FOOT = 5
LOST = "must_survive"
"""The word of the bell for dropped must-survive items."""
HOW_TO_ZOOM = (
    "Zoom with Ctrl and the wheel, or + and −. Double-click to fit what is used, and again for the whole; "
    "drag to move, or Ctrl with an arrow."
)


@dataclass(frozen=True)
class Pointing:
    """The bar as currently laid out; `scale_place` is the place of its scale."""

    picture: BarPicture
    baseline: BarPicture | None
    layout: BarLayout
    scale: BarScale
    legend: Sequence[LegendEntry]
    scale_place: QRect

    def segment(self, place: QPoint) -> Segment | None:
        """Return the segment at a point: the narrowest covering it, so that thin segments can be reached."""
        covering = (
            segment
            for segment in self.picture.segments
            if segment.tokens and self._span(segment, self.layout.bar).contains(place)
        )
        return min(covering, key=lambda segment: segment.tokens, default=None)

    def word(self, place: QPoint) -> str:
        """Return the word of the segment or legend entry at a point, "" if there is none."""
        segment = self.segment(place)
        if segment is not None:
            return segment.word
        if self.picture.lost and self.layout.lost.contains(place):
            return LOST
        return next((entry.part.word for entry in self.legend if entry.place.contains(place)), "")

    def sentences(self, place: QPoint) -> str:
        """Return all sentences about a point, "" if there are none."""
        if self.scale_place.contains(place):
            return f"{self.scale.sentence}\n{HOW_TO_ZOOM}"
        if self.picture.lost and self.layout.lost.contains(place):
            return f"{self.picture.lost_sentence} A click shows them."
        for entry in self.legend:
            if entry.place.contains(place):
                return self.picture.sentence_of(entry.part)
        lines = [*self._limits(place), *self._baseline_segment(place)]
        segment = self.segment(place)
        if segment is None:
            return "\n".join([*lines, *(loan.sentence for loan in self._loans(place))])
        lines.append(self.picture.sentence(segment))
        if place.x() >= self.scale.x(self.picture.window):
            lines.append(f"{self.picture.total_text} {self.picture.rest_text}.")
        return "\n".join(lines)

    def _span(self, segment: Segment, row: QRect) -> QRect:
        return self.scale.span(segment, row).intersected(row)

    def _limits(self, place: QPoint) -> Iterator[str]:
        """Yield the meaning of the ticks at a point, on the bar, at their feet and on the baseline's bar."""
        rows = ((self.picture, self.layout.bar, ""), (self.baseline, self.layout.baseline, "Baseline: "))
        for picture, row, whose in rows:
            if picture is not None and row.top() - 2 <= place.y() <= row.bottom() + TICK_FOOT:
                near = (limits for x, limits in self.scale.ticks(picture).items() if abs(place.x() - x) <= TICK_REACH)
                yield from (whose + limit.sentence for limits in near for limit in limits)

    def _baseline_segment(self, place: QPoint) -> Iterator[str]:
        picture = self.baseline
        for segment in picture.segments if picture else ():
            if picture and self._span(segment, self.layout.baseline).contains(place):
                yield f"Baseline: {picture.sentence(segment)}"

    def _loans(self, place: QPoint) -> Iterator[Loan]:
        """Yield the loans drawn at a point of the lane above the bar."""
        top = self.layout.bar.top()
        for loan in self.picture.loans:
            stretch, source = self.scale.stretch(loan), self.scale.in_sight(loan.source)
            lane = QRect(
                QPoint(min(source, stretch.left()), top - LOAN_HEIGHT), QPoint(max(source, stretch.right()), top)
            )
            if lane.adjusted(-4, 0, 4, 0).contains(place):
                yield loan

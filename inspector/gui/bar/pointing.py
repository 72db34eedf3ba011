"""The parts of the bar at a point, with their sentences."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

from inspector.gui.bar.layout import BarLayout, BarScale
from inspector.gui.parts.bar_picture import BarPicture, Segment

HOW_TO_ZOOM = (
    "Zoom with Ctrl and the wheel, or + and −. Double-click to fit what is used, and again for the whole; "
    "drag to move, or Ctrl with an arrow."
)


@dataclass(frozen=True, slots=True)
class Pointing:
    """The bar as currently laid out; `baseline` is None unless its bar is there."""

    picture: BarPicture
    baseline: BarPicture | None
    layout: BarLayout
    scale: BarScale

    def segment(self, place: QPoint) -> Segment | None:
        """Return the segment at a point: the narrowest covering it, so that thin segments can be reached."""
        return self._covering(self.picture, self.layout.bar, place)

    def sentences(self, place: QPoint) -> str:
        """Return all sentences about a point, "" if there are none."""
        return "\n".join(self._sentences(place))

    def _sentences(self, place: QPoint) -> Iterator[str]:
        if self.baseline and (segment := self._covering(self.baseline, self.layout.baseline, place)):
            yield f"Baseline: {self.baseline.sentence(segment)}"
        if (segment := self.segment(place)) is None:
            return
        yield self.picture.sentence(segment)
        yield from (loan.sentence for loan in self.picture.loans_of(segment.word))
        if place.x() >= self.scale.x(self.picture.window):
            yield f"{self.picture.total_text}, {self.picture.rest_text}."
        if not self.scale.zoom.is_whole:
            yield f"In sight: {self.scale.sentence} tokens."
        if segment.word == "free" or not self.scale.zoom.is_whole:
            yield HOW_TO_ZOOM

    def _covering(self, picture: BarPicture, row: QRect, place: QPoint) -> Segment | None:
        covering = (
            segment
            for segment in picture.segments
            if segment.tokens and self.scale.span(segment, row).intersected(row).contains(place)
        )
        return min(covering, key=lambda segment: segment.tokens, default=None)

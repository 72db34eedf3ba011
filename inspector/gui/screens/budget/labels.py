"""Where the labels of the budget bar go: inside a segment where they fit, else below it, else nowhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.gui.parts.bar_picture import Segment

PADDING = 6
SPACING = 10


@dataclass(frozen=True, slots=True)
class BarLabel:
    """A text and the rectangle to centre it in; `segment` is what it names."""

    segment: Segment
    text: str
    place: QRect
    inside: bool


def place_labels(
    spans: Sequence[tuple[Segment, QRect]],
    figures: Callable[[Segment], str],
    width_of: Callable[[str], int],
    below: QRect,
) -> list[BarLabel]:
    """Name and tokens for each segment, the larger ones first, none over another.

    `spans` are the rectangles of the segments, `width_of` measures a text in pixels, `below` is the line under the bar.
    """
    labels: list[BarLabel] = []
    for segment, span in sorted(spans, key=lambda pair: -pair[1].width()):
        if not segment.tokens:
            continue
        name, tokens = segment.title, figures(segment)
        fitting = [text for text in (f"{name} {tokens}", tokens) if width_of(text) + PADDING <= span.width()]
        if fitting:
            labels.append(BarLabel(segment, fitting[0], span, True))
        if not fitting or fitting[0] == tokens:
            text = name if fitting else f"{name} {tokens}"
            place = _place_below(span, width_of(text), below, [label.place for label in labels if not label.inside])
            if place is not None:
                labels.append(BarLabel(segment, text, place, False))
    return labels


def _place_below(span: QRect, width: int, below: QRect, taken: Sequence[QRect]) -> QRect | None:
    """A place under the middle of the span, pushed inside the line; None where another label already stands."""
    left = min(max(span.center().x() - width // 2, below.left()), below.right() - width)
    place = QRect(left, below.top(), width, below.height())
    blocked = any(place.adjusted(-SPACING, 0, SPACING, 0).intersects(other) for other in taken)
    return None if blocked or left < below.left() else place

"""Where the labels of the budget bar go: inside a segment where they fit, else below it, else nowhere."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect

from inspector.gui.parts.bar_picture import Segment

PADDING = 6
SPACING = 10
STEP = 6


@dataclass(frozen=True, slots=True)
class BarLabel:
    """A text and the rectangle to centre it in; `segment` is the named segment, None for a limit."""

    segment: Segment | None
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
            place = _place_below(span.center().x(), width_of(text), below, _below(labels))
            if place is not None:
                labels.append(BarLabel(segment, text, place, False))
    return labels


def place_limits(
    ticks: Iterable[tuple[int, str]], width_of: Callable[[str], int], below: QRect, labels: Sequence[BarLabel]
) -> list[BarLabel]:
    """Return a label for each limit, given by the pixel of its tick and its text, in the room left by the `labels`.

    Each is under the middle of the tick, else as near beside it as possible, at most its own width away, and in the
    order of the ticks. If there is no room for all, the first of `ticks` have it.
    """
    by_importance = list(ticks)
    in_order = _place_limits(sorted(by_importance), width_of, below, _below(labels))
    if len(in_order) == len(by_importance):
        return in_order
    return _place_limits(by_importance, width_of, below, _below(labels))


def _place_limits(
    ticks: Iterable[tuple[int, str]], width_of: Callable[[str], int], below: QRect, taken: Sequence[QRect]
) -> list[BarLabel]:
    placed: dict[int, BarLabel] = {}
    for x, text in ticks:
        width, all_taken = width_of(text), [*taken, *_below(placed.values())]
        most = width * 3 // 2
        for aside in sorted(range(-most, most, STEP), key=abs):
            place = _place_below(x + aside, width, below, all_taken)
            if place is not None and all((x < tick) == (place.x() < one.place.x()) for tick, one in placed.items()):
                placed[x] = BarLabel(None, text, place, False)
                break
    return list(placed.values())


def _below(labels: Iterable[BarLabel]) -> list[QRect]:
    return [label.place for label in labels if not label.inside]


def _place_below(middle: int, width: int, below: QRect, taken: Sequence[QRect]) -> QRect | None:
    """Return a place around a pixel, pushed inside the line; None if another label already stands."""
    left = min(max(middle - width // 2, below.left()), below.right() - width)
    place = QRect(left, below.top(), width, below.height())
    blocked = any(place.adjusted(-SPACING, 0, SPACING, 0).intersects(other) for other in taken)
    return None if blocked or left < below.left() else place

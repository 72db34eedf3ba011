"""How the budget bar draws its parts: fills, hatches, ticks and labels in the colours of the theme."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QWidget

from inspector.assembly.columns import Section
from inspector.figures import figures
from inspector.gui.palettes import blended
from inspector.gui.parts.bar_picture import BarPart, BarPicture, Limit, Loan, Segment
from inspector.gui.parts.signs import SIZE, paint_bell
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.budget.layout import BarLayout, BarScale
from inspector.gui.screens.budget.legend import LegendEntry
from inspector.gui.theme import UNIT, named_font, theme

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


_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_DIMMED = 0.3
_STRIP = 6
_LANE = 7
_NOTCH = 7


class BarPainter:
    """A painter on a widget for the parts of the bar."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._painter = QPainter()
        self._theme = theme()
        self._small = named_font("caption")
        self._metrics = QFontMetrics(self._small)
        self._over = QRect()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Paint between begin and end, whatever happens."""
        self._painter.begin(self._widget)
        try:
            yield
        finally:
            self._painter.end()

    def dim(self, dimmed: bool) -> None:
        """Paint everything from now on dimmed, as the past, or not."""
        self._painter.setOpacity(_DIMMED if dimmed else 1.0)

    @contextmanager
    def clipped(self, bar: QRect) -> Iterator[None]:
        """Restrict painting in the block to a bar, with a small margin."""
        self._painter.save()
        self._painter.setClipRect(bar.adjusted(-3, -self._widget.height(), 3, self._widget.height()))
        try:
            yield
        finally:
            self._painter.restore()

    def width_of(self, text: str) -> int:
        """Return the width of a label in pixels."""
        return self._metrics.horizontalAdvance(text)

    def segment(self, segment: Segment | BarPart, span: QRect) -> None:
        """Fill the span of a segment as its kind is filled everywhere."""
        if span.width() <= 0:
            return
        if segment.section is not None:
            self._painter.fillRect(span, self._theme.section_color(segment.section))
            self._edge(span)
        elif segment.word == "overhead":
            color = self._theme.extra_color("overhead")
            self._hatch(span, color, blended(color, self._theme.base, 0.45))
            self._edge(span)
        elif segment.word == "reserve":
            self._hatch(span, blended(self._theme.extra_color("reserve"), self._theme.base, 0.5), self._theme.base)
            self._outline(span, self._theme.extra_color("reserve"))
        else:
            self._painter.fillRect(span, self._theme.extra_color("free"))

    def over(self, span: QRect) -> None:
        """Paint the part beyond the window, with a line at the end of the window; a strip of its content stays
        visible.
        """
        color = self._theme.extra_color("over")
        self._over = span.adjusted(0, _STRIP, 0, 0)
        self._hatch(self._over, color, blended(color, self._theme.base, 0.35))
        self._outline(self._over, color)
        self._painter.fillRect(QRect(span.left() - 1, span.top() - 3, 2, span.height() + 6), self._theme.error)

    def frame(self, span: QRect) -> None:
        """The outline of the whole window."""
        self._outline(span, self._theme.border)

    def limit(self, section: Section, x: int, row: QRect) -> None:
        """The tick where a section would be full, with a foot in its colour; its middle is left to the labels."""
        notch = min(_NOTCH, row.height() // 2) + 2
        for top in (row.top() - 2, row.bottom() + 3 - notch):
            self._painter.fillRect(QRect(x - 1, top, 1, notch), self._theme.text)
        self._painter.fillRect(QRect(x - 3, row.bottom() + 2, 5, 3), self._theme.section_color(section))

    def loan(self, loan: Loan, source: int, stretch: QRect, row: QRect) -> None:
        """Paint a loan to a section: an arrow above the bar from the lender to a bracket over the stretch that it
        opens.

        It has the lender's colour. The part spent by the borrower carries a strip of this colour: the lender pays it.
        """
        color, lane = self._theme.section_color(loan.lender), row.top() - _LANE
        if loan.spent:
            paid = max(round(stretch.width() * loan.spent / loan.tokens), 2)
            self._painter.fillRect(QRect(stretch.left(), row.top(), paid, _STRIP - 2), color)
        left, right = min(source, stretch.left()), max(source, stretch.left())
        self._painter.fillRect(QRect(left, lane, right - left + 1, 1), color)
        self._painter.fillRect(QRect(source, lane, 1, _LANE), color)
        self._painter.fillRect(QRect(stretch.left(), lane, stretch.width(), 2), color)
        self._painter.fillRect(QRect(stretch.right() - 1, lane, 2, _LANE - 2), color)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        tip = stretch.left()
        self._painter.drawPolygon([QPoint(tip - 5, lane), QPoint(tip + 5, lane), QPoint(tip, row.top() - 1)])

    def mark(self, span: QRect) -> None:
        """Paint a mark around the segment with the mouse or the focus."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(QPen(self._theme.text, 2))
        self._painter.drawRect(span.adjusted(1, 1, -1, -1))

    def label(self, label: BarLabel) -> None:
        """The name and tokens of a segment; on hatching with a ground of its own."""
        self._painter.setFont(self._small)
        if not label.inside:
            self._text(label.place, _CENTRE, label.text, self._theme.muted_text)
            return
        section = None if label.segment is None else label.segment.section
        ground = QRect(0, 0, self.width_of(label.text) + UNIT, self._metrics.height())
        ground.moveCenter(label.place.center())
        if section is not None and not ground.intersects(self._over):
            self._text(label.place, _CENTRE, label.text, self._theme.text_on(self._theme.section_color(section)))
            return
        if label.segment is not None and label.segment.word != "free":
            self._painter.fillRect(ground, self._theme.base)
        self._text(label.place, _CENTRE, label.text, self._theme.text)

    def entry(self, entry: LegendEntry, marked: bool) -> None:
        """Paint a part of the bar in the legend, emphasized if pointed at."""
        self.segment(entry.part, entry.square)
        if entry.part.word == "free":
            self._outline(entry.square, self._theme.border)
        self._painter.setFont(self._small)
        self._text(entry.title, _LEFT, entry.part.title, self._theme.text if marked else self._theme.muted_text)

    def scale(self, place: QRect, text: str) -> None:
        """Paint the meaning of a pixel of the bar."""
        self._painter.setFont(self._small)
        self._text(place, _RIGHT, text, self._theme.muted_text)

    def total(self, place: QRect, text: str, strong: bool) -> None:
        """A total at the right of its bar."""
        font = QFont(self._widget.font() if strong else self._small)
        font.setWeight(font.Weight.DemiBold if strong else font.Weight.Normal)
        self._painter.setFont(font)
        self._text(place, _RIGHT, text, self._theme.text if strong else self._theme.muted_text)

    def rest(self, place: QRect, text: str, over: bool) -> None:
        """Paint the free or excess tokens."""
        self._painter.setFont(self._small)
        self._text(place, _RIGHT, text, self._theme.error if over else self._theme.muted_text)

    def lost(self, place: QRect, text: str) -> None:
        """Paint a bell with the dropped items that must survive."""
        self.rest(place, text, over=True)
        left = place.right() - self.width_of(text) - SIZE
        paint_bell(self._painter, QPointF(left, place.center().y() + 1), self._theme.error)

    def reason_on(self, row: QRect, reason: str, failed: bool) -> None:
        """Paint a sentence on top of the bar: the reason why there is no new picture, or advice."""
        font = self._widget.font()
        self._painter.setFont(font)
        metrics = QFontMetrics(font)
        text = metrics.elidedText(one_line(reason), Qt.TextElideMode.ElideRight, row.width() - 6 * UNIT)
        plate = QRect(0, 0, metrics.horizontalAdvance(text) + 4 * UNIT, row.height() - 2)
        plate.moveCenter(row.center())
        if failed:
            self._painter.fillRect(plate, self._theme.base)
            self._outline(plate, self._theme.error)
        self._text(plate, _CENTRE, text, self._theme.error if failed else self._theme.muted_text)

    def _edge(self, span: QRect) -> None:
        """Paint a hairline between neighbours, to separate parts of the same colour."""
        if span.width() > 3:
            self._painter.fillRect(QRect(span.right(), span.top(), 1, span.height()), self._theme.base)

    def _hatch(self, span: QRect, ink: QColor, ground: QColor) -> None:
        self._painter.fillRect(span, ground)
        self._painter.fillRect(span, QBrush(ink, Qt.BrushStyle.BDiagPattern))

    def _outline(self, span: QRect, color: QColor) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(QPen(color, 1))
        self._painter.drawRect(span.adjusted(0, 0, -1, -1))

    def _text(self, place: QRect, alignment: Qt.AlignmentFlag, text: str, color: QColor) -> None:
        self._painter.setPen(color)
        self._painter.drawText(place, int(alignment), text)


class BarDrawing:
    """A painter of pictures of a bar with the same layout and scale."""

    def __init__(self, painter: BarPainter, layout: BarLayout, scale: BarScale) -> None:
        self._painter, self._layout, self._scale = painter, layout, scale

    def baseline(self, picture: BarPicture) -> None:
        """Paint the thin bar of the baseline."""
        row, painter = self._layout.baseline, self._painter
        with painter.clipped(row):
            for segment in picture.segments:
                painter.segment(segment, self._scale.span(segment, row))
            self._frame(picture, row)
            self._limits(self._scale.ticks(picture), row)
        text = f"baseline {figures(picture.total, picture.estimated)}"
        painter.total(self._layout.side(row.center().y()), text, strong=False)

    def bar(self, picture: BarPicture, marked: Set[str]) -> None:
        """The bar with everything at it; the segments of these words are marked."""
        row, painter, below = self._layout.bar, self._painter, self._layout.below
        spans = [(segment, self._scale.span(segment, row)) for segment in picture.segments]
        ticks = self._scale.ticks(picture)
        with painter.clipped(row):
            for segment, span in spans:
                painter.segment(segment, span)
            self._frame(picture, row)
            self._over(picture, row)
            self._limits(ticks, row)
            for loan in picture.loans:
                painter.loan(loan, self._scale.in_sight(loan.source), self._scale.stretch(loan), row)
        in_sight = [(segment, span.intersected(row)) for segment, span in spans if span.intersects(row)]
        labels = place_labels(in_sight, picture.figures, painter.width_of, below)
        of_limits = ((x, limits[0].title) for x, limits in ticks.items())
        for label in (*labels, *place_limits(of_limits, painter.width_of, below, labels)):
            painter.label(label)
        for segment, span in in_sight:
            if segment.word in marked:
                painter.mark(span)
        self._totals(picture, row)

    def last_line(self, legend: Sequence[LegendEntry], marked: str, scale_place: QRect) -> None:
        """Paint the legend, and the meaning of a pixel."""
        for entry in legend:
            self._painter.entry(entry, marked=entry.part.word == marked)
        self._painter.scale(scale_place, self._scale.sentence)

    def _totals(self, picture: BarPicture, row: QRect) -> None:
        middle, line = row.center().y(), self._layout.label_height
        self._painter.total(self._layout.side(middle - line // 2 - 1), picture.total_text, strong=True)
        self._painter.rest(self._layout.side(middle + line // 2 + 2), picture.rest_text, over=picture.over > 0)
        if picture.lost:
            self._painter.lost(self._layout.lost, f"{picture.lost:,} must-survive dropped")

    def _frame(self, picture: BarPicture, row: QRect) -> None:
        """The outline of the window, as far as it is in sight."""
        left, right = self._scale.in_sight(0), self._scale.in_sight(picture.window)
        self._painter.frame(QRect(left, row.top(), right - left, row.height()))

    def _over(self, picture: BarPicture, row: QRect) -> None:
        left, right = self._scale.in_sight(picture.window), self._scale.in_sight(picture.window + picture.over)
        if right > left:
            self._painter.over(QRect(left, row.top(), right - left, row.height()))

    def _limits(self, ticks: Mapping[int, Sequence[Limit]], row: QRect) -> None:
        for x, limits in ticks.items():
            self._painter.limit(limits[0].section, x, row)

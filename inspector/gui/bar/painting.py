"""How the bar draws its parts: fills, hatches, caps, outlines and labels in the colours of the theme."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from inspector.gui.bar.layout import BarLayout, BarScale, BarSize
from inspector.gui.palettes import blended
from inspector.gui.parts.bar_picture import BarPart, BarPicture, Limit, Loan, Segment
from inspector.gui.parts.texts import one_line
from inspector.gui.theme import RADIUS, UNIT, theme

PADDING = 10
"""The least room for a label inside its segment, both sides together."""
CAP = 4
"""The width of the end of a full section."""
BAR_RADIUS = 6
_GAP = 1
_DIMMED, _PAST = 0.6, 0.75
_STRIP = 6
_LENT = 4
_HATCH = 8
_SHARPNESS = 2
_FORMATTING, _REMAINDER, _REPLY, _OVER = 3.6, 2.0, 1.0, 4.0
_REMAINDER_GROUND = 0.3
"""The widths of hatches."""


@dataclass(frozen=True, slots=True)
class BarLabel:
    """The name of a segment, "" without room for it, its figure, and the rectangle to centre them in."""

    segment: Segment
    name: str
    figure: str
    place: QRect


def place_labels(
    spans: Iterable[tuple[Segment, QRect]], figures: Callable[[Segment], str], width_of: Callable[[str, str], int]
) -> list[BarLabel]:
    """Return name and figure for each segment with room for both, the figure alone where only that fits.

    `spans` are the visible rectangles of the segments, `width_of` measures a name and a figure together in pixels.
    """
    labels: list[BarLabel] = []
    for segment, span in spans:
        figure = figures(segment)
        fitting = (name for name in (segment.title, "") if width_of(name, figure) + PADDING <= span.width())
        if segment.tokens and (name := next(fitting, None)) is not None:
            labels.append(BarLabel(segment, name, figure, span))
    return labels


@cache
def _hatched(ink: int, ground: int, width: float) -> QBrush:
    """Return a brush of diagonal stripes of this width, from opaque colours."""
    side = _HATCH * _SHARPNESS
    tile = QImage(side, side, QImage.Format.Format_RGB32)
    tile.fill(ground)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(ink), width * _SHARPNESS, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
    for corner in (0, side, 2 * side):
        painter.drawLine(QPointF(corner - side, side), QPointF(corner, 0))
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(1 / _SHARPNESS, 1 / _SHARPNESS))
    return brush


def hatch(ink: QColor, ground: QColor, width: float = _FORMATTING) -> QBrush:
    """Return the brush for a part hatched in a colour, as formatting is everywhere."""
    return _hatched(ink.rgb(), ground.rgb(), width)


def part_brush(part: Segment | BarPart) -> QBrush:
    """Return the fill of a part of the bar, the same in the bar, its legend and small bars."""
    look = theme()
    if part.section is not None:
        return QBrush(look.section_color(part.section))
    if part.word == "overhead":
        color = look.extra_color("overhead")
        return hatch(color, blended(color, look.base, 0.45))
    if part.word == "remainder":
        color = look.extra_color("remainder")
        return hatch(color, blended(color, look.base, _REMAINDER_GROUND), _REMAINDER)
    if part.word == "reserve":
        return hatch(blended(look.extra_color("reserve"), look.base, 0.5), look.base, _REPLY)
    return QBrush(look.extra_color("free"))


_CENTRE = Qt.AlignmentFlag.AlignCenter


class BarPainter:
    """A painter on a widget for the parts of the bar."""

    def __init__(self, widget: QWidget, size: BarSize) -> None:
        self._widget = widget
        self._painter = QPainter()
        self._theme = theme()
        self._name, self._figure = size.font(), size.font(strong=True)
        self._names, self._figures = QFontMetrics(self._name), QFontMetrics(self._figure)
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
    def rounded(self, bar: QRect, past: bool = False) -> Iterator[None]:
        """Restrict painting in the block to a bar with round corners; paler if it is of the `past`."""
        radius = min(BAR_RADIUS, bar.height() // 3)
        path = QPainterPath()
        path.addRoundedRect(QRectF(bar), radius, radius)
        self._painter.save()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setClipPath(path)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if past:
            self._painter.setOpacity(self._painter.opacity() * _PAST)
        try:
            yield
        finally:
            self._painter.restore()

    def width_of(self, name: str, figure: str) -> int:
        """Return the width of a label in pixels."""
        return self._named(name) + self._figures.horizontalAdvance(figure)

    def segment(self, segment: Segment, span: QRect) -> None:
        """Fill the span of a segment as its kind is filled everywhere, with a cap at the end of a full section.

        What is free shows the outline of the window behind it.
        """
        if span.width() <= 0 or segment.word == "free":
            return
        filled = span.adjusted(0, 0, -_GAP if span.width() > 3 else 0, 0)
        self._painter.fillRect(filled, part_brush(segment))
        if segment.word == "reserve":
            self._outline(filled, self._theme.extra_color("reserve"))
        if segment.is_full:
            width = min(CAP, filled.width())
            self._painter.fillRect(
                QRect(filled.right() + 1 - width, span.top(), width, span.height()), self._theme.text
            )

    def over(self, span: QRect) -> None:
        """Paint the part beyond the window; a strip of its content stays visible."""
        color = self._theme.extra_color("over")
        self._over = span.adjusted(0, _STRIP, 0, 0)
        self._painter.fillRect(self._over, hatch(color, blended(color, self._theme.base, 0.35), _OVER))

    def end_of_window(self, x: int, row: QRect) -> None:
        """Paint the line at the end of an exceeded window."""
        self._painter.fillRect(QRect(x - 1, row.top() - 3, 2, row.height() + 6), self._theme.text)

    def frame(self, span: QRect, row: QRect) -> None:
        """The outline of the whole window as far as it is in a row, on the ground of what is free."""
        radius = min(BAR_RADIUS, span.height() // 3)
        self._painter.save()
        self._painter.setClipRect(row)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setBrush(self._theme.extra_color("free"))
        self._painter.setPen(QPen(self._theme.border, 1))
        self._painter.drawRoundedRect(QRectF(span).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        self._painter.restore()

    def limit(self, limit: Limit, outline: QRect, labels: Sequence[BarLabel]) -> None:
        """A dashed outline from the start of a section to its limit, over its neighbours, with the figure at its end:
        inside, or outside where the label of the section stands there.
        """
        pen = QPen(self._theme.text, 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([3, 2])
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(pen)
        self._painter.drawRect(outline.adjusted(1, 1, -1, -1))
        plate = QRect(0, 0, self._figures.horizontalAdvance(limit.title) + 2 * UNIT, self._figures.height())
        plate.moveCenter(outline.center())
        plate.moveRight(min(outline.right() - UNIT, self._widget.width() - 1))
        own = (self._place_of(label) for label in labels if label.segment.word in limit.words)
        if plate.left() < outline.left() + UNIT or any(plate.intersects(place) for place in own):
            plate.moveLeft(min(outline.right() + UNIT, self._widget.width() - plate.width()))
        self._plate(plate)
        self._painter.setFont(self._figure)
        self._text(plate, limit.title, self._theme.text)

    def loan(self, loan: Loan, stretch: QRect) -> None:
        """Paint a loan to a section: a strip in the lender's colour over the stretch that it opens."""
        strip = QRect(stretch.left(), stretch.top() + 2, stretch.width(), _LENT)
        self._painter.fillRect(strip, self._theme.section_color(loan.lender))

    def mark(self, span: QRect) -> None:
        """Paint a mark around the segment with the mouse or the focus."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self._theme.text, 2)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        self._painter.setPen(pen)
        self._painter.drawRect(span.adjusted(1, 1, -1 - _GAP, -1))

    def label(self, label: BarLabel) -> None:
        """The name and figure of a segment; on hatching with a ground of its own."""
        width, ground = self.width_of(label.name, label.figure), self._place_of(label)
        section = label.segment.section
        ink = self._theme.text if section is None else self._theme.text_on(self._theme.section_color(section))
        if (section is None and label.segment.word != "free") or ground.intersects(self._over):
            self._plate(ground)
            ink = self._theme.text
        left = label.place.center().x() - width // 2
        line = label.place.top() + (label.place.height() + self._figures.ascent() - self._figures.descent()) / 2
        self._painter.setPen(self._theme.second_text if label.segment.word in ("reserve", "free") else ink)
        if label.name:
            self._painter.setFont(self._name)
            self._painter.drawText(QPointF(left, line), label.name)
        self._painter.setFont(self._figure)
        self._painter.drawText(QPointF(left + self._named(label.name), line), label.figure)

    def reason_on(self, row: QRect, reason: str, failed: bool) -> None:
        """Paint a sentence on top of the bar: the reason why there is no new picture, or advice."""
        font = QFont(self._widget.font())
        self._painter.setFont(font)
        metrics = QFontMetrics(font)
        text = metrics.elidedText(one_line(reason), Qt.TextElideMode.ElideRight, row.width() - 6 * UNIT)
        plate = QRect(0, 0, metrics.horizontalAdvance(text) + 4 * UNIT, min(row.height() - 2, metrics.height() + UNIT))
        plate.moveCenter(row.center())
        if failed:
            self._plate(plate)
            self._outline(plate, self._theme.error)
        self._text(plate, text, self._theme.error if failed else self._theme.muted_text)

    def _place_of(self, label: BarLabel) -> QRect:
        """Return the ground of a label."""
        ground = QRect(0, 0, self.width_of(label.name, label.figure) + 2 * UNIT, self._figures.height() + 2)
        ground.moveCenter(label.place.center())
        return ground

    def _named(self, name: str) -> int:
        """Return the width of a name and of the gap after it."""
        return self._names.horizontalAdvance(f"{name} ") + 2 if name else 0

    def _plate(self, place: QRect) -> None:
        self._painter.save()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._theme.base)
        self._painter.drawRoundedRect(place, RADIUS / 2, RADIUS / 2)
        self._painter.restore()

    def _outline(self, span: QRect, color: QColor) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(QPen(color, 1))
        self._painter.drawRect(span.adjusted(0, 0, -1, -1))

    def _text(self, place: QRect, text: str, color: QColor) -> None:
        self._painter.setPen(color)
        self._painter.drawText(place, int(_CENTRE), text)


class BarDrawing:
    """A painter of pictures of a bar with the same layout and scale."""

    def __init__(self, painter: BarPainter, layout: BarLayout, scale: BarScale) -> None:
        self._painter, self._layout, self._scale = painter, layout, scale

    def baseline(self, picture: BarPicture) -> None:
        """Paint the thin bar of the baseline."""
        row = self._layout.baseline
        self._painter.frame(self._window(picture, row), row)
        with self._painter.rounded(row, past=True):
            self._fill(picture, row)

    def bar(self, picture: BarPicture, marked: Set[str], limits: Set[str]) -> None:
        """The bar; the segments of the words `marked` are marked, and the limits of the words `limits` are shown."""
        row, painter = self._layout.bar, self._painter
        painter.frame(self._window(picture, row), row)
        with painter.rounded(row):
            spans = self._fill(picture, row)
            self._over(picture, row)
        if picture.over:
            painter.end_of_window(self._scale.in_sight(picture.window), row)
        in_sight = [(segment, span.intersected(row)) for segment, span in spans if span.intersects(row)]
        labels = place_labels(in_sight, picture.figures, painter.width_of)
        for label in labels:
            painter.label(label)
        outlined = dict.fromkeys(filter(None, map(picture.limit_of, limits)))
        for segment, span in in_sight:
            if segment.word in marked and not any(segment.word == limit.words[0] for limit in outlined):
                painter.mark(span)
        for loan in dict.fromkeys(loan for name in limits for loan in picture.loans_of(name)):
            painter.loan(loan, self._scale.stretch(loan))
        for limit in outlined:
            painter.limit(limit, self._scale.outline(limit), labels)

    def _fill(self, picture: BarPicture, row: QRect) -> Sequence[tuple[Segment, QRect]]:
        spans = [(segment, self._scale.span(segment, row)) for segment in picture.segments]
        for segment, span in spans:
            self._painter.segment(segment, span)
        return spans

    def _window(self, picture: BarPicture, row: QRect) -> QRect:
        """Return the place of the window, as far as it is in sight."""
        left, right = (self._scale.in_sight(place) for place in (0, picture.window))
        return QRect(left, row.top(), right - left, row.height())

    def _over(self, picture: BarPicture, row: QRect) -> None:
        left, right = self._scale.in_sight(picture.window), self._scale.in_sight(picture.window + picture.over)
        if picture.over and right > left:
            self._painter.over(QRect(left, row.top(), right - left, row.height()))

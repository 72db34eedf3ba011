"""A small bar of a prompt without words, for heads of columns and rows of lists; several share one scale."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath

from inspector.gui.palettes import Theme, blended
from inspector.gui.parts.bar_picture import BarPicture, Segment
from inspector.gui.theme import theme

HEIGHT = 10
_RADIUS = 3.0
_HATCHED = 0.45


def paint_small_bar(painter: QPainter, place: QRectF, picture: BarPicture, scale: int) -> None:
    """Paint a bar in a place whose width stands for `scale` tokens; the window's free room has the quiet ground."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    look, width = theme(), place.width() / max(scale, 1)
    room = QRectF(place.left(), place.top(), min(picture.window, scale) * width, place.height())
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(place.left(), place.top(), picture.scale * width, place.height()), _RADIUS, _RADIUS)
    painter.setClipPath(shape)
    painter.fillRect(room, look.hover)
    for segment in picture.segments:
        span = QRectF(place.left() + segment.start * width, place.top(), segment.tokens * width, place.height())
        _paint_segment(painter, span, segment, look)
    if picture.over:
        beyond = QRectF(room.right(), place.top(), picture.over * width, place.height())
        painter.fillRect(beyond, _hatched(look.extra_color("over")))
    painter.restore()


def _paint_segment(painter: QPainter, span: QRectF, segment: Segment, look: Theme) -> None:
    if segment.section is not None:
        fill = look.section_color(segment.section)
        painter.fillRect(span.adjusted(0, 0, -min(1.0, span.width() / 3), 0), fill)
    elif segment.word in ("overhead", "remainder"):
        fill = look.extra_color("overhead" if segment.word == "overhead" else "remainder")
        painter.fillRect(span, blended(fill, look.base, _HATCHED))
        painter.fillRect(span, _hatched(fill))
    elif segment.word == "reserve":
        painter.fillRect(span, look.base)
        painter.fillRect(span, _hatched(look.border))
        painter.setPen(look.outline)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(span.adjusted(0.5, 0.5, -0.5, -0.5))


def _hatched(ink: QColor) -> QBrush:
    return QBrush(ink, Qt.BrushStyle.BDiagPattern)

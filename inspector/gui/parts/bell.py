"""A bell, drawn because few fonts have one."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath

SIZE = 11
"""Width and height in pixels."""


def bell_path(place: QPointF) -> QPainterPath:
    """Return the outline of a bell around a point."""
    path, half = QPainterPath(), SIZE / 2
    left, right, top, rim = place.x() - half, place.x() + half, place.y() - half, place.y() + half * 0.55
    path.moveTo(left, rim)
    path.cubicTo(left + 2.5, rim - 2, left + 0.5, top + 1, place.x(), top + 1)
    path.cubicTo(right - 0.5, top + 1, right - 2.5, rim - 2, right, rim)
    path.closeSubpath()
    path.addEllipse(QRectF(place.x() - 1.5, rim + 0.5, 3, 2.5))
    return path


def paint_bell(painter: QPainter, place: QPointF, color: QColor) -> None:
    """Paint a bell around a point."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(bell_path(place), color)
    painter.restore()

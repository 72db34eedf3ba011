"""Small bars: parts of a window in their fills, as a picture without labels."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from inspector.gui.bar.painting import part_brush
from inspector.gui.parts.bar_picture import BarPart
from inspector.gui.theme import theme

_RADIUS = 3
Parts = Sequence[tuple[BarPart, float]]
"""The parts of a bar with their tokens."""


def paint_small_bar(painter: QPainter, bar: QRect, parts: Parts, window: float) -> None:
    """Paint parts of a window in their fills, and the outline of the window."""
    look, path = theme(), QPainterPath()
    path.addRoundedRect(QRectF(bar), _RADIUS, _RADIUS)
    painter.save()
    painter.setClipPath(path)
    start = 0
    for part, tokens in parts:
        left, right = (bar.left() + round(bar.width() * place / window) for place in (start, start + tokens))
        painter.fillRect(QRect(left, bar.top(), max(right - left - 1, 1), bar.height()), part_brush(part))
        start += tokens
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.border, 1))
    painter.drawRoundedRect(QRectF(bar).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)

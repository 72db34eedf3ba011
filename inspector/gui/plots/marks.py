"""Text and marks on a plot: marks of selected, pointed-at or mentioned places, and the title of a row."""

from dataclasses import dataclass
from enum import Enum
from math import floor

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTransform

from inspector.drawings.pixels import NUDGE
from inspector.gui.theme import UNIT, named_font, theme

_NARROW = 4
_VEIL = 70
_PLATE = 200
_LINE = 2


class MarkKind(Enum):
    """The meaning of a mark for its place."""

    SELECTED = "selected"
    POINTED = "pointed at"
    SPOKEN_OF = "spoken of"


@dataclass(frozen=True)
class _Stretch:
    """Pixels from the first up to the last, within a frame."""

    left: int
    right: int
    frame: QRectF


class InSight(pg.GraphicsObject):
    """An item that may paint on any visible part of its row, in pixels of the screen."""

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect() or QRectF())

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        super().viewTransformChanged()


class MarkLine(InSight):
    """A line over the height of a plot, or a veil if its place is wide, with a caption beside it."""

    def __init__(self, kind: MarkKind) -> None:
        super().__init__()
        self._kind, self._caption, self._is_lower = kind, "", False
        self._place: tuple[float, float] | None = None
        self.setZValue(1 if kind is MarkKind.SPOKEN_OF else -1)  # a bar stays to be seen

    @property
    def place(self) -> tuple[float, float] | None:
        """Its extent on the axis; None while it is hidden."""
        return self._place

    def say(self, caption: str, is_lower: bool = False) -> None:
        """Show another caption, a line lower if the title of the row is at the same height."""
        if (caption, is_lower) != (self._caption, self._is_lower):
            self._caption, self._is_lower = caption, is_lower
            self.update()

    def put(self, place: tuple[float, float] | None) -> None:
        """Move it; None takes it away."""
        if place != self._place:
            self._place = place
            self.update()

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Paint line or veil, and the caption."""
        if self._place is None or self.getViewBox() is None:
            return
        stretch = self._stretch(painter.worldTransform(), self._place)
        if stretch.right < stretch.frame.left() or stretch.left > stretch.frame.right():
            return
        painter.save()
        painter.setWorldTransform(QTransform())
        if self._kind is MarkKind.SPOKEN_OF:
            self._paint_line(painter, stretch)
        else:
            self._paint_veil(painter, stretch)
        painter.restore()

    def _stretch(self, transform: QTransform, place: tuple[float, float]) -> _Stretch:
        left, right = (floor(where * transform.m11() + transform.dx() + NUDGE) for where in place)
        return _Stretch(left, right, transform.mapRect(self.boundingRect()))

    def _paint_veil(self, painter: QPainter, stretch: _Stretch) -> None:
        ink = QColor(theme().accent if self._kind is MarkKind.SELECTED else theme().muted_text)
        frame, width = stretch.frame, stretch.right - stretch.left
        if width < _NARROW:
            line = QRectF(stretch.left, frame.top(), _LINE if self._kind is MarkKind.SELECTED else 1, frame.height())
            painter.fillRect(line.intersected(frame), ink)
            return
        veil = QRectF(stretch.left, frame.top(), width, frame.height()).intersected(frame)
        if self._kind is MarkKind.SELECTED:
            painter.fillRect(QRectF(veil.left(), veil.top(), veil.width(), _LINE), ink)
        ink.setAlpha(_VEIL)
        painter.fillRect(veil, ink)

    def _paint_line(self, painter: QPainter, stretch: _Stretch) -> None:
        frame = stretch.frame
        painter.setPen(QPen(theme().text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(stretch.left, round(frame.top()), stretch.left, round(frame.bottom()))
        if not self._caption:
            return
        metrics = QFontMetricsF(named_font("caption"))
        width, height = metrics.horizontalAdvance(self._caption) + 2 * UNIT, metrics.height() + 2
        has_room = stretch.left + width + UNIT < frame.right()
        left = stretch.left + UNIT if has_room else stretch.left - UNIT - width
        top = round(frame.top()) + UNIT + (round(height) if self._is_lower else 0)
        plate = QRectF(left, top, width, height)
        painter.fillRect(plate, theme().base)
        painter.setFont(named_font("caption"))
        painter.setPen(theme().text)
        painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), self._caption)


class RowTitle(InSight):
    """The meaning of a row's height, in its upper left corner; it ends in an ellipsis if the row is narrower."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setVisible(False)
        self.setZValue(2)

    def say(self, text: str) -> None:
        """Write something else; "" writes nothing."""
        if text != self._text:
            self._text = text
            self.setVisible(bool(text))
            self.update()

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Write the title on a ground of its own."""
        frame = painter.worldTransform().mapRect(self.boundingRect())
        metrics = QFontMetricsF(named_font("caption"))
        plate = QRectF(round(frame.left()) + UNIT, round(frame.top()) + 1, 0, metrics.height())
        shown = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, max(frame.width() - 4 * UNIT, 0))
        plate.setWidth(metrics.horizontalAdvance(shown) + 2 * UNIT)
        ground = QColor(theme().base)
        ground.setAlpha(_PLATE)
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.fillRect(plate, ground)
        painter.setFont(named_font("caption"))
        painter.setPen(theme().muted_text)
        painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.restore()

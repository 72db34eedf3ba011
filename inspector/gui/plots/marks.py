"""Text and marks on a plot: marks of selected, pointed-at or mentioned places, and the title of a row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import floor

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF, QTransform

from inspector.assembly.columns import Action
from inspector.drawings import drawing
from inspector.drawings.pixels import NUDGE
from inspector.gui.palettes import Theme
from inspector.gui.theme import UNIT, named_font, theme

_NARROW = 4
_VEIL = 70
_PLATE = 200
_LINE = 2
_WING = 9
"""How far the playhead paints beside its line."""


class MarkKind(Enum):
    """The meaning of a mark for its place."""

    SELECTED = "selected"
    POINTED = "pointed at"
    SPOKEN_OF = "spoken of"
    PLAYHEAD = "the turn shown"


@dataclass(frozen=True)
class _Stretch:
    """Pixels from the first up to the last, within a frame."""

    left: int
    right: int
    frame: QRectF


class InSight(pg.GraphicsObject):
    """An item that may paint on any visible part of its row, in pixels of the screen."""

    def update_strip(self, left: float, right: float, height: float | None = None) -> None:
        """Paint these columns of pixels of the row again, or their upper part, instead of the whole row."""
        frame, scene = self.mapRectToScene(self.boundingRect()), self.scene()
        if scene is not None:
            strip = QRectF(left, frame.top(), right - left, height or frame.height())
            scene.update(strip.intersected(frame.adjusted(-_WING, 0, _WING, 0)))

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
        self._look = drawing.MarkLook.PLACE
        self._place: tuple[float, float] | None = None
        self._named: Sequence[MarkLine] = ()
        self.setZValue(_LAYERS.get(kind, -1))  # a bar stays to be seen

    @property
    def place(self) -> tuple[float, float] | None:
        """Its extent on the axis; None while it is hidden."""
        return self._place

    def say(self, caption: str, is_lower: bool = False, look: drawing.MarkLook = drawing.MarkLook.PLACE) -> None:
        """Show another caption and look, a line lower if the title of the row is at the same height."""
        if (caption, is_lower, look) != (self._caption, self._is_lower, self._look):
            self._caption, self._is_lower, self._look = caption, is_lower, look
            self.update()

    def give_way(self, named: "Sequence[MarkLine]") -> None:
        """Write its caption only where no earlier one of these lines of its row, of which it is one, has written."""
        self._named = named

    def put(self, place: tuple[float, float] | None) -> None:
        """Move it; None takes it away."""
        if place == self._place:
            return
        if self._kind is not MarkKind.PLAYHEAD:
            self._place = place
            self.update()
            return
        self._update_head()  # the playhead moves in every frame: the rest of the picture stays
        self._place = place
        self._update_head()

    def _update_head(self) -> None:
        if self._place is not None:
            x = self.mapToScene(QPointF(sum(self._place) / 2, 0)).x()
            self.update_strip(x - _WING, x + _WING)

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Paint line or veil, and the caption."""
        if self._place is None or self.getViewBox() is None:
            return
        transform = painter.worldTransform()
        stretch = self._stretch(transform, self._place)
        if stretch.right < stretch.frame.left() or stretch.left > stretch.frame.right():
            return
        painter.save()
        painter.setWorldTransform(QTransform())
        if self._kind is MarkKind.PLAYHEAD:
            self._paint_playhead(painter, stretch)
        elif self._kind is MarkKind.SPOKEN_OF:
            self._paint_line(painter, stretch, self.written_at(transform))
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

    def _paint_playhead(self, painter: QPainter, stretch: _Stretch) -> None:
        """Paint a line in the middle of the turn; with a caption, a triangle at its upper end."""
        frame, middle = stretch.frame, (stretch.left + stretch.right) // 2
        painter.fillRect(QRectF(middle - 1, frame.top(), _LINE, frame.height()), theme().accent)
        if self._caption:
            half = 1.5 * UNIT
            corners = ((middle - half, 0), (middle + half, 0), (middle, 1.4 * half))
            tip = [QPointF(x, frame.top() + down) for x, down in corners]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().accent)
            painter.drawPolygon(QPolygonF(tip))

    def _paint_line(self, painter: QPainter, stretch: _Stretch, plate: QRectF | None) -> None:
        """Paint a line, and its caption on its ground."""
        frame, look = stretch.frame, theme()
        line, words = _INKS[self._look](look)
        dashes = Qt.PenStyle.DashLine if self._look is drawing.MarkLook.PLACE else Qt.PenStyle.SolidLine
        top = round(frame.top() + frame.height() * _DOWN.get(self._look, 0))
        painter.setPen(QPen(line, 1, dashes))
        painter.drawLine(stretch.left, top, stretch.left, round(frame.bottom()))
        if plate is None:
            return
        painter.fillRect(plate, look.base)
        painter.setFont(named_font("caption"))
        painter.setPen(words)
        painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), self._caption)

    def written_at(self, transform: QTransform) -> QRectF | None:
        """Return the ground of its caption in pixels; None if it has none, or gives way to one before it."""
        written: list[QRectF] = []
        for line in self._named:
            plate = line._plate(transform)
            if plate is not None and any(map(plate.intersects, written)):
                plate = None
            if line is self:
                return plate
            written += [plate] if plate is not None else []
        return self._plate(transform)

    def _plate(self, transform: QTransform) -> QRectF | None:
        """Return the ground of its caption where nothing else is written; None if it is out of sight."""
        if self._place is None or not self._caption or self.getViewBox() is None:
            return None
        stretch = self._stretch(transform, self._place)
        frame = stretch.frame
        if stretch.right < frame.left() or stretch.left > frame.right():
            return None
        top = round(frame.top() + frame.height() * _DOWN.get(self._look, 0))
        metrics = QFontMetricsF(named_font("caption"))
        width, height = metrics.horizontalAdvance(self._caption) + 2 * UNIT, metrics.height() + 2
        has_room = stretch.left + width + UNIT < frame.right()
        left = stretch.left + UNIT if has_room else stretch.left - UNIT - width
        return QRectF(left, top + self._lowered(height), width, height)

    def _lowered(self, height: float) -> int:
        """Return how far below the upper end of its line a caption is."""
        above = 0 if self._look is drawing.MarkLook.PERIOD else UNIT
        return above + (round(height) if self._is_lower else 0)


_LAYERS = {MarkKind.SPOKEN_OF: 1, MarkKind.PLAYHEAD: 3}
_DOWN = {drawing.MarkLook.EVENT: 0.6, drawing.MarkLook.RECORDED: 0.4}
"""How far down a row the line of a mark begins, as a share of its height."""
_INKS: Mapping[drawing.MarkLook, Callable[[Theme], tuple[QColor, QColor]]] = {
    drawing.MarkLook.PLACE: lambda look: (look.text, look.text),
    drawing.MarkLook.PERIOD: lambda look: (look.border, look.muted_text),
    drawing.MarkLook.EVENT: lambda look: (look.action_color(Action.DROPPED), look.action_color(Action.DROPPED)),
    drawing.MarkLook.RECORDED: lambda look: (look.second_text, look.second_text),
}


class LevelLine(InSight):
    """A line across a row at a height, with words above its right end and below it."""

    def __init__(self) -> None:
        super().__init__()
        self._level: drawing.Level | None = None
        self.setZValue(2)

    def show_level(self, level: drawing.Level | None) -> None:
        """Show another level, or none."""
        if level != self._level:
            self._level = level
            self.update()

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Paint the line and its words."""
        if self._level is None:
            return
        transform, look = painter.worldTransform(), theme()
        frame, y = transform.mapRect(self.boundingRect()), round(transform.map(QPointF(0, self._level.height)).y())
        metrics = QFontMetricsF(named_font("caption"))
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.fillRect(QRectF(frame.left(), y - 1, frame.width(), 2), look.second_text)
        painter.setFont(named_font("caption"))
        for words, ink, top in (
            (self._level.above, look.text, y - 1 - metrics.height()),
            (self._level.below, look.muted_text, y + 2),
        ):
            width = metrics.horizontalAdvance(words) + 2 * UNIT
            plate = QRectF(frame.right() - width, top, width, metrics.height())
            if words:
                painter.fillRect(plate, look.base)
                painter.setPen(ink)
                painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), words)
        painter.restore()


class RowTitle(InSight):
    """The meaning of a row's height, in its upper left corner, and figures about it; it ends in an ellipsis if the row
    is narrower.
    """

    def __init__(self) -> None:
        super().__init__()
        self._text = self._figures = ""
        self.setVisible(False)
        self.setZValue(2)

    def say(self, text: str, figures: str = "") -> None:
        """Write something else; "" writes nothing."""
        if (text, figures) != (self._text, self._figures):
            self._text, self._figures = text, figures
            self.setVisible(bool(text))
            frame = self.mapRectToScene(self.boundingRect())
            self.update_strip(frame.left(), frame.right(), QFontMetricsF(named_font("caption")).height() + UNIT)

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Write the title on a ground of its own; with figures, as the stronger of both."""
        frame = painter.worldTransform().mapRect(self.boundingRect())
        fonts = named_font("caption"), named_font("caption")
        inks = (theme().text, theme().second_text) if self._figures else (theme().muted_text,) * 2
        fonts[0].setWeight(QFont.Weight.DemiBold if self._figures else QFont.Weight.Normal)
        first, rest = map(QFontMetricsF, fonts)
        room = max(frame.width() - 4 * UNIT, 0)
        title = first.elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        used = first.horizontalAdvance(title) + UNIT
        figures = rest.elidedText(self._figures, Qt.TextElideMode.ElideRight, max(room - used, 0))
        plate = QRectF(round(frame.left()) + UNIT, round(frame.top()) + 1, 0, first.height())
        plate.setWidth(used + rest.horizontalAdvance(figures) + UNIT)
        ground = QColor(theme().base)
        ground.setAlpha(_PLATE)
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.fillRect(plate, ground)
        for words, font, ink, left in zip((title, figures), fonts, inks, (UNIT, UNIT + used), strict=True):
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(plate.adjusted(left, 0, UNIT, 0), int(Qt.AlignmentFlag.AlignVCenter), words)
        painter.restore()

"""The heat map of a survival: items × value, with today's value and the value pointed at."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from inspector.analysis.survival.ask import Survived
from inspector.assembly.columns import Rows, Section
from inspector.drawings.drawing import Drawing
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.slider import new_gesture
from inspector.gui.plots.marks import MarkKind, MarkLine
from inspector.gui.plots.plot import Plot
from inspector.gui.table.row_painter import EDGE_WIDTH
from inspector.gui.theme import theme

KEYS = (
    KeyUse("The next value at which an item changes", "Right, Left"),
    KeyUse("Next or previous item", "Down, Up"),
    KeyUse("Give the slider the marked value", "Return"),
)
_GRIP = 4
"""So many pixels beside the line of today's value it can be taken hold of."""
_NO_ROWS = np.zeros(0, np.intp)


class SurvivalPlot(Plot):
    """A single picture of all items shown, top to bottom, over the visible values.

    `place_pointed(row, number)` emits the place of the mouse, None and None for nothing; `place_chosen` a click,
    `today_dragged(number, gesture)` the place to which the line of today's value was dragged, `return_pressed` and
    `item_stepped` the keys Return, Up and Down. Left and Right are `stepped`, as in every plot.
    """

    place_pointed = Signal(object, object)
    place_chosen = Signal(int, int)
    today_dragged = Signal(int, str)
    return_pressed = Signal()
    item_stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Which items flip, by value", parent=parent)
        self._survived: Survived | None = None
        self._items: Rows = _NO_ROWS
        self._gesture = ""
        self._edges: QImage | None = None
        self._cursor, self._item = MarkLine(MarkKind.SELECTED), pg.InfiniteLine(angle=0)
        for item in (self._cursor, self._item):
            self.rows[0].addItem(item, ignoreBounds=True)
        self._cursor.setZValue(1)
        self._item.setZValue(1)
        self._item.setVisible(False)
        self.restyled.connect(self._recolour)
        self.pointed.connect(self._tell_nothing)
        self._recolour()

    def show_survived(self, survived: Survived, items: Rows, drawing: Drawing) -> None:
        """Show these items of a survival, in this order, as this drawing."""
        self._survived, self._items = survived, items
        self._draw_edges()
        self.show_drawing(drawing)

    def show_nothing(self) -> None:
        """Nothing is there to be pointed at."""
        self._survived, self._items, self._edges = None, _NO_ROWS, None

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint the hue of each item's section at the left of its row."""
        super().drawForeground(painter, rect)
        if self._edges is None:
            return
        box = self.rows[0].getViewBox()
        inside = box.sceneBoundingRect()
        top, bottom = (box.mapViewToScene(QPointF(0, place)).y() for place in (0, self._edges.height()))
        painter.save()
        painter.resetTransform()
        painter.setClipRect(inside)
        painter.drawImage(QRectF(inside.left(), top, EDGE_WIDTH, bottom - top), self._edges)
        painter.restore()

    def _draw_edges(self) -> None:
        """Draw the hues of the sections once: a pixel for each item."""
        self._edges = None
        if self._survived is None or not len(self._items):
            return
        colors = np.zeros(len(Section), np.uint32)
        for section in Section:
            colors[section] = theme().section_color(section).rgb()
        pixels = np.ascontiguousarray(colors[self._survived.assembly.section[self._items]])
        self._edges = QImage(pixels.data, 1, len(pixels), 4, QImage.Format.Format_RGB32).copy()

    def show_cursor(self, cursor: int | None) -> None:
        """Mark the number to be set by Return."""
        self._cursor.put(None if cursor is None else (cursor, cursor))
        if cursor is not None:
            self.bring_into_sight(cursor - 0.5, cursor + 0.5)

    def show_item(self, row: int | None) -> None:
        """Mark an item, where it is shown."""
        places = np.flatnonzero(self._items == row) if row is not None else _NO_ROWS
        self._item.setVisible(len(places) > 0)
        if len(places):
            self._item.setValue(float(places[0]) + 0.5)

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        """On the line of today's value a drag of it may begin."""
        super().mousePressEvent(ev)
        if self._pressed is not None and self._is_on_today(ev.position()):
            self._gesture = new_gesture("survival")

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        """Draw the line of today's value along, or say which item and value are pointed at, too."""
        if self._gesture and self._pressed is not None:
            far = (ev.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            if far or self._dragged != self._pressed:
                self._dragged = ev.position()
                number = self._number_at(ev.position().x())
                self.place_pointed.emit(self._item_at(ev.position().y()), number)
                self.today_dragged.emit(number, self._gesture)
            return
        super().mouseMoveEvent(ev)
        is_on_line = self._is_on_today(ev.position())
        self.viewport().setCursor(Qt.CursorShape.SplitHCursor if is_on_line else Qt.CursorShape.ArrowCursor)
        if self._pressed is None and self._is_inside(ev.position()):
            row, number = self._item_at(ev.position().y()), self._number_at(ev.position().x())
            self.place_pointed.emit(row, number)

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        """Choose item and value of a click, unless it was a drag."""
        self._gesture = ""
        is_click = self._pressed is not None and self._pressed == self._dragged and self._is_inside(ev.position())
        super().mouseReleaseEvent(ev)
        row = self._item_at(ev.position().y())
        if is_click and row is not None and ev.button() == Qt.MouseButton.LeftButton:
            self.place_chosen.emit(row, self._number_at(ev.position().x()))

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Up and Down go from item to item, Return sets the marked value."""
        key = Qt.Key(ev.key())
        if ev.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(ev)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.item_stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.return_pressed.emit()
        else:
            super().keyPressEvent(ev)

    def _tell_nothing(self, pixel: float | None) -> None:
        if pixel is None:
            self.place_pointed.emit(None, None)

    def _is_on_today(self, place: QPointF) -> bool:
        marks = () if self.drawing is None else self.drawing.marks
        if self._survived is None or not marks or not self._is_inside(place):
            return False
        line = self.rows[0].getViewBox().mapViewToScene(QPointF(marks[0].place, 0))
        return abs(line.x() - place.x()) <= _GRIP

    def _number_at(self, pixel: float) -> int:
        if self._survived is None:
            return 0
        found = self._survived.found
        return min(max(round(self.place_of(pixel)), found.first), found.last)

    def _item_at(self, pixel: float) -> int | None:
        """Return the row of the item at this height."""
        box = self.rows[0].getViewBox()
        place = int(box.mapSceneToView(pg.Point(0, pixel)).y())
        return int(self._items[place]) if 0 <= place < len(self._items) else None

    def _recolour(self) -> None:
        self._draw_edges()
        self._item.setPen(pg.mkPen(theme().text, width=1))

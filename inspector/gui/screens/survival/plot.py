"""The heat map of a survival: items × value, with today's value and the one that is pointed at."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.analysis.survival import Outcome
from inspector.analysis.survival_search import Survived
from inspector.analysis.survival_tables import words_of, written
from inspector.assembly.columns import I64, Action, Rows
from inspector.gui.palettes import blended
from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.parts.parameter_slider import new_gesture
from inspector.gui.plots.axes import NumberAxis
from inspector.gui.plots.legend import Entry
from inspector.gui.plots.marks import Mark, MarkKind
from inspector.gui.plots.plot import Plot
from inspector.gui.theme import theme

KEYS = (
    KeyUse("The next value at which an item changes", "Right, Left"),
    KeyUse("Next or previous item", "Down, Up"),
    KeyUse("Give the slider the marked value", "Return"),
)
COLUMNS, MANY = 400, 20_000
"""So many values are drawn at once, half as many where there are many items."""
_QUIET = 0.22
_GRIP = 4
"""So many pixels beside the line of today's value it can be taken hold of."""
_NO_ROWS = np.zeros(0, np.intp)


class ValueAxis(NumberAxis):
    """Numbers of an axis of values, written as the values that they stand for."""

    survived: Survived | None = None

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Each value as it is written everywhere."""
        if self.survived is None:
            return super().tickStrings(values, scale, spacing)
        return [written(self.survived, round(value)) for value in values]


class SurvivalPlot(Plot):
    """One picture of all items that are shown, top to bottom, over the values in sight.

    `place_pointed(row, number)` tells what the mouse is at, None and None for nothing; `place_chosen` a click,
    `today_dragged(number, gesture)` where the line of today's value was drawn to, `return_pressed` and `item_stepped`
    the keys Return, Up and Down. Left and Right are `stepped`, as in every plot.
    """

    place_pointed = Signal(object, object)
    place_chosen = Signal(int, int)
    today_dragged = Signal(int, str)
    return_pressed = Signal()
    item_stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Survival, items by value", parent)
        self._survived: Survived | None = None
        self._items: Rows = _NO_ROWS
        self._gesture = ""
        self.picture: pg.ImageItem = pg.ImageItem(axisOrder="row-major")
        self.add_row(1, "items, top to bottom")
        self.titles[0].setVisible(False)  # it would lie over the first items
        self._axis = ValueAxis("bottom")
        self.set_bottom_axis(self._axis)
        self._today, self._cursor = Mark(MarkKind.SPOKEN_OF, "today"), Mark(MarkKind.SELECTED)
        self._item = pg.InfiniteLine(angle=0)
        box = self.rows[0].getViewBox()
        box.invertY(True)
        for item in (self.picture, self._today, self._cursor, self._item):
            self.rows[0].addItem(item, ignoreBounds=True)
        self._cursor.setZValue(1)
        self._item.setVisible(False)
        box.sigXRangeChanged.connect(self._draw)
        self.restyled.connect(self._recolour)
        self.pointed.connect(self._tell_nothing)
        self._recolour()

    def show_survived(self, survived: Survived | None, items: Rows) -> None:
        """Show these items of a survival, in this order; None shows nothing."""
        self._survived, self._items = survived, items
        self._axis.survived = survived
        self.picture.setVisible(survived is not None and len(items) > 0)
        if survived is None:
            return
        found = survived.found
        self.rows[0].getViewBox().setYRange(0.0, max(len(items), 1), padding=0)
        self.set_whole((found.first - 0.5, found.last + 0.5))
        self._draw()

    def show_numbers(self, today: int, cursor: int | None) -> None:
        """Mark today's value, and the one that Return would set."""
        self._today.put((today, today))
        self._cursor.put(None if cursor is None else (cursor, cursor))
        if cursor is not None:
            self.bring_into_sight(cursor - 0.5, cursor + 0.5)

    def show_item(self, row: int | None) -> None:
        """Mark an item, where it is shown."""
        places = np.flatnonzero(self._items == row) if row is not None else _NO_ROWS
        self._item.setVisible(len(places) > 0)
        if len(places):
            self._item.setValue(float(places[0]) + 0.5)

    @property
    def entries(self) -> list[Entry]:
        """The legend of what becomes of items."""
        there = set() if self._survived is None else set(np.unique(self._survived.found.outcomes).tolist())
        shown = (outcome for outcome in Outcome if int(outcome) in there)
        return [(words_of(outcome), partial(self._color, outcome), False) for outcome in shown]

    def _color(self, outcome: Outcome) -> QColor:
        return self._colors[outcome]

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
        """A click that was no drag chooses item and value."""
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
        if self._survived is None or self._today.place is None or not self._is_inside(place):
            return False
        line = self.rows[0].getViewBox().mapViewToScene(QPointF(self._today.place[0], 0))
        return abs(line.x() - place.x()) <= _GRIP

    def _number_at(self, pixel: float) -> int:
        if self._survived is None:
            return 0
        found = self._survived.found
        return min(max(round(self.place_of(pixel)), found.first), found.last)

    def _item_at(self, pixel: float) -> int | None:
        """The row of the item at this height."""
        box = self.rows[0].getViewBox()
        place = int(box.mapSceneToView(pg.Point(0, pixel)).y())
        return int(self._items[place]) if 0 <= place < len(self._items) else None

    def _draw(self) -> None:
        """Draw as many values of those in sight as there is room for."""
        if self._survived is None or not len(self._items):
            return
        found, (left, right) = self._survived.found, self.in_sight
        first, last = max(found.first, round(left + 0.5)), min(found.last, round(right - 0.5))
        count = COLUMNS if len(self._items) <= MANY else COLUMNS // 2
        numbers: I64 = np.unique(np.linspace(first, max(first, last), count).round().astype(np.int64))
        step = 1.0 if len(numbers) < 2 else (numbers[-1] - numbers[0]) / (len(numbers) - 1)
        self.picture.setImage(found.grid(numbers)[self._items], autoLevels=False, levels=(0, len(Outcome)))
        self.picture.setRect(QRectF(numbers[0] - step / 2, 0, step * len(numbers), len(self._items)))

    def _recolour(self) -> None:
        look = theme()
        quiet = blended(look.action_color(Action.DROPPED), look.base, _QUIET)
        shortened = (look.action_color(Action.SUMMARIZED), look.action_color(Action.TRUNCATED))
        self._colors: list[QColor] = [look.accent, *shortened, quiet, look.border]
        table = np.array([color.getRgb() for color in self._colors], np.uint8)
        self.picture.setLookupTable(table)
        self._item.setPen(pg.mkPen(look.text, width=1))

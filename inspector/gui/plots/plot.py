"""A plot: rows of axes over a common horizontal axis, in the theme, under mouse and keys.

Ctrl and the wheel zoom, a drag or the wheel's tilt moves the zoomed part, a double click shows everything again. The
wheel alone is left for scrolling. The accessible description has the contents of the plot, too.
"""

from itertools import zip_longest
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.drawings.drawing import Axis, Drawing, MarkLook, Row, Ticks
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.plots.axes import DrawnAxis, TimeAxis, restyle
from inspector.gui.plots.bars import BarsPainter
from inspector.gui.plots.legend import Key
from inspector.gui.plots.marks import LevelLine, MarkKind, MarkLine, RowTitle
from inspector.gui.plots.painters import Painter, paint, painter_on
from inspector.gui.theme import UNIT, named_font, theme

WHOLE = 1 << 30
"""More steps than possible: Home goes back by this number, End forward."""
ZOOM = 1.25
_MOST_FOR_TITLE = 0.4
"""Of the height of a row, at most."""
_DIMMED = 0.5
KEYS = (
    KeyUse("One step on or back", "Right, Left"),
    KeyUse("To the beginning or the end", "Home, End"),
)
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Home: -WHOLE,
    Qt.Key.Key_End: WHOLE,
}


class Plot(pg.GraphicsLayoutWidget):
    """Rows of plots over a common axis.

    `pointed(x)` emits the pixel under the mouse, None beside the rows; `chosen(x)` the pixel of a click, and
    `stepped(steps)` the steps of the keys. `spot_pointed` and `spot_chosen` emit the same as points of the widget.
    `restyled` follows a change of colours or fonts. In a file the `heading` is above it, "" for none, and the `legend`,
    which is shown beside it here, below.
    """

    pointed = Signal(object)
    chosen = Signal(float)
    spot_pointed = Signal(object)
    spot_chosen = Signal(QPointF)
    stepped = Signal(int)
    restyled = Signal()

    def __init__(self, name: str, rows: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.heading = ""
        self.drawing: Drawing | None = None
        self.legend: Key | None = None
        self.titles: list[RowTitle] = []
        self.rows: list[pg.PlotItem] = []
        self.drawn_by: list[Painter] = []
        self._marks: list[list[MarkLine]] = []
        self._behind: dict[int, BarsPainter] = {}
        self._levels: dict[int, list[LevelLine]] = {}
        self._left: list[DrawnAxis] = []
        self._whole = (0.0, 1.0)
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self._grid: Any = self.ci.layout  # the stubs take it for the method of that name
        self._grid.setContentsMargins(UNIT, UNIT, 2 * UNIT, UNIT)
        self._grid.setSpacing(2 * UNIT)
        for _ in range(rows):
            self._add_row()
        self._restyle()

    def _add_row(self) -> None:
        """Add a row below the others."""
        self._left.append(DrawnAxis("left"))
        axes = {"left": self._left[-1], "bottom": DrawnAxis("bottom")}
        row = self.ci.addPlot(row=len(self.rows), col=0, axisItems=axes, enableMenu=False)
        row.ctrlMenu = None  # never opened, and would outlive the plot
        row.hideButtons()
        box = row.getViewBox()
        box.setMouseEnabled(False, False)
        box.disableAutoRange()
        self.titles.append(RowTitle())
        row.addItem(self.titles[-1], ignoreBounds=True)
        if self.rows:
            box.setXLink(self.rows[0])
        self.rows.append(row)

    def show_drawing(self, drawing: Drawing) -> None:
        """Show a drawing, which has as many rows as the plot."""
        self.drawing = drawing
        self._show_across(drawing.across)
        for number, row in enumerate(drawing.rows):
            if number == len(self.drawn_by):
                self.drawn_by.append(painter_on(self.rows[number], row.series))
            paint(self.drawn_by[number], row.series)
            self._show_behind(number, row)
            self._grid.setRowStretchFactor(number, row.height)
            self.titles[number].say(row.title, row.figures)
            self._show_heights(number, row)
        self.show_marks(drawing)

    def _show_behind(self, number: int, row: Row) -> None:
        """Show what lies below the series of a row, and its levels."""
        if len(row.behind) and number not in self._behind:
            self._behind[number] = BarsPainter(self.rows[number])
            self._behind[number].setZValue(-2)
        if number in self._behind:
            self._behind[number].show_series(row.behind)
        lines = self._levels.setdefault(number, [])
        while len(lines) < len(row.levels):
            lines.append(LevelLine())
            self.rows[number].addItem(lines[-1], ignoreBounds=True)
        for line, level in zip_longest(lines, row.levels):
            line.show_level(level)

    def show_marks(self, drawing: Drawing) -> None:
        """Show the current drawing with other marks and another note."""
        self.drawing, marks = drawing, drawing.marks
        while len(self._marks) < len(marks):
            self._marks.append([])
            for row in self.rows:
                self._marks[-1].append(MarkLine(MarkKind.SPOKEN_OF))
                row.addItem(self._marks[-1][-1], ignoreBounds=True)
        for lines, mark in zip_longest(self._marks, marks):
            for number, line in enumerate(lines):
                is_there = mark is not None and (number == 0 or mark.look is MarkLook.PLACE)
                if mark is not None:
                    is_lower = drawing.rows[number].has_clear_title and bool(drawing.rows[number].title)
                    line.say(mark.words if number == 0 else "", is_lower, mark.look)
                line.put((mark.place, mark.place) if mark is not None and is_there else None)
        named = [lines[0] for lines, mark in zip(self._marks, marks, strict=False) if mark.words]
        for line in named:
            line.give_way(named)

    def _show_heights(self, number: int, row: Row) -> None:
        """Show the heights of a row, with room for its title if it has to stay clear, regardless of the row's
        height.
        """
        box, up = self.rows[number].getViewBox(), row.up
        top = up.end
        if row.has_clear_title:
            lines = 2 if row.levels or (row.title and self._has_periods) else 1  # words below each other
            line = QFontMetricsF(named_font("caption")).height()
            part = min((lines * line + UNIT) / max(box.height(), 1.0), _MOST_FOR_TITLE)
            top += (up.end - up.first) * part / (1 - part)
        if box.viewRange()[1] != [up.first, top]:
            box.setYRange(up.first, top, padding=0)
        self._left[number].show_axis(up)
        if up.ticks is Ticks.PLACES:
            self._restyle_left(self._left[number])

    @property
    def _has_periods(self) -> bool:
        return self.drawing is not None and any(mark.look is MarkLook.PERIOD for mark in self.drawing.marks)

    def _show_across(self, across: Axis) -> None:
        """Show the axis below the lowest row; the others have none."""
        axis, is_time = self.rows[-1].getAxis("bottom"), across.ticks is Ticks.TIMES
        if isinstance(axis, TimeAxis) != is_time:
            axis = TimeAxis("bottom") if is_time else DrawnAxis("bottom")
            self.rows[-1].setAxisItems({"bottom": axis})
            self._restyle()
        if isinstance(axis, DrawnAxis):
            axis.show_axis(across)
        self.set_whole((across.first, across.end))

    @property
    def whole(self) -> tuple[float, float]:
        """The extent of the contents."""
        return self._whole

    @property
    def in_sight(self) -> tuple[float, float]:
        """The visible part of the axis."""
        left, right = self.rows[0].getViewBox().viewRange()[0]
        return float(left), float(right)

    def set_whole(self, whole: tuple[float, float]) -> None:
        """Say how far the axis goes; another length shows everything."""
        if whole != self._whole:
            self._whole = whole
            self.fit()

    def resizeEvent(self, ev: QResizeEvent) -> None:
        """Keep the room for the title."""
        super().resizeEvent(ev)
        drawing: Drawing | None = getattr(self, "drawing", None)  # Qt resizes before there is one
        if drawing is not None:
            for number, row in enumerate(drawing.rows):
                self._show_heights(number, row)

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows as a picture of before."""
        for row in self.rows:
            row.setOpacity(_DIMMED if dimmed else 1.0)

    def fit(self) -> None:
        """Show everything."""
        self._look_at(*self._whole)

    def bring_into_sight(self, left: float, right: float) -> None:
        """Scroll to a place outside the visible part."""
        first, end = self.in_sight
        if left < first:
            self._look_at(left, left + end - first)
        elif right > end:
            self._look_at(right - (end - first), right)

    def zoom(self, factor: float, pixel: float) -> None:
        """Scale the axis by a factor around a pixel, which keeps its place."""
        first, end = self.in_sight
        centre = self.place_of(pixel)
        self._look_at(centre - (centre - first) / factor, centre + (end - centre) / factor)

    def place_of(self, pixel: float) -> float:
        """Return the place on the axis at a pixel of the widget."""
        return float(self.rows[0].getViewBox().mapSceneToView(QPointF(pixel, 0)).x())

    def _look_at(self, left: float, right: float) -> None:
        """Show this part of the axis, moved or cut to exclude everything beyond it."""
        first, end = self._whole
        width = min(right - left, end - first)
        left = min(max(left, first), end - width)
        self.rows[0].getViewBox().setXRange(left, left + width, padding=0)

    def _is_inside(self, place: QPointF) -> bool:
        return any(row.getViewBox().sceneBoundingRect().contains(place) for row in self.rows)

    # Mouse and keys

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if ev.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._dragged = ev.position()

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        place = ev.position()
        if self._pressed is None or self._dragged is None:
            is_inside = self._is_inside(place)
            self.pointed.emit(place.x() if is_inside else None)
            self.spot_pointed.emit(place if is_inside else None)
            return
        far = (place - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if far or self._dragged != self._pressed:
            moved = self.place_of(self._dragged.x()) - self.place_of(place.x())
            self._look_at(*(edge + moved for edge in self.in_sight))
            self._dragged = place

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        """Choose the place of a click, unless it was a drag."""
        pressed, dragged = self._pressed, self._dragged
        self._pressed = self._dragged = None
        is_click = ev.button() == Qt.MouseButton.LeftButton and pressed is not None and pressed == dragged
        if is_click and self._is_inside(ev.position()):
            self.chosen.emit(ev.position().x())
            self.spot_chosen.emit(ev.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything."""
        self.fit()

    def wheelEvent(self, ev: QWheelEvent) -> None:
        """Zoom with Ctrl, move with the tilt; the wheel alone is left for scrolling."""
        turned = ev.angleDelta()
        if ev.modifiers() & Qt.KeyboardModifier.ControlModifier and turned.y():
            self.zoom(ZOOM ** (turned.y() / 120), ev.position().x())
        elif turned.x():
            first, end = self.in_sight
            moved = -(end - first) * turned.x() / 1200
            self._look_at(first + moved, end + moved)
        else:
            ev.ignore()
            return
        ev.accept()

    def leaveEvent(self, ev: QEvent) -> None:
        self.pointed.emit(None)
        self.spot_pointed.emit(None)

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Step by Left, Right, Home and End; leave every other key to the window."""
        steps = None if ev.modifiers() else _STEPS.get(Qt.Key(ev.key()))
        if steps is None:
            ev.ignore()
            return
        self.stepped.emit(steps)
        ev.accept()

    def close(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] - as in Qt
        """Close like any widget: pyqtgraph's own way leaves a view without a scene, which crashes at the next theme."""
        return QWidget.close(self)

    # The theme

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "rows"):
            self._restyle()
            self.restyled.emit()

    def _restyle(self) -> None:
        self.setBackground(theme().base)
        for row, left in zip(self.rows, self._left, strict=True):
            bottom = row.getAxis("bottom")
            self._restyle_left(left)
            restyle(bottom, grid=False)
            bottom.setStyle(showValues=row is self.rows[-1])
            if isinstance(bottom, DrawnAxis):
                bottom.make_room()
        for painter in (*self.drawn_by, *self._behind.values()):
            painter.restyle()

    def _restyle_left(self, left: DrawnAxis) -> None:
        restyle(left, grid=left.axis.ticks is not Ticks.PLACES)
        left.setWidth(left.width_in(self.fontMetrics()))

"""A plot: one or more rows of axes over one and the same horizontal axis, in the theme, under mouse and keys.

Ctrl and the wheel zoom, a drag or the wheel's tilt moves what is zoomed, a double click shows everything again. The
wheel alone is left to whoever scrolls. What a plot shows stands in its accessible description, too.
"""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.plots.axes import NumberAxis, restyle
from inspector.gui.plots.legend import Key
from inspector.gui.plots.marks import RowTitle
from inspector.gui.theme import UNIT, small_font, theme

WHOLE = 1 << 30
"""More steps than there can be: Home goes so many back, End so many on."""
ZOOM = 1.25
_AXIS_DIGITS = 8
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
    """Rows of plots over one axis.

    `pointed(x)` tells the pixel under the mouse, None beside the rows; `chosen(x)` the pixel of a click, and
    `stepped(steps)` how far the keys go. `spot_pointed` and `spot_chosen` tell the same as points of the widget.
    `restyled` follows a change of colours or fonts. The `heading` stands above it in a file, "" for none, and the
    `legend`, which is shown beside it here, below.
    """

    pointed = Signal(object)
    chosen = Signal(float)
    spot_pointed = Signal(object)
    spot_chosen = Signal(QPointF)
    stepped = Signal(int)
    restyled = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.heading = ""
        self.legend: Key | None = None
        self.titles: list[RowTitle] = []
        self.rows: list[pg.PlotItem] = []
        self._whole = (0.0, 1.0)
        self._heights: tuple[float, float] | None = None
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self._grid: Any = self.ci.layout  # the stubs take it for the method of that name
        self._grid.setContentsMargins(UNIT, UNIT, 2 * UNIT, UNIT)
        self._grid.setSpacing(2 * UNIT)

    def add_row(self, stretch: int, title: str) -> pg.PlotItem:
        """One more row below the others, that takes such a part of the height; `title` says what its height is."""
        axes = {"left": NumberAxis("left"), "bottom": NumberAxis("bottom")}
        row = self.ci.addPlot(row=len(self.rows), col=0, axisItems=axes, enableMenu=False)
        row.ctrlMenu = None  # nobody opens it, and it would outlive the plot
        row.hideButtons()
        box = row.getViewBox()
        box.setMouseEnabled(False, False)
        box.disableAutoRange()
        self.titles.append(RowTitle(title))
        row.addItem(self.titles[-1], ignoreBounds=True)
        if self.rows:
            box.setXLink(self.rows[0])
        self._grid.setRowStretchFactor(len(self.rows), stretch)
        self.rows.append(row)
        self._restyle()
        return row

    def set_bottom_axis(self, axis: pg.AxisItem) -> None:
        """Give the lowest row another axis; the others have none."""
        self.rows[-1].setAxisItems({"bottom": axis})
        self._restyle()

    @property
    def whole(self) -> tuple[float, float]:
        """From where to where there is something to see."""
        return self._whole

    @property
    def in_sight(self) -> tuple[float, float]:
        """From where to where the axis is seen."""
        left, right = self.rows[0].getViewBox().viewRange()[0]
        return float(left), float(right)

    def set_whole(self, whole: tuple[float, float]) -> None:
        """Say how far the axis goes; another length shows everything."""
        if whole != self._whole:
            self._whole = whole
            self.fit()

    def set_height(self, row: pg.PlotItem, height: float) -> None:
        """Say how high a row goes, with a little room above."""
        top = max(height, 1.0) * 1.06
        if row.getViewBox().viewRange()[1] != [0.0, top]:
            row.getViewBox().setYRange(0.0, top, padding=0)

    def set_heights(self, low: float, high: float) -> None:
        """Say from where to where the first row goes, with room for its title above, whatever its height is."""
        self._heights = low, high
        self._fit_heights()

    def _fit_heights(self) -> None:
        if self._heights is None or not self.rows:
            return
        box, (low, high) = self.rows[0].getViewBox(), self._heights
        title = QFontMetricsF(small_font()).height() + UNIT
        part = min(title / max(box.height(), 1.0), _MOST_FOR_TITLE)
        box.setYRange(low, high + (high - low) * part / (1 - part), padding=0)

    def resizeEvent(self, ev: QResizeEvent) -> None:
        """Keep the room for the title."""
        super().resizeEvent(ev)
        if hasattr(self, "_heights"):
            self._fit_heights()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows as a picture of before."""
        for row in self.rows:
            row.setOpacity(_DIMMED if dimmed else 1.0)

    def fit(self) -> None:
        """Show everything."""
        self._look_at(*self._whole)

    def bring_into_sight(self, left: float, right: float) -> None:
        """Move what is seen, where this place is not seen."""
        first, end = self.in_sight
        if left < first:
            self._look_at(left, left + end - first)
        elif right > end:
            self._look_at(right - (end - first), right)

    def zoom(self, factor: float, pixel: float) -> None:
        """Make everything so many times as wide; what is at the pixel stays there."""
        first, end = self.in_sight
        centre = self.place_of(pixel)
        self._look_at(centre - (centre - first) / factor, centre + (end - centre) / factor)

    def place_of(self, pixel: float) -> float:
        """The place on the axis at a pixel of the widget."""
        return float(self.rows[0].getViewBox().mapSceneToView(QPointF(pixel, 0)).x())

    def _look_at(self, left: float, right: float) -> None:
        """Show this part of the axis, moved or cut so that nothing beyond it is seen."""
        first, end = self._whole
        width = min(right - left, end - first)
        left = min(max(left, first), end - width)
        self.rows[0].getViewBox().setXRange(left, left + width, padding=0)

    def _is_inside(self, place: QPointF) -> bool:
        return any(row.getViewBox().sceneBoundingRect().contains(place) for row in self.rows)

    # Mouse and keys

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        """A click begins, or a drag."""
        if ev.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._dragged = ev.position()

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        """Say what is pointed at, or move what is seen."""
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
        """A click that was no drag chooses what is there."""
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
        """Zoom with Ctrl, move with the tilt; the wheel alone is for whoever scrolls."""
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
        """Nothing is pointed at any more."""
        self.pointed.emit(None)
        self.spot_pointed.emit(None)

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Left, Right, Home and End step; every other key is for the window."""
        steps = None if ev.modifiers() else _STEPS.get(Qt.Key(ev.key()))
        if steps is None:
            ev.ignore()
            return
        self.stepped.emit(steps)
        ev.accept()

    def close(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] - as in Qt
        """Close as any widget does: pyqtgraph's own way leaves a view without a scene, which the next theme crashes."""
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
        width = self.fontMetrics().horizontalAdvance("0" * _AXIS_DIGITS)
        for row in self.rows:
            left, bottom = row.getAxis("left"), row.getAxis("bottom")
            restyle(left, grid=True)
            restyle(bottom, grid=False)
            left.setWidth(width)
            bottom.setStyle(showValues=row is self.rows[-1])

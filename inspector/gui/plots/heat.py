"""Heat: a picture of cells over two knobs, with the place of now, the best cell, and one that is marked.

Every cell can be pointed at, clicked and gone to by the arrow keys.
"""

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QLinearGradient, QPainter, QPaintEvent, QPen, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.assembly.columns import F64
from inspector.gui.palettes import blended
from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.plots.axes import PlaceAxis
from inspector.gui.plots.marks import InSight
from inspector.gui.plots.plot import WHOLE, Plot
from inspector.gui.theme import GAP, UNIT, give_font, theme

KEYS = (
    KeyUse("The next value of the knob across", "Right, Left"),
    KeyUse("The next value of the knob up", "Up, Down"),
    KeyUse("Use the setting of the marked cell", "Return"),
)
_SHADES = 256
_PALEST = 0.06
_SCALE_WIDTH = 20 * UNIT

Cell = tuple[int, int]
"""Its number across, and its number up."""


class HeatPlot(Plot):
    """Cells across and up. `cell_pointed` tells that at the mouse (None: none), `cell_chosen` a click or Return."""

    cell_pointed = Signal(object)
    cell_marked = Signal(object)
    cell_chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.values: F64 = np.zeros((0, 0))
        self.marked: Cell | None = None
        self.add_row(1, "")
        self.titles[0].setVisible(False)
        self._across, self._up = PlaceAxis("bottom"), PlaceAxis("left")
        self.rows[0].setAxisItems({"left": self._up})
        self.set_bottom_axis(self._across)
        self.picture: pg.ImageItem = pg.ImageItem(axisOrder="row-major")
        self._marks = _Marks()
        for item in (self.picture, self._marks):
            self.rows[0].addItem(item, ignoreBounds=True)
        self.spot_pointed.connect(lambda spot: self.cell_pointed.emit(None if spot is None else self._at(spot)))
        self.spot_chosen.connect(self._choose)
        self.stepped.connect(lambda steps: self._step(steps, 0))
        self.restyled.connect(self._recolour)
        self._recolour()

    def show_cells(self, values: F64, across: Sequence[str], up: Sequence[str], titles: tuple[str, str]) -> None:
        """Show values by row from below, NaN for a cell without one, with the texts of both axes."""
        self.values = values
        high, wide = values.shape
        if self.marked is not None and not (self.marked[0] < wide and self.marked[1] < high):
            self.marked = None
        self.picture.setVisible(values.size > 0 and not np.isnan(values).all())
        if self.picture.isVisible():
            self.picture.setImage(values, autoLevels=False, levels=self.levels)
            self.picture.setRect(QRectF(-0.5, -0.5, wide, high))
        for axis, texts, title in zip((self._across, self._up), (across, up), titles, strict=True):
            axis.show_texts(texts)
            axis.setLabel(escape(title))
        self.rows[0].getViewBox().setYRange(-0.5, high - 0.5, padding=0)
        self.set_whole((-0.5, wide - 0.5))
        self._restyle()
        self._show_marks()

    def show_marks(self, today: tuple[float, float] | None, best: Cell | None) -> None:
        """Mark the place of now, between cells where it is between values, and the best cell."""
        self._marks.today, self._marks.best = today, best
        self._show_marks()

    def mark(self, cell: Cell | None) -> None:
        """Mark a cell."""
        self.marked = cell
        self._show_marks()

    @property
    def levels(self) -> tuple[float, float]:
        """The least and the largest value; a little apart where they are the same."""
        if np.isnan(self.values).all():
            return 0.0, 1.0
        low, high = float(np.nanmin(self.values)), float(np.nanmax(self.values))
        return low, max(high, low + 1e-6)

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Up and Down go to the next row, Return chooses the marked cell."""
        key = Qt.Key(ev.key())
        if ev.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self.values.size:
            super().keyPressEvent(ev)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(0, 1 if key == Qt.Key.Key_Up else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marked is not None:
            self.cell_chosen.emit(self.marked)
        else:
            super().keyPressEvent(ev)

    # Inside

    def _at(self, spot: QPointF) -> Cell | None:
        place = self.rows[0].getViewBox().mapSceneToView(spot)
        across, up = round(place.x()), round(place.y())
        high, wide = self.values.shape
        return (across, up) if 0 <= across < wide and 0 <= up < high else None

    def _choose(self, spot: QPointF) -> None:
        cell = self._at(spot)
        if cell is not None:
            self._go_to(cell)
            self.cell_chosen.emit(cell)

    def _go_to(self, cell: Cell) -> None:
        self.mark(cell)
        self.cell_marked.emit(cell)

    def _step(self, across: int, up: int) -> None:
        high, wide = self.values.shape
        if not self.values.size:
            return
        if self.marked is None:
            today = self._marks.today or (0.0, 0.0)
            self._go_to((round(today[0]), round(today[1])))
            return
        far = 0 if across <= -WHOLE else wide - 1 if across >= WHOLE else self.marked[0] + across
        self._go_to((min(max(far, 0), wide - 1), min(max(self.marked[1] + up, 0), high - 1)))

    def _show_marks(self) -> None:
        self._marks.marked = self.marked
        self._marks.update()

    def _recolour(self) -> None:
        self.picture.setLookupTable(shades())

    def _restyle(self) -> None:
        super()._restyle()
        longest = max(self._up.texts, key=len, default="") if hasattr(self, "_up") else ""
        if longest:
            width = self.fontMetrics().horizontalAdvance(longest) + self.fontMetrics().height() + 4 * UNIT
            self._up.setWidth(width)
            self._up.setGrid(False)


def shades() -> NDArray[np.uint8]:
    """From pale to the accent of the theme."""
    steps = np.linspace(_PALEST, 1.0, _SHADES).tolist()
    return np.array([blended(theme().accent, theme().base, step).getRgb() for step in steps], np.uint8)


class _Marks(InSight):
    """The place of now as a cross of lines, the best cell as a ring, the marked one as a frame."""

    def __init__(self) -> None:
        super().__init__()
        self.today: tuple[float, float] | None = None
        self.best: Cell | None = None
        self.marked: Cell | None = None
        self.setZValue(3)

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Paint them in pixels of the screen."""
        transform = painter.worldTransform()
        frame = transform.mapRect(self.boundingRect())
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setClipRect(frame)
        if self.today is not None:
            here = transform.map(QPointF(*self.today))
            painter.setPen(QPen(theme().text, 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(here.x(), frame.top()), QPointF(here.x(), frame.bottom()))
            painter.drawLine(QPointF(frame.left(), here.y()), QPointF(frame.right(), here.y()))
        for cell, width, is_ring in ((self.best, 1, True), (self.marked, 2, False)):
            if cell is None:
                continue
            place = transform.mapRect(QRectF(cell[0] - 0.5, cell[1] - 0.5, 1, 1)).adjusted(1, 1, -1, -1)
            for ink, room in ((theme().base, width + 2), (theme().text, width)):
                painter.setPen(QPen(ink, room))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                if is_ring:
                    side = min(place.width(), place.height()) / 2
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.drawEllipse(place.center(), side / 2, side / 2)
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                else:
                    painter.drawRect(place)
        painter.restore()


class ShadeScale(QWidget):
    """The legend of shades: from the least to the largest, with their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ("", "")
        give_font(self, "small")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_words(self, least: str, largest: str) -> None:
        """Say what the palest and the strongest shade are."""
        self._words = least, largest
        self.setAccessibleName(f"Shades from {least} to {largest}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Both words with the shades between."""
        metrics = self.fontMetrics()
        words = sum(metrics.horizontalAdvance(word) for word in self._words)
        return QSize(words + _SCALE_WIDTH + 2 * UNIT + GAP, metrics.height() + UNIT)

    def heightForWidth(self, arg__1: int, /) -> int:
        """One line, where it has words."""
        return self.sizeHint().height() if any(self._words) else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint words and shades."""
        painter = QPainter(self)
        self.draw(painter, self.width())
        painter.end()

    def draw(self, painter: QPainter, width: int) -> None:
        """Paint them here or in a file; they are as wide as ever."""
        if not any(self._words):
            return
        metrics, height = self.fontMetrics(), self.sizeHint().height()
        painter.setPen(theme().muted_text)
        middle, left = int(Qt.AlignmentFlag.AlignVCenter), metrics.horizontalAdvance(self._words[0])
        painter.drawText(QRectF(0, 0, left + 1, height), middle, self._words[0])
        place = QRectF(left + UNIT, (height - 2 * UNIT) // 2, _SCALE_WIDTH, 2 * UNIT)
        gradient = QLinearGradient(place.topLeft(), place.topRight())
        gradient.setColorAt(0, blended(theme().accent, theme().base, _PALEST))
        gradient.setColorAt(1, theme().accent)
        painter.fillRect(place, gradient)
        end = QRectF(place.right() + UNIT, 0, metrics.horizontalAdvance(self._words[1]) + 1, height)
        painter.drawText(end, middle, self._words[1])

"""Heat maps: a picture of cells over two settings, with the current place, the best cell, and a marked cell.

Every cell can be pointed at, clicked and reached by the arrow keys.
"""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import Cell, Cells, Drawing, shade
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.plots.painters import CellsPainter
from inspector.gui.plots.plot import WHOLE, Plot
from inspector.gui.theme import GAP, UNIT, give_font, theme

KEYS = (
    KeyUse("The next value across", "Right, Left"),
    KeyUse("The next value up", "Up, Down"),
    KeyUse("Use the setting of the marked cell", "Return"),
)
_SCALE_WIDTH = 20 * UNIT


class HeatPlot(Plot):
    """Cells in two directions. `cell_pointed` emits the cell at the mouse (None: none), `cell_chosen` a click or
    Return.
    """

    cell_pointed = Signal(object)
    cell_marked = Signal(object)
    cell_chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.marked: Cell | None = None
        self.spot_pointed.connect(lambda spot: self.cell_pointed.emit(None if spot is None else self._at(spot)))
        self.spot_chosen.connect(self._choose)
        self.stepped.connect(lambda steps: self._step(steps, 0))

    @property
    def cells(self) -> Cells | None:
        """The cells shown."""
        series = None if self.drawing is None else self.drawing.rows[0].series
        return series if isinstance(series, Cells) and series.values.size else None

    def show_drawing(self, drawing: Drawing) -> None:
        """Show other cells; the mark stays where it is, if there is a cell."""
        super().show_drawing(drawing)
        high, wide = self._shape
        if self.marked is not None and not (self.marked[0] < wide and self.marked[1] < high):
            self.mark(None)

    def mark(self, cell: Cell | None) -> None:
        """Mark a cell."""
        self.marked = cell
        for painter in self.drawn_by:
            if isinstance(painter, CellsPainter):
                painter.mark(cell)

    @property
    def _shape(self) -> tuple[int, int]:
        """The number of cells up and across."""
        high, wide = (0, 0) if self.cells is None else self.cells.values.shape
        return high, wide

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Go to the next row by Up and Down, and choose the marked cell by Return."""
        key = Qt.Key(ev.key())
        if ev.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or self.cells is None:
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
        high, wide = self._shape
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
        high, wide = self._shape
        if self.cells is None:
            return
        if self.marked is None:
            now = self.cells.now or (0.0, 0.0)
            self._go_to((round(now[0]), round(now[1])))
            return
        far = 0 if across <= -WHOLE else wide - 1 if across >= WHOLE else self.marked[0] + across
        self._go_to((min(max(far, 0), wide - 1), min(max(self.marked[1] + up, 0), high - 1)))


class ShadeScale(QWidget):
    """The legend of shades: from the least to the largest, with their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ("", "")
        give_font(self, "secondary")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_words(self, least: str, largest: str) -> None:
        """Show the meaning of the palest and the strongest shade."""
        self._words = least, largest
        self.setAccessibleName(f"Shades from {least} to {largest}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = sum(metrics.horizontalAdvance(word) for word in self._words)
        return QSize(words + _SCALE_WIDTH + 2 * UNIT + GAP, metrics.height() + UNIT)

    def heightForWidth(self, arg__1: int, /) -> int:
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
        gradient.setColorAt(0, theme().color(Shade(Role.ACCENT, shade(0.0))))
        gradient.setColorAt(1, theme().accent)
        painter.fillRect(place, gradient)
        end = QRectF(place.right() + UNIT, 0, metrics.horizontalAdvance(self._words[1]) + 1, height)
        painter.drawText(end, middle, self._words[1])

"""The map of all items beside the scroll bar: where the prompt has them, where marks and found items are."""

import numpy as np
from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView, QWidget

from inspector.assembly.columns import U8, Bool, Fate, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.summary_items import fates_with_summaries, sections_with_summaries
from inspector.gui.palettes import blended
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import scaled, theme

MOST_LINES = 1_000
WIDTH, TICK, LEAST_VIEW = 10, 2, 6
LAG_MILLISECONDS = 60
"""The longest that the lines may be behind the rows, which change in every frame while a slider moves."""
SHORTENED = 0.5
"""The strength of the hue of what is summarized or truncated."""
_SECTIONS = len(Section)


def lines_of(assembly: Assembly, order: Rows) -> U8:
    """Return a line for each row, or for each of `MOST_LINES` equal stretches of rows, as a place among `_hues`.

    A line is 0 without any of its items in the prompt, otherwise it has the section of one that is there, of one that
    is there whole if there is one.
    """
    fate = fates_with_summaries(assembly)
    shade = sections_with_summaries(assembly).astype(np.uint8)
    shade += 1
    shade += np.uint8(_SECTIONS) * (fate == int(Fate.KEPT))
    shade *= fate < int(Fate.DROPPED)
    placed = shade[order]
    if len(placed) <= MOST_LINES:
        return placed
    starts = np.arange(MOST_LINES) * len(placed) // MOST_LINES
    return np.maximum.reduceat(placed, starts)


class RowMap(QWidget):
    """A strip as high as the rows of a table. `row_requested` carries the place that was clicked among all rows."""

    row_requested = Signal(int)

    def __init__(self, table: QTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._count = 0
        self._shown: tuple[Assembly | None, Rows] = (None, np.zeros(0, np.intp))
        self._lag = QTimer(self, singleShot=True, interval=LAG_MILLISECONDS)
        self._lag.timeout.connect(self._renew)
        self._lines: U8 = np.zeros(0, np.uint8)
        self._marks: Rows = np.zeros(0, np.intp)
        self._found: Rows | None = None
        self._image = QImage()
        self.setObjectName("row_map")
        self.setFixedWidth(scaled(WIDTH))
        self.setAccessibleName("Map of all items")
        self.setToolTip(tooltip("All items from the first to the last, in colour where the prompt has them"))
        for moved in (table.verticalScrollBar().valueChanged, table.verticalScrollBar().rangeChanged):
            moved.connect(lambda *_: self.update())

    def show_rows(self, assembly: Assembly | None, order: Rows) -> None:
        """Show where these rows are in the prompt, in this order: at once, unless shown just before."""
        self._shown, self._count = (assembly, order), len(order)
        if not self._lag.isActive():
            self._renew()
            self._lag.start()

    def _renew(self) -> None:
        """Draw the shown rows, if they look different."""
        assembly, order = self._shown
        lines = np.zeros(0, np.uint8) if assembly is None else lines_of(assembly, order)
        if not np.array_equal(lines, self._lines):
            self._lines = lines
            self._draw()

    def show_marks(self, marked: Bool, order: Rows) -> None:
        """Show a tick for each marked row."""
        self._marks = np.flatnonzero(marked[order])
        self.update()

    def show_found(self, found: Rows | None) -> None:
        """Show a tick at the place of each row that the filter lets through; None if it lets all."""
        self._found = found
        self.update()

    def _draw(self) -> None:
        """Draw the lines into an image of one pixel's width."""
        image = QImage(1, max(len(self._lines), 1), QImage.Format.Format_RGB32)
        image.fill(theme().base)
        if len(self._lines):
            pixels = np.frombuffer(image.bits(), np.uint32)
            pixels[:] = _hues()[self._lines]
        self._image = image
        self.update()

    def _room(self) -> QRect:
        """Return the part beside the rows, below the header of the table; of few rows, as high as they are."""
        room = self.rect().adjusted(1, self._table.horizontalHeader().height(), 0, 0)
        room.setHeight(min(room.height(), self._count * self._table.verticalHeader().defaultSectionSize()))
        return room

    def paintEvent(self, _: QPaintEvent) -> None:
        painter, look, room = QPainter(self), theme(), self._room()
        painter.fillRect(self.rect(), look.base)
        if not self._count:
            return
        painter.drawImage(room, self._image)
        self._paint_ticks(painter, room, self._found, look.accent, room.left())
        self._paint_ticks(painter, room, self._marks, look.text, room.center().x())
        if self._found is None:
            self._paint_view(painter, room, look.text)

    def _paint_ticks(self, painter: QPainter, room: QRect, places: Rows | None, ink: QColor, left: int) -> None:
        if places is not None and len(places):
            lines = places * room.height() // self._count
            for y in lines[np.diff(lines, prepend=-1) > 0].tolist():
                painter.fillRect(left, room.top() + y, room.right() - left + 1, TICK, ink)

    def _paint_view(self, painter: QPainter, room: QRect, ink: QColor) -> None:
        """Paint an outline around the rows in sight."""
        bar = self._table.verticalScrollBar()
        if bar.maximum() <= 0:
            return
        whole = bar.maximum() + bar.pageStep()
        top = room.top() + bar.value() * room.height() // whole
        height = max(bar.pageStep() * room.height() // whole, LEAST_VIEW)
        painter.setPen(ink)
        painter.drawRect(room.left(), top, room.width() - 1, min(height, room.bottom() - top))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the row at the mouse."""
        room = self._room()
        if event.buttons() & Qt.MouseButton.LeftButton and self._count and room.height() > 0:
            share = (event.position().y() - room.top()) / room.height()
            self.row_requested.emit(min(max(int(share * self._count), 0), self._count - 1))

    mouseMoveEvent = mousePressEvent

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_image"):
            self._draw()
        elif event.type() == QEvent.Type.FontChange:
            self.setFixedWidth(scaled(WIDTH))


def _hues() -> np.ndarray:
    """Return the colour of each place: none in the prompt, then each section shortened, then each whole."""
    look = theme()
    whole = [look.section_color(section) for section in Section]
    shortened = [blended(color, look.base, SHORTENED) for color in whole]
    return np.array([color.rgb() for color in (look.base, *shortened, *whole)], np.uint32)

"""Cells on a row: shades of values, with the place of now, the best cell, and one that is marked."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTransform

from inspector.drawings.colors import Role, Tone
from inspector.drawings.series import Cell, Cells, shade
from inspector.gui.plots.marks import InSight
from inspector.gui.theme import theme

_SHADES = 256


class CellsPainter:
    """Cells on a row, with the marks on them."""

    def __init__(self, row: pg.PlotItem) -> None:
        self._picture: pg.ImageItem = pg.ImageItem(axisOrder="row-major")
        self._marks = _Marks()
        for item in (self._picture, self._marks):
            row.addItem(item, ignoreBounds=True)

    def show_series(self, cells: Cells) -> None:
        """Show these cells."""
        high, wide = cells.values.shape
        self._picture.setVisible(cells.values.size > 0 and not np.isnan(cells.values).all())
        if self._picture.isVisible():
            self._picture.setImage(cells.values, autoLevels=False, levels=cells.levels)
            self._picture.setRect(QRectF(-0.5, -0.5, wide, high))
        self._marks.now, self._marks.best = cells.now, cells.best
        self.restyle()

    def mark(self, cell: Cell | None) -> None:
        """Mark a cell."""
        self._marks.marked = cell
        self._marks.update()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        self._picture.setLookupTable(shades())
        self._marks.update()


def shades() -> NDArray[np.uint8]:
    """From pale to the accent of the theme."""
    tones = (Tone(Role.ACCENT, shade(part)) for part in np.linspace(0.0, 1.0, _SHADES).tolist())
    return np.array([theme().color(tone).getRgb() for tone in tones], np.uint8)


class _Marks(InSight):
    """The place of now as a cross of lines, the best cell as a ring, the marked one as a frame."""

    def __init__(self) -> None:
        super().__init__()
        self.now: tuple[float, float] | None = None
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
        if self.now is not None:
            here = transform.map(QPointF(*self.now))
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

"""Painting of rows whose cells may have a ground of their own: a heat map under the figures."""

from typing import Protocol

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QTableView

from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.row_painter import Place, RowPainter


class Tinted(Protocol):
    """A model that gives cells a ground."""

    def tint(self, position: int, column: int) -> QColor | None:
        """The ground of a cell, None for that of its row."""
        ...


class TintedRowPainter(RowPainter):
    """Paints the tints of a model under its texts; a selected row in focus keeps its one ground."""

    def __init__(self, view: QTableView, model: ArrayTableModel, tints: Tinted) -> None:
        super().__init__(view, model)
        self._tints = tints

    def _paint_row(
        self, painter: QPainter, strip: QRect, position: int, places: list[Place], ink: QColor, plain: bool
    ) -> None:
        for column, x, width in () if plain or self.dimmed else places:
            tint = self._tints.tint(position, column)
            if tint is not None:
                painter.fillRect(x, strip.y(), width - 1, strip.height() + 1, tint)
        super()._paint_row(painter, strip, position, places, ink, plain)

"""Cells of array tables by the keys of their columns, and their rows as they stand on the screen."""

from PySide6.QtCore import QModelIndex, QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QHeaderView

from inspector.gui.table.model import ArrayTableModel, Cell
from inspector.gui.table.view import ArrayTableView


def at(model: ArrayTableModel, position: int, key: str) -> QModelIndex:
    """The index of a cell."""
    return model.index(position, model.column(key))


def texts(model: ArrayTableModel, key: str) -> list[str]:
    """The texts of a column."""
    return [at(model, position, key).data() for position in range(model.rowCount())]


def header_of(table: ArrayTableView, key: str) -> tuple[QHeaderView, int, int]:
    """The header of a table, and the left end and width of a column in it, in pixels."""
    header, section = table.horizontalHeader(), table.array_model.column(key)
    return header, header.sectionViewportPosition(section), header.sectionSize(section)


def cell(model: ArrayTableModel, position: int, key: str) -> Cell:
    """What is painted in a cell."""
    return model.cell(position, model.columns[model.column(key)])


def settle(qapp: QApplication) -> None:
    """Let the screen follow; columns tell of their new widths by a timer of no time."""
    for _ in range(4):
        qapp.processEvents()


def on_screen(table: ArrayTableView) -> QImage:
    """The rows of a table, as they stand on the screen."""
    window, rows = table.window(), table.viewport()
    place = QRect(rows.mapTo(window, QPoint()), rows.size())
    return window.screen().grabWindow(window.winId()).toImage().copy(place)

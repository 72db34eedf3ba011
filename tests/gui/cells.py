"""Cells of array tables by the keys of their columns, as tests read them."""

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QHeaderView

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

"""A table of items under an entry header."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.table.entry_header import EntryHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import row_height
from inspector.tables import Column

ROWS = 3
"""The number of rows below the header before the header becomes short."""


class MatrixTable(ArrayTableView):
    """Rows of items, with a column for each entry of the header after those of the items themselves."""

    def __init__(self, model: ArrayTableModel, header: EntryHeader, parent: QWidget | None = None) -> None:
        self.header = header
        header.setParent(parent)
        super().__init__(model, parent, header)
        header.setSortIndicatorShown(True)  # tables turn it off for a header passed to them

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the header of a low table, to keep room for rows."""
        scroll_bar = self.horizontalScrollBar().sizeHint().height()
        self.header.set_room(self.height() - scroll_bar - ROWS * row_height(self))
        super().resizeEvent(event)

    def _declared_width(self, column: Column) -> int:
        return self.header.width_of(column.key) or super()._declared_width(column)

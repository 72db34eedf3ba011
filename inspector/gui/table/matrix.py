"""A table of items under an entry header: the text of an item takes the room that the other columns leave."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.table.entry_header import EntryHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView


class MatrixTable(ArrayTableView):
    """Rows of items, with a column for each entry of the header after those of the items themselves."""

    def __init__(
        self, model: ArrayTableModel, header: EntryHeader, text_column: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, parent)
        self.header = header
        self._text_column = text_column
        header.setParent(self)
        self.setHorizontalHeader(header)
        # A header resets the selection with its model; what was chosen has to be restored after that.
        model.modelReset.disconnect(self._restore)
        model.modelReset.connect(self._restore)
        header.setSortIndicatorShown(True)  # a table takes that away from a header that it is given
        header.show()
        self.take_columns()

    def take_columns(self) -> None:
        """Give the columns that there are now their widths."""
        self._set_widths()
        self.header.setSectionsMovable(False)
        for place, column in enumerate(range(self.header.first, len(self.array_model.columns))):
            self._widths[column] = self.header.width_of(place)
            self.setColumnWidth(column, self._widths[column])
        self.show_columns()
        self._fit_text()

    def _fit_text(self) -> None:
        text = self._text_column
        others = sum(
            width for column, width in enumerate(self._widths) if column != text and not self.isColumnHidden(column)
        )
        self.setColumnWidth(text, max(self._widths[text], self.viewport().width() - others))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the text the room that there is."""
        super().resizeEvent(event)
        self._fit_text()

"""A table of items under an entry header: the text of an item takes the room that the other columns leave."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.table.entry_header import EntryHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView


class MatrixTable(ArrayTableView):
    """Rows of items, with a column for each entry of the header after those of the items themselves."""

    def __init__(
        self, model: ArrayTableModel, header: EntryHeader, text_key: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, parent)
        self.header = header
        self._text_key = text_key
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
        for section, column in enumerate(self.array_model.columns):
            if width := self.header.width_of(column.key):
                self._widths[column.key] = width
                self.setColumnWidth(section, width)
        self.show_columns()
        self._fit_text()

    def _fit_text(self) -> None:
        text = self._text_key
        others = sum(width for key, width in self._widths.items() if key != text and self.shows(key))
        section = self.array_model.column(text)
        self.setColumnWidth(section, max(self._widths[text], self.viewport().width() - others))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the text the room that there is."""
        super().resizeEvent(event)
        self._fit_text()

"""A view whose columns the user chooses, orders and sizes by header, menu and keys, and reports for keeping."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMenu, QTableView, QWidget

from inspector.gui.parts.plain_text import control_text
from inspector.gui.table.column_arrangement import ColumnArrangement
from inspector.gui.table.column_choice import ColumnChoice
from inspector.gui.table.header import TableHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column

if TYPE_CHECKING:
    from inspector.gui.table.column_menu import ColumnMenu

COPY_TEXTS = QKeySequence("Ctrl+Shift+C")


class ArrangedView(QTableView):
    """A table view with an arrangement of columns. `columns_arranged` carries the user's arrangement."""

    columns_arranged = Signal(object)
    columns: ColumnArrangement

    def __init__(self, parent: QWidget | None, header: TableHeader | None) -> None:
        super().__init__(parent)
        self._header = header or TableHeader(self)
        self.setHorizontalHeader(self._header)

    def arrange_columns(self, model: ArrayTableModel) -> None:
        """Lay out the columns of the view's model."""
        header = self._header
        header.setMinimumSectionSize(4 * self.fontMetrics().horizontalAdvance("0"))
        self.columns = ColumnArrangement(self, model, header)
        self._told = self.columns.choice
        self.take_columns()
        header.let_go.connect(self._tell_columns)
        header.customContextMenuRequested.connect(self._open_column_menu)

    def take_columns(self) -> None:
        """Give the current columns their places and widths."""
        self.columns.declare(self._declared_width)

    def _declared_width(self, column: Column) -> int:
        return self.columns.declared_width(column)

    def take_choice(self, choice: ColumnChoice) -> None:
        """Restore the user's arrangement of columns."""
        self._told = choice
        self.columns.take(choice)

    def _tell_columns(self) -> None:
        if self.columns.choice != self._told:
            self._told = self.columns.choice
            self.columns_arranged.emit(self._told)

    def column_menu(self, parent: QWidget) -> "ColumnMenu":
        """Return the menu for choosing, ordering and sizing columns."""
        from inspector.gui.table.column_menu import ColumnMenu

        menu = ColumnMenu(self.columns, parent)
        menu.changed.connect(self._tell_columns)
        return menu

    def _open_column_menu(self, place: QPoint) -> None:
        menu = self.column_menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._header.viewport().mapToGlobal(place))

    def show_columns(self) -> None:
        """Show the wanted columns that have contents, or as many as fit."""
        self.columns.show()

    def shows(self, key: str) -> bool:
        """Return whether a column with this key exists and is shown."""
        return self.columns.is_shown(key)

    def plain_menu(self) -> QMenu:
        """Return a menu for copying and for the columns."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.add_copying(menu)
        menu.addSeparator()
        columns = self.column_menu(menu)
        menu.addMenu(columns)
        return menu

    def add_copying(self, menu: QMenu) -> None:
        """Add entries for copying the selection."""
        rows, texts = QKeySequence(QKeySequence.StandardKey.Copy), COPY_TEXTS
        self._add_entry(menu, "menu:copy_rows", "Copy rows", rows, self.copy_rows)
        self._add_entry(menu, "menu:copy_text", "Copy text", texts, self.copy_texts)

    def _add_entry(self, menu: QMenu, name: str, title: str, keys: QKeySequence, done: Callable[[], object]) -> None:
        entry = menu.addAction(control_text(title))
        entry.setObjectName(name)
        entry.setShortcut(keys)
        entry.setShortcutVisibleInContextMenu(True)
        entry.setEnabled(self.selectionModel().hasSelection())
        entry.triggered.connect(lambda _checked=False: done())

    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard as a table."""
        raise NotImplementedError

    def copy_texts(self) -> None:
        """Put the whole texts of the selected rows on the clipboard."""
        raise NotImplementedError

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the plain menu, for tables without a menu of their own."""
        self.plain_menu().popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.show_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self.take_columns()

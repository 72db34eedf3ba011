"""The list of all conversations: a table, and a box that leaves those with some words in title or file."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from inspector.figures import figures
from inspector.gui.parts.empty_state import EmptyState
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.screens.conversations.model import Archive, ConversationsModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PANEL_MARGIN, UNIT
from inspector.model import Conversation

NOTHING_MATCHES = "No conversation has these words in its title or file."


class ConversationsView(QWidget):
    """`conversation_opened` tells the id of the one that a double click or Enter asks for."""

    conversation_opened = Signal(str)
    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._archive, self._ids = Archive((), ()), ()
        self._model = ConversationsModel(self)
        self.search = QLineEdit(placeholderText="Find by title or file", clearButtonEnabled=True)
        self.search.setAccessibleName("Find conversations by title or file")
        self.search.textChanged.connect(self._list)
        self._count = PlainLabel()
        self.table = self._make_table()
        self._empty = EmptyState(
            "Nothing is open",
            "All conversations of the files that are open stand here. Open some (Ctrl+O), or a whole folder.",
            (("Open…", self.open_requested.emit),),
        )
        self._lay_out()
        self._list()

    def show_conversations(self, conversations: tuple[Conversation, ...]) -> None:
        """List these conversations."""
        ids = tuple(chat.id for chat in conversations)
        self._archive = Archive.of(conversations)
        if ids != self._ids:  # the same ones come again when all of them were read, or were read anew
            self._ids = ids
            self.search.clear()
        self._list()

    def show_chosen(self, name: str) -> None:
        """Mark the conversation that is inspected."""
        if name != self._archive.shown:
            self._archive = replace(self._archive, shown=name)
            self._list()

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.setObjectName("conversations_table")
        table.setAccessibleName("Conversations")
        header = table.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.set_empty_text(NOTHING_MATCHES)
        table.row_activated.connect(lambda row: self.conversation_opened.emit(self._ids[row]))
        return table

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        top.addWidget(self.search, 1)
        top.addWidget(self._count)
        listed = QWidget()
        column = QVBoxLayout(listed)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(listed)
        self._stack.addWidget(self._empty)

    def _list(self) -> None:
        self._model.show_archive(self._archive, self._ids, self.search.text())
        self.table.show_columns()
        self._count.setText(f"{figures(len(self._model.rows))} of {figures(len(self._ids))}")
        self._stack.setCurrentIndex(0 if self._ids else 1)

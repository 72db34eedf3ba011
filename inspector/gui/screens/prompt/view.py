"""The finished prompt: its messages with their items, the text given to the model, and its tokens."""

import json

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHeaderView, QPushButton, QStackedWidget, QTableView, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.figures import counted
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.hairlines import Hairlines
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.reading_pane import ReadingPane
from inspector.gui.parts.texts import tooltip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.screens.prompt.model import PieceDelegate, PromptModel, PromptRow, PromptText
from inspector.gui.screens.prompt.sent_text import SentText
from inspector.gui.theme import GAP, PANEL_MARGIN
from inspector.gui.token_text.view import TokenView
from inspector.secrets import masked
from inspector.tokens.shown.tokens import Stretch

_NOTHING = "The finished prompt is shown here, message by message, once a conversation is open."
_UNWRITTEN = "The prompt is being written…"


class PromptPreview(QWidget):
    """Three views of the prompt: as one text, as messages, and as tokens; and a button to copy its text or messages.

    `row_selected(row)`: the piece of this candidate row was clicked or reached by keys.
    """

    row_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt_preview")
        self.setAccessibleName("Prompt as sent")
        self._answer: Answer | None = None
        self._prompt: PromptText | None = None
        self._pointed: tuple[int | None, PromptText | None] = (None, None)
        self._row: int | None = None
        self._stale = False
        self._model = PromptModel(self)
        self._views = QStackedWidget(self)
        self._messages = Hairlines(Qt.Orientation.Horizontal, self._views)
        self._list = self._message_list()
        self._reading = ReadingPane("Text of the selected piece", self._messages)
        self._reading.setPlaceholderText("Select a message to read it here.")
        self._messages.setStretchFactor(0, 1)
        self._messages.setStretchFactor(1, 1)
        self._raw, self._tokens = SentText(self._views), TokenView(self._views)
        self._raw.row_chosen.connect(self._choose_row)
        self._empty = EmptyState("No prompt", _NOTHING, parent=self._views)
        for view in (self._raw, self._messages, self._tokens, self._empty):
            self._views.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        layout.addWidget(self._views, 1)
        self._refresh()

    def show_answer(self, answer: Answer | None) -> None:
        """Show the prompt of an answer; nothing is computed while hidden.

        Its text and tokens come with the measured ledger; until then those of the prompt before stay.
        """
        self._take_prompt(answer)
        if answer is not None and self._answer is not None and answer.assembly is self._answer.assembly:
            self._answer = answer
            self._describe()
            return
        if answer is None or self._answer is None or not _same_items(answer, self._answer):
            self._row = None
        self._answer, self._stale = answer, True
        if self.isVisible():
            self._refresh()

    def show_row(self, row: int) -> None:
        """Mark a candidate row and scroll to it."""
        self._row = row
        self._raw.show_row(row)
        if self.isVisible():
            self._select_row()
            self._point_in_tokens()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh()
        self._select_row()

    def forget(self) -> None:
        """Let go of the prompt and its items: other files are being opened."""
        self._pointed = (None, None)
        self.show_answer(None)
        self._refresh()

    def _choose_row(self, row: int) -> None:
        self.show_row(row)
        self.row_selected.emit(row)

    def copy(self) -> None:
        """Copy the messages as JSON for chat interfaces, or the raw text."""
        if self._views.currentWidget() in (self._raw, self._tokens):
            text = self._prompt.text if self._prompt else ""
        else:
            messages = prompt_messages(self._answer.assembly) if self._answer else ()
            values = [
                {"role": message.role, **({"name": message.name} if message.name else {}), "content": message.content}
                for message in messages
            ]
            text = json.dumps(values, ensure_ascii=False, indent=1)
        QGuiApplication.clipboard().setText(masked(text))

    def _message_list(self) -> QTableView:
        """Return a table of a single column: with fixed rows Qt lays it out at once, while a list asks for every
        row.
        """
        view = QTableView(self._messages)
        view.setAccessibleName("Messages of the prompt")
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        view.setModel(self._model)
        delegate = PieceDelegate(view)
        view.setItemDelegate(delegate)
        view.horizontalHeader().hide()
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(delegate.height)
        view.selectionModel().currentChanged.connect(self._read)
        return view

    def _head(self) -> WrappingRow:
        self._switch = ViewSwitch(("One text", "Messages", "Tokens"), "Show the prompt as {}")
        self._switch.chosen.connect(self._choose_view)
        self._summary = PlainLabel()
        self._copy = QPushButton()
        self._copy.setObjectName("copy_prompt")
        self._copy.clicked.connect(self.copy)
        head = WrappingRow()
        head.setSpacing(PANEL_MARGIN)
        head.setContentsMargins(GAP, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        head.addWidget(self._switch)
        head.addWidget(self._summary)
        head.addStretch()
        head.addWidget(self._copy)
        return head

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_list"):
            delegate = self._list.itemDelegate()
            if isinstance(delegate, PieceDelegate):
                self._list.verticalHeader().setDefaultSectionSize(delegate.height)

    def _take_prompt(self, answer: Answer | None) -> None:
        """Give a new rendered prompt of an answer to the views of its text."""
        known = self._prompt.prompt if self._prompt else None
        rendered = answer.ledger.prompt if answer else None
        same_items = answer is not None and self._answer is not None and _same_items(answer, self._answer)
        if answer is not None and rendered is not None:
            if rendered is not known:
                self._prompt = PromptText(answer.assembly, rendered)
                self._raw.show_prompt(self._prompt)
                pieces = (Stretch(piece.text, piece.special) for piece in rendered.chat.segments)
                self._tokens.show_stretches(pieces, answer.assembly.candidates.counts.tokenizer)
        elif not same_items:
            self._prompt = None
            self._raw.show_prompt(None)
            self._tokens.clear(_UNWRITTEN)

    def _point_in_tokens(self) -> None:
        """Scroll the visible tokens to the selected row, once for each row and prompt."""
        row, prompt, (pointed_row, pointed_prompt) = self._row, self._prompt, self._pointed
        if row is None or prompt is None or not self._tokens.isVisible():
            return
        if row != pointed_row or prompt is not pointed_prompt:
            self._pointed = row, prompt
            span = prompt.span(row)
            if span is not None:
                self._tokens.show_place(span[0])

    def _choose_view(self) -> None:
        there = self._answer is not None and self._answer.assembly.error is None
        chosen = (self._raw, self._messages, self._tokens)[self._switch.current]
        self._views.setCurrentWidget(chosen if there else self._empty)
        as_messages = chosen is self._messages
        self._copy.setText("Copy messages" if as_messages else "Copy text")
        self._copy.setAccessibleName("Copy the messages" if as_messages else "Copy the text of the prompt")
        self._copy.setToolTip(tooltip("The messages as JSON, for chat interfaces" if as_messages else "The whole text"))
        self._point_in_tokens()

    def _refresh(self) -> None:
        self._stale = False
        scrolled = self._list.verticalScrollBar().value()
        self._model.show(self._answer.assembly if self._answer else None)
        self._list.verticalScrollBar().setValue(scrolled)
        error = self._answer.assembly.error if self._answer else None
        self._empty.set_sentence(f"No prompt was made. {error.message}" if error else _NOTHING)
        self._reading.show_text("")
        self._describe()
        self._choose_view()
        self._mark_row()

    def _describe(self) -> None:
        self._copy.setEnabled(self._model.rowCount() > 0)
        if self._answer is None or not self._model.rowCount():
            self._summary.setText("")
            return
        count, ledger = self._model.message_count, self._answer.ledger
        tokens = counted(ledger.total, "token", estimated=ledger.estimated)
        self._summary.setText(f"{counted(count, 'message')}, {tokens} with formatting")

    def _select_row(self) -> None:
        index = self._mark_row()
        seen = self._list.viewport().rect().intersects(self._list.visualRect(index))
        if index.isValid() and not seen:
            self._list.scrollTo(index, QTableView.ScrollHint.PositionAtCenter)

    def _mark_row(self) -> QModelIndex:
        """Mark the piece of the selected row without emitting a signal."""
        place = None if self._row is None else self._model.place_of(self._row)
        index = QModelIndex() if place is None else self._model.index(place)
        selection = self._list.selectionModel()
        blocked = self.blockSignals(True)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.blockSignals(blocked)
        return index

    def _read(self, index: QModelIndex) -> None:
        piece: PromptRow | None = index.data(Qt.ItemDataRole.UserRole)
        self._reading.show_text(self._model.whole_text(index.row()) if piece else "")
        if piece is not None and piece.row is not None:
            self._row = piece.row
            self.row_selected.emit(piece.row)


def _same_items(one: Answer, other: Answer) -> bool:
    return one.assembly.candidates.items is other.assembly.candidates.items

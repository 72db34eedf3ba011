"""The recorded fate and count of each message, by the program that wrote the file, beside those of this program."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.analysis.recorded.tables import compaction_sentences
from inspector.analysis.recorded.usage import usage_errors
from inspector.assembly.answer import Answer
from inspector.assembly.recorded import NOTHING_RECORDED, compare_recorded
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.screens.changes.recorded_model import RecordedModel, shares_text, usage_text
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PANEL_MARGIN, UNIT

NOTHING_SHOWN = "There is nothing to compare with what was recorded yet."


class RecordedPane(QWidget):
    """A summary, totals, recorded and counted usage, and the table. `item_selected` carries the id of an item."""

    item_selected = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self._is_stale = False
        self._model = RecordedModel(self)
        self.summary, self.shares, self.usage = PlainLabel(), PlainLabel(), PlainLabel()
        self.summary.setAccessibleName("Summary of what was recorded")
        self.shares.setAccessibleName("Tokens as recorded and here")
        self.usage.setAccessibleName("Usage as recorded and as counted here")
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("recorded_table")
        self.table.setAccessibleName("Messages of which the file says what became of them")
        self.table.row_selected.connect(self._tell_row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        for label in (self.summary, self.shares, self.usage):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
            layout.addWidget(label)
        layout.addWidget(self.table, 1)
        self._write()

    def forget(self) -> None:
        """Forget the answer."""
        self._answer = None
        self._write()

    def show_answer(self, answer: Answer | None) -> None:
        """Show an answer: at once if the pane is visible, otherwise when it becomes visible."""
        self._answer, self._is_stale = answer, True
        if self.isVisible():
            self._write()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._write()

    def _write(self) -> None:
        self._is_stale = False
        answer, error = self._answer, self._answer.assembly.error if self._answer else None
        if answer is None or error is not None:
            self._say("", "", "")
            self.table.set_empty_text(NOTHING_SHOWN if error is None else error.message)
            self._model.show_comparison(None)
            return
        assembly = answer.assembly
        comparison, errors = compare_recorded(assembly), usage_errors(assembly, answer.ledger.total)
        estimated = bool(assembly.candidates.estimated.any())
        compacted = compaction_sentences(assembly)
        sentence = comparison.sentence if len(comparison) else ""
        sentence = " ".join([f"{sentence}.", *compacted]) if compacted else sentence
        self._say(sentence, shares_text(comparison, estimated), usage_text(errors, estimated))
        self.table.set_empty_text(NOTHING_RECORDED)
        self._model.show_comparison(comparison)

    def _say(self, *texts: str) -> None:
        for label, text in zip((self.summary, self.shares, self.usage), texts, strict=True):
            label.setText(text)
            label.setVisible(bool(text))

    def _tell_row(self, place: int) -> None:
        if (comparison := self._model.subject) is not None:
            self.item_selected.emit(comparison.assembly.candidates.ids[int(comparison.rows[place])])

"""The page of the recorded requests: what was sent in sentences, what other settings save, and the table."""

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.analysis.requests.recording import Recording
from inspector.analysis.requests.tables import REQUEST_COLUMNS
from inspector.analysis.requests.words import NO_REQUESTS, recording_sentences, saving_sentence
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, UNIT, give_font

TITLE = "Recorded requests"
NO_SETTING = "Another policy, window, model or server at the left says what it would have saved."
_FOLLOW_TIP = "Show each request as it comes in; choosing another one stays with that"


class RequestsModel(ArrayTableModel[Recording]):
    """A row for each recorded request, in the order in which they ended."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(REQUEST_COLUMNS, parent)

    def show_recording(self, found: Recording | None) -> None:
        """Show the requests of a recording; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
        else:
            self.show(found, np.arange(len(found)), tuple(one.conversation for one in found.requests))


class RequestsView(AskingView):
    """The recorded requests. It computes nothing.

    `requested` asks for the recording, `request_chosen(row)` carries a request to show, and `record_requested` asks to
    begin recording.
    """

    requested = Signal()
    request_chosen = Signal(int)
    record_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("requests_view")
        self.found: Recording | None = None
        self._chosen = ""
        self.sentence, self.money, self.saving = PlainLabel(), PlainLabel(), PlainLabel()
        self._model = RequestsModel(self)
        self.table = self._make_table()
        self.follow = QCheckBox(control_text("Follow the newest"))
        self.follow.setObjectName("requests_follow")
        self.follow.setToolTip(tooltip(_FOLLOW_TIP))
        self.follow.setChecked(True)
        self.record = self._make_button()
        self._lay_out()
        self.show_nothing("")

    @property
    def follows(self) -> bool:
        """Whether each new request is shown as it comes in."""
        return self.follow.isChecked()

    def show_nothing(self, why: str) -> None:
        """Show why there is nothing to see."""
        self.found, self._stale = None, False
        self._model.show_recording(None)
        self._nothing.set_sentence(why or NO_REQUESTS)
        self._pages.setCurrentWidget(self._nothing)

    def show_recording(self, found: Recording) -> bool:
        """Show a recording as far as it is known. Return whether there are requests that were not there before."""
        if not len(found):
            self.show_nothing("")
            return False
        before, last = self.found, found.requests[-1].conversation
        is_new = before is not None and (len(before), before.requests[-1].conversation) != (len(found), last)
        self.found, self._stale = found, False
        self._pages.setCurrentWidget(self._filled)
        first, *rest = recording_sentences(found)
        self.sentence.setText(first)
        self.money.setText(" ".join(rest))
        self.saving.setText(saving_sentence(found) or NO_SETTING)
        self._model.show_recording(found)
        self.table.show_columns()
        self._set_dimmed(False)
        self._mark()
        return is_new

    def show_chosen(self, conversation: str) -> None:
        """Mark the request in sight everywhere else."""
        if conversation != self._chosen:
            self._chosen = conversation
            self._mark()

    def end(self, trouble: str) -> None:
        """End the request: all is shown, or `trouble` is the reason why not."""
        if trouble and self.found is None:
            self.show_nothing(trouble)
        elif trouble:
            self.saving.setText(trouble)
            self._set_dimmed(False)

    # Inside

    def _ask(self) -> None:
        self.requested.emit()

    def _dim(self) -> None:
        self._set_dimmed(self.found is not None)

    def _set_dimmed(self, dimmed: bool) -> None:
        self.table.set_dimmed(dimmed)

    def _mark(self) -> None:
        """Select the row of the chosen request without choosing it again."""
        if self.found is None:
            return
        rows = (row for row, one in enumerate(self.found.requests) if one.conversation == self._chosen)
        row = next(rows, None)
        with QSignalBlocker(self.table):
            if row is None:
                self.table.select_nothing()
            elif self.table.current_row != row:
                self.table.select_row(row)

    def _choose(self, row: int) -> None:
        """Show a request; only the newest one is followed by the next."""
        if self.found is None or self.found.requests[row].conversation == self._chosen:
            return
        if row != len(self.found) - 1:
            self.follow.setChecked(False)
        self.request_chosen.emit(row)

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.setObjectName("requests_table")
        table.setAccessibleName(TITLE)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setSortingEnabled(True)
        table.horizontalHeader().setSortIndicatorClearable(True)
        table.sort_by("")
        table.row_selected.connect(self._choose)
        return table

    def _make_button(self) -> QPushButton:
        button = QPushButton(control_text("Record…"))
        button.setObjectName("requests_record")
        button.setAccessibleName("Record")
        button.clicked.connect(lambda _checked=False: self.record_requested.emit())
        return button

    def _lay_out(self) -> None:
        self._filled = QWidget()
        self._nothing = EmptyState(TITLE, NO_REQUESTS, [("Record…", self.record_requested.emit)])
        names = ("Recorded requests in a sentence", "What was sent", "What other settings save")
        words = QVBoxLayout()
        words.setSpacing(UNIT)
        for label, name in zip((self.sentence, self.money, self.saving), names, strict=True):
            label.setAccessibleName(name)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.addWidget(label)
        give_font(self.sentence, "title")
        give_font(self.saving, "title")
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT, 2 * UNIT, 3 * UNIT, 2 * UNIT)
        head.setSpacing(GAP)
        head.addLayout(words, 1)
        for widget in (self.follow, self.record):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        rows = QVBoxLayout(self._filled)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(head)
        rows.addWidget(self.table, 1)
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)

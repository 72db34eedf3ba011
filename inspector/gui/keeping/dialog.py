"""The dialog with changes that would keep some items. A worker searches for them; a click applies a change.

Results are shown at once and can be applied while the search continues, or after it was cancelled.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.basis import Share
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.tables import WAY_COLUMNS, Ways, way_sentence
from inspector.analysis.keeping.way import Keeping, Way
from inspector.assembly.answer import Answer
from inspector.assembly.edits import take_over
from inspector.figures import counted
from inspector.gui.parts.labels import Hint, PlainLabel, keep_room
from inspector.gui.parts.texts import control_text, one_line, tooltip, window_title
from inspector.gui.remembered.window_state import fitted
from inspector.gui.session.session import Session
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT


class WaysModel(ArrayTableModel[Ways]):
    """A row for each way."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(WAY_COLUMNS, parent)

    def show_ways(self, ways: Ways) -> None:
        """Show these ways, in their order."""
        self.show(ways, np.arange(len(ways.all)), tuple(map(str, range(len(ways.all)))))


NAME = "keeping"
LOOKING = "Looking for what would keep {} …"
SO_FAR = "Each of these keeps {}; looking for {} …"
STOPPED_EARLY = "The search was cancelled before anything was found."
STOPPED = "The search was cancelled: the ways found so far are listed, and there may be more."
FOUND = "Each of these keeps {}. The one with the least harm is first; those over the window are last."
CANCEL, AGAIN = "Cancel search", "Search again"
IS_KEPT = "All of it is kept already."
NOTHING = "Nothing that was tried keeps {}: no pin, no change of one setting or of two, no larger model."
_NAMED = 4
_DETAIL_LINES = 3
_SIZE = QSize(232 * UNIT, 100 * UNIT)


class KeepingDialog(QDialog):
    """The ways to keep these rows of the answer. Enter or Apply takes the chosen way, as one undoable step.

    `bar` shows the progress of the search; `search_button` cancels and restarts it.
    """

    def __init__(self, session: Session, answer: Answer, rows: Sequence[int], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keeping_dialog")
        self.setWindowTitle(window_title("What would keep these?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session, self._answer, self._ways = session, answer, Ways(Keeping(False), answer.assembly.candidates)
        self._whom, self._rows, self._found = _named(answer, rows), np.array(rows, np.intp), Keeping(False)
        self.sentence = PlainLabel(one_line(LOOKING.format(self._whom)), wordWrap=True)
        self._model = WaysModel(self)
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("keeping_table")
        self.table.setAccessibleName("What would keep the items")
        self.table.row_activated.connect(self._apply)
        self.table.row_selected.connect(self._choose)
        self.details = Hint(lines=_DETAIL_LINES)
        self._lay_out()
        self._ask()
        self.finished.connect(lambda _: session.tasks.cancel(NAME))

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways found so far, as listed."""
        return self._ways.all

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())  # Qt's is nearly black in every theme
        self._apply_button = buttons.addButton("Apply", QDialogButtonBox.ButtonRole.ApplyRole)
        self._apply_button.setObjectName("keeping_apply")
        self._apply_button.setProperty("primary", True)
        self._apply_button.setToolTip(tooltip("Take the chosen change; Undo takes it back"))
        self._apply_button.setEnabled(False)
        self._apply_button.clicked.connect(lambda: self._apply(self.table.current_row))
        buttons.rejected.connect(self.reject)
        self.bar, self.search_button = QProgressBar(self), QPushButton(control_text(CANCEL), self)
        self.bar.setRange(0, 100)
        self.bar.setAccessibleName("How far the search is")
        keep_room(self.bar)  # so that buttons do not move
        self.search_button.setObjectName("keeping_search")
        self.search_button.setAutoDefault(False)
        self.search_button.clicked.connect(self._cancel_or_ask)
        foot = QHBoxLayout()
        foot.addWidget(self.bar, 1)
        foot.addWidget(self.search_button)
        foot.addWidget(buttons)
        layout = QVBoxLayout(self)
        for widget in (self.sentence, self.table, self.details):
            layout.addWidget(widget)
        layout.addLayout(foot)
        self.search_button.setFixedWidth(self._widest(CANCEL, AGAIN))
        self.resize(fitted(_SIZE, self.screen()))

    def _widest(self, *words: str) -> int:
        """Return the width at which the button has room for each of these labels."""
        widths = []
        for word in words:
            self.search_button.setText(word)
            widths.append(self.search_button.sizeHint().width())
        return max(widths)

    def _ask(self) -> None:
        self.sentence.setText(one_line(LOOKING.format(self._whom)))
        self._show_search(True)
        self._session.ask(NAME, partial(ways_to_keep, rows=self._rows), self._show, self._end, self._show_share)

    def _cancel_or_ask(self) -> None:
        """Cancel the search, or start it again."""
        if not self._session.tasks.is_running(NAME):
            self._ask()
            return
        self._session.tasks.cancel(NAME)
        self._show_search(False)
        self.sentence.setText(one_line(STOPPED if self._ways.all else STOPPED_EARLY))

    def _show_search(self, runs: bool) -> None:
        self.bar.setVisible(runs)
        self.bar.setValue(0)
        self.search_button.setText(CANCEL if runs else AGAIN)
        self.search_button.setEnabled(True)

    def _show_share(self, share: Share) -> None:
        """Show the progress of the search beside its results so far."""
        self.bar.setValue(round(100 * share.part))
        sentence = SO_FAR.format(self._whom, share.what) if self._ways.all else LOOKING.format(self._whom)
        self.sentence.setText(one_line(sentence))

    def _end(self, trouble: str) -> None:
        self._show_search(False)
        if trouble:
            self.sentence.setText(one_line(trouble))
            return
        self.search_button.setEnabled(False)
        nothing = IS_KEPT if self._found.is_kept else NOTHING.format(self._whom)
        self.sentence.setText(one_line(FOUND.format(self._whom) if self._ways.all else nothing))

    def _show(self, found: Keeping) -> None:
        had = bool(self._ways.all)
        self._found = found
        self._ways = Ways(found, self._answer.assembly.candidates)
        self._model.show_ways(self._ways)
        self.table.show_columns()
        self._choose(self.table.current_row)
        if self._ways.all and not had:
            self.table.select_row(0)
            self.table.setFocus()

    def _choose(self, number: int) -> None:
        """Describe the chosen way in full; its row in the table may be too short."""
        is_there = 0 <= number < len(self._ways.all)
        self._apply_button.setEnabled(is_there)
        self.details.say(way_sentence(self._ways, number) if is_there else "")

    def _apply(self, number: int) -> None:
        if 0 <= number < len(self._ways.all):
            way = self._ways.all[number]
            self._session.edit(take_over, way.scenario, one_line(way.label))
            self.accept()


def _named(answer: Answer, rows: Sequence[int]) -> str:
    names = [answer.assembly.candidates.ids[row] for row in rows]
    return ", ".join(names) if len(names) <= _NAMED else counted(len(names), "item")

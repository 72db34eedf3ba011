"""The dialog that says what would keep some items. It looks for that on a worker; one click applies a way."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from inspector.analysis.keeping import Keeping, ways_to_keep
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Rows
from inspector.assembly.edits import take_over
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_of
from inspector.assembly.scenario import Scenario
from inspector.figures import counted
from inspector.gui.keeping.ways import Ways, WaysModel, change_words, ways_in
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import tooltip, window_title
from inspector.gui.parts.visible_text import one_line
from inspector.gui.session import Session
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT
from inspector.tokens.cache import CountCache

NAME = "keeping"
LOOKING = "Looking for what would keep {} …"
IS_KEPT = "All of it is kept already."
NOTHING = "Nothing that was tried keeps {}: no single change, no two, no items left out, no larger model."
_NAMED = 4
_SIZE = (190 * UNIT, 100 * UNIT)


class KeepingDialog(QDialog):
    """The ways that keep these rows of the answer. Enter or Apply takes the chosen one, as one step of undo."""

    def __init__(self, session: Session, answer: Answer, rows: Sequence[int], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keeping_dialog")
        self.setWindowTitle(window_title("What would keep these?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session, self._answer, self._ways = session, answer, Ways((), answer.assembly.candidates, {})
        self._whom = _named(answer, rows)
        self.sentence = PlainLabel(one_line(LOOKING.format(self._whom)), wordWrap=True)
        self._model = WaysModel(self)
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("keeping_table")
        self.table.setAccessibleName("What would keep the items")
        self.table.row_activated.connect(self._apply)
        self.table.row_selected.connect(lambda _: self._apply_button.setEnabled(True))
        self._lay_out()
        self._ask(np.array(rows, np.intp))
        self.finished.connect(lambda _: session.tasks.cancel(NAME))

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())  # nearly black in every theme
        self._apply_button = buttons.addButton("Apply", QDialogButtonBox.ButtonRole.ApplyRole)
        self._apply_button.setObjectName("keeping_apply")
        self._apply_button.setToolTip(tooltip("Take the chosen change; Undo takes it back"))
        self._apply_button.setEnabled(False)
        self._apply_button.clicked.connect(lambda: self._apply(self.table.current_row))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self.sentence, self.table, buttons):
            layout.addWidget(widget)
        self.resize(*_SIZE)

    def _ask(self, rows: Rows) -> None:
        session, scenario = self._session, self._answer.scenario
        request = partial(_found, session.pipeline.fork(), scenario, rows, session.cache)
        fail = lambda error: self.sentence.setText(one_line(str(error) or type(error).__name__))  # noqa: E731
        session.tasks.run(NAME, request, self._show, lambda: None, fail)

    def _show(self, found: Keeping) -> None:
        policy = self._answer.case.policy
        declared = {} if policy is None else {each.name: each for each in parameters_of(policy)}
        self._ways = Ways(ways_in(found), self._answer.assembly.candidates, declared)
        self._model.show_ways(self._ways)
        self.table.show_columns()
        if self._ways.all:
            self.sentence.setText(one_line(f"Each of these keeps {self._whom}, the cheapest change first."))
            self.table.select_row(0)
            self.table.setFocus()
            self._apply_button.setEnabled(True)
        else:
            self.sentence.setText(one_line(IS_KEPT if found.is_kept else NOTHING.format(self._whom)))

    def _apply(self, number: int) -> None:
        if 0 <= number < len(self._ways.all):
            label = one_line(change_words(self._ways, number))
            self._session.edit(take_over, self._ways.all[number].scenario, label)
            self.accept()


def _found(pipeline: Pipeline, scenario: Scenario, rows: Rows, cache: CountCache) -> Iterator[Keeping]:
    yield ways_to_keep(pipeline, scenario, rows, cache)


def _named(answer: Answer, rows: Sequence[int]) -> str:
    names = [answer.assembly.candidates.ids[row] for row in rows]
    return ", ".join(names) if len(names) <= _NAMED else counted(len(names), "item")

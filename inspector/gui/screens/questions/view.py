"""The questions as a list: from files, and those marked by the user, who can remove them here."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.analysis.recommend.questions import Questions, Source
from inspector.analysis.recommend.tables import QUESTION_COLUMNS, is_marked
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.new_file import ask_new_file
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT
from inspector.gui.tuning.gate import Gate

PURPOSE = "What is asked to tell settings apart, and the items that each answer needs. Open saved chats (Ctrl+O)."
QUESTION_FILES = "Questions (*.probes.yaml)"


class QuestionsModel(ArrayTableModel[Questions]):
    """A row for each question."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(QUESTION_COLUMNS, parent)

    def show_questions(self, questions: Questions) -> None:
        """List these."""
        names = tuple(f"{one.conversation}/{one.id}" for one in questions.offered)
        self.show(questions, np.arange(len(names)), self.ids if names == self.ids else names)


class QuestionList(QWidget):
    """The list of questions. `source_chosen(source)` asks for other questions, `removal_requested(ids)` to remove
    marked ones.

    `saving_requested` asks to save the list as a file, `adding_requested` to open another.
    """

    source_chosen = Signal(object)
    removal_requested = Signal(list)
    saving_requested = Signal()
    adding_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: Questions | None = None
        self._model = QuestionsModel(self)
        self.source = ChoiceBox()
        self.source.setObjectName("questions_source")
        self.source.setAccessibleName("Which questions are asked")
        self.source.setToolTip(tooltip("Ask the questions of files, those that you marked (Q on an item), or all"))
        for source in Source:
            self.source.addItem(source.value, source)
        self.source.currentIndexChanged.connect(lambda _: self.source_chosen.emit(self.source.currentData()))
        self.said = ElidedLabel()
        self.said.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.remove_button = self._button("Remove", "questions_remove", "Remove the selected marked questions (Delete)")
        self.remove_button.clicked.connect(lambda _checked=False: self._remove())
        self.save_button = self._button("Save as a file…", "questions_save", "Write these as a file of questions")
        self.save_button.clicked.connect(lambda _checked=False: self.saving_requested.emit())
        self.add_button = self._button("Add…", "questions_add", "Open a file of questions beside the open files")
        self.add_button.clicked.connect(lambda _checked=False: self.adding_requested.emit())
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("questions_table")
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setAccessibleName("The questions that are asked, and what their answers need")
        self.table.setSortingEnabled(True)
        self.table.horizontalHeader().setSortIndicatorClearable(True)
        self.table.sort_by("")
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._refresh())
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(self._remove)
        self._lay_out()

    def show_questions(self, questions: Questions) -> None:
        """List these."""
        self._questions = questions
        self.source.blockSignals(True)
        self.source.setCurrentIndex(self.source.findData(questions.source))
        self.source.blockSignals(False)
        self._model.show_questions(questions)
        self.table.show_columns()
        skipped = f", {len(questions.skipped):,} of them cannot be asked" if questions.skipped else ""
        self.said.say(f"{len(questions.offered):,} listed, {questions.marked:,} marked here{skipped}")
        self.save_button.setEnabled(bool(questions.offered))
        self._refresh()

    def forget(self) -> None:
        """Something else is open: rows mean other questions."""
        self.table.start_over()

    def _chosen(self) -> list[str]:
        """Return the ids of the selected questions marked by the user."""
        questions = self._questions
        if questions is None:
            return []
        rows = [row for row in self.table.selected_rows() if row < len(questions.offered)]
        return [questions.offered[row].id for row in rows if is_marked(questions, row)]

    def _refresh(self) -> None:
        self.remove_button.setEnabled(bool(self._chosen()))

    def _remove(self) -> None:
        if names := self._chosen():
            self.removal_requested.emit(names)

    def _button(self, text: str, name: str, help_: str) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setObjectName(name)
        button.setAccessibleName(help_)
        button.setToolTip(tooltip(help_))
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT, 2 * UNIT, 4 * UNIT, 2 * UNIT)
        head.setSpacing(2 * UNIT)
        caption = PlainLabel("Questions")
        caption.setBuddy(self.source)
        head.addWidget(caption)
        head.addWidget(self.source)
        head.addWidget(self.said, 1)
        head.addWidget(self.remove_button)
        head.addWidget(self.add_button)
        head.addWidget(self.save_button)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(head)
        inside.addWidget(self.table, 1)


class QuestionsView(Gate):
    """The list, or why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.list = QuestionList()
        super().__init__(self.list, PURPOSE, parent)


def ask_for_file(paths: Sequence[str], parent: QWidget) -> Path | None:
    """Ask where to write a file of questions."""
    folder = Path(paths[0]).resolve().parent if paths else Path.home()
    return ask_new_file(parent, "Save questions", folder / "questions.probes.yaml", QUESTION_FILES)

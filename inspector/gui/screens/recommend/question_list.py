"""The questions that are asked, as a list: those of files, and those that a person marked, who can remove them here."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.analysis.recommend.searched import Questions, Source
from inspector.assembly.marked_probes import MARKED
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.new_file import ask_new_file
from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.model import Probe
from inspector.tables import Column

PROBES_FILES = "Probes (*.probes.yaml)"


class QuestionList(QWidget):
    """`source_chosen(source)` wants other questions, `removal_requested(ids)` marked ones to go.

    `saving_requested` wants what is listed as a file of probes.
    """

    source_chosen = Signal(object)
    removal_requested = Signal(list)
    saving_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: Questions | None = None
        self._model = QuestionsModel(self)
        self.source = QComboBox()
        self.source.setObjectName("recommend_source")
        self.source.setAccessibleName("Which questions are asked")
        self.source.setToolTip(tooltip("Ask the questions of files, those that you marked (Q in the table), or all"))
        for source in Source:
            self.source.addItem(source.value, source)
        self.source.currentIndexChanged.connect(lambda _: self.source_chosen.emit(self.source.currentData()))
        self.said = ElidedLabel()
        self.said.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.remove_button = self._button("Remove", "recommend_remove", "Remove the selected marked questions (Delete)")
        self.remove_button.clicked.connect(lambda _checked=False: self._remove())
        self.save_button = self._button("Save as probes…", "recommend_save_probes", "Write these as a file of probes")
        self.save_button.clicked.connect(lambda _checked=False: self.saving_requested.emit())
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("recommend_questions")
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
        self.said.say(f"{len(questions.offered):,} listed, {questions.marked:,} of marks{skipped}")
        self.save_button.setEnabled(bool(questions.offered))
        self._refresh()

    def forget(self) -> None:
        """Something else is open: rows mean other questions."""
        self.table.start_over()

    def _chosen(self) -> list[str]:
        """The ids of the selected questions that a person marked."""
        questions = self._questions
        if questions is None:
            return []
        rows = [row for row in self.table.selected_rows() if row < len(questions.offered)]
        return [questions.offered[row].id for row in rows if _is_marked(questions, row)]

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
        head.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        head.setSpacing(GAP)
        head.addWidget(self.source)
        head.addWidget(self.said, 1)
        head.addWidget(self.remove_button)
        head.addWidget(self.save_button)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(UNIT)
        inside.addLayout(head)
        inside.addWidget(self.table, 1)


def ask_for_file(paths: Sequence[str], parent: QWidget) -> Path | None:
    """Ask where to write a file of probes."""
    folder = Path(paths[0]).resolve().parent if paths else Path.home()
    return ask_new_file(parent, "Save questions", folder / "questions.probes.yaml", PROBES_FILES)


def _is_marked(questions: Questions, row: int) -> bool:
    """Whether a person said of this question what it needs."""
    is_of_marks = row >= len(questions.offered) - questions.marked
    return is_of_marks and questions.offered[row].category == MARKED


def _asked(probe: Probe) -> str:
    if probe.query is not None:
        return probe.query
    return "the newest message" if probe.at is None else f"message {probe.at:,}"


def _needs(questions: Questions, row: int) -> str:
    return ", ".join(questions.offered[row].evidence)


def _from(questions: Questions, row: int) -> str:
    is_of_marks = row >= len(questions.offered) - questions.marked
    return "marks" if is_of_marks else Path(questions.offered[row].origin).name or "file"


def _trouble(questions: Questions, row: int) -> str:
    reasons = {one.id: one.reason for one in questions.skipped}
    return reasons.get(questions.offered[row].id, "")


COLUMNS: tuple[Column[Questions], ...] = (
    Column("id", "Id", "The name of the probe", lambda all_, row: all_.offered[row].id, digits=14, yields=1),
    Column(
        "question",
        "Question",
        "What is asked",
        lambda all_, row: _asked(all_.offered[row]),
        digits=30,
        stretches=True,
        tooltip=lambda all_, row: _asked(all_.offered[row]),
    ),
    Column(
        "conversation",
        "Conversation",
        "The chat that is asked",
        lambda all_, row: all_.offered[row].conversation,
        digits=14,
        yields=2,
    ),
    Column("category", "Category", "Its kind", lambda all_, row: all_.offered[row].category, digits=14, yields=3),
    Column("needs", "Needs", "The items that an answer needs", _needs, digits=22, tooltip=_needs),
    Column("from", "From", "The file, or the marks, that it comes from", _from, digits=18),
    Column(
        "trouble",
        "Not asked",
        "Why it cannot be asked",
        _trouble,
        digits=20,
        tone=lambda all_, row: "warning",
        tooltip=_trouble,
        shown=lambda all_: bool(all_.skipped),
    ),
)


class QuestionsModel(ArrayTableModel[Questions]):
    """A row for each question."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_questions(self, questions: Questions) -> None:
        """List these."""
        names = tuple(f"{one.conversation}/{one.id}" for one in questions.offered)
        self.show(questions, np.arange(len(names)), self.ids if names == self.ids else names)

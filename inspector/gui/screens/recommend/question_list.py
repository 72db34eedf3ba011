"""The questions as a list: from files, and those marked by the user, who can remove them here."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.analysis.recommend.searched import Questions, Source
from inspector.analysis.recommend.tables import is_marked
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.new_file import ask_new_file
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.screens.recommend.model import QuestionsModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

PROBES_FILES = "Probes (*.probes.yaml)"


class QuestionList(QWidget):
    """The list of questions. `source_chosen(source)` asks for other questions, `removal_requested(ids)` to remove
    marked ones.

    `saving_requested` asks to save the list as a file of probes.
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

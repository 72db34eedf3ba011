"""The findings of an answer: each with advice and the items concerned."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QListView, QStackedLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.figures import counted
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.signs import SentenceDelegate
from inspector.gui.parts.texts import excerpt, tooltip

_Index = QModelIndex | QPersistentModelIndex


class FindingsModel(QAbstractListModel):
    """A row for each finding. DisplayRole is its sentence, UserRole the finding itself."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: tuple[Finding, ...] = ()

    def show(self, findings: Sequence[Finding]) -> None:
        """List these findings; the same ones again change nothing."""
        if tuple(findings) == self._findings:
            return
        self.beginResetModel()
        self._findings = tuple(findings)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of findings."""
        return 0 if parent.isValid() else len(self._findings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the sentence, its meaning and the advice as tooltip, and the finding."""
        if not index.isValid():
            return None
        finding = self._findings[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return excerpt(finding.message)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(f"{finding.kind.meaning}\n{finding.advice}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{finding.severity}: {finding.message} {finding.advice}"
        return finding if role == Qt.ItemDataRole.UserRole else None


def count_words(finding: Finding) -> str:
    """Return how many items a finding concerns, in words; "" for none."""
    return counted(len(finding.rows), "item") if len(finding.rows) else ""


class FindingsView(QWidget):
    """The list of findings. `finding_requested` carries a finding whose items are wanted, after Enter or a double
    click.
    """

    finding_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FindingsModel(self)
        self._list = QListView()
        self._list.setObjectName("findings_list")
        self._list.setAccessibleName("Findings")
        self._list.setFrameShape(QListView.Shape.NoFrame)
        self._list.setModel(self._model)
        self._list.setItemDelegate(SentenceDelegate(self._list, _second_line))
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._list.activated.connect(self._ask_for_items)
        self._nothing = EmptyState("Nothing to report", "")
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._list)
        self._layout.addWidget(self._nothing)
        self.show_answer(None)

    def show_answer(self, answer: Answer | None) -> None:
        """List the findings of an answer, keeping the selected finding if it is still there."""
        findings = answer.findings if answer else ()
        current = self._list.currentIndex().data(Qt.ItemDataRole.UserRole)
        self._model.show(findings)
        self._nothing.set_sentence(_why_nothing(answer))
        self._layout.setCurrentWidget(self._list if findings else self._nothing)
        self._select(current)

    def _select(self, wanted: Finding | None) -> None:
        if wanted is None:
            return
        for row in range(self._model.rowCount()):
            if self._model.index(row).data(Qt.ItemDataRole.UserRole).kind == wanted.kind:
                self._list.setCurrentIndex(self._model.index(row))
                return

    def _ask_for_items(self, index: QModelIndex) -> None:
        finding = index.data(Qt.ItemDataRole.UserRole)
        if len(finding.rows):
            self.finding_requested.emit(finding)


def _why_nothing(answer: Answer | None) -> str:
    """Return the reason why there are no findings."""
    if answer is None:
        return "What is worth knowing about a prompt is listed here once a conversation is open."
    if answer.assembly.error is not None:
        return f"No prompt was made, so there is none to look at. {answer.assembly.error.message}"
    return "This prompt has no findings: nothing is over a budget, lost in between, or estimated."


def _second_line(finding: Finding) -> str:
    them = "it" if len(finding.rows) == 1 else "them"
    where = f"{count_words(finding)}, Enter shows {them}" if len(finding.rows) else ""
    parts = (finding.advice, finding.code, where)
    return "  ·  ".join(part for part in parts if part)

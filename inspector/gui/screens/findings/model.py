"""The findings of an answer as a list, with advice on each."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.assembly.decisions import Finding
from inspector.figures import counted
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import excerpt

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

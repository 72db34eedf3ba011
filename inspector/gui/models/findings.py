"""The findings of an answer as a list, and what one could do about each."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.assembly.decisions import Finding

_Index = QModelIndex | QPersistentModelIndex

ADVICE = {
    "over_window": "Make the reserve or a share smaller, unpin something, or choose a model with a larger window.",
    "budget_unused": "Give memories or history a larger share, let one borrow, or take a smaller window.",
    "guarantee_over_budget": "Guarantee fewer exchanges, unpin items, or give this section a larger share.",
    "empty_history": "Give the history a larger share, or guarantee at least one exchange.",
    "history_gap": "Unpin the older message, or make room for those between; a model may miss what was said there.",
    "orphan_tool_result": "Pin or exclude the call and its result together.",
    "unknown_item": "Correct the ids in the scenario, or clear the marks (Scenario menu).",
    "not_placed": "Choose a policy that has a place for these items, such as reserve or slots.",
    "estimated_counts": "Choose the model's own tokenizer, or wait until everything is counted.",
    "first_of_many": "Choose another conversation in the workspace.",
    "model_unknown": "Choose a model of the table, or give a tokenizer and a window yourself.",
    "model_by_prefix": "Choose the exact model where its window or tokenizer differs.",
    "settings_from_file": "Choose a model or window yourself to use another.",
    "system_prompt_too_large": "Shorten the system prompt, take a larger window, or raise the limit of the policy.",
    "shares_do_not_sum": "Move one share so that they sum to 1, or unlock one of them.",
}
"""What one could do about a finding, by its code."""


class FindingsModel(QAbstractListModel):
    """One row a finding. DisplayRole is its sentence, UserRole the finding itself."""

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
        """How many findings there are."""
        return 0 if parent.isValid() else len(self._findings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The sentence, the advice as tooltip, and the finding."""
        if not index.isValid():
            return None
        finding = self._findings[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return finding.message
        if role == Qt.ItemDataRole.ToolTipRole:
            return ADVICE.get(finding.code)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{finding.severity}: {finding.message} {ADVICE.get(finding.code, '')}".strip()
        return finding if role == Qt.ItemDataRole.UserRole else None


def count_words(finding: Finding) -> str:
    """How many items a finding concerns, in words; "" for none."""
    count = len(finding.rows)
    return "" if not count else "1 item" if count == 1 else f"{count:,} items"

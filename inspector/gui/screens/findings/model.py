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
    "slot_exceeded": "Make the slot larger, or shorten what stands in it.",
    "attachments_over_slot": "Make the attachments slot larger or the floor smaller, or attach less.",
    "emergency_truncation": "Shorten the system message, or allow more tokens in all.",
    "not_placed": "Choose a policy that has a place for these items, such as reserve or slots.",
    "estimated_counts": "Choose the model's own tokenizer, or wait until everything is counted.",
    "first_of_many": "Choose another conversation in the workspace.",
    "model_unknown": "Choose a model of the table, or give a tokenizer and a window yourself.",
    "model_by_prefix": "Choose the exact model where its window or tokenizer differs.",
    "settings_from_file": "Choose a model or window yourself to use another.",
    "system_prompt_too_large": "Shorten the system prompt, take a larger window, or raise the limit of the policy.",
    "unused_limit": "Excerpt less of the documents: this system takes all of them, whatever the share says.",
    "negative_budget": "Shorten the system prompt or the documents, or choose a model with a larger window.",
    "summaries_unlimited": "Give past conversations a share above 0, or take the cap on summaries to 0.",
    "core_memory_filtered_by_source": "Save the memory for this platform too, or compare with another preset.",
    "character_wide_memory_lost": "Give the memory the thread of this conversation, or make it a core memory.",
    "priority_zero": "Give the memory a priority of 1, which counts as what it is.",
    "trailing_removed": "Give the history a larger share, so that the last message fits together with all the others.",
    "newest_messages_lost": "Raise the message limit, or compare with the newer preset, which reads the newest.",
    "multi_source_memory_ignored": "Pin the messages that have to stay, or mark them as emotional.",
    "shares_do_not_sum": "Move one share so that they sum to 1, or unlock one of them.",
    "system_charged_to_memory": "Shorten the system prompt: this system sets it against the memories as well.",
    "no_room_for_memory": "Shorten the system prompt, make the slots smaller, or choose a larger window.",
    "newest_message_too_long": "Give the history a larger slot, or shorten the message: nothing older is looked at.",
    "required_over_budget": "Make fewer components required, shorten them, or raise the budget of the system message.",
    "component_cut": "Shorten the component, or raise the budget of the system message.",
    "duplicates_charged": "Remove the component that repeats another: it used up room before it was left out.",
    "system_over_stage2": "Lower the budget of the components below the limit of the whole prompt.",
    "current_message_lost": "Shorten the system message below the limit of the prompt, or raise that limit.",
    "constrained": "Make the reserve or the safety margin smaller, or choose a model with a larger window.",
    "cut_unranked": "Raise the limit on candidates, or set it to 0: it cuts the file before anything is ranked.",
    "bucket_rounding": "Compare with the packing `knapsack`, which counts every token.",
    "greedy_fallback": "Raise the largest knapsack, or limit the candidates.",
    "first_chunk_over_budget": "Shorten or exclude this chunk, or raise the retrieval budget.",
    "two_totals": "Set both limits to the same figure: only the hard limit is held in the end.",
    "near_duplicate_memories": "Exclude the repeats, or merge them where they are kept.",
    "embedding_unavailable": "Install the model, choose another one in the memory panel, or compare by words.",
    "tail_cut": "Raise the hard limit, or make the history budget or the system prompt smaller.",
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

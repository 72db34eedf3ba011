"""The screen of the findings on an answer."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.findings.view import FindingsView


class FindingsScreen(Screen["FindingsView"]):
    """The findings of the answer, and the items concerned."""

    name, title, at_once = "findings", "Findings", True

    def count(self, answer: Answer | None) -> str:
        """Return the number of findings, even 0, to keep the places of the tabs beside it."""
        return f"{len(answer.findings):,}" if answer else ""

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        self.view.show_answer(after)

    def _make(self, parent: QWidget) -> "FindingsView":
        from inspector.gui.screens.findings.view import FindingsView

        view = FindingsView(parent)
        view.finding_requested.connect(self._show_items)
        return view

    def _show_items(self, finding: Finding) -> None:
        """Go to the first item of a finding, clearing a filter that hides it; of several items, show only these."""
        self.host.select(int(finding.rows[0]))
        if len(finding.rows) > 1:
            self.host.filter_items(f"finding:{finding.code}")

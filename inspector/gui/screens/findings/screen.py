"""The screen of the findings: what a person should know about an answer."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.findings.view import FindingsView


class FindingsScreen(Screen["FindingsView"]):
    """The findings of the answer, and the items that they concern."""

    name, title, at_once = "findings", "Findings", True

    def heading(self, answer: Answer | None) -> str:
        """How many there are; none too, so that the tabs beside it stay where they are."""
        return f"{self.title} ({len(answer.findings)})" if answer else self.title

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """List the findings of an answer."""
        self.view.show_answer(after)

    def _make(self, parent: QWidget) -> "FindingsView":
        from inspector.gui.screens.findings.view import FindingsView

        view = FindingsView(parent)
        view.finding_requested.connect(self._show_items)
        return view

    def _show_items(self, finding: Finding) -> None:
        """Go to its first item, where a filter that hides that yields; of several, show these alone."""
        self.host.select(int(finding.rows[0]))
        if len(finding.rows) > 1:
            self.host.filter_items(f"finding:{finding.code}")

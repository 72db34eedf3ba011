"""The screen of the findings on an answer, and of the problems of the open files."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.gui.files.opening import listed_problems
from inspector.gui.screens.screen import Screen
from inspector.model import Problem, Severity

if TYPE_CHECKING:
    from inspector.gui.screens.findings.entries import Entry
    from inspector.gui.screens.findings.view import FindingsView


class FindingsScreen(Screen["FindingsView"]):
    """The findings of the answer, and the items concerned; and what could not be read."""

    name, title, at_once = "findings", "Findings", True
    _listed: tuple[Sequence[Problem], tuple[Problem, ...]] | None = None

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"show_problems": self._show_problems}

    def count(self, answer: Answer | None) -> str:
        """Return the number of findings and problems, even 0, to keep the places of the tabs beside it."""
        problems = self._problems()
        return f"{len(answer.findings if answer else ()) + len(problems):,}" if answer or problems else ""

    def tone(self, answer: Answer | None) -> Severity | None:
        """Return the worst severity of all, for the colour of the number."""
        from inspector.gui.screens.findings.entries import worst_of

        return worst_of(answer.findings if answer else (), self._problems())

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        self.view.show_answer(after, self._problems())

    def show_workspace(self) -> None:
        """Show the problems of the files opened now, and let go of the items of those before."""
        self._listed = None
        self.view.show_answer(None, self._problems())

    def _problems(self) -> tuple[Problem, ...]:
        """Return the problems: of plug-ins, of open files, and of files that could not be opened.

        They are looked for once for the same files: every step of a slider asks.
        """
        session = self.host.session
        if self._listed is None or self._listed[0] is not session.unread:
            self._listed = session.unread, listed_problems(session.workspace, session.unread)
        return self._listed[1]

    def _show_problems(self) -> None:
        self.host.show_screen(self.name)
        self.view.go_to_problems()

    def _make(self, parent: QWidget) -> "FindingsView":
        from inspector.gui.screens.findings.view import FindingsView

        view, session = FindingsView(parent), self.host.session
        view.finding_requested.connect(self._show_items)
        view.deed_requested.connect(self._follow)
        session.unread_changed.connect(lambda: view.show_answer(session.answer, self._problems()))
        return view

    def _show_items(self, finding: Finding) -> None:
        """Go to the first item of a finding, clearing a filter that hides it; of several items, show only these."""
        self.host.select(int(finding.rows[0]))
        if len(finding.rows) > 1:
            self.host.filter_items(f"finding:{finding.code}")
        else:
            self.host.show_screen("decisions")

    def _follow(self, entry: "Entry") -> None:
        """Do what the button of an entry says, with its first item selected."""
        if entry.deed is None:
            return
        if isinstance(entry.source, Finding) and len(entry.source.rows):
            self.host.select(int(entry.source.rows[0]))
        if entry.deed.page:
            self.host.show_screen(entry.deed.page)
        else:
            self.host.do(entry.deed.action)

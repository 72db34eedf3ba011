"""The screen of the findings on an answer, and of the problems of the open files."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.gui.files.opening import listed_problems
from inspector.gui.screens.screen import Screen
from inspector.model import Problem, Severity, sent_request

if TYPE_CHECKING:
    from inspector.analysis.requests.recording import Known
    from inspector.analysis.waste.ask import Waste
    from inspector.gui.screens.findings.entries import Entry
    from inspector.gui.screens.findings.view import FindingsView


class FindingsScreen(Screen["FindingsView"]):
    """The findings of the answer, and the items concerned; and what could not be read."""

    name, title, at_once = "findings", "Findings", True
    _listed: tuple[Sequence[Problem], tuple[Problem, ...]] | None = None
    _wastes: "tuple[Waste, ...]" = ()
    _wasted_in: tuple[object, ...] = ()
    _known: "Known | None" = None

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"show_problems": self._show_problems}

    def count(self, answer: Answer | None) -> str:
        """Return the number of findings and problems, even 0, to keep the places of the tabs beside it."""
        problems, wastes = self._problems(), self._wastes if answer else ()
        number = len(answer.findings if answer else ()) + len(problems) + len(wastes)
        return f"{number:,}" if answer or problems else ""

    def tone(self, answer: Answer | None) -> Severity | None:
        """Return the worst severity of all, for the colour of the number."""
        from inspector.gui.screens.findings.entries import worst_of

        return worst_of(answer.findings if answer else (), self._problems())

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        if self._wasted_in and self._terms(after)[1:] != self._wasted_in[1:]:
            self._forget_waste()
        self.view.show_answer(after, self._problems(), self._wastes)

    def show_details(self) -> None:
        """Look for waste, once the page is in sight and nothing moves."""
        answer = self.host.session.answer
        if answer is None or (terms := self._terms(answer)) == self._wasted_in:
            return
        from inspector.analysis.requests.recording import Known
        from inspector.analysis.waste.ask import wastes

        self._known = self._known or Known()
        ask = partial(wastes, everything=False, known=self._known)
        if self.host.session.ask("waste", ask, self._take_waste, lambda trouble: None):
            self._wasted_in = terms

    def _terms(self, answer: Answer | None) -> tuple[object, ...]:
        """Return what the waste depends on: the files, the chat unless it is recorded, and how it is counted."""
        if answer is None:
            return ()
        case, scenario = answer.case, answer.scenario
        chat = case.chosen.conversation
        name = "" if chat is None or sent_request(chat.messages) is not None else chat.id
        return id(self.host.session.workspace), name, scenario.model, scenario.tokenizer, scenario.thoughts

    def _take_waste(self, found: "tuple[Waste, ...]") -> None:
        """List the waste that was found, and count it beside the title."""
        session = self.host.session
        self._wastes = found
        if found:
            session.assembly_changed.emit(session.answer, session.answer)

    def _forget_waste(self) -> None:
        self._wastes, self._wasted_in = (), ()
        self.host.session.tasks.cancel("waste")

    def show_workspace(self) -> None:
        """Show the problems of the files opened now, and let go of the items of those before."""
        self._listed = None
        self._forget_waste()
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
        session.unread_changed.connect(lambda: view.show_answer(session.answer, self._problems(), self._wastes))
        return view

    def _show_items(self, finding: "Finding | Waste") -> None:
        """Go to the first item of a finding, clearing a filter that hides it; of several items, show only these."""
        if not isinstance(finding, Finding):
            self._show_messages(finding.items)
            return
        self.host.select(int(finding.rows[0]))
        if len(finding.rows) > 1:
            self.host.filter_items(f"finding:{finding.code}")
        else:
            self.host.show_screen("decisions")

    def _show_messages(self, names: Sequence[str]) -> None:
        """Go to the first of these messages that is in the prompt's chat."""
        answer = self.host.session.answer
        rows = [] if answer is None else answer.assembly.candidates.rows_named(names).tolist()
        if rows:
            self.host.select(rows[0])
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

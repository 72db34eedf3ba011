"""The screen of memory use: how each memory serves the open questions, and how other memories would."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.analysis.basis import Basis, Share
    from inspector.analysis.recommend.questions import Questions
    from inspector.gui.screens.memory_use.view import MemoryUseView

Answered = TypeVar("Answered")


class MemoryUseScreen(Screen["MemoryUseView"]):
    """The memories by the questions that they serve under the setting in use."""

    name, title, perspectives = "memory_use", "Memory use", ("tune",)
    _questions: "Questions | None" = None
    _asked: Scenario | None = None
    _wanted: tuple[str, str] | None = None
    """The conversation and the id of an item to select once its conversation is shown."""

    def show_workspace(self) -> None:
        """Show the open questions; results of the workspace before are gone."""
        self._questions = self._asked = self._wanted = None
        self.view.page.forget()
        self._take_questions()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again under another setting or with other marks; another conversation is no other setting."""
        self._take_questions()
        asked = self._setting(after)
        if asked != self._asked:
            self._asked = asked
            self.view.page.refresh()
        if self._wanted is not None:
            self._select(*self._wanted)

    def _setting(self, answer: Answer | None) -> Scenario | None:
        from inspector.analysis.recommend.settings import asked_scenario

        return None if answer is None else asked_scenario(answer.scenario, self.host.session.workspace)

    def _take_questions(self) -> None:
        questions, before = self.host.session.questions, self._questions
        self._questions = questions
        if questions is not before:
            self.view.show_questions(questions)
            self.view.page.refresh()

    def _request(self, question: int) -> None:
        from inspector.analysis.recall.memory_places import memory_places
        from inspector.analysis.recall.memory_use import memory_uses
        from inspector.analysis.recall.memory_writing import memory_writing
        from inspector.gui.screens.memory_use.view import MEMORIES, WRITTEN

        page, probes = self.view.page, self.host.session.questions.asked
        if question == MEMORIES:
            self._ask(lambda basis: memory_uses(basis, probes), page.show_use)
        elif question == WRITTEN:
            self._ask(lambda basis: memory_writing(basis, probes), page.show_writing)
        else:
            self._ask(lambda basis: memory_places(basis, probes), page.show_places)

    def _ask(
        self, request: "Callable[[Basis], Iterator[Share | Answered]]", show: "Callable[[Answered], None]"
    ) -> None:
        """Ask under the current setting, and show the answer."""
        session, page, asked = self.host.session, self.view.page, self._asked
        is_asked = asked is not None and session.ask(
            self.name, lambda basis: request(replace(basis, scenario=asked)), show, page.end, page.show_share
        )
        if not is_asked:
            page.end(session.trouble)

    def _select(self, conversation: str, name: str) -> None:
        """Select an item of the conversation that is shown."""
        answer = self.host.session.answer
        shown = None if answer is None else answer.assembly.candidates.items.conversation
        if answer is None or shown is None or shown.id != conversation:
            return
        self._wanted = None
        if rows := answer.assembly.candidates.rows_named([name]).tolist():
            self.host.select(rows[0])

    def _open(self, conversation: str, name: str) -> None:
        """Show the conversation of an item, and select it there."""
        self._wanted = conversation, name
        self._select(conversation, name)
        if self._wanted is not None:
            self.host.session.show_conversation(conversation)

    def _make(self, parent: QWidget) -> "MemoryUseView":
        from inspector.gui.screens.memory_use.view import MemoryUseView

        session, host, view = self.host.session, self.host, MemoryUseView(parent)
        view.page.requested.connect(self._request)
        view.page.outdated.connect(lambda: session.tasks.cancel(self.name))
        view.page.item_selected.connect(self._select)
        view.page.item_activated.connect(self._open)
        view.open_requested.connect(lambda: host.do("open"))
        view.add_requested.connect(lambda: host.do("add"))
        session.asked.chosen.connect(self._take_questions)
        return view

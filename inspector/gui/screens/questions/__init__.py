"""The screen of questions: those of files and those marked by the user, with the items that their answers need."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.marks import forget_questions, write_probes
from inspector.gui.screens.screen import Screen
from inspector.model import Problem

if TYPE_CHECKING:
    from inspector.analysis.recommend.questions import Questions
    from inspector.gui.screens.questions.view import QuestionsView


class QuestionsScreen(Screen["QuestionsView"]):
    """The open questions: chosen, removed, and saved as a file."""

    name, title, perspectives = "questions", "Questions", ("tune",)
    _questions: "Questions | None" = None

    def count(self, answer: Answer | None) -> str:
        """Return how many questions are open."""
        session = self.host.session
        if answer is None or not (session.workspace.probes or session.marks.questions):
            return ""
        return f"{len(session.questions.offered):,}"

    def show_workspace(self) -> None:
        """Show the open questions; rows mean other questions than before."""
        self._questions = None
        self.view.list.forget()
        self._take_questions()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Take the questions again, which marks may have changed."""
        self._take_questions()

    def _take_questions(self) -> None:
        questions, before = self.host.session.questions, self._questions
        self._questions = questions
        if questions is not before:
            self.view.show_questions(questions, even_unasked=True)
            self.view.list.show_questions(questions)

    def _make(self, parent: QWidget) -> "QuestionsView":
        from inspector.gui.screens.questions.view import QuestionsView

        session, host, view = self.host.session, self.host, QuestionsView(parent)
        view.list.source_chosen.connect(session.asked.choose)
        view.list.removal_requested.connect(lambda names: session.mark(forget_questions, names))
        view.list.saving_requested.connect(self._save)
        view.list.adding_requested.connect(lambda: host.do("add"))
        view.open_requested.connect(lambda: host.do("open"))
        view.add_requested.connect(lambda: host.do("add"))
        session.asked.chosen.connect(self._take_questions)
        return view

    def _save(self) -> None:
        from inspector.gui.screens.questions.view import ask_for_file

        session, host, probes = self.host.session, self.host, self.host.session.questions.offered
        file = ask_for_file(session.paths, self.view)
        if file is None:
            return
        fail = lambda error: session.problem_reported.emit(Problem(str(file), "", f"cannot be written: {error}"))  # noqa: E731
        write = partial(write_probes, probes, file, session.opened_files)
        session.tasks.write(write, lambda: host.say(f"Saved {file}"), fail)

"""The work behind a page of tried settings: the questions, the settings around the current one, and their results."""

from collections.abc import Callable
from functools import partial

from inspector.analysis.recommend.questions import Questions
from inspector.analysis.recommend.settings import asked_scenario
from inspector.analysis.recommend.tried import Tried, bench_of, try_out
from inspector.assembly.edits import take_over, use_setting
from inspector.assembly.scenario import Scenario
from inspector.gui.plots.exporting import export_plot
from inspector.gui.session.session import Session
from inspector.gui.tuning.tried_page import TriedPage, TriedView
from inspector.plugins import policies


class Trying:
    """Tries settings for a view. `do` carries out an action of the window, `say` shows a message in its status line.

    The results belong to the policy in use and to the questions asked.
    """

    def __init__(
        self,
        name: str,
        session: Session,
        view: TriedView[TriedPage],
        do: Callable[[str], None],
        say: Callable[[str], None],
    ) -> None:
        self._name, self._session, self._view, self._say = name, session, view, say
        self._questions: Questions | None = None
        page = view.page
        page.requested.connect(self._trace)
        page.outdated.connect(lambda: session.tasks.cancel(name))
        page.setting_chosen.connect(self._use)
        page.export_requested.connect(self._export)
        view.open_requested.connect(lambda: do("open"))
        view.add_requested.connect(lambda: do("add"))
        session.asked.chosen.connect(self.take_questions)

    def start_over(self) -> None:
        """Show the open questions; results of the workspace before are gone."""
        self._questions = None
        self.take_questions()

    def take_questions(self) -> None:
        """Take the questions again: marks or the choice of their source may have changed them."""
        questions, before = self._session.questions, self._questions
        self._questions = questions
        if questions is not before:
            self._session.tasks.cancel(self._name)
            self._view.show_questions(questions)
            self._view.page.forget()
            self.show_bench()

    def show_bench(self) -> None:
        """Show the settings to try around the current one."""
        session = self._session
        bench, trouble = None, self._trouble
        if session.answer is not None and not trouble and session.questions.asked:
            asked = asked_scenario(session.answer.scenario, session.workspace)
            window, others = session.answer.model.window.tokens, tuple(policies()[0])
            bench = bench_of(session.pipeline, asked, window, others, session.remembered)
        self._view.page.show_bench(bench, trouble)

    @property
    def _trouble(self) -> str:
        """Why nothing can be tried around the current setting: it makes no case, or its parameters are refused."""
        answer = self._session.answer
        refusal = answer.case.refusal if answer else None
        return self._session.trouble or str(refusal or "")

    def _trace(self, tried: Tried) -> None:
        session, page = self._session, self._view.page
        make = partial(try_out, tried=tried, probes=session.questions.asked)
        if not session.ask(self._name, make, page.show_tried, page.end, page.show_share):
            page.end(session.trouble)

    def _use(self, setting: Scenario, words: str) -> None:
        """Use a setting of the plot, as a single step."""
        edit = use_setting(self._session.scenario, setting)
        self._session.edit(take_over, edit.scenario, words)

    def _export(self) -> None:
        page = self._view.page
        export_plot([page.plot], self._session, f"recall-{self._name}", self._say, [page.model])

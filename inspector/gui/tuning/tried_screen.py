"""A screen of settings tried around the current one, for the open questions."""

from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import take_over, use_setting
from inspector.gui.screens.screen import Screen
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.analysis.recommend.questions import Questions
    from inspector.analysis.recommend.tried import Tried
    from inspector.assembly.scenario import Scenario
    from inspector.gui.tuning.tried_page import TriedPage, TriedView

Page = TypeVar("Page", bound="TriedPage")


class TriedScreen(Screen["TriedView[Page]"], Generic[Page]):
    """A page of tried settings: they belong to the policy in use, and to the questions asked."""

    _questions: "Questions | None" = None

    def show_workspace(self) -> None:
        """Show the open questions; results of the workspace before are gone."""
        self._questions = None
        self._take_questions()

    def _take_questions(self) -> None:
        """Take the questions again: marks or the choice of their source may have changed them."""
        questions, before = self.host.session.questions, self._questions
        self._questions = questions
        if questions is not before:
            self.host.session.tasks.cancel(self.name)
            self.view.show_questions(questions)
            self.view.page.forget()
            self.show_details()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Take the questions again, which marks may have changed."""
        self._take_questions()

    def show_details(self) -> None:
        """Show the settings to try around the current one."""
        session = self.host.session
        bench, trouble = None, self._trouble
        if session.answer is not None and not trouble and session.questions.asked:
            from inspector.analysis.recommend.settings import asked_scenario
            from inspector.analysis.recommend.tried import bench_of

            asked = asked_scenario(session.answer.scenario, session.workspace)
            window = session.answer.model.window.tokens
            bench = bench_of(session.pipeline, asked, window, self._policies, session.remembered)
        self.view.page.show_bench(bench, trouble)

    @property
    def _policies(self) -> tuple[str, ...]:
        """The other policies that are tried as well."""
        return tuple(policies()[0])

    @property
    def _trouble(self) -> str:
        """Why nothing can be tried around the current setting: it makes no case, or its parameters are refused."""
        session = self.host.session
        refusal = session.answer.case.refusal if session.answer else None
        return session.trouble or str(refusal or "")

    def _joined(self, page: Page, purpose: str, parent: QWidget) -> "TriedView[Page]":
        """Return the view of a page, with its signals connected."""
        from inspector.gui.plots.exporting import export_plot
        from inspector.gui.tuning.tried_page import TriedView

        session, host, view = self.host.session, self.host, TriedView(page, purpose, parent)
        page.requested.connect(self._trace)
        page.outdated.connect(lambda: session.tasks.cancel(self.name))
        page.setting_chosen.connect(self._use)
        page.export_requested.connect(
            lambda: export_plot([page.plot], session, f"recall-{self.name}", host.say, [page.model])
        )
        view.open_requested.connect(lambda: host.do("open"))
        view.add_requested.connect(lambda: host.do("add"))
        session.asked.chosen.connect(self._take_questions)
        return view

    def _trace(self, tried: "Tried") -> None:
        from inspector.analysis.recommend.tried import try_out

        session, page = self.host.session, self.view.page
        make = partial(try_out, tried=tried, probes=session.questions.asked)
        if not session.ask(self.name, make, page.show_tried, page.end):
            page.end(session.trouble)

    def _use(self, setting: "Scenario", words: str) -> None:
        """Use a setting of the plot, as a single step."""
        edit = use_setting(self.host.session.scenario, setting)
        self.host.session.edit(take_over, edit.scenario, words)

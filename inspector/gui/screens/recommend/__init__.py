"""The screen of recommended settings: those with the highest recall of questions, and their reliability."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import take_over, use_setting
from inspector.assembly.marks import forget_questions, write_probes
from inspector.assembly.scenario_records import record
from inspector.assembly.snapshots import keep_snapshot
from inspector.gui.copied_command import copy_command
from inspector.gui.screens.screen import Screen
from inspector.model import Problem
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.analysis.recommend.searched import Source
    from inspector.analysis.recommend.tried import Tried
    from inspector.assembly.scenario import Scenario
    from inspector.gui.screens.recommend.plot_page import PlotPage
    from inspector.gui.screens.recommend.tried_page import TriedPage
    from inspector.gui.screens.recommend.view import RecommendView


class RecommendScreen(Screen["RecommendView"]):
    """A search over windows, policies and their parameters, by the open probes."""

    name, title, perspectives = "recommend", "Recommend", ("tune",)

    def show_workspace(self) -> None:
        """Show the open questions; results and running work of the workspace before are outdated."""
        self.view.list.forget()
        self._work.take_workspace()
        self._show_questions()

    def _show_questions(self) -> None:
        """Show the questions, still without results."""
        view = self.view
        view.show_questions(self._work.questions)
        view.show_found(self._work.found)
        for page in (view.knobs, view.pair, view.categories):
            self.host.session.tasks.cancel(f"recommend_{page.name}")
            page.forget()

    def _take_questions(self, source: "Source | None" = None) -> None:
        """Take the questions again: marks or the choice of their source may have changed them."""
        if self._work.take_questions(source):
            self._show_questions()
            self.show_details()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show whether the results fit the current setting, and measure it again if the user asked for its recall."""
        view = self.view
        self._take_questions()
        view.show_trouble(self._trouble)
        view.controls.show_window(after.model.window.tokens if after else None)
        if before is None or after is None or before.scenario != after.scenario:
            self._work.stop_measuring()
            view.show_found(self._work.found)
            view.refresh()

    @property
    def _trouble(self) -> str:
        """Why nothing can be tried around the current setting: it makes no case, or its parameters are refused."""
        session = self.host.session
        refusal = session.answer.case.refusal if session.answer else None
        return session.trouble or str(refusal or "")

    def show_details(self) -> None:
        """Show the settings to try around the current one."""
        session, view = self.host.session, self.view
        bench, trouble = None, self._trouble
        if session.answer is not None and not trouble and self._work.questions.asked:
            from inspector.analysis.recommend.settings import asked_scenario
            from inspector.analysis.recommend.tried import bench_of

            asked = asked_scenario(session.answer.scenario, session.workspace)
            window, policies = session.answer.model.window.tokens, view.controls.menu.chosen
            bench = bench_of(session.pipeline, asked, window, policies, session.remembered)
        view.show_bench(bench, trouble)

    def _make(self, parent: QWidget) -> "RecommendView":
        from inspector.gui.screens.recommend.recommending import Recommending
        from inspector.gui.screens.recommend.view import RecommendView

        host, session, view = self.host, self.host.session, RecommendView(parent)
        self._work = work = Recommending(session, view, view)
        view.controls.set_policies(tuple(policies()[0]))
        view.start_requested.connect(work.start)
        view.cancel_requested.connect(work.cancel)
        view.recall_requested.connect(work.measure)
        view.acted.connect(self._act)
        view.controls.menu.chosen_changed.connect(self._show_policies)
        for page in view.pages:
            page.setting_chosen.connect(self._use)
            page.export_requested.connect(lambda page=page: self._export(page))
        for page in (view.knobs, view.pair):
            page.requested.connect(lambda tried, page=page: self._trace(page, tried))
            page.outdated.connect(lambda page=page: session.tasks.cancel(f"recommend_{page.name}"))
        view.list.source_chosen.connect(self._take_questions)
        view.list.removal_requested.connect(lambda names: session.mark(forget_questions, names))
        view.list.saving_requested.connect(self._save_questions)
        view.categories.requested.connect(self._ask_by_category)
        view.categories.outdated.connect(lambda: session.tasks.cancel("recommend_categories"))
        view.open_requested.connect(lambda: host.do("open"))
        view.add_requested.connect(lambda: host.do("add"))
        session.opened.connect(lambda _: work.forget())
        return view

    def _act(self, name: str, place: int) -> None:
        """Carry out an action on the setting of a window."""
        session, found = self.host.session, self._work.found
        if found is None:
            return
        edit = use_setting(session.scenario, found.setting(place))
        if name == "command":
            self.host.say(copy_command(session, edit.scenario))
        elif name == "keep":
            from inspector.analysis.recommend.sentences import advice_sentences

            self._keep(edit.scenario, edit.label.removeprefix("Use "), next(advice_sentences(found, place)))
        elif name == "pin":
            session.pin_and_use(found.setting(place))
        else:
            session.edit(use_setting, found.setting(place))

    def _keep(self, scenario: "Scenario", name: str, note: str) -> None:
        """Keep a setting as a snapshot."""
        session = self.host.session
        session.change_snapshots(keep_snapshot, name, record(session.pipeline, scenario), note)
        self.host.say(f"Kept as the snapshot {session.snapshots[-1].name}.")

    def _use(self, setting: "Scenario", words: str) -> None:
        """Use a setting of a plot, as a single step."""
        edit = use_setting(self.host.session.scenario, setting)
        self.host.session.edit(take_over, edit.scenario, words)

    def _show_policies(self) -> None:
        """Show the settings to try under other policies."""
        if self.is_visible:
            self.show_details()

    def _trace(self, page: "TriedPage", tried: "Tried") -> None:
        from inspector.analysis.recommend.tried import try_out

        session, make = self.host.session, partial(try_out, tried=tried, probes=self._work.questions.asked)
        if not session.ask(f"recommend_{page.name}", make, page.show_tried, page.end):
            page.end(session.trouble)

    def _ask_by_category(self, settings: "Sequence[Scenario]") -> None:
        from inspector.analysis.recommend.categories import asked_by_category

        session, page = self.host.session, self.view.categories
        make = partial(asked_by_category, settings=settings, probes=self._work.questions.asked)
        if not session.ask("recommend_categories", make, page.show_categories, page.end, page.show_share):
            page.end(session.trouble)

    def _export(self, page: "PlotPage") -> None:
        from inspector.gui.plots.exporting import export_plot

        export_plot([page.plot], self.host.session, f"recall-{page.name}", self.host.say, [page.model])

    def _save_questions(self) -> None:
        from inspector.gui.screens.recommend.question_list import ask_for_file

        session, host, probes = self.host.session, self.host, self._work.questions.offered
        file = ask_for_file(session.paths, self.view)
        if file is None:
            return
        fail = lambda error: session.problem_reported.emit(Problem(str(file), "", f"cannot be written: {error}"))  # noqa: E731
        write = partial(write_probes, probes, file, session.opened_files)
        session.tasks.write(write, lambda: host.say(f"Saved {file}"), fail)

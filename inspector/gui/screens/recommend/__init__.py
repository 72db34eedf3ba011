"""The screen of recommended settings: those with the highest recall of questions, and their reliability."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import take_over, use_setting
from inspector.assembly.policy import policy_title
from inspector.gui.screens.screen import Screen
from inspector.gui.session.copied_command import copy_command
from inspector.gui.session.keeping import keep
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.analysis.recommend.policy_rows import PolicyRow
    from inspector.analysis.recommend.questions import Questions, Source
    from inspector.assembly.scenario import Scenario
    from inspector.gui.screens.recommend.view import RecommendView
    from inspector.gui.tuning.plot_page import PlotPage


class RecommendScreen(Screen["RecommendView"]):
    """A search over windows, policies and their parameters, by the open questions."""

    name, title, perspectives = "recommend", "Recommend", ("tune",)
    _questions: "Questions | None" = None

    def show_workspace(self) -> None:
        """Show the open questions; results and running work of the workspace before are outdated."""
        self._work.take_workspace()
        self._questions = None
        self._take_questions()

    def _take_questions(self) -> None:
        """Take the questions again: marks or the choice of their source may have changed them."""
        questions, before, view = self.host.session.questions, self._questions, self.view
        self._questions = questions
        if questions is before:
            return
        if before is not None:
            self._work.take_workspace()
        view.show_questions(questions)
        view.show_found(self._work.found)
        self.host.session.tasks.cancel(view.categories.name)
        view.categories.forget()
        self.show_details()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show whether the results fit the current setting, and measure it again if the user asked for its recall."""
        view = self.view
        self._take_questions()
        view.show_trouble(self._trouble)
        view.controls.show_window(after.model.window.tokens if after else None)
        if before is None or after is None or before.scenario != after.scenario:
            self._work.stop_measuring()
            view.renew_found(self._work.found)
            view.refresh()

    @property
    def _trouble(self) -> str:
        """Why nothing can be tried around the current setting: it makes no case, or its parameters are refused."""
        session = self.host.session
        refusal = session.answer.case.refusal if session.answer else None
        return session.trouble or str(refusal or "")

    def show_details(self) -> None:
        """Show the current setting, for recall by kind of question."""
        from inspector.analysis.recommend.settings import asked_scenario, in_window

        session, trouble, now = self.host.session, self._trouble, None
        if session.answer is not None and not trouble and session.questions.asked:
            asked = asked_scenario(session.answer.scenario, session.workspace)
            now = in_window(asked, session.answer.model.window.tokens)
        self.view.show_now(now, trouble)

    def _make(self, parent: QWidget) -> "RecommendView":
        from inspector.gui.screens.recommend.recommending import Recommending
        from inspector.gui.screens.recommend.view import RecommendView

        host, session, view = self.host, self.host.session, RecommendView(parent)
        self._work = work = Recommending(session, view, view)
        titles = {name: policy_title(name, kind) for name, kind in policies()[0].items()}
        view.controls.set_policies(titles)
        view.controls.source_chosen.connect(self._choose_source)
        session.asked.chosen.connect(self._take_questions)
        view.start_requested.connect(work.start)
        view.cancel_requested.connect(work.cancel)
        view.recall_requested.connect(work.measure)
        view.acted.connect(self._act)
        view.effect_requested.connect(self._ask_for_effect)
        for page in view.pages:
            page.setting_chosen.connect(self._use)
            page.export_requested.connect(lambda page=page: self._export(page))
        view.categories.requested.connect(self._ask_by_category)
        view.categories.outdated.connect(lambda: session.tasks.cancel(view.categories.name))
        view.open_requested.connect(lambda: host.do("open"))
        view.add_requested.connect(lambda: host.do("add"))
        session.opened.connect(lambda _: work.forget())
        return view

    def _choose_source(self, source: "Source") -> None:
        self.host.session.asked.choose(source)

    def _act(self, name: str, row: "PolicyRow") -> None:
        """Carry out an action on a setting."""
        session = self.host.session
        edit = use_setting(session.scenario, row.setting)
        if name == "command":
            self.host.say(copy_command(session, edit.scenario))
        elif name == "keep":
            self._keep(edit.scenario, edit.label.removeprefix("Use "), f"{row.headline} {row.price}")
        elif name == "preset":
            self._save_preset(row)
        elif name == "compare":
            session.pin_and_use(row.setting, self._now_at(row))
            self.view.follow_recall()
        else:
            session.edit(use_setting, row.setting)

    def _now_at(self, row: "PolicyRow") -> "Scenario":
        """Return the current setting at the window and with the reply of a recommendation: what is fair beside it."""
        from inspector.analysis.recommend.settings import with_reply

        session, now = self.host.session, row.window.current.scenario
        case = session.pipeline.case(use_setting(session.scenario, now).scenario)
        divided = session.pipeline.assemble(case).budget.available
        return with_reply(session.pipeline, now, row.found.recommendation.terms.reply, divided)

    def _keep(self, scenario: "Scenario", name: str, note: str) -> None:
        """Keep a setting as a snapshot."""
        self.host.say(f"Kept as the snapshot {keep(self.host.session, name, scenario, note)}.")

    def _save_preset(self, row: "PolicyRow") -> None:
        """Ask for a name, then apply a setting and save it as a preset."""
        from inspector.gui.parts.text_dialog import TextDialog
        from inspector.gui.session.own_presets import save_values

        session, host = self.host.session, self.host

        def save(name: str) -> None:
            if not name.strip():
                return
            session.edit(use_setting, row.setting)
            trouble = save_values(session, name)
            host.say(trouble or f"Saved the preset {name.strip()}")

        TextDialog("Save as preset", f"{row.window.context_window} recommended", save, self.view, lines=False).open()

    def _use(self, setting: "Scenario", words: str) -> None:
        """Use a setting of a plot, as a single step."""
        edit = use_setting(self.host.session.scenario, setting)
        self.host.session.edit(take_over, edit.scenario, words)

    def _ask_for_effect(self, row: "PolicyRow") -> None:
        from inspector.analysis.recommend.effect import effect_of

        session, view = self.host.session, self.view
        make = partial(effect_of, now=row.window.current.scenario, then=row.setting)
        session.ask("recommend_effect", make, lambda effect: view.show_effect(row, effect.sentence), lambda _: None)

    def _ask_by_category(self, settings: "Sequence[Scenario]") -> None:
        from inspector.analysis.recommend.categories import asked_by_category

        session, page = self.host.session, self.view.categories
        make = partial(asked_by_category, settings=settings, probes=session.questions.asked)
        if not session.ask(page.name, make, page.show_categories, page.end, page.show_share):
            page.end(session.trouble)

    def _export(self, page: "PlotPage") -> None:
        from inspector.gui.plots.exporting import export_plot

        name = page.name.removeprefix("recommend_").removesuffix("_page")
        export_plot([page.plot], self.host.session, f"recall-{name}", self.host.say, [page.model])

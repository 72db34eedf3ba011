"""The screen of recommended settings: which hold most of what questions need, and how sure that is."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.command import command_text
from inspector.assembly.edits import use_setting
from inspector.gui.screens.screen import Screen
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.recommend.view import RecommendView


class RecommendScreen(Screen["RecommendView"]):
    """A search over windows, policies and their parameters, by the probes that are open."""

    name, title, perspectives = "recommend", "Recommend", ("tune",)

    def show_workspace(self) -> None:
        """Show which questions are open; what runs and what was found is of before."""
        view = self.view
        self._work.take_workspace()
        view.show_questions(self._work.questions)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Say whether what was found is of the setting of now, and measure that anew where somebody asked for it."""
        view = self.view
        view.show_trouble(self.host.session.trouble)
        view.controls.show_window(after.model.window.tokens if after else None)
        if before is None or after is None or before.scenario != after.scenario:
            self._work.stop_measuring()
            view.show_found(self._work.found)
            view.refresh()

    def _make(self, parent: QWidget) -> "RecommendView":
        from inspector.gui.screens.recommend.view import RecommendView
        from inspector.gui.screens.recommend.work import Recommending

        host, session, view = self.host, self.host.session, RecommendView(parent)
        self._work = work = Recommending(session, view, view)
        view.controls.set_policies(tuple(policies()[0]))
        view.start_requested.connect(work.start)
        view.cancel_requested.connect(work.cancel)
        view.recall_requested.connect(work.measure)
        view.acted.connect(self._act)
        view.open_requested.connect(lambda: host.do("open"))
        view.add_requested.connect(lambda: host.do("add"))
        session.opened.connect(lambda _: work.forget())
        return view

    def _act(self, name: str, place: int) -> None:
        """Do what a person wants with the setting of a window."""
        session, found = self.host.session, self._work.found
        if found is None:
            return
        setting = found.setting(place)
        if name == "command":
            edit = use_setting(session.scenario, setting)
            QGuiApplication.clipboard().setText(command_text(session.paths, edit.scenario))
            self.host.say("The command is on the clipboard.")
            return
        if name == "pin":
            session.pin_baseline()
        session.edit(use_setting, setting)

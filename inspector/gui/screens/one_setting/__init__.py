"""The screen of one setting: recall, tokens and cost over the values of one setting."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.one_setting.view import OneSettingPage
    from inspector.gui.tuning.tried_page import TriedView


class OneSettingScreen(Screen["TriedView[OneSettingPage]"]):
    """Recall, tokens and cost over the values of one setting, around the setting in use."""

    name, title, perspectives = "one_setting", "One setting", ("tune",)

    def show_workspace(self) -> None:
        """Show the open questions; results of the workspace before are gone."""
        self._trying.start_over()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Take the questions again, which marks may have changed."""
        self._trying.take_questions()

    def show_details(self) -> None:
        """Show the settings to try around the current one."""
        self._trying.show_bench()

    def _make(self, parent: QWidget) -> "TriedView[OneSettingPage]":
        from inspector.gui.screens.one_setting.view import NOTHING, OneSettingPage
        from inspector.gui.tuning.tried_page import TriedView
        from inspector.gui.tuning.trying import Trying

        view = TriedView(OneSettingPage(), NOTHING, parent)
        self._trying = Trying(self.name, self.host.session, view, self.host.do, self.host.say)
        return view

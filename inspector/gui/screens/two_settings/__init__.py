"""The screen of two settings: recall for every pair of values of two settings."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.two_settings.view import TwoSettingsPage
    from inspector.gui.tuning.tried_page import TriedView


class TwoSettingsScreen(Screen["TriedView[TwoSettingsPage]"]):
    """Recall for every pair of values of two settings, around the setting in use."""

    name, title, perspectives = "two_settings", "Two settings", ("tune",)

    def show_workspace(self) -> None:
        """Show the open questions; results of the workspace before are gone."""
        self._trying.start_over()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Take the questions again, which marks may have changed."""
        self._trying.take_questions()

    def show_details(self) -> None:
        """Show the settings to try around the current one."""
        self._trying.show_bench()

    def _make(self, parent: QWidget) -> "TriedView[TwoSettingsPage]":
        from inspector.gui.screens.two_settings.view import NOTHING, TwoSettingsPage
        from inspector.gui.tuning.tried_page import TriedView
        from inspector.gui.tuning.trying import Trying

        view = TriedView(TwoSettingsPage(), NOTHING, parent)
        self._trying = Trying(self.name, self.host.session, view, self.host.do, self.host.say)
        return view

"""The screen of two settings: recall for every pair of values of two settings."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.tuning.tried_screen import TriedScreen

if TYPE_CHECKING:
    from inspector.gui.screens.two_settings.view import TwoSettingsPage
    from inspector.gui.tuning.tried_page import TriedView


class TwoSettingsScreen(TriedScreen["TwoSettingsPage"]):
    """Recall for every pair of values of two settings, around the setting in use."""

    name, title, perspectives = "two_settings", "Two settings", ("tune",)

    def _make(self, parent: QWidget) -> "TriedView[TwoSettingsPage]":
        from inspector.gui.screens.two_settings.view import NOTHING, TwoSettingsPage

        return self._joined(TwoSettingsPage(), NOTHING, parent)

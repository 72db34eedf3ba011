"""The screen of two settings: recall for every pair of values of two settings."""

from typing import TYPE_CHECKING

from inspector.gui.screens.tried_screen import TriedScreen

if TYPE_CHECKING:
    from inspector.gui.screens.two_settings.view import TwoSettingsPage


class TwoSettingsScreen(TriedScreen["TwoSettingsPage"]):
    """Recall for every pair of values of two settings, around the setting in use."""

    name, title = "two_settings", "Two settings"

    def _page(self) -> "tuple[TwoSettingsPage, str]":
        from inspector.gui.screens.two_settings.view import NOTHING, TwoSettingsPage

        return TwoSettingsPage(), NOTHING

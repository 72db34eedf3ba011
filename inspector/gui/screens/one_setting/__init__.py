"""The screen of one setting: recall, tokens and cost over the values of one setting."""

from typing import TYPE_CHECKING

from inspector.gui.screens.tried_screen import TriedScreen

if TYPE_CHECKING:
    from inspector.gui.screens.one_setting.view import OneSettingPage


class OneSettingScreen(TriedScreen["OneSettingPage"]):
    """Recall, tokens and cost over the values of one setting, around the setting in use."""

    name, title = "one_setting", "One setting"

    def _page(self) -> "tuple[OneSettingPage, str]":
        from inspector.gui.screens.one_setting.view import NOTHING, OneSettingPage

        return OneSettingPage(), NOTHING

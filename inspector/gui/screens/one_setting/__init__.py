"""The screen of one setting: recall, tokens and cost over the values of one setting."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.tuning.tried_screen import TriedScreen

if TYPE_CHECKING:
    from inspector.gui.screens.one_setting.view import OneSettingPage
    from inspector.gui.tuning.tried_page import TriedView


class OneSettingScreen(TriedScreen["OneSettingPage"]):
    """Recall, tokens and cost over the values of one setting, around the setting in use."""

    name, title, perspectives = "one_setting", "One setting", ("tune",)

    def _make(self, parent: QWidget) -> "TriedView[OneSettingPage]":
        from inspector.gui.screens.one_setting.view import NOTHING, OneSettingPage

        return self._joined(OneSettingPage(), NOTHING, parent)

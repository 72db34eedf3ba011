"""The screen of the prompt, as the model gets it."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.prompt.view import PromptPreview


class PromptScreen(Screen["PromptPreview"]):
    """The finished prompt: messages, text and tokens."""

    name, title, at_once = "prompt", "Prompt as sent", True
    _told: int | None = None

    def show_workspace(self) -> None:
        """Let go of the prompt of the files before."""
        self._told = None
        self.view.forget()

    def show_row(self) -> None:
        """Scroll to the selected item."""
        self._told = self.host.row
        if self._told is not None:
            self.view.show_row(self._told)

    def show_details(self) -> None:
        """Show the prompt of another answer, where it was read; scroll to an item selected while this was hidden."""
        self.view.show_answer(self.host.session.answer)
        if self.host.row != self._told:
            self.show_row()

    def _make(self, parent: QWidget) -> "PromptPreview":
        from inspector.gui.screens.prompt.view import PromptPreview

        view = PromptPreview(parent)
        view.row_selected.connect(self.host.select)
        return view

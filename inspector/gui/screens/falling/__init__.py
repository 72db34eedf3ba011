"""The screen of falling items: those leaving the prompt as a conversation goes on."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Assembly
from inspector.gui.fitting import is_flat
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.falling.view import FallingView


class FallingScreen(Screen["FallingView"]):
    """The items not whole in the prompt, below the large bar."""

    name, title, perspectives = "falling", "Falling items", ("present",)
    _shown: Answer | None = None
    _before: Assembly | None = None

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Follow every step while visible."""
        if self.is_visible:
            self._step()

    def show_perspective(self, name: str) -> None:
        """Hide the titles of the columns in a flat window, to leave room for rows."""
        window = self.view.window()
        self.view.set_flat(is_flat(window.height(), window.fontMetrics().lineSpacing()))

    def show_row(self) -> None:
        """Do nothing: this table is for an audience and marks no selection."""

    def show_details(self) -> None:
        """Catch up with changes made while hidden."""
        self._step()

    def _step(self) -> None:
        """Show the step from the last shown answer to the current one.

        A new answer for the same settings, after measuring or with more counts, is not a step.
        """
        answer, shown = self.host.session.answer, self._shown
        if answer is not None and answer.assembly.error is not None:
            return
        if answer is None or shown is None or answer.scenario != shown.scenario:
            self._before = None if shown is None else shown.assembly
        if answer is None or shown is None or answer.assembly is not shown.assembly:
            self.view.show_step(self._before, None if answer is None else answer.assembly)
        self._shown = answer

    def _make(self, parent: QWidget) -> "FallingView":
        from inspector.gui.screens.falling.view import FallingView

        view = FallingView(parent)
        view.row_selected.connect(self.host.select)
        return view

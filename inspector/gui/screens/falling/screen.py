"""The screen of what falls: which items leave the prompt as a conversation goes on."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Assembly
from inspector.gui.fitting import is_flat
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.falling.view import FallingView


class FallingScreen(Screen["FallingView"]):
    """What is not whole in the prompt, under the large bar."""

    name, title, area, perspectives = "falling", "Falling items", "centre", ("present",)
    _shown: Answer | None = None
    _before: Assembly | None = None

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Follow every step while this can be seen."""
        if self.is_visible:
            self._step()

    def show_perspective(self, name: str) -> None:
        """A flat window has its rows without the titles of their columns."""
        window = self.view.window()
        self.view.set_flat(is_flat(window.height(), window.fontMetrics().lineSpacing()))

    def show_row(self) -> None:
        """Nothing is marked here: it is looked at from afar."""

    def show_details(self) -> None:
        """Catch up with what changed while this could not be seen."""
        self._step()

    def _step(self) -> None:
        """From what was shown last to what there is now.

        The same settings answered anew, because it was measured or more is known of the texts, are no other step.
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

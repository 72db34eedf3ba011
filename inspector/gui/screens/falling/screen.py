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
    _shown: Assembly | None = None

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
        """From what was shown last to what there is now; an answer that is only measured later is no step."""
        assembly = self.host.session.assembly
        if assembly is not self._shown and (assembly is None or assembly.error is None):
            self.view.show_step(self._shown, assembly)
            self._shown = assembly

    def _make(self, parent: QWidget) -> "FallingView":
        from inspector.gui.screens.falling.view import FallingView

        view = FallingView(parent)
        view.row_selected.connect(self.host.select)
        return view

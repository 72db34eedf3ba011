"""The panel of lorebooks: which entries are active, and which key in which message made them so."""

from typing import TYPE_CHECKING

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Panel

if TYPE_CHECKING:
    from inspector.gui.screens.lore.view import LoreView


class LorePanel(Panel["LoreView"]):
    """Entries of the lorebooks, and how they are scanned for."""

    name, title, at_hand = "lore", "Lorebook", False

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the lore of an answer, while it can be seen."""
        self.show_row()

    def show_row(self) -> None:
        """Catch up with what changed while this could not be seen."""
        if self.view.isVisible():
            session = self.window.session
            self.view.show_answer(session.answer, session.scenario.lore)

    def _make(self) -> "LoreView":
        from inspector.gui.screens.lore.view import LoreView

        window, view = self.window, LoreView(self.window)
        view.item_chosen.connect(window.select_named)
        view.settings_changed.connect(window.commands.change_lore)
        return view

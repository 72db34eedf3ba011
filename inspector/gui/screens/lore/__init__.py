"""The screen of lorebooks: the active entries, and the key and message that activated each."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import scan_lore
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.lore.view import LoreView


class LoreScreen(Screen["LoreView"]):
    """The entries of the lorebooks, and the settings of the scan."""

    name, title, perspectives = "lore", "Lorebook", ("inspect",)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the lore of an answer if visible."""
        if self.is_visible:
            self.show_details()

    def show_details(self) -> None:
        """Catch up with changes made while hidden."""
        session = self.host.session
        self.view.show_answer(session.answer, session.scenario.lore)

    def show_row(self) -> None:
        """Select the entry selected elsewhere."""
        if self.host.row is not None:
            self.view.select_item(self.host.row)

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the shown entry."""
        if self.is_visible:
            self.view.mark_words(words)

    def take_keyboard(self) -> None:
        """Focus the table, whose keys go to other entries."""
        self.view.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make(self, parent: QWidget) -> "LoreView":
        from inspector.gui.screens.lore.view import LoreView

        view = LoreView(parent)
        view.item_chosen.connect(self._select_named)
        view.settings_changed.connect(partial(self.host.session.drag, "lore", scan_lore))
        return view

    def _select_named(self, name: str) -> None:
        """Select an item of the answer by its id, if it is there."""
        assembly = self.host.session.assembly
        rows = assembly.candidates.rows_named([name]).tolist() if assembly else []
        if rows:
            self.host.select(rows[0])

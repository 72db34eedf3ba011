"""The screen of the text: the selected item to read."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.text.view import ItemText


class TextScreen(Screen["ItemText"]):
    """The original of an item beside its text in the prompt."""

    name, title = "text", "Text"

    def show_row(self) -> None:
        """Show the selected item."""
        self.view.show_item(self.host.session.answer, self.host.row)

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the text and scroll to them."""
        self.show_row()
        self.view.mark_words(words)

    def _make(self, parent: QWidget) -> "ItemText":
        from inspector.gui.screens.text.view import ItemText

        return ItemText(parent)

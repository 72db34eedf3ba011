"""The panel of tokenizers: one conversation counted by many."""

from typing import TYPE_CHECKING

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Panel

if TYPE_CHECKING:
    from inspector.gui.screens.tokenizers.view import TokenizerComparisonView


class TokenizersPanel(Panel["TokenizerComparisonView"]):
    """Counts and errors by kind of content and by item, and the decisions that flip."""

    name, title, at_hand = "tokenizers", "Tokenizers", False

    def show_workspace(self) -> None:
        """Forget the items of before."""
        self.view.show_comparison(None)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again where the question is another one: the scenario or the items, not what is counted of them."""
        if (
            before is None
            or after is None
            or before.scenario != after.scenario
            or before.assembly.candidates.items is not after.assembly.candidates.items
        ):
            self.view.refresh()

    def show_row(self) -> None:
        """Select the item that is selected elsewhere."""
        if self.window.row is not None and self.view.isVisible():
            self.view.select_row(self.window.row)

    def _make(self) -> "TokenizerComparisonView":
        from inspector.gui.screens.tokenizers.view import TokenizerComparisonView

        window, view = self.window, TokenizerComparisonView(self.window)
        view.requested.connect(window.session.compare_tokenizers)
        window.session.tokenizers_compared.connect(view.show_comparison)
        view.row_selected.connect(window.select_everywhere)
        view.tokenizer_requested.connect(window.commands.use_tokenizer)
        return view

"""The screen of tokenizers: a conversation counted by many."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import use_tokenizer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.tokenizers.view import TokenizerComparisonView


class TokenizersScreen(Screen["TokenizerComparisonView"]):
    """Counts and errors by kind of content and by item, and the flipped decisions."""

    name, title, perspectives = "tokenizers", "Tokenizers", ("compare",)

    def show_workspace(self) -> None:
        """Forget the items of the workspace before."""
        self.view.show_comparison(None)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request a comparison when the scenario or the items change; new counts of the same items need none."""
        if (
            before is None
            or after is None
            or before.scenario != after.scenario
            or before.assembly.candidates.items is not after.assembly.candidates.items
        ):
            self.view.refresh()

    def show_row(self) -> None:
        """Select the item selected elsewhere."""
        if self.host.row is not None:
            self.view.select_row(self.host.row)

    def _request(self, names: Sequence[str] | None) -> None:
        from inspector.analysis.tokenizers.ask import tokenizer_comparisons

        make = partial(tokenizer_comparisons, names=names)
        if not self.host.session.ask(self.name, make, self.view.show_comparison, awaited=True):
            self.view.show_comparison(None)

    def _make(self, parent: QWidget) -> "TokenizerComparisonView":
        from inspector.gui.screens.tokenizers.view import TokenizerComparisonView

        host, view = self.host, TokenizerComparisonView(parent)
        view.requested.connect(self._request)
        view.outdated.connect(lambda: host.session.tasks.cancel("tokenizers"))
        view.row_selected.connect(host.select)
        view.tokenizer_requested.connect(partial(host.session.edit, use_tokenizer))
        return view

"""The screen of the budget: the context window as a single bar."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.fitting import is_flat, is_low
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.budget.view import BudgetBar


OF_NO_ITEM = ("overhead", "reserve", "free", "over")


class BudgetScreen(Screen["BudgetBar"]):
    """The bar of the answer, with the baseline's bar above it."""

    name, title, area, at_once = "budget", "Prompt", "header", True
    perspectives = ("inspect", "compare", "tune", "replay", "present")

    def show_perspective(self, name: str) -> None:
        """Make the bar large for an audience if the window is not low; a flat window hides the legend to leave rows."""
        window = self.view.window()
        height, line = window.height(), window.fontMetrics().lineSpacing()
        is_shown = name == "present"
        self.view.set_height(
            large=is_shown and not is_low(height, line), legend=not (is_shown and is_flat(height, line))
        )

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        self.view.show_answer(after, self.host.session.baseline_answer)

    def show_workspace(self) -> None:
        """Show the whole bar: a zoom of the workspace before means nothing now."""
        self.view.show_all()

    def _make(self, parent: QWidget) -> "BudgetBar":
        from inspector.gui.screens.budget.view import BudgetBar

        view = BudgetBar(parent)
        view.segment_clicked.connect(self._show_segment)
        return view

    def _show_segment(self, segment: str) -> None:
        """Show only the items behind a segment of the bar; a second click shows all again.

        Overhead, reserve and free space have no items: for them, show the explanation.
        """
        if segment in OF_NO_ITEM:
            self.host.select(None)
            self.host.show_screen("explanation")
        elif segment == "must_survive":
            self.host.turn_filter("must_survive:yes action:dropped")
        else:
            self.host.turn_filter(f"section:{segment}")

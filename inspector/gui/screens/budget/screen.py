"""The screen of the budget: the context window as one bar."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.fitting import is_flat, is_low
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.budget.view import BudgetBar

OF_NO_ITEM = ("overhead", "reserve", "free", "over")


class BudgetScreen(Screen["BudgetBar"]):
    """The bar of the answer, with that of the baseline above it."""

    name, title, area, at_once = "budget", "Budget", "top bar", True
    perspectives = ("inspect", "tune", "present")

    def show_perspective(self, name: str) -> None:
        """The bar is large where it is shown to others, and a low window has room for it; a flat one needs rows."""
        window = self.view.window()
        height, line = window.height(), window.fontMetrics().lineSpacing()
        is_shown = name == "present"
        self.view.set_height(
            large=is_shown and not is_low(height, line), legend=not (is_shown and is_flat(height, line))
        )

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the sections of an answer."""
        self.view.show_answer(after, self.host.session.baseline_answer)

    def show_workspace(self) -> None:
        """What is open is other: nobody has looked closer at that yet."""
        self.view.show_all()

    def _make(self, parent: QWidget) -> "BudgetBar":
        from inspector.gui.screens.budget.view import BudgetBar

        view = BudgetBar(parent)
        view.segment_clicked.connect(self._show_segment)
        return view

    def _show_segment(self, segment: str) -> None:
        """Show the items behind a segment of the bar, or with another click all again.

        What belongs to no item shows where it comes from.
        """
        if segment in OF_NO_ITEM:
            self.host.select(None)
            self.host.go_to_screen("explanation")
        elif segment == "must_survive":
            self.host.turn_filter("must_survive:yes action:dropped")
        else:
            self.host.turn_filter(f"section:{segment}")

"""The screen of the budget: the figures of the prompt, and the context window as a single bar."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import go_to_turn
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.budget.view import PromptHeader


OF_NO_ITEM = ("overhead", "remainder", "reserve", "free", "over")


class BudgetScreen(Screen["PromptHeader"]):
    """The header of the prompt: its figures and its bar, in a comparison with those of the baseline."""

    name, title, area, at_once = "budget", "Prompt", "header", True
    perspectives = ("inspect", "compare", "tune", "replay")

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"legend": self._turn_legend}

    def show_perspective(self, name: str) -> None:
        self.view.compare(name == "compare")

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        self.view.show_answer(after, self.host.session.baseline_answer)

    def show_workspace(self) -> None:
        """Show the whole bar: a zoom of the workspace before means nothing now."""
        self.view.bar.show_all()

    def light(self, part: str) -> None:
        """Light a part of the bar and outline its limit."""
        self.view.bar.light(part)
        self.view.bar.show_limit(part)

    def _make(self, parent: QWidget) -> "PromptHeader":
        from inspector.gui.screens.budget.view import PromptHeader

        view = PromptHeader(parent)
        view.segment_clicked.connect(self._show_segment)
        view.hovered.connect(self.host.light)
        view.chip_clicked.connect(self._follow_chip)
        view.swap_requested.connect(lambda: self.host.do("swap"))
        view.baseline_requested.connect(lambda: self.host.do("pin_baseline"))
        view.show_legend(self.host.state is not None and self.host.state.legend)
        return view

    def _turn_legend(self) -> None:
        """Show the legend of the bar, or hide it, in this window and the next."""
        shown = not self.view.has_legend
        self.view.show_legend(shown)
        if self.host.state is not None:
            self.host.state.legend = shown

    def _follow_chip(self, kind: str) -> None:
        """Show the items of a chip, the findings, or the last turn."""
        if kind == "lost":
            self.host.turn_filter("must_survive:yes action:dropped")
        elif kind == "finding":
            self.host.show_screen("findings")
        else:
            self.host.session.edit(go_to_turn, None)

    def _show_segment(self, segment: str) -> None:
        """Show only the items behind a segment of the bar; a second click shows all again.

        Formatting, remainder, reply and free space have no items: for them, show where the tokens are.
        """
        if segment in OF_NO_ITEM:
            self.host.select(None)
            self.host.show_screen("details")
        else:
            self.host.turn_filter(f"section:{segment}")

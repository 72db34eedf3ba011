"""The screen of the comparison with the pinned baseline."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.comparison.view import ComparisonView


class ComparisonScreen(Screen["ComparisonView"]):
    """The items that differ between the baseline and now."""

    name, title, at_once = "comparison", "Comparison", True
    perspectives = ("inspect", "tune")

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {
            "next_change": lambda: self._step(self.view.next_change),
            "previous_change": lambda: self._step(self.view.previous_change),
            "recorded": lambda: self._step(self.view.show_recorded),
        }

    def show_row(self) -> None:
        """Keep the selection: an item selected elsewhere need not differ."""

    def show_details(self) -> None:
        """Compare the answer with the baseline and with the recording."""
        session = self.host.session
        self.view.show_comparison(session.baseline_answer, session.answer)
        self.view.show_answer(session.answer)
        self._offer()
        self.view.texts.refresh()

    def _offer(self) -> None:
        session = self.host.session
        names = [snapshot.name for snapshot in session.snapshots]
        self.view.texts.offer(session.baseline_answer is not None, names)

    def _make(self, parent: QWidget) -> "ComparisonView":
        from inspector.gui.screens.comparison.view import ComparisonView
        from inspector.gui.screens.comparison.work import compare_texts

        session, view = self.host.session, ComparisonView(parent)
        view.texts.requested.connect(lambda name: compare_texts(session, name, view.texts.show_lines))
        view.texts.outdated.connect(lambda: session.tasks.cancel("text_diff"))
        session.snapshots_changed.connect(self._offer)
        view.row_selected.connect(self.host.select)
        return view

    def _step(self, step: Callable[[], None]) -> None:
        self.host.show_screen(self.name)
        step()

"""The screen of the comparison with the pinned baseline."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.comparison.view import ComparisonView


NOT_THERE = "There is nothing to compare with yet."


class ComparisonScreen(Screen["ComparisonView"]):
    """The differing items of the baseline and the current prompt."""

    name, title, at_once = "comparison", "Comparison", True
    perspectives = ("compare",)

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

        session, view = self.host.session, ComparisonView(parent)
        view.texts.requested.connect(self._compare_texts)
        view.texts.outdated.connect(lambda: session.tasks.cancel("text_diff"))
        session.snapshots_changed.connect(self._offer)
        view.row_selected.connect(self.host.select)
        return view

    def _compare_texts(self, name: str) -> None:
        """Compare the current prompt, or the last good prompt, with that of a snapshot, or of the baseline for ""."""
        from inspector.analysis.snapshots import snapshot_texts

        session, show = self.host.session, self.view.texts.show_lines
        now, baseline, basis = session.answer, session.baseline_answer, session.basis
        if now is None or basis is None or (not name and baseline is None):
            show(NOT_THERE)
            return
        session.work("text_diff", partial(snapshot_texts, basis, name, session.snapshots, baseline, now), show)

    def _step(self, step: Callable[[], None]) -> None:
        self.host.show_screen(self.name)
        step()

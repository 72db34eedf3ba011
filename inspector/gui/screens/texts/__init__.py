"""The screen of texts: the prompts of two settings line by line, with the words that changed."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.side_choice import NOW, Beside
from inspector.gui.screens.screen import Screen
from inspector.gui.session.compared import Offered
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.texts.view import TextsView

NOT_THERE = "There is nothing to compare with yet."


class TextsScreen(Screen["TextsView"]):
    """The text of the prompt, compared for the same two sides as the changes."""

    name, title, perspectives = "texts", "Text", ("compare",)

    def show_workspace(self) -> None:
        """Forget the texts of the workspace before."""
        self.view.refresh()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Compare again."""
        self.view.refresh()

    def show_details(self) -> None:
        """Offer the sides that are there."""
        if self.is_visible:
            self.host.session.compared.page = self.name
            self._offer()

    @property
    def _offered(self) -> Offered:
        session = self.host.session
        return session.compared.offered(policies()[0], session.snapshots, session.baseline_answer is not None)

    def _offer(self) -> None:
        self.view.boxes.offer(self._offered, *self.host.session.compared.pair(self._offered))

    def _make(self, parent: QWidget) -> "TextsView":
        from inspector.gui.screens.texts.view import TextsView

        session, view = self.host.session, TextsView(parent)
        view.requested.connect(self._compare)
        view.outdated.connect(lambda: session.tasks.cancel("text_diff"))
        view.baseline_requested.connect(lambda: self.host.do("pin_baseline"))
        view.boxes.chosen.connect(session.compared.compare)
        session.compared.step_requested.connect(self._take_step)
        for changed in (session.compared.pair_changed, session.compared.columns_changed, session.snapshots_changed):
            changed.connect(self._refresh)
        return view

    def _take_step(self, by: int) -> None:
        if self.host.session.compared.page == self.name:
            self.view.step(by)

    def _refresh(self) -> None:
        self._offer()
        self.view.refresh()

    def _compare(self) -> None:
        """Compare the texts of both sides; now is the last good prompt while the scenario is refused."""
        from inspector.analysis.sides import text_changes

        session = self.host.session
        now, basis, beside = session.answer, session.basis, session.beside
        self._offer()
        before, after = session.compared.pair(self._offered)
        if now is None or basis is None or before not in [choice for choice, _ in self._offered]:
            self.view.show_lines(NOT_THERE if now is None or basis is None else None)
            return
        known = Beside(beside.snapshots, beside.baseline, {**beside.answers, NOW: now})
        session.work("text_diff", partial(text_changes, basis, before, after, known), self.view.show_lines)

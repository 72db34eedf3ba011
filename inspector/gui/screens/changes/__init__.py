"""The screen of changes: the items that differ between two settings, or between a setting and the recording."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.compare import changed_count
from inspector.assembly.side_choice import BASELINE, NOW, RECORDED, SideChoice
from inspector.gui.screens.screen import Screen
from inspector.gui.session.compared import Offered
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.changes.view import ChangesView

_TASK = "comparison"


class ChangesScreen(Screen["ChangesView"]):
    """What came in, left, or is otherwise, from one setting to another."""

    name, title, at_once = "changes", "Changes", True
    perspectives = ("compare",)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {
            "comparison": self._show_now,
            "next_change": partial(self._step, 1),
            "previous_change": partial(self._step, -1),
            "recorded": self._show_recorded,
        }

    def count(self, answer: Answer | None) -> str:
        """Return how many items differ between the baseline and now."""
        baseline = self.host.session.baseline_answer
        if answer is None or baseline is None or (answer.assembly.error or baseline.assembly.error) is not None:
            return ""
        return f"{changed_count(baseline.assembly, answer.assembly):,}"

    def show_workspace(self) -> None:
        """Forget the items of the workspace before."""
        self.view.forget()

    def show_row(self) -> None:
        """Keep the selection: an item selected elsewhere need not differ."""

    def show_details(self) -> None:
        """Compare the two sides, at once if their answers are known."""
        session = self.host.session
        if not self.is_visible:  # after other files were opened; the sides are offered once it is seen
            self.view.show_comparison(session.baseline_answer, session.answer)
            return
        before, after = self._pair
        session.compared.page = self.name
        self.view.boxes.offer(self._offered, before, after)
        known = {NOW: session.answer, BASELINE: session.baseline_answer}
        session.tasks.cancel(_TASK)  # an answer asked for before would replace that of this pair
        if RECORDED in (before, after):
            self._ask(after if before == RECORDED else before, known, self.view.show_recorded)
        elif before in known and after in known:
            self.view.show_comparison(known[before], known[after])
        else:
            self._request(before, after, self._take)

    def _ask(
        self,
        choice: SideChoice,
        known: Mapping[SideChoice, Answer | None],
        show: "Callable[[Answer | None], None]",
    ) -> None:
        if choice in known:
            show(known[choice])
        else:
            self._request(choice, choice, partial(self._take_side, show))

    def _take_side(self, show: "Callable[[Answer | None], None]", found: "tuple[Answer, Answer] | str") -> None:
        if isinstance(found, str):
            self.view.show_trouble(found)
        else:
            show(found[1])

    def _request(
        self, before: SideChoice, after: SideChoice, show: "Callable[[tuple[Answer, Answer] | str], None]"
    ) -> None:
        from inspector.analysis.sides import pair_of

        session = self.host.session
        session.ask(_TASK, partial(pair_of, before=before, after=after, beside=session.beside), show, awaited=True)

    def _take(self, found: "tuple[Answer, Answer] | str") -> None:
        if isinstance(found, str):
            self.view.show_trouble(found)
        else:
            self.view.show_comparison(*found)

    @property
    def _offered(self) -> Offered:
        session = self.host.session
        offered = session.compared.offered(policies()[0], session.snapshots, session.baseline_answer is not None)
        return [*offered, (RECORDED, "recorded")]

    @property
    def _pair(self) -> tuple[SideChoice, SideChoice]:
        return self.host.session.compared.pair(self._offered)

    def _make(self, parent: QWidget) -> "ChangesView":
        from inspector.gui.screens.changes.view import ChangesView

        session, view = self.host.session, ChangesView(parent)
        view.boxes.chosen.connect(session.compared.compare)
        for changed in (session.compared.pair_changed, session.compared.columns_changed, session.snapshots_changed):
            changed.connect(self._refresh)
        session.compared.step_requested.connect(self._take_step)
        view.item_selected.connect(self._select)
        view.baseline_requested.connect(lambda: self.host.do("pin_baseline"))
        return view

    def _select(self, name: str) -> None:
        """Select an item of now by its id: the sides may have other items, or the same in other rows."""
        assembly = self.host.session.assembly
        rows = assembly.candidates.rows_named([name]).tolist() if assembly else []
        if rows:
            self.host.select(rows[0])

    def _refresh(self) -> None:
        if self.is_visible:
            self.tell(self.show_details)

    def _show_now(self) -> None:
        """Show the changes from the baseline to now."""
        self.host.session.compared.compare(BASELINE, NOW)
        self.host.show_screen(self.name)

    def _show_recorded(self) -> None:
        self.host.session.compared.compare(RECORDED, NOW)
        self.host.show_screen(self.name)

    def _step(self, by: int) -> None:
        """Go to a change on the page that last showed the two sides."""
        compared = self.host.session.compared
        self.host.show_screen(compared.page)
        compared.step_requested.emit(by)

    def _take_step(self, by: int) -> None:
        if self.host.session.compared.page == self.name:
            self.view.step(by)

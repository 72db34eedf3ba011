"""The screen of the items that flip: all values of a slider at once."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.case import Case
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.analysis.sliders import Slider
    from inspector.gui.screens.survival.view import SurvivalView


class SurvivalScreen(Screen["SurvivalView"]):
    """The fate of each item under every value. Moving the slider itself only moves the line of today."""

    name, title, perspectives = "survival", "Which items flip", ("tune",)
    _moved_from: Case | None = None

    def show_workspace(self) -> None:
        """Forget the items of the workspace before."""
        from inspector.gui.screens.survival.view import NOTHING_OPEN

        self._moved_from = None
        self.host.session.tasks.cancel("survival")
        self.view.show_nothing(NOTHING_OPEN)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request a new survival when anything but the chosen slider has moved, and mark the slider's current value."""
        from inspector.analysis.sliders import is_along, sliders_of, value_of

        if after is None:
            return
        self.view.set_sliders(sliders_of(after.case))
        slider = self.view.chosen
        if slider is None:
            return
        today, start = value_of(after.case, slider.name), self._moved_from
        holds = start is not None and is_along(start, after.case, slider.name, self.host.session.locked)
        if not holds or self.view.survived is None or self._is_beyond(today):
            self._moved_from = after.case
            self.view.refresh()
        self.view.show_today(today)

    def show_row(self) -> None:
        """Mark the selected item."""
        self.view.show_row(self.host.row)

    def _is_beyond(self, today: float) -> bool:
        """Return whether the slider has a value outside the map."""
        survived = self.view.survived
        return survived is not None and not survived.found.axis.covers(today)

    def _show_locks(self) -> None:
        """Request a new survival when locks change: the map holds for its locks only."""
        if self._moved_from is not None:
            self._moved_from = None
            self.view.refresh()

    def _request(self, slider: "Slider | None") -> None:
        from inspector.analysis.sliders import value_of
        from inspector.analysis.survival.ask import survivals
        from inspector.gui.screens.survival.view import NOTHING_OPEN

        session, view = self.host.session, self.view
        if slider is None or not session.ask(
            self.name, partial(survivals, slider=slider), view.show_survived, view.end
        ):
            view.show_nothing(session.trouble or NOTHING_OPEN)
        elif session.answer is not None:
            self._moved_from = session.answer.case
            view.show_today(value_of(session.answer.case, slider.name))

    def _set(self, value: float, gesture: str) -> None:
        """Set the slider to a value, starting from the case of the map."""
        from inspector.analysis.sliders import move_slider

        survived = self.view.survived
        if survived is not None:
            self.host.session.drag(gesture, move_slider, survived.case, survived.slider.name, value, survived.locked)

    def _make(self, parent: QWidget) -> "SurvivalView":
        from inspector.gui.plots.exporting import export_plot
        from inspector.gui.screens.survival.view import SurvivalView

        view = SurvivalView(parent)
        view.requested.connect(self._request)
        view.outdated.connect(lambda: self.host.session.tasks.cancel("survival"))
        self.host.session.locks_changed.connect(self._show_locks)
        view.value_chosen.connect(self._set)
        view.row_selected.connect(self.host.select)
        view.export_requested.connect(
            lambda: export_plot([view.plot], self.host.session, self.name, self.host.say, [view.table.array_model])
        )
        return view

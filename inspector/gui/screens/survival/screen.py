"""The screen of survival: all values of one slider at once."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import set_value
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.survival.view import SurvivalView
    from inspector.gui.screens.survival.work import Slider, Survived


class SurvivalScreen(Screen["SurvivalView"]):
    """What becomes of each item under every value. Moving that slider itself changes nothing of it but today's line."""

    name, title, perspectives = "survival", "Survival", ("tune",)
    _varied: Scenario | None = None

    def show_workspace(self) -> None:
        """Forget the items of before."""
        from inspector.gui.screens.survival.view import NOTHING_OPEN

        self._varied = None
        self.host.session.tasks.cancel("survival")
        self.view.show_nothing(NOTHING_OPEN)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again where something else than the chosen slider has moved, and mark the value it has now."""
        from inspector.analysis.sliders import what_is_varied
        from inspector.gui.screens.survival.work import sliders_of, value_today

        if after is None:
            return
        self.view.set_sliders(sliders_of(after))
        slider = self.view.chosen
        if slider is None:
            return
        varied = what_is_varied(after.scenario, slider.name)
        today = value_today(after, slider.name)
        if varied != self._varied or self.view.survived is None or self._is_beyond(today):
            self._varied = varied
            self.view.refresh()
        self.view.show_today(today)

    def show_row(self) -> None:
        """Mark the selected item."""
        self.view.show_row(self.host.row)

    def _is_beyond(self, today: float) -> bool:
        """Whether the slider has a value that was not looked at."""
        survived = self.view.survived
        return survived is not None and not survived.found.axis.lowest <= today <= survived.found.axis.highest

    def _request(self, slider: "Slider | None") -> None:
        from inspector.analysis.sliders import what_is_varied
        from inspector.gui.screens.survival.view import NOTHING_OPEN
        from inspector.gui.screens.survival.work import start_survival, value_today

        session = self.host.session
        if slider is None or not start_survival(session, slider, self._show, self.view.end):
            self.view.show_nothing(session.trouble or NOTHING_OPEN)
        elif session.answer is not None:
            self._varied = what_is_varied(session.answer.scenario, slider.name)
            self.view.show_today(value_today(session.answer, slider.name))

    def _show(self, survived: "Survived") -> None:
        self.view.show_survived(survived)

    def _make(self, parent: QWidget) -> "SurvivalView":
        from inspector.gui.plots.saving import save_plot
        from inspector.gui.screens.survival.view import SurvivalView

        view = SurvivalView(parent)
        view.requested.connect(self._request)
        view.value_chosen.connect(lambda name, value: self.host.session.edit(set_value, name, value))
        view.row_selected.connect(self.host.select)
        view.saving_requested.connect(
            lambda: save_plot(view.plot, self.host.session, self.name, self.host.say, view.table.array_model)
        )
        return view

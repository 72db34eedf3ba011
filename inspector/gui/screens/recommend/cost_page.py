"""Recall against tokens: the settings with the most recall for their tokens, window by window."""

from inspector.analysis.recommend.drawings import front_drawing
from inspector.analysis.recommend.priced import Priced, priced_in
from inspector.analysis.recommend.searched import Searched
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.plots.points import PointsPlot
from inspector.gui.screens.recommend.model import PricedModel
from inspector.gui.screens.recommend.windows_page import SIDES
from inspector.gui.tuning.plot_page import PlotPage

NOTHING = "What recall costs: the settings that hold the most evidence for their tokens. Run a search."
NOTHING_FITS = "No setting that was tried leaves the reply its room."
HINT = "Point at a setting to read it; a click or Return decides by it."


class CostPage(PlotPage):
    """A plot with a point for each setting, the selected window highlighted."""

    def __init__(self) -> None:
        self.points = PointsPlot("Recall by cost")
        self._priced_model = PricedModel()
        super().__init__("recommend_cost", self.points, self._priced_model, ("Cost", NOTHING))
        self._rows: tuple[Priced, ...] = ()
        self.side = ViewSwitch(SIDES, "Show recall {}")
        self.head.insertWidget(0, self.side)
        self.points.point_pointed.connect(self._say)
        self.points.point_marked.connect(self._say)
        self.points.point_chosen.connect(self._choose)
        self.table.row_selected.connect(self._mark)
        self.table.row_activated.connect(self._choose)
        self.show_nothing(NOTHING)

    def show_found(self, found: Searched | None, place: int) -> None:
        """Show the results with the window at `place` highlighted; None for nothing."""
        self._rows = priced_in(found, place) if found is not None else ()
        self._priced_model.show_priced(self._rows)
        self.table.show_columns()
        if found is None or not self._rows:
            self.points.mark(None)
            self.show_nothing(NOTHING if found is None else NOTHING_FITS)
            return
        self.points.show_drawing(front_drawing(found.windows, place))
        self.show_filled()
        self.set_dimmed(found.is_old)
        self._say(None)

    def _say(self, point: int | None) -> None:
        point = self.points.marked if point is None else point
        sentence = self._rows[point].sentence if point is not None and point < len(self._rows) else HINT
        self.say(sentence, f"{len(self._rows):,} settings")

    def _mark(self, place: int) -> None:
        self.points.mark(place)
        self._say(place)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._rows):
            self._mark(place)
            chosen = self._rows[place]
            scenario = chosen.setting.scenario
            self.setting_chosen.emit(scenario, f"Use {scenario.policy} for {chosen.window:,} tokens")

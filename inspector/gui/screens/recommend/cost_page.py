"""Recall against tokens: the settings with the most recall for their tokens, window by window."""

import numpy as np

from inspector.gui.plots.points import Points, PointsPlot
from inspector.gui.screens.recommend.found import Found
from inspector.gui.screens.recommend.plot_page import PlotPage
from inspector.gui.screens.recommend.priced import Priced, PricedModel, names_in, priced_in

TITLE = "recall in %, by tokens a prompt"
NOTHING = "What recall costs: the settings that hold the most evidence for their tokens. Start a search."
NOTHING_FITS = "No setting that was tried leaves the reply its room."
HINT = "Point at a setting to read it; a click or Return decides by it."
_AIR, _NAMES = 0.05, 0.16
"""The room around the points, and at the right for the names of windows, as parts of the whole."""


class CostPage(PlotPage):
    """A plot with a point for each setting, the selected window highlighted."""

    def __init__(self) -> None:
        self.points = PointsPlot("Recall by cost", TITLE)
        self._priced_model = PricedModel()
        super().__init__("cost", self.points, self._priced_model, ("Cost", NOTHING))
        self._rows: tuple[Priced, ...] = ()
        self.points.point_pointed.connect(self._say)
        self.points.point_marked.connect(self._say)
        self.points.point_chosen.connect(self._choose)
        self.table.row_selected.connect(self._mark)
        self.table.row_activated.connect(self._choose)
        self.show_nothing(NOTHING)

    def show_found(self, found: Found | None, place: int) -> None:
        """Show the results with the window at `place` highlighted; None for nothing."""
        self._rows = priced_in(found, place) if found is not None else ()
        self._priced_model.show_priced(self._rows)
        self.table.show_columns()
        if found is None or not self._rows:
            self.points.mark(None)
            self.show_nothing(NOTHING if found is None else NOTHING_FITS)
            return
        across = np.array([each.tokens for each in self._rows])
        up = np.array([each.setting.recall_with_memories * 100 for each in self._rows])
        nowhere, line = np.full(len(across), np.nan), np.array([each.line for each in self._rows], np.intp)
        points = Points(across, up, nowhere, nowhere, line, names_in(found, place), steps=True)
        width, room = max(float(np.ptp(across)), 1.0), max(float(np.ptp(up)), 1.0) * 2 * _AIR
        whole = float(across.min()) - width * _AIR, float(across.max()) + width * _NAMES
        self.points.show_points(points, whole, (float(up.min()) - room, float(up.max()) + room))
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

"""Recall along a knob: a line for each policy with this knob, and the current value, to read and to set."""

import numpy as np

from inspector.analysis.recommend.tried import Bench, Tried, along
from inspector.assembly.thresholds import WINDOW
from inspector.gui.plots.axes import PlaceAxis
from inspector.gui.plots.points import Points, PointsPlot
from inspector.gui.screens.recommend.plot_page import fill_choice
from inspector.gui.screens.recommend.tried_page import TriedPage

TITLE = "recall in %"
NOTHING = "How much of what the questions need is in the prompts, value by value of a knob, under every policy with it."
HINT = "Point at a value to read it; a click or Return sets it. Whether the prompts fit the window is not asked here."
_LEFT, _RIGHT = 0.4, 0.19
"""The room before the first value, in steps, and after the last as a part of the whole, for names of policies."""
_LEAST_RANGE = 10.0
_AIR = 0.12


class KnobPage(TriedPage):
    """A plot with a point for each value and policy."""

    def __init__(self) -> None:
        self.points = PointsPlot("Recall along a knob", TITLE)
        super().__init__("knobs", self.points, ("Knobs", NOTHING))
        self._axis = PlaceAxis("bottom")
        self.points.set_bottom_axis(self._axis)
        self.knob = self.add_choice("knob", "The knob whose values are gone through")
        self.knob.currentIndexChanged.connect(lambda _: self.refresh())
        self.points.point_pointed.connect(self._say)
        self.points.point_marked.connect(self._say)
        self.points.point_chosen.connect(self._choose)
        self.table.row_selected.connect(self._mark)
        self.table.row_activated.connect(self._choose)

    def _offer(self, bench: Bench) -> bool:
        fill_choice(self.knob, [(knob.name, knob.title) for knob in bench.knobs], WINDOW)
        return True

    def _is_chosen(self, tried: Tried) -> bool:
        return tried.knobs[0].name == self.knob.currentData()

    def _wanted(self, bench: Bench) -> Tried:
        return along(bench, self.knob.currentData())

    def _draw(self, tried: Tried) -> None:
        knob, points = tried.knobs[0], points_of(tried)
        self._axis.show_texts([knob.written(value) for value in knob.values])
        seen = points.up[~np.isnan(points.up)]
        low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 100.0)
        room, last = max(_LEAST_RANGE, high - low) * _AIR, len(knob.values) - 1
        whole = -_LEFT, last + max(1.0, last * _RIGHT)
        self.points.show_points(points, whole, (low - room, high + room / 2))

    def _show_marks(self) -> None:
        if self._tried is not None and self._bench is not None:
            today = self._tried.today(self._bench)
            self.points.show_today(None if today is None else today[0])
            self._say(None)

    def _mark(self, place: int) -> None:
        self.points.mark(place)
        self._say(place)

    def _say(self, point: int | None) -> None:
        if self._tried is not None:
            point = self.points.marked if point is None else point
            self.say(HINT if point is None else self._tried.sentence(point), self._tried.standing)


def points_of(tried: Tried) -> Points:
    """Return the settings of a knob as points in percent, the line of the current policy first."""
    recall, places = tried.recall, np.array(tried.places, np.float64).reshape(-1, 2)
    means = recall.means if recall is not None else np.full(len(places), np.nan)
    ends = [(recall.interval(place) if recall is not None else None) for place in range(len(places))]
    low, high = (np.array([end[side] if end else np.nan for end in ends], np.float64) * 100 for side in (0, 1))
    return Points(places[:, 0], means * 100, low, high, places[:, 1].astype(np.intp), tried.policies)

"""Recall over one setting: a line for each policy with this knob, and the current value, to read and to set."""

from inspector.analysis.recommend.drawings import along_drawing, along_from
from inspector.analysis.recommend.tried import Bench, Tried, along
from inspector.assembly.thresholds import WINDOW
from inspector.gui.plots.points import PointsPlot
from inspector.gui.tuning.plot_page import fill_choice
from inspector.gui.tuning.tried_page import TriedPage

NOTHING = "How much of what the questions need is in the prompts, over one setting, under every policy that has it."
ROWS = 3
"""Recall, tokens and cost."""
HINT = "Point at a value to read it; a click or Return sets it. Whether the prompts fit the window is not asked here."


class OneSettingPage(TriedPage):
    """A plot with a point for each value and policy."""

    def __init__(self) -> None:
        self.points = PointsPlot("Recall over one setting", ROWS)
        super().__init__("one_setting", self.points, ("One setting", NOTHING))
        self.setting = self.add_choice("choice", "Setting", "The setting whose values are gone through")
        self.setting.currentIndexChanged.connect(lambda _: self.refresh())
        self.points.point_pointed.connect(self._say)
        self.points.point_marked.connect(self._say)
        self.points.point_chosen.connect(self._choose)
        self.table.row_selected.connect(self._mark)
        self.table.row_activated.connect(self._choose)

    def _offer(self, bench: Bench) -> bool:
        fill_choice(self.setting, [(knob.name, knob.title) for knob in bench.knobs], WINDOW)
        return True

    def _is_chosen(self, tried: Tried) -> bool:
        return tried.knobs[0].name == self.setting.currentData()

    def _wanted(self, bench: Bench) -> Tried:
        return along(bench, self.setting.currentData())

    def _draw(self, tried: Tried) -> None:
        self.points.show_drawing(along_drawing(tried, self._bench))

    def _show_marks(self) -> None:
        if self._tried is not None and self._bench is not None:
            if self.points.drawing is not None:
                self.points.show_marks(along_from(self.points.drawing, self._tried, self._bench))
            self._say(None)

    def _mark(self, place: int) -> None:
        self.points.mark(place)
        self._say(place)

    def _say(self, point: int | None) -> None:
        if self._tried is not None:
            point = self.points.marked if point is None else point
            self.say_tried(HINT if point is None else self._tried.sentence(point), self._tried)

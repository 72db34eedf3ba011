"""Recall by window, as a plot and a table: the best found, now, and by comparing alone."""

from PySide6.QtCore import Signal

from inspector.analysis.recommend.drawings import windows_drawing
from inspector.analysis.recommend.searched import Searched
from inspector.figures import counted, percentage
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.plots.points import PointsPlot
from inspector.gui.screens.recommend.model import AdviceModel
from inspector.gui.tuning.plot_page import PlotPage

SIDES = ("By window", "By cost")
ONE = "+ adds more"
NOTHING = "How recall grows with the window: the best that was found, now, and by comparing alone."


class WindowsPage(PlotPage):
    """A line for each of the three. `window_chosen(place)` carries the window of a chosen point or row."""

    window_chosen = Signal(int)

    def __init__(self) -> None:
        self.points = PointsPlot("Recall by window")
        self._advice_model = AdviceModel()
        super().__init__("recommend_windows_page", self.points, self._advice_model, ("Recall by window", NOTHING))
        self._found: Searched | None = None
        self._place = 0
        self.side = ViewSwitch(SIDES, "Show recall {}")
        self.head.insertWidget(0, self.side)
        self.points.point_pointed.connect(self._say)
        self.points.point_marked.connect(self._say)
        self.points.point_chosen.connect(lambda point: self.window_chosen.emit(self._window_of(point)))
        self.table.row_selected.connect(self.window_chosen)
        self.show_nothing(NOTHING)

    def show_found(self, found: Searched | None, place: int) -> None:
        """Show the windows, that at `place` marked; None for nothing."""
        self._found, self._place = found, place
        self._advice_model.show_found(found)
        self.table.show_columns()
        if found is None:
            self.show_nothing(NOTHING)
            return
        self.points.show_drawing(windows_drawing(found.windows, place))
        self.show_filled()
        self.set_dimmed(found.is_old)
        self._say(None)

    def _window_of(self, point: int) -> int:
        """Return the place of the window of a point: points are by size, windows as the user named them."""
        points, found = self.points.points, self._found
        if points is None or found is None:
            return 0
        order = sorted(range(len(found.windows)), key=lambda number: found.windows[number].context_window)
        return order[round(float(points.across[point]))]

    def _say(self, point: int | None) -> None:
        found = self._found
        if found is None:
            return
        point = self.points.marked if point is None else point
        advice = found.windows[self._place if point is None else self._window_of(point)]
        best, now = percentage(advice.best.recall_with_memories), percentage(advice.current.recall_with_memories)
        most = "" if advice.ceiling is None else f", by comparing alone {percentage(advice.ceiling.found)}"
        self.say(
            f"{advice.context_window:,} tokens: best found {best}, now {now}{most}",
            ONE if len(found.windows) == 1 else counted(len(found.windows), "window"),
        )

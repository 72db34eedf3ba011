"""A page of settings tried around the current one, requested while visible."""

from PySide6.QtCore import Signal

from inspector.analysis.recommend.tried import Bench, Tried
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.recommend.model import TriedModel
from inspector.gui.screens.recommend.plot_page import PlotPage

ASKING = "Asking the questions under every value …"


class TriedPage(PlotPage):
    """A plot of tried settings. `requested(tried)` asks for the recall of settings, still without results."""

    requested = Signal(object)

    def __init__(self, name: str, plot: Plot, empty: tuple[str, str]) -> None:
        self._tried_model = TriedModel()
        super().__init__(name, plot, self._tried_model, empty)
        self._bench: Bench | None = None
        self._tried: Tried | None = None
        self._empty_words = empty[1]
        self.show_nothing(self._empty_words)

    def show_bench(self, bench: Bench | None, trouble: str = "") -> None:
        """Set the settings to try; None if there are none, because of `trouble`."""
        self._bench = bench
        if bench is None:
            self.show_nothing(trouble or self._empty_words)
        elif self._offer(bench):
            if self._tried is None or not self._is_chosen(self._tried) or not self._tried.is_about(bench.setting):
                self.refresh()
            self._show_marks()

    def show_tried(self, tried: Tried) -> None:
        """Show the results so far."""
        self._tried = tried
        self._draw(tried)
        if self._tried_model.show_tried(tried):
            self.table.take_columns()
        self.table.show_columns()
        self._show_marks()
        self.show_filled()

    def forget(self) -> None:
        """Forget the results: the questions or conversations have changed."""
        self._tried = None
        self._tried_model.show_tried(None)
        self.refresh()

    def end(self, trouble: str) -> None:
        """End the request; `trouble` is the reason for missing results."""
        if trouble:
            self.show_nothing(trouble)

    def _ask(self) -> None:
        if self._bench is None:
            return
        if self._tried is None:
            self.show_nothing(ASKING)
        self.state.say("asking …")
        self.requested.emit(self._wanted(self._bench))

    def _choose(self, place: int) -> None:
        """Use a tried setting."""
        tried = self._tried
        if tried is not None and 0 <= place < len(tried.settings):
            self._mark(place)
            self.setting_chosen.emit(tried.settings[place], tried.words(place))

    # Overridden by each page

    def _offer(self, bench: Bench) -> bool:
        """Offer the knobs; return False if there are too few."""
        raise AssertionError("every page offers knobs")

    def _is_chosen(self, tried: Tried) -> bool:
        """Return whether these settings are along the chosen knobs."""
        raise AssertionError("every page knows its knobs")

    def _wanted(self, bench: Bench) -> Tried:
        """Return the settings to try."""
        raise AssertionError("every page tries settings")

    def _draw(self, tried: Tried) -> None:
        """Draw the results so far."""

    def _show_marks(self) -> None:
        """Mark the current setting, and show the words of the place pointed at."""

    def _mark(self, place: int) -> None:
        """Mark a setting."""

"""A page of settings tried around the current one, requested while visible."""

from typing import Generic, TypeVar

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.basis import Share
from inspector.analysis.recommend.tried import Bench, Tried, tried_columns
from inspector.gui.parts.word_chip import WordChip
from inspector.gui.plots.plot import Plot
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import UNIT
from inspector.gui.tuning.gate import Gate
from inspector.gui.tuning.plot_page import PlotPage

ASKING = "Asking the questions under every value …"
OUTDATED = "For other settings · Run again"


class TriedModel(ArrayTableModel[Tried]):
    """A row for each tried setting, with a column for each varied setting."""

    def __init__(self) -> None:
        super().__init__(tried_columns(None))

    def show_tried(self, tried: Tried | None) -> bool:
        """Show these settings; None for nothing. Returns whether the columns are others than before."""
        columns = tried_columns(tried)
        ids = tuple(map(str, range(len(tried.settings)))) if tried else ()
        rows, known = np.arange(len(ids)), self.ids if ids == self.ids else ids
        is_other = [column.key for column in columns] != list(self.sections)
        if is_other:
            self.show_under(columns, tried, rows, known)
        else:
            self.show(tried, rows, known)
        return is_other


class TriedPage(PlotPage):
    """A plot of tried settings. `requested(tried)` asks for the recall of settings, still without results.

    The first results are requested as soon as the page is seen. Under another setting they stay, as those for other
    settings, until the user asks again.
    """

    requested = Signal(object)

    def __init__(self, name: str, plot: Plot, empty: tuple[str, str]) -> None:
        self._tried_model = TriedModel()
        super().__init__(name, plot, self._tried_model, empty)
        self._bench: Bench | None = None
        self._tried: Tried | None = None
        self._empty_words = empty[1]
        self.again = WordChip(f"{name}_again", acts=True)
        self.again.say(OUTDATED, "warning", "The settings in use have changed: ask every question again")
        self.again.setVisible(False)
        self.again.pressed.connect(self.ask_again)
        self.head.insertWidget(self.head.indexOf(self.state) + 1, self.again)
        self.plot.setContentsMargins(2 * UNIT, 0, 2 * UNIT, 0)
        self.show_nothing(self._empty_words)

    def show_bench(self, bench: Bench | None, trouble: str = "") -> None:
        """Set the settings to try; None if there are none, because of `trouble`."""
        self._bench = bench
        if bench is None:
            self.show_nothing(trouble or self._empty_words)
        elif self._offer(bench):
            if self._tried is None or not self._is_chosen(self._tried):
                self.refresh()
            elif self._is_of_now:
                self.show_filled()
            else:
                self._show_outdated()
            self._show_marks()

    def show_tried(self, tried: Tried) -> None:
        """Show the results so far."""
        self._tried = tried
        self._draw(tried)
        if self._tried_model.show_tried(tried):
            self.table.take_columns()
        self.table.show_columns()
        self._show_marks()
        if self._is_of_now:
            self.show_filled()
        else:
            self._show_outdated()

    def show_share(self, share: Share) -> None:
        """Show how many questions were asked, while there are no results."""
        if self._tried is None:
            self.show_nothing(f"{ASKING} {share.done:,.0f} of {share.of:,.0f}")

    def show_filled(self) -> None:
        """Show plot and table with current figures."""
        super().show_filled()
        self.again.setVisible(False)

    def ask_again(self) -> None:
        """Ask for what is chosen now."""
        self.again.setVisible(False)
        self.refresh()
        self._ask_in_sight()

    def forget(self) -> None:
        """Forget the results: the questions or conversations have changed."""
        self._tried = None
        self._tried_model.show_tried(None)
        self.again.setVisible(False)
        self.refresh()

    def end(self, trouble: str) -> None:
        """End the request; `trouble` is the reason for missing results."""
        if trouble:
            self.show_nothing(trouble)

    @property
    def _is_of_now(self) -> bool:
        """Whether the results belong to the policy in use, and include or surround its setting."""
        tried, bench = self._tried, self._bench
        if tried is None or bench is None:
            return False
        return tried.base.policy == bench.setting.policy and tried.is_about(bench.setting)

    def say_tried(self, line: str, tried: Tried) -> None:
        """Show the words of the place pointed at, and how many questions are behind the results."""
        self.say(line, tried.standing, tried.standing_in_short)

    def _show_outdated(self) -> None:
        """Show the results as those for other settings."""
        super().show_filled()
        self.set_dimmed(True)
        self.again.setVisible(True)

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
        """Offer what can be varied; return False if there is too little."""
        raise AssertionError("every page offers settings")

    def _is_chosen(self, tried: Tried) -> bool:
        """Return whether these settings vary what is chosen."""
        raise AssertionError("every page knows what it varies")

    def _wanted(self, bench: Bench) -> Tried:
        """Return the settings to try."""
        raise AssertionError("every page tries settings")

    def _draw(self, tried: Tried) -> None:
        """Draw the results so far."""

    def _show_marks(self) -> None:
        """Mark the current setting, and show the words of the place pointed at."""

    def _mark(self, place: int) -> None:
        """Mark a setting."""


Page = TypeVar("Page", bound=TriedPage, covariant=True)


class TriedView(Gate, Generic[Page]):
    """The page, or why there is none."""

    def __init__(self, page: Page, purpose: str, parent: QWidget | None = None) -> None:
        super().__init__(page, purpose, parent)
        self.page = page

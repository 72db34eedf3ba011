"""Recall for every pair of values of two knobs, as shades, with the current setting marked."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from inspector.analysis.recommend.drawings import crossed_drawing, crossed_from
from inspector.analysis.recommend.tried import Bench, Tried, crossed
from inspector.assembly.thresholds import WINDOW
from inspector.drawings.drawing import Cell
from inspector.gui.plots.heat import HeatPlot, ShadeScale
from inspector.gui.tuning.plot_page import fill_choice
from inspector.gui.tuning.tried_page import TriedPage

NOTHING = "How much of what the questions need is in the prompts, for every pair of values of two settings."
TOO_FEW = "The policy has no second setting: choose another policy."


class TwoSettingsPage(TriedPage):
    """A plot with a cell for each pair of values."""

    def __init__(self) -> None:
        self.heat = HeatPlot("Recall by two settings")
        super().__init__("two_settings", self.heat, ("Two settings", NOTHING))
        self._cells: dict[Cell, int] = {}
        self.across = self.add_choice("across", "Across", "The setting across")
        self.up = self.add_choice("up", "Up", "The setting up")
        self.heat.legend = self.scale = ShadeScale()
        self.add_to_head(self.scale)
        self.across.currentIndexChanged.connect(lambda _: self._take_choice(self.up))
        self.up.currentIndexChanged.connect(lambda _: self._take_choice(self.across))
        self.heat.cell_pointed.connect(self._say)
        self.heat.cell_marked.connect(self._say)
        self.heat.cell_chosen.connect(lambda cell: self._choose(self._cells.get(cell, -1)))
        self.table.row_selected.connect(self._mark)
        self.table.row_activated.connect(self._choose)

    def _offer(self, bench: Bench) -> bool:
        entries = [(knob.name, knob.title) for knob in bench.coarse]
        if len(entries) < 2:
            self._tried = None
            self.show_nothing(TOO_FEW)
            return False
        fill_choice(self.across, entries, WINDOW)
        fill_choice(self.up, entries, next(name for name, _ in entries if name != self.across.currentData()))
        return True

    def _is_chosen(self, tried: Tried) -> bool:
        return [knob.name for knob in tried.knobs] == [self.across.currentData(), self.up.currentData()]

    def _wanted(self, bench: Bench) -> Tried:
        return crossed(bench, self.across.currentData(), self.up.currentData())

    def _draw(self, tried: Tried) -> None:
        self._cells = {cell: place for place, cell in enumerate(tried.places)}
        self.heat.show_drawing(crossed_drawing(tried, self._bench))
        if self.heat.cells is not None:
            self.scale.show_words(self.heat.cells.least, self.heat.cells.most)

    def _take_choice(self, other: QComboBox) -> None:
        """Take another setting; an axis that has it takes the earlier or the first free setting."""
        if self.across.currentData() == self.up.currentData():
            before = [knob.name for knob in self._tried.knobs] if self._tried else []
            offered = [other.itemData(place) for place in range(other.count())]
            free = (name for name in [*before, *offered] if name in offered and name != other.currentData())
            with QSignalBlocker(other):
                other.setCurrentIndex(other.findData(next(free)))
        self.refresh()

    def _show_marks(self) -> None:
        if self._tried is None or self._bench is None:
            return
        if self.heat.drawing is not None:
            self.heat.show_drawing(crossed_from(self.heat.drawing, self._tried, self._bench))
        self._say(None)

    def _mark(self, place: int) -> None:
        if self._tried is not None and 0 <= place < len(self._tried.places):
            self.heat.mark(self._tried.places[place])
            self._say(None)

    def _say(self, cell: Cell | None) -> None:
        tried = self._tried
        if tried is None:
            return
        cell = self.heat.marked if cell is None else cell
        place = None if cell is None else self._cells.get(cell)
        best = tried.best_sentence(self._bench, ", in the ring") if self._bench is not None else ""
        here = "" if cell is None else "The shares leave no room for that." if place is None else tried.sentence(place)
        self.say_tried("  ·  ".join(filter(None, [here, best])), tried)

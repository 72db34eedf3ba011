"""The learning curve as a plot: the quality of settings chosen by so many questions, on conversations without them."""

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from inspector.analysis.recommend.learning import LearningPoint
from inspector.figures import counted, percentage
from inspector.gui.plots.plot import Plot
from inspector.gui.theme import UNIT, theme

TITLE = "recall in %, by the number of questions"
_ROOM = 2.0
"""The least points of recall shown above and below the curve."""
_DOT = 7


class LearningPlot(Plot):
    """A line with a dot for each number of questions. The same figures are beside it as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Learning curve", parent)
        self.setObjectName("recommend_curve")
        self.setMinimumSize(QSize(50 * UNIT, 12 * UNIT))
        self._row = self.add_row(1, TITLE)
        self._line = pg.PlotDataItem()
        self._row.addItem(self._line)
        self.restyled.connect(self._take_colors)
        self._take_colors()

    def show_curve(self, curve: Sequence[LearningPoint]) -> None:
        """Show these points, at least one."""
        sizes, recall = [each.probes for each in curve], [each.recall * 100 for each in curve]
        self._line.setData(sizes, recall)
        self.set_whole((0.0, max(sizes) * 1.05))
        room = max(_ROOM, (max(recall) - min(recall)) / 2)
        self._row.getViewBox().setYRange(max(0.0, min(recall) - room), min(100.0, max(recall) + 2 * room), padding=0)
        words = (f"{counted(each.probes, 'question')} {percentage(each.recall)}" for each in curve)
        self.setAccessibleDescription("Recall on conversations left out, by what chose: " + ", ".join(words))

    def _take_colors(self) -> None:
        ink = theme().accent
        self._line.setPen(pg.mkPen(ink, width=2))
        self._line.setSymbol("o")
        self._line.setSymbolSize(_DOT)
        self._line.setSymbolBrush(ink)
        self._line.setSymbolPen(ink)

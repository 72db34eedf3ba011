"""The learning curve as a plot: the quality of settings chosen by so many questions, on conversations without them."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from inspector.analysis.recommend.drawings import learning_drawing
from inspector.analysis.recommend.learning import LearningPoint
from inspector.figures import counted, percentage
from inspector.gui.plots.plot import Plot
from inspector.gui.theme import UNIT


class LearningPlot(Plot):
    """A line with a dot for each number of questions. The same figures are beside it as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Learning curve", parent=parent)
        self.setObjectName("recommend_curve")
        self.setMinimumSize(QSize(50 * UNIT, 12 * UNIT))

    def show_curve(self, curve: Sequence[LearningPoint]) -> None:
        """Show these points, at least one."""
        self.show_drawing(learning_drawing(curve))
        words = (f"{counted(each.probes, 'question')} {percentage(each.recall)}" for each in curve)
        self.setAccessibleDescription("Recall on conversations left out, by what chose: " + ", ".join(words))

"""The details of a line of the table: sentences, differences, the gain in each conversation, the learning curve."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from inspector.analysis.recommend.drawings import learning_drawing
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.sentences import advice_sentences
from inspector.figures import counted, percentage
from inspector.gui.parts.page import PageView, beside, heading, paragraph, plain, strong, table
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.recommend.model import GainsModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT, theme

NOTHING_LEFT_OUT = "Nothing could be left out, so no gain is known."


class Details(QSplitter):
    """Sentences and differences at the left, gains beside them, the curve, if there is one, at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self._shown: tuple[Searched, int] | None = None
        self.page = PageView()
        self.page.setObjectName("recommend_page")
        self.page.setAccessibleName("What is recommended for the selected window")
        self._model = GainsModel(self)
        self.gains = ArrayTableView(self._model)
        self.gains.setObjectName("recommend_gains")
        self.gains.setAccessibleName("What each conversation gains where it is left out")
        self.gains.setSortingEnabled(True)
        self.gains.horizontalHeader().setSortIndicatorClearable(True)
        self.gains.sort_by("")
        self.gains.set_empty_text(NOTHING_LEFT_OUT)
        self.curve: LearningPlot | None = None
        self.addWidget(self.page)
        self.addWidget(self.gains)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)

    def show_window(self, found: Searched | None, place: int) -> None:
        """Show the recommendation for a window."""
        self._shown = (found, place) if found is not None else None
        self._write()
        self._model.show_advice(found.windows[place] if found else None)
        self._show_curve(found)

    def set_dimmed(self, dimmed: bool) -> None:
        """Dim the table while its figures are outdated."""
        self.gains.set_dimmed(dimmed)

    def changeEvent(self, event: QEvent) -> None:
        """Another theme has other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page"):
            self._write()

    def _write(self) -> None:
        self.page.show_page(details_page(*self._shown) if self._shown else "")

    def _show_curve(self, found: Searched | None) -> None:
        points = found.recommendation.learning if found else ()
        is_curve = len(points) > 1
        if is_curve and self.curve is None:
            self.curve = LearningPlot()
            self.addWidget(self.curve)
            self.setStretchFactor(2, 2)
            self.setSizes([part * self.width() // 10 for part in (4, 3, 3)])
        if self.curve is not None:
            self.curve.setVisible(is_curve)
            if is_curve:
                self.curve.show_curve(points)


def details_page(found: Searched, place: int) -> str:
    """Return the HTML of the details of a window."""
    advice = found.windows[place]
    first, *rest = advice_sentences(found, place)
    said = paragraph(f"{advice.context_window:,} tokens. {first}", size="large") + "".join(map(paragraph, rest))
    notes = "".join(paragraph(note, theme().muted_text) for note in found.recommendation.notes)
    tables = beside(_differences(found, place), _learning(found))
    return said + tables + notes


def _differences(found: Searched, place: int) -> str:
    """Return the differences of the best setting; the causes of the gain are bold."""
    binds, best = found.windows[place].binds, found.windows[place].best.scenario
    rows: list[tuple[str, ...]] = [
        (
            (strong if each.name in binds else plain)(each.name.replace("_", " ")),
            plain(found.value_text(best, each.name, each.before)),
            plain(f"→ {found.value_text(best, each.name, each.after)}"),
        )
        for each in found.differences[place]
    ]
    if not rows:
        return ""
    is_advised = found.windows[place].changes
    return heading("What differs, now → then" if is_advised else "What the best found does otherwise") + table(rows)


def _learning(found: Searched) -> str:
    points = found.recommendation.learning
    rows = [(plain(counted(each.probes, "question")), plain(percentage(each.recall))) for each in points]
    return heading("Learning curve") + table(rows) if rows else ""


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

"""The details of a setting, floating over the page: sentences, differences, gains, and the learning curve."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from inspector.analysis.recommend.drawings import learning_drawing
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.policy_rows import PolicyRow, answer_sentences
from inspector.analysis.recommend.sentences import window_sentences
from inspector.figures import counted, percentage
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.labels import heading as heading_label
from inspector.gui.parts.page import PageView, heading, paragraph, plain, strong, table
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.recommend.model import GainsModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT, scaled, theme

NOTHING_LEFT_OUT = "Nothing could be left out, so no gain is known."
WIDTH, _HEAD = 440, 40


class Details(QFrame):
    """Sentences and differences on top, gains below, then the curve, if there is one. `closed` follows Escape and the
    button.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recommend_details")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._row: PolicyRow | None = None
        self.title = heading_label("")
        self.close_button = IconButton("x", "Close the details (Escape)")
        self.close_button.setFixedSize(scaled(24), scaled(24))
        self.close_button.clicked.connect(lambda _checked=False: self.leave())
        self.page = PageView()
        self.page.setObjectName("recommend_page")
        self.page.setAccessibleName("The selected setting in full")
        self.page.setFrameShape(QFrame.Shape.NoFrame)
        self._model = GainsModel(self)
        self.gains = ArrayTableView(self._model)
        self.gains.setObjectName("recommend_gains")
        self.gains.setAccessibleName("What each conversation gains where it is left out")
        self.gains.setFrameShape(QFrame.Shape.NoFrame)
        self.gains.setSortingEnabled(True)
        self.gains.horizontalHeader().setSortIndicatorClearable(True)
        self.gains.sort_by("")
        self.gains.set_empty_text(NOTHING_LEFT_OUT)
        self.curve: LearningPlot | None = None
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.page)
        self._split.addWidget(self.gains)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._lay_out()
        self.hide()

    def show_row(self, row: PolicyRow | None) -> None:
        """Show a setting."""
        self._row = row
        self.title.setText("" if row is None else f"{row.title}, {row.window.context_window:,} tokens")
        self._write()
        self._model.show_advice(row.advice if row is not None else None)
        self._show_curve(row.found.recommendation.learning if row is not None else ())

    def set_dimmed(self, dimmed: bool) -> None:
        """Dim the table while its figures are outdated."""
        self.gains.set_dimmed(dimmed)

    def leave(self) -> None:
        """Close."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Another theme has other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page"):
            self._write()

    def _write(self) -> None:
        self.page.show_page(details_page(self._row) if self._row is not None else "")

    def _show_curve(self, points: Sequence[LearningPoint]) -> None:
        is_curve = len(points) > 1
        if is_curve and self.curve is None:
            self.curve = LearningPlot()
            self._split.addWidget(self.curve)
            self._split.setStretchFactor(2, 1)
        if self.curve is not None:
            self.curve.setVisible(is_curve)
            if is_curve:
                self.curve.show_curve(points)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(0)
        inside.addLayout(head)
        inside.addWidget(self._split, 1)


def details_page(row: PolicyRow) -> str:
    """Return the HTML of the details of a setting."""
    first, *rest = [*answer_sentences(row), *window_sentences(row.found, row.place)]
    said = paragraph(f"{first}.", theme().second_text) + "".join(map(paragraph, rest))
    notes = "".join(paragraph(note, theme().muted_text) for note in row.found.recommendation.notes)
    return said + _differences(row) + _learning(row) + notes


def _differences(row: PolicyRow) -> str:
    """Return the differences of a setting from the current one; the causes of the gain are bold."""
    found, binds, setting = row.found, row.window.binds, row.setting
    rows: list[tuple[str, ...]] = [
        (
            (strong if each.name in binds else plain)(found.label(setting, each.name)),
            plain(found.value_text(setting, each.name, each.before)),
            plain(f"→ {found.value_text(setting, each.name, each.after)}"),
        )
        for each in found.of_policies[row.place][row.number]
    ]
    return heading("What differs, now → then") + table(rows) if rows else ""


def _learning(row: PolicyRow) -> str:
    points = row.found.recommendation.learning
    rows = [(plain(counted(each.probes, "question")), plain(percentage(each.recall))) for each in points]
    return heading("Recall elsewhere, by how many questions chose") + table(rows) if rows else ""


class LearningPlot(Plot):
    """A line with a dot for each number of questions. The same figures are beside it as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Learning curve", parent=parent)
        self.setObjectName("recommend_curve")
        self.setMinimumSize(QSize(50 * UNIT, 25 * UNIT))

    def show_curve(self, curve: Sequence[LearningPoint]) -> None:
        """Show these points, at least one."""
        self.show_drawing(learning_drawing(curve))
        words = (f"{counted(each.probes, 'question')} {percentage(each.recall)}" for each in curve)
        self.setAccessibleDescription("Recall on conversations left out, by what chose: " + ", ".join(words))

"""A page with a plot and a table of the same figures, its choices, and its export."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.choice_box import choice_box
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import one_line
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.plots.exporting import export_button
from inspector.gui.plots.plot import Plot
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT

_LEAST_HEIGHT = 30 * UNIT
_BOX_DIGITS = 14
PLOT, TABLE = range(2)
"""The two pictures of the same figures."""


class PlotPage(AskingView):
    """A plot and its table. `setting_chosen(scenario, words)` is emitted by a click or Return on a setting.

    `export_requested` asks for the plot as a file. Results are requested while the page is visible; until they come,
    the earlier ones are dimmed.
    """

    setting_chosen = Signal(object, str)
    export_requested = Signal()

    def __init__(
        self, name: str, plot: Plot, model: ArrayTableModel, empty: tuple[str, str], table: ArrayTableView | None = None
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.name, self.plot, self.model = name, plot, model
        model.setParent(self)
        plot.setObjectName(f"{name}_plot")
        plot.setMinimumHeight(_LEAST_HEIGHT)
        self.table = table or ArrayTableView(model)
        self.table.setObjectName(f"{name}_table")
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setAccessibleName(f"{plot.accessibleName()}, as a table")
        self.table.setSortingEnabled(True)
        self.table.horizontalHeader().setSortIndicatorClearable(True)
        self.table.sort_by("")
        self.switch = ViewSwitch(("Plot", "Table"), f"Show {plot.accessibleName().lower()} as a {{}}")
        self.switch.chosen.connect(lambda number: self._pictures.setCurrentIndex(number))
        self.export_button = export_button(f"{name}_export", self.export_requested.emit)
        self.state, self.line = ElidedLabel(), ElidedLabel()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.state.setAccessibleName("What is known by now")
        self.line.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.line.setAccessibleName("What is pointed at")
        self._nothing = EmptyState(*empty)
        self.head = WrappingRow()
        self._lay_out()

    def show_nothing(self, why: str) -> None:
        """Show why there is nothing to see."""
        self._stale = False
        self._nothing.set_sentence(why)
        self._pages.setCurrentWidget(self._nothing)

    def show_filled(self) -> None:
        """Show plot and table with current figures."""
        self._stale = False
        self._pages.setCurrentWidget(self._filled)
        self.set_dimmed(False)

    def say(self, line: str, state: str = "", *shorter: str) -> None:
        """Show the words of the place pointed at, and the state of the results ("": unchanged), where there is no room
        in the `shorter` words.
        """
        self.line.say(one_line(line))
        self.plot.setAccessibleDescription(one_line(line))
        if state:
            self.state.say(state, *shorter)

    def set_dimmed(self, dimmed: bool) -> None:
        """Dim outdated figures in plot, table and words, or restore them."""
        self.table.set_dimmed(dimmed)
        self.plot.set_dimmed(dimmed)
        self.line.setDisabled(dimmed)

    def add_choice(self, name: str, title: str, words: str) -> QComboBox:
        """Return a new choice in the head behind its title, still without entries."""
        box = choice_box(f"{self.name}_{name}", words, _BOX_DIGITS)
        WheelGuard(box).guard(box)  # the wheel scrolls the page
        caption = PlainLabel(title)
        caption.setBuddy(box)
        self.add_to_head(caption)
        self.add_to_head(box)
        return box

    def add_to_head(self, widget: QWidget) -> None:
        """Append a widget to those in the head."""
        self.head.insertWidget(self.head.indexOf(self.state), widget)

    def _dim(self) -> None:
        self.set_dimmed(True)

    def _lay_out(self) -> None:
        self.head.setContentsMargins(4 * UNIT, 2 * UNIT, 4 * UNIT, 2 * UNIT)
        self.head.addWidget(self.state)
        self.head.addWidget(self.switch)
        self.head.addWidget(self.export_button)
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._pictures = Pages(holder)
        self._pictures.addWidget(self.plot)
        self._pictures.addWidget(self.table)
        self._filled = QWidget()
        self.foot = QHBoxLayout()
        self.foot.setContentsMargins(4 * UNIT, UNIT, 4 * UNIT, 2 * UNIT)
        self.foot.addWidget(self.line)
        inside = QVBoxLayout(self._filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(self.head)
        inside.addWidget(holder, 1)
        inside.addLayout(self.foot)
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)


def fill_choice(box: QComboBox, entries: Sequence[tuple[str, str]], wanted: str) -> None:
    """Offer these names with their words; the choice is kept if still offered, otherwise it becomes `wanted`."""
    held = [(box.itemData(place), box.itemText(place)) for place in range(box.count())]
    shown = [(name, one_line(words)) for name, words in entries]
    if held == shown:
        return
    names = [name for name, _ in shown]
    chosen = box.currentData() if box.currentData() in names else wanted
    box.blockSignals(True)
    box.clear()
    for name, words in shown:
        box.addItem(words, name)
    box.setCurrentIndex(box.findData(chosen))
    box.blockSignals(False)

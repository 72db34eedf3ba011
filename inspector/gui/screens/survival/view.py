"""The survival of items: a heat map over the values of a slider, or a table of each item's stretches."""

from collections.abc import Sequence
from enum import Enum

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector.analysis.sliders import Slider
from inspector.analysis.survival.ask import Survived
from inspector.analysis.survival.tables import words_of, written
from inspector.assembly.columns import Rows
from inspector.assembly.shares import sum_text
from inspector.assembly.thresholds import WINDOW
from inspector.figures import counted
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.choice_box import choice_box
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.number_field import WheelGuard
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import excerpt, one_line
from inspector.gui.parts.wrapping_row import WrappingPane, WrappingRow
from inspector.gui.plots.exporting import export_button
from inspector.gui.plots.legend import Legend, entries_of
from inspector.gui.plots.plot import WHOLE
from inspector.gui.screens.survival.model import (
    Order,
    Shown,
    SurvivalModel,
    drawing_at,
    drawing_of,
    item_sentence,
    losses_sentence,
    nearest_flip,
    rows_of,
)
from inspector.gui.screens.survival.plot import SurvivalPlot
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, UNIT

NOTHING_OPEN = (
    "Under which values of a slider each item is in the prompt, all of them at once. Open a saved chat to see it."
)
LOOKING = "Looking at every value of the slider …"
LOCKED = "{} is locked and does not move"
OTHER_SUM = "100 % here"
NO_ITEM = "Point at an item, or select one, to read under which values it is in the prompt."
NONE_SHOWN = {
    Shown.ALL: "There are no items.",
    Shown.MOVING: "No item changes under any value.",
    Shown.LOST: "No item is lost with more of it.",
}
MAP, TABLE = range(2)
_LEAST_LENGTH = 14  # letters; in a narrow panel the legend beside needs its room


class SurvivalView(AskingView):
    """The heat map or table of a survival. The view computes nothing.

    `requested(slider)` asks for the survival of a slider, `value_chosen(value, gesture)` to set its value, as a part of
    a gesture ("": by a click or a key), and `row_selected(row)` carries an item.
    """

    requested = Signal(object)
    value_chosen = Signal(object, str)
    row_selected = Signal(int)
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("survival_view")
        self.survived: Survived | None = None
        self.items: Rows = np.zeros(0, np.intp)
        self._choices: list[Slider] = []
        self._row: int | None = None
        self._pointed: tuple[int | None, int | None] = (None, None)
        self._today = 0.0
        self._cursor: int | None = None
        self._make_controls()
        self._make_pictures()
        self._lay_out()
        self.show_nothing(NOTHING_OPEN)

    # What is shown

    def set_sliders(self, choices: Sequence[Slider]) -> None:
        """Offer these sliders; the choice is kept if still offered, otherwise it becomes the window."""
        if list(choices) == self._choices:
            return
        chosen, self._choices = self.chosen, list(choices)
        names = [slider.name for slider in choices]
        wanted = WINDOW if chosen is None or chosen.name not in names else chosen.name
        with QSignalBlocker(self.slider):
            self.slider.clear()
            for slider in choices:
                self.slider.addItem(one_line(slider.title), slider.name)
            self.slider.setCurrentIndex(self.slider.findData(wanted))

    @property
    def chosen(self) -> Slider | None:
        """The slider of the map."""
        return next((slider for slider in self._choices if slider.name == self.slider.currentData()), None)

    def show_nothing(self, why: str) -> None:
        """Show why there is nothing to see."""
        self.survived, self._stale = None, False
        self.plot.show_nothing()
        self._model.show_survived(None, np.empty(0, np.intp))
        self._nothing.set_sentence(why)
        self._pages.setCurrentWidget(self._nothing)

    def show_survived(self, survived: Survived) -> None:
        """Show the results."""
        if self.survived is None or self.survived.slider != survived.slider:
            self._pointed = None, None
        self.survived, self._stale, self._cursor = survived, False, None
        self._pages.setCurrentWidget(self._filled)
        self._set_dimmed(False)
        self._show_items()
        self.losses.say(losses_sentence(survived))

    def end(self, trouble: str) -> None:
        """End the request: all is shown, or `trouble` is the reason why not."""
        self.state.say(trouble or self._what_is_shown())
        if trouble:
            self.show_nothing(trouble)

    def show_today(self, value: float) -> None:
        """Mark the current value of the slider."""
        self._today = value
        self._mark()

    def show_row(self, row: int | None) -> None:
        """Mark the item selected anywhere."""
        self._row = row
        self.plot.show_item(row)
        position = None if row is None else self._model.position(row)
        if position is None:
            self.table.select_nothing()
        elif self.table.current_row != row:
            with QSignalBlocker(self.table):
                self.table.select_row(row or 0)
        self._say_line()

    # Inside

    def _ask(self) -> None:
        self.state.say("looking at every value")
        if self.survived is None:
            self._nothing.set_sentence(LOOKING)
        self.requested.emit(self.chosen)

    def _dim(self) -> None:
        self._set_dimmed(self.survived is not None)

    def _set_dimmed(self, dimmed: bool) -> None:
        self.table.set_dimmed(dimmed)
        self.plot.set_dimmed(dimmed)

    def _show_items(self) -> None:
        if self.survived is None:
            return
        shown: Shown = self.shown.currentData()
        self.items = rows_of(self.survived, self.order.currentData(), shown)
        drawing = drawing_of(self.survived, self.items, self._today)
        self.plot.show_survived(self.survived, self.items, drawing)
        self.legend.show_entries(entries_of(drawing.legend))
        self._model.show_survived(self.survived, self.items)
        self.table.set_empty_text(NONE_SHOWN[shown])
        self.table.show_columns()
        self.state.say(self._what_is_shown())
        self._mark()
        self.show_row(self._row)

    def _what_is_shown(self) -> str:
        if self.survived is None:
            return ""
        found = self.survived.found
        ends = f"{written(self.survived, found.first)} to {written(self.survived, found.last)}"
        rough = [] if found.is_exact else ["not every value was looked at"]
        held = [LOCKED.format(self.survived.slider.title)] if self.survived.is_held else []
        total = sum_text(self.survived.shares_today, OTHER_SUM)
        said = (*held, total and f"shares: {total}", counted(len(self.items), "item"), ends, *rough)
        return "  ·  ".join(filter(None, said))

    @property
    def _is_of_before(self) -> bool:
        """Whether the map is still of the slider chosen before."""
        return self.survived is not None and self.chosen is not None and self.chosen.name != self.survived.slider.name

    def _mark(self) -> None:
        if self.survived is not None and not self._is_of_before:
            if self.plot.drawing is not None:
                self.plot.show_marks(drawing_at(self.plot.drawing, self.survived, self._today))
            self.plot.show_cursor(self._cursor)
        self._say_line()

    def _point(self, row: int | None, number: int | None) -> None:
        self._pointed = row, number
        self._say_line()

    def _say_line(self) -> None:
        if self.survived is None or self._is_of_before:
            return
        row = self._row if self._pointed[0] is None else self._pointed[0]
        number = self._cursor if self._pointed[1] is None else self._pointed[1]
        today = f"now {written(self.survived, self.survived.found.axis.number(self._today))}"
        parts = [today if number is None else f"at {written(self.survived, number)}, {today}"]
        if row is None or row >= len(self.survived.found):
            parts.append(NO_ITEM if len(self.items) else NONE_SHOWN[self.shown.currentData()])
        else:
            here = [] if number is None else [words_of(int(self.survived.found.at(number)[row]))]
            parts += [*here, item_sentence(self.survived, row)]
        line = "  ·  ".join(parts)
        self.line.say(line)
        self.plot.setAccessibleDescription(excerpt(f"{line}. {losses_sentence(self.survived)}"))

    def _choose(self, row: int, number: int) -> None:
        """Select the item and set the value at a click."""
        self.row_selected.emit(row)
        self._set(number)

    def _set(self, number: int | None, gesture: str = "") -> None:
        if self.survived is not None and number is not None and not self._stale and not self.survived.is_held:
            self._cursor = None
            self.value_chosen.emit(self.survived.found.axis.value(number), gesture)

    def _step(self, steps: int) -> None:
        """Move the marked value from flip to flip of any item, or to the first or last value."""
        if self.survived is None:
            return
        self._pointed = None, None
        found = self.survived.found
        here = self.survived.found.axis.number(self._today) if self._cursor is None else self._cursor
        if abs(steps) >= WHOLE:
            self._cursor = found.last if steps > 0 else found.first
        else:
            flip = found.next_flip(here, steps)
            self._cursor = here if flip is None else flip
        self._mark()

    def _step_item(self, by: int) -> None:
        self._pointed = None, None
        places = np.flatnonzero(self.items == (-1 if self._row is None else self._row))
        place = min(max(int(places[0]) + by, 0), len(self.items) - 1) if len(places) else 0
        if len(self.items):
            self.row_selected.emit(int(self.items[place]))

    def _activate(self, row: int) -> None:
        """Set the slider to the nearest flip of an item, after Return on it."""
        if self.survived is not None:
            self._set(nearest_flip(self.survived, row, self.survived.found.axis.number(self._today)))

    def _make_controls(self) -> None:
        self.switch = ViewSwitch(("Map", "Table"), "Show the items that flip as a {}")
        self.switch.chosen.connect(lambda number: self._pictures.setCurrentIndex(number))
        self.slider = self._box("survival_slider", "The slider whose values are gone through", ())
        self.order = self._box("survival_order", "What items are sorted by", tuple(Order))
        self.shown = self._box("survival_shown", "Which items are shown", tuple(Shown))
        self.slider.currentIndexChanged.connect(lambda _: self.refresh())
        for box in (self.order, self.shown):
            box.currentIndexChanged.connect(lambda _: self._show_items())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.state, self.line, self.losses = ElidedLabel(), ElidedLabel(alignment=left), ElidedLabel(alignment=left)
        self.state.setAccessibleName("What is shown")
        self.line.setAccessibleName("Under which values the item is in the prompt")
        self.losses.setAccessibleName("What more of the slider loses")
        self.legend = Legend()

    def _box(self, name: str, words: str, choices: Sequence[Enum]) -> QComboBox:
        box = choice_box(name, words, _LEAST_LENGTH)
        WheelGuard(box).guard(box)  # the wheel scrolls the page
        for choice in choices:
            box.addItem(choice.value, choice)
        return box

    def _make_pictures(self) -> None:
        self.plot, self._model = SurvivalPlot(), SurvivalModel(self)
        self.plot.setObjectName("survival_plot")
        self.plot.legend = self.legend
        self.plot.place_pointed.connect(self._point)
        self.plot.place_chosen.connect(self._choose)
        self.plot.today_dragged.connect(self._set)
        self.plot.stepped.connect(self._step)
        self.plot.item_stepped.connect(self._step_item)
        self.plot.return_pressed.connect(lambda: self._set(self._cursor))
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("survival_table")
        self.table.setAccessibleName("Items with the values under which they are in the prompt")
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.row_selected.connect(self.row_selected)
        self.table.row_activated.connect(self._activate)

    def _lay_out(self) -> None:
        head = WrappingRow()
        head.setContentsMargins(4 * UNIT, 2 * UNIT, 4 * UNIT, 2 * UNIT)
        for title, box in (("Setting", self.slider), ("Order", self.order), ("Show", self.shown)):
            caption = PlainLabel(title)
            caption.setBuddy(box)
            head.addWidget(caption)
            head.addWidget(box)
        head.addWidget(self.legend)
        head.addStretch()
        head.addWidget(self.switch)
        head.addWidget(export_button("survival_export", self.export_requested.emit))
        holder = QWidget()
        # What it would like to have is no reason to scroll the whole: it takes what there is.
        holder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        holder.setMinimumHeight(9 * GAP)
        self._pictures = Pages(holder)
        self._pictures.addWidget(self.plot)
        self._pictures.addWidget(self.table)
        self._filled, self._nothing = WrappingPane(), EmptyState("Which items flip", NOTHING_OPEN)
        inside = QVBoxLayout(self._filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(UNIT)
        inside.addLayout(head)
        inside.addWidget(holder, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.losses, 1)
        foot.addWidget(self.state, 1)
        for label in (self.line, self.losses, self.state):
            label.setContentsMargins(4 * UNIT, 0, 4 * UNIT, UNIT)
        inside.addWidget(self.line)
        inside.addLayout(foot)
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)

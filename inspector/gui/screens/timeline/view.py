"""The timeline: a bar for each message, their sums above, and the message pointed at below.

Every figure is also in the table of items, the counterpart of this picture for screen readers.
"""

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from inspector.assembly.columns import Action, Fate, Section, phrase
from inspector.assembly.decisions import Assembly
from inspector.assembly.timeline import Timeline
from inspector.gui.parts.empty_state import EmptyState
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.last_prompt import NO_PROMPT, OF_BEFORE
from inspector.gui.parts.pages import Pages
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.view_switch import ViewSwitch
from inspector.gui.parts.visible_text import excerpt
from inspector.gui.parts.wrapping_row import WrappingPane, WrappingRow
from inspector.gui.plots.axes import NumberAxis, TimeAxis
from inspector.gui.plots.bars import Bars
from inspector.gui.plots.exporting import export_button, plot_image
from inspector.gui.plots.legend import Legend
from inspector.gui.plots.looks import Look
from inspector.gui.plots.marks import Mark, MarkKind
from inspector.gui.plots.pixels import bar_at
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.timeline.model import description, message_bars, sentence, sum_bars
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, theme

BY_NUMBER, BY_TIME = range(2)
SUM_TITLE = "tokens in the prompt, summed up"
BAR_TITLES = ("tokens of each message, by its number", "tokens of each message, by its time (UTC)")
HISTORY_CAPTION = "from here on everything is kept"
NOTHING_SAID = (
    "The conversation as bars: the tokens of each message, and what became of them. "
    "Open a saved chat with messages to see it."
)
POINT_AT = "Point at a bar to read the message; click to select it. Ctrl and the wheel zoom, a double click shows all."
_MARGIN_OF_TIME = 0.01


class TimelineView(QWidget):
    """The plot with its legend and a line for a message.

    `row_selected(row)` carries the chosen row of the candidates, `export_requested` asks to export the picture.
    """

    row_selected = Signal(int)
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_view")
        self._timeline: Timeline | None = None
        self._selected: int | None = None
        self._pointed: int | None = None
        self._refusal = ""
        self.switch = ViewSwitch(("Number", "Time"), "Show messages by {}")
        self.switch.chosen.connect(self._change_axis)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.said, self.line = ElidedLabel(alignment=left), ElidedLabel(alignment=left)
        self.said.setAccessibleName("What the messages come to in the prompt")
        self.said.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.legend = Legend()
        self.line.say(POINT_AT)
        self.line.setAccessibleName("The message that is pointed at or selected")
        self._make_plot()
        self._lay_out()
        self._restyle()
        self.show_assembly(None)

    def show_assembly(self, assembly: Assembly | None, refusal: str = "") -> None:
        """Show the messages of an assembly; only arrays change, and only if the picture does.

        With `refusal`, the reason why no prompt was made, the assembly is the last one with a prompt, and dimmed.
        """
        self._show_refusal(refusal)
        if assembly is (None if self._timeline is None else self._timeline.assembly):
            return
        before, self._timeline = self._timeline, Timeline(assembly) if assembly is not None else None
        if self._timeline is None or before is None or len(before) != len(self._timeline):
            self._forget_marks()
        if self._timeline is None or not len(self._timeline):
            self._pages.setCurrentWidget(self._nothing)
            return
        self._pages.setCurrentWidget(self._filled)
        has_times = self._timeline.times is not None
        self.switch.setVisible(has_times)
        if not has_times:
            self.switch.choose(BY_NUMBER)
        self._show_arrays(self._timeline)

    def _show_refusal(self, why: str) -> None:
        """Show above the dimmed picture why it is outdated."""
        if why != self._refusal:
            self._refusal = why
            self.plot.set_dimmed(bool(why))
            self._nothing.set_sentence(why or NOTHING_SAID)
            self.say()

    def show_row(self, row: int | None) -> None:
        """Mark the message of a row and describe it below; None, or a row of another kind, marks nothing."""
        self._selected = None if self._timeline is None else self._timeline.number_of(row)
        place = self._place(self._selected)
        for mark in self._selected_marks:
            mark.put(place)
        self._say_line()

    def say(self) -> None:
        """Describe the picture in words."""
        timeline = self._timeline
        if timeline is None or not len(timeline):
            return
        said = f"{self._refusal} {OF_BEFORE}" if self._refusal else ""
        self.said.setText(f"{NO_PROMPT} {OF_BEFORE}" if said else timeline.spent_text)
        self.said.setToolTip(tooltip(said or timeline.total))
        self.plot.setAccessibleDescription(excerpt(f"{said} {description(timeline)}".strip()))
        self._explain_looks(timeline)
        self._say_line()

    # The picture

    def _make_plot(self) -> None:
        self.plot = Plot("Timeline of the conversation")
        self.plot.setObjectName("timeline_plot")
        self.plot.legend = self.legend
        self._total_row, self._bar_row = self.plot.add_row(2, SUM_TITLE), self.plot.add_row(3, BAR_TITLES[BY_NUMBER])
        self.bars, self.total = Bars(), Bars()
        self._bar_row.addItem(self.bars)
        self._total_row.addItem(self.total)
        self._pointed_marks = self._marks(MarkKind.POINTED)
        self._selected_marks = self._marks(MarkKind.SELECTED)
        self.history_mark = Mark(MarkKind.SPOKEN_OF, HISTORY_CAPTION)
        self._total_row.addItem(self.history_mark, ignoreBounds=True)
        self._history_line = Mark(MarkKind.SPOKEN_OF)
        self._bar_row.addItem(self._history_line, ignoreBounds=True)
        self._change_axis(BY_NUMBER)
        self.plot.pointed.connect(self._point)
        self.plot.chosen.connect(self._choose)
        self.plot.stepped.connect(self._step)
        self.plot.restyled.connect(self._restyle)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.plot.customContextMenuRequested.connect(self._show_menu)

    def _marks(self, kind: MarkKind) -> tuple[Mark, Mark]:
        marks = Mark(kind), Mark(kind)
        for mark, row in zip(marks, (self._total_row, self._bar_row), strict=True):
            row.addItem(mark, ignoreBounds=True)
        return marks

    def _show_arrays(self, timeline: Timeline) -> None:
        by_time = self.switch.current == BY_TIME
        arrays = message_bars(timeline, by_time)
        if self.bars.show_bars(arrays):
            left, right = float(arrays.left.min()), float(arrays.right.max())
            margin = max((right - left) * _MARGIN_OF_TIME, 1.0) if by_time else 0.0
            self.plot.set_whole((left - margin, right + margin))
            self.total.show_bars(sum_bars(timeline, arrays.left, right))
            self.plot.set_height(self._bar_row, arrays.tallest)
            self.plot.set_height(self._total_row, float(timeline.cumulated[-1]))
        begins = self._place(timeline.history_begins)
        for mark in (self.history_mark, self._history_line):
            mark.put(begins and (begins[0], begins[0]))

    def _forget_marks(self) -> None:
        self._selected = self._pointed = None
        for mark in (*self._selected_marks, *self._pointed_marks):
            mark.put(None)

    def _change_axis(self, axis: int) -> None:
        """Place the messages by their numbers or by their times."""
        self.plot.set_bottom_axis(TimeAxis("bottom") if axis == BY_TIME else NumberAxis("bottom"))
        self.plot.titles[-1].say(BAR_TITLES[axis])
        if self._timeline is not None and len(self._timeline):
            self._show_arrays(self._timeline)
            self.show_row(None if self._selected is None else self._timeline.row_of(self._selected))

    def _place(self, number: int | None) -> tuple[float, float] | None:
        """Return the beginning and end of a message on the axis."""
        if number is None or number >= len(self.bars.arrays):
            return None
        return float(self.bars.arrays.left[number]), float(self.bars.arrays.right[number])

    # Acting

    def _point(self, pixel: float | None) -> None:
        number = None if pixel is None else bar_at(self.bars.arrays, self.bars.across(), pixel)
        if number != self._pointed:
            self._pointed = number
            for mark in self._pointed_marks:
                mark.put(self._place(number))
            self._say_line()

    def _choose(self, pixel: float) -> None:
        number = bar_at(self.bars.arrays, self.bars.across(), pixel)
        if number is not None and self._timeline is not None:
            self.row_selected.emit(self._timeline.row_of(number))

    def _step(self, steps: int) -> None:
        """Select another message; without a selection, the first step goes to the nearest end."""
        if self._timeline is None or not len(self._timeline):
            return
        last = len(self._timeline) - 1
        start = self._selected if self._selected is not None else (-1 if steps > 0 else last + 1)
        number = min(max(start + steps, 0), last)
        self.row_selected.emit(self._timeline.row_of(number))
        if place := self._place(number):
            self.plot.bring_into_sight(*place)

    def _show_menu(self, place: QPoint) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.plot.mapToGlobal(place))

    def make_menu(self) -> QMenu:
        """Return the menu of the plot."""
        menu = QMenu(self)
        menu.addAction("Show everything", self.plot.fit)
        menu.addSeparator()
        menu.addAction("Copy picture", lambda: QGuiApplication.clipboard().setImage(plot_image(self.plot)))
        menu.addAction("Export…", self.export_requested.emit)
        return menu

    # Words and colours

    def _say_line(self) -> None:
        number = self._selected if self._pointed is None else self._pointed
        line = POINT_AT if number is None or self._timeline is None else sentence(self._timeline, number)
        self.line.say(line)

    def _explain_looks(self, timeline: Timeline) -> None:
        """Fill the legend, with the number of messages of each look."""
        words = [(fate, f"{count:,} {phrase(fate)}") for fate, count in timeline.counts.items() if count]
        hatched = (Fate.DROPPED, Fate.NOT_YET)
        self.legend.show_entries([(word, partial(_color, fate), fate in hatched) for fate, word in words])

    def _restyle(self) -> None:
        self.bars.set_looks([Look(_color(fate)) for fate in Fate])
        self.total.set_looks([Look(theme().section_color(Section.HISTORY), lines=False)])

    def _lay_out(self) -> None:
        self.export_button = export_button("timeline_export", self.export_requested.emit, has_table=False)
        head = WrappingRow()
        head.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        for widget in (self.switch, self.said, self.legend):
            head.addWidget(widget)
        head.addStretch()
        head.addWidget(self.export_button)
        # Its preferred height must not make the whole panel scroll: it takes the room left.
        self.plot.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.plot.setMinimumHeight(9 * GAP)
        self.line.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, UNIT)
        self._filled, self._nothing = WrappingPane(), EmptyState("No messages", NOTHING_SAID)
        inside = QVBoxLayout(self._filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(UNIT)
        inside.addLayout(head)
        inside.addWidget(self.plot, 1)
        inside.addWidget(self.line)
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)


def _color(fate: Fate) -> QColor:
    """Return the colour of a fate: kept messages have that of their section, as everywhere; those not said yet are
    faint.
    """
    if fate is Fate.KEPT:
        return theme().section_color(Section.HISTORY)
    return theme().border if fate is Fate.NOT_YET else theme().action_color(Action(fate))

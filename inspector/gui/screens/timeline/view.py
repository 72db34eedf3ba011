"""The timeline: a bar for each message, their sums above, and the message pointed at below.

Every figure is also in the table of items, the counterpart of this picture for screen readers.
"""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from inspector.assembly.columns import Fate, outcome_words, phrase
from inspector.assembly.decisions import Assembly
from inspector.assembly.numbers import called, title_in
from inspector.assembly.timeline import Timeline
from inspector.assembly.timeline_drawing import timeline_drawing
from inspector.drawings.drawing import NO_BARS, Bars
from inspector.drawings.pixels import bar_at
from inspector.figures import counted, figures
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.last_prompt import NO_PROMPT, OF_BEFORE
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import excerpt, tooltip
from inspector.gui.parts.wrapping_row import WrappingPane, WrappingRow
from inspector.gui.plots.bars import BarsPainter
from inspector.gui.plots.exporting import export_button, plot_image
from inspector.gui.plots.legend import Legend, entries_of
from inspector.gui.plots.marks import MarkKind, MarkLine
from inspector.gui.plots.plot import Plot
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.tables import first_line


def sentence(timeline: Timeline, number: int) -> str:
    """Describe a message in a line: its id, its speaker, its outcome and cost, and its first words."""
    candidates, row = timeline.assembly.candidates, timeline.row_of(number)
    fate, estimated = Fate(int(timeline.fates[number])), bool(timeline.estimated[number])
    words = outcome_words(fate)
    if fate in (Fate.SUMMARIZED, Fate.TRUNCATED):
        words += f" to {figures(int(timeline.spent[number]), estimated)}"
    tokens = counted(int(timeline.tokens[number]), "token", estimated=estimated)
    said = first_line(candidates.texts[row])
    parts = filter(None, [title_in(candidates.items, row), timeline.role(number), tokens, words])
    return "  ·  ".join([*parts, f"“{said}”" if said else "no text"])


def description(timeline: Timeline) -> str:
    """Return the picture in words."""
    return ". ".join(_sentences(timeline)) + "."


def _sentences(timeline: Timeline) -> Iterator[str]:
    yield timeline.total
    yield ", ".join(f"{count:,} {phrase(fate)}" for fate, count in timeline.counts.items() if count)
    if timeline.history_begins is not None:
        begins = timeline.row_of(timeline.history_begins)
        yield f"From {called(timeline.assembly.candidates, begins)} on everything is kept"
    if len(timeline):
        yield f"The longest is {sentence(timeline, int(np.argmax(timeline.tokens)))}"


BY_NUMBER, BY_TIME = range(2)
NOTHING_SAID = (
    "The conversation as bars: the tokens of each message, and what became of them. "
    "Open a saved chat with messages to see it."
)
POINT_AT = "Point at a bar to read the message; click to select it. Ctrl and the wheel zoom, a double click shows all."


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
        self.switch.chosen.connect(lambda _: self._change_axis())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.said, self.line = ElidedLabel(alignment=left), ElidedLabel(alignment=left)
        self.said.setAccessibleName("What the messages come to in the prompt")
        self.said.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.legend = Legend()
        self.line.say(POINT_AT)
        self.line.setAccessibleName("The message that is pointed at or selected")
        self._make_plot()
        self._lay_out()
        self.show_assembly(None)

    def show_assembly(self, assembly: Assembly | None, refusal: str = "") -> None:
        """Show the messages of an assembly; only arrays change, and only if the picture does.

        With `refusal`, the reason for the missing prompt, the assembly is the last with a prompt, and dimmed.
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
        self._show_drawing(self._timeline)

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
        if self.plot.drawing is not None:
            self.legend.show_entries(entries_of(self.plot.drawing.legend))
        self._say_line()

    # The picture

    def _make_plot(self) -> None:
        self.plot = Plot("Timeline of the conversation", rows=2)
        self.plot.setObjectName("timeline_plot")
        self.plot.legend = self.legend
        self._pointed_marks = self._marks(MarkKind.POINTED)
        self._selected_marks = self._marks(MarkKind.SELECTED)
        self.plot.pointed.connect(self._point)
        self.plot.chosen.connect(self._choose)
        self.plot.stepped.connect(self._step)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.plot.customContextMenuRequested.connect(self._show_menu)

    def _marks(self, kind: MarkKind) -> list[MarkLine]:
        marks = [MarkLine(kind) for _ in self.plot.rows]
        for mark, row in zip(marks, self.plot.rows, strict=True):
            row.addItem(mark, ignoreBounds=True)
        return marks

    @property
    def bars(self) -> Bars:
        """The messages as bars."""
        series = NO_BARS if self.plot.drawing is None else self.plot.drawing.rows[-1].series
        return series if isinstance(series, Bars) else NO_BARS

    def _bar_at(self, pixel: float) -> int | None:
        painter = self.plot.drawn_by[-1] if self.plot.drawn_by else None
        return bar_at(self.bars, painter.across(), pixel) if isinstance(painter, BarsPainter) else None

    def _forget_marks(self) -> None:
        self._selected = self._pointed = None
        for mark in (*self._selected_marks, *self._pointed_marks):
            mark.put(None)

    def _change_axis(self) -> None:
        """Place the messages by their numbers or by their times."""
        if self._timeline is not None and len(self._timeline):
            self._show_drawing(self._timeline)
            self.show_row(None if self._selected is None else self._timeline.row_of(self._selected))

    def _show_drawing(self, timeline: Timeline) -> None:
        self.plot.show_drawing(timeline_drawing(timeline, self.switch.current == BY_TIME))

    def _place(self, number: int | None) -> tuple[float, float] | None:
        """Return the beginning and end of a message on the axis."""
        bars = self.bars
        if number is None or number >= len(bars):
            return None
        return float(bars.left[number]), float(bars.right[number])

    # What a person does

    def _point(self, pixel: float | None) -> None:
        number = None if pixel is None else self._bar_at(pixel)
        if number != self._pointed:
            self._pointed = number
            for mark in self._pointed_marks:
                mark.put(self._place(number))
            self._say_line()

    def _choose(self, pixel: float) -> None:
        number = self._bar_at(pixel)
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

    # Words

    def _say_line(self) -> None:
        number = self._selected if self._pointed is None else self._pointed
        line = POINT_AT if number is None or self._timeline is None else sentence(self._timeline, number)
        self.line.say(line)

    def _lay_out(self) -> None:
        self.export_button = export_button("timeline_export", self.export_requested.emit, has_table=False)
        head = WrappingRow()
        head.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        for widget in (self.switch, self.said, self.legend):
            head.addWidget(widget)
        head.addStretch()
        head.addWidget(self.export_button)
        # What it would like to have is no reason to scroll the whole: it takes what there is.
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

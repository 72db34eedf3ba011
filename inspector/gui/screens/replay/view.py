"""The replay of a conversation: plots over its turns or a table of them, for the current policy and another."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector.analysis.basis import Share
from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.drawing import TITLES, replay_drawings
from inspector.analysis.replay.tables import ITEM_COLUMNS, TURN_COLUMNS
from inspector.analysis.replay.words import (
    caption,
    fallen,
    policy_name,
    prefix_sentence,
    summary_sentence,
    time_text,
)
from inspector.assembly.columns import Rows
from inspector.assembly.contenders import Contender
from inspector.assembly.preset import Preset
from inspector.drawings.drawing import Drawing
from inspector.figures import counted, percentage
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.choice_box import choice_box
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import excerpt, tooltip
from inspector.gui.parts.wrapping_row import WrappingPane, WrappingRow
from inspector.gui.plots.exporting import export_button
from inspector.gui.plots.legend import Legend, entries_of
from inspector.gui.plots.marks import MarkKind, MarkLine
from inspector.gui.plots.plot import Plot
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT


class ReplayModel(ArrayTableModel[Replay]):
    """A row for each turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(TURN_COLUMNS, parent)

    def show_replay(self, found: Replay | None, only_falls: bool) -> None:
        """Show the turns of a replay, all of them or those at which something fell; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        self.show(found, _places(found, only_falls), tuple(map(str, found.turns.tolist())))


def _places(found: Replay, only_falls: bool) -> Rows:
    if not only_falls:
        return np.arange(len(found))
    return np.array([place for place, fall in enumerate(found.falls) if len(fall.rows)], np.intp)


class FallenModel(ArrayTableModel[Replay]):
    """A row for each fallen item, in order of falling."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, parent)

    def show_replay(self, found: Replay | None) -> None:
        """Show the items that fall in a replay; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        self.show(found, fallen(found), found.candidates.ids)


class ReplayPlot(Plot):
    """Three rows over the turns. `turn_chosen` emits a click, `turn_pointed` the turn at the mouse (None: nothing)."""

    turn_chosen = Signal(int)
    turn_pointed = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, len(TITLES), parent)
        self._found: Replay | None = None
        self._selected = [MarkLine(MarkKind.SELECTED) for _ in self.rows]
        for row, mark in zip(self.rows, self._selected, strict=True):
            row.addItem(mark, ignoreBounds=True)
        self.pointed.connect(self._point)
        self.chosen.connect(lambda pixel: self.turn_chosen.emit(self._turn_at(pixel)))

    def show_replay(self, found: Replay, drawing: Drawing) -> None:
        """Show a replay of at least one turn as this drawing."""
        self._found = found
        self.heading = policy_name(found)
        self.show_drawing(drawing)

    def show_turn(self, turn: int | None) -> None:
        """Mark the turn shown by the window."""
        place = None if turn is None or self._found is None else (turn - 0.5, turn + 0.5)
        for mark in self._selected:
            mark.put(place)
        if place is not None:
            self.bring_into_sight(*place)

    def _turn_at(self, pixel: float) -> int:
        last = 1 if self._found is None else int(self._found.turns[-1])
        return min(max(round(self.place_of(pixel)), 1), last)

    def _point(self, pixel: float | None) -> None:
        self.turn_pointed.emit(None if pixel is None else self._turn_at(pixel))


NOTHING_OPEN = (
    "A whole conversation turn by turn: what each prompt held, what fell out of it, and how much a cache of prompts "
    "holds. Open a saved chat with messages to see it."
)
REPLAYING = "Assembling every turn of the conversation …"
PLOT, TABLE, ITEMS = range(3)
SIDES = ("policy in use", "second policy")
ALONE = "no other policy"
_BOX_LETTERS = 15


class ReplayView(AskingView):
    """The plots or tables of a replay, with those of a second beside them. It computes nothing.

    `requested` asks for the replay under the scenario, and under a second contender (None: none). `turn_chosen` carries
    a turn to go to, `item_chosen` the id of a falling item; `export_requested` asks to export the plot.
    """

    requested = Signal(object)
    turn_chosen = Signal(int)
    item_chosen = Signal(str)
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replay_view")
        self.found: Sequence[Replay] = ()
        self._state = ""
        self._turn = 0
        self._pointed: int | None = None
        self._contenders: list[Contender] = []
        self._make_controls()
        self._make_pictures()
        self._lay_out()
        self.show_nothing(NOTHING_OPEN)

    # What is shown

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies as the second; the choice is kept if still offered."""
        chosen = self.other.currentText()
        self._contenders = [Contender(*pair) for pair in sorted(presets) if pair[0] in policies]
        self.other.blockSignals(True)
        self.other.clear()
        self.other.addItems([ALONE, *(contender.name for contender in self._contenders)])
        self.other.setCurrentIndex(max(self.other.findText(chosen), 0))
        self.other.blockSignals(False)

    def show_nothing(self, why: str) -> None:
        """Show why there is nothing to see."""
        self.found, self._stale = (), False
        self._nothing.set_sentence(why)
        self._pages.setCurrentWidget(self._nothing)

    def show_share(self, share: Share) -> None:
        """Show the progress; the earlier replay stays visible."""
        self._say_state(f"replaying, {percentage(share.part, 0)}")
        self._nothing.set_sentence(f"{REPLAYING} {percentage(share.part, 0)}")

    def show_replays(self, found: Sequence[Replay]) -> None:
        """Show a replay, or two side by side."""
        self.found, self._stale = found, False
        if not found or not len(found[0]):
            self.show_nothing(NOTHING_OPEN)
            return
        self._pages.setCurrentWidget(self._filled)
        for place, plot in enumerate(self.plots):
            plot.setVisible(place < len(found))
            for table in (self.tables[place], self.fallen[place]):
                table.setVisible(place < len(found))
        for place, labels in enumerate(zip(self.names, self.lines, self.summaries, strict=True)):
            labels[0].say(policy_name(found[place]) if place < len(found) else "")
            labels[0].setVisible(len(found) > 1)
            for label in labels[1:]:
                label.setVisible(place < len(found))
        drawings = replay_drawings(found)
        for plot, each, drawing in zip(self.plots, found, drawings, strict=False):
            plot.show_replay(each, drawing)
        self._show_rows()
        self.legend.show_entries(entries_of(drawings[0].legend))
        self._set_dimmed(False)
        self._mark()

    def end(self, trouble: str) -> None:
        """End the request: all is shown, or `trouble` is the reason why not."""
        self._say_state(trouble)
        if trouble and not self.found:
            self.show_nothing(trouble)

    def show_turn(self, turn: int) -> None:
        """Mark the turn of the scenario and describe it."""
        if turn != self._turn:
            self._turn = turn
            self._mark()

    @property
    def shown_plots(self) -> Sequence[ReplayPlot]:
        """The plots of the shown replays."""
        return self.plots[: len(self.found)]

    @property
    def shown_tables(self) -> Sequence[ArrayTableModel]:
        """The tables of turns of the shown replays."""
        return self._models[: len(self.found)]

    @property
    def chosen(self) -> Contender | None:
        """The second policy, None if there is none."""
        place = self.other.currentIndex()
        return self._contenders[place - 1] if place > 0 else None

    # Inside

    def _ask(self) -> None:
        self._say_state("replaying")
        if not self.found:
            self._nothing.set_sentence(REPLAYING)
        self.requested.emit(self.chosen)

    def _dim(self) -> None:
        self._set_dimmed(bool(self.found))

    def _set_dimmed(self, dimmed: bool) -> None:
        for table in (*self.tables, *self.fallen):
            table.set_dimmed(dimmed)
        for plot in self.plots:
            plot.set_dimmed(dimmed)

    def _show_rows(self) -> None:
        for place, model in enumerate(self._models):
            model.show_replay(self.found[place] if place < len(self.found) else None, self.only_falls.isChecked())
            self._fallen_models[place].show_replay(self.found[place] if place < len(self.found) else None)
            for table in (self.tables[place], self.fallen[place]):
                table.set_empty_text("Nothing falls at any turn.")
                table.show_columns()

    def _what_is_shown(self) -> str:
        if not self.found:
            return ""
        first = self.found[0]
        last = int(first.turns[-1]) if len(first) else 0
        return f"{counted(len(first), 'turn')} of {last:,}" if last > len(first) else counted(last, "turn")

    def _mark(self) -> None:
        for plot in self.plots:
            plot.show_turn(self._turn if self.found else None)
        self._say_line()

    def _point(self, turn: int | None) -> None:
        self._pointed = turn
        self._say_line()

    def _say_state(self, text: str) -> None:
        self._state = text
        self._say_line()

    def _say_line(self) -> None:
        turn = self._turn if self._pointed is None else self._pointed
        for found, plot, line, summary in zip(self.found, self.plots, self.lines, self.summaries, strict=False):
            line.say(_turn_line(found, turn) if len(found) else "")
            said = [summary_sentence(found)]
            if summary is self.summaries[0]:  # what is replayed is the same for both, and is cut off first
                said = [self._state, *said] if self._state else [*said, self._what_is_shown()]
            summary.say("  ·  ".join(said))
            plot.setAccessibleDescription(excerpt(f"{policy_name(found)}: {summary.text()}. {line.text()}"))

    def _tell_row(self, place: int, number: int) -> None:
        if not self._stale and place < len(self.found):
            self.turn_chosen.emit(int(self.found[place].turns[number]))

    def _tell_item(self, place: int, row: int) -> None:
        if not self._stale and place < len(self.found):
            self.item_chosen.emit(self.found[place].candidates.ids[row])

    def _go_to_fall(self, place: int, row: int) -> None:
        if not self._stale and place < len(self.found):
            self.turn_chosen.emit(int(self.found[place].fell_at[row]))

    def _step(self, steps: int) -> None:
        if self.found:
            turns = self.found[0].turns
            place = min(max(self.found[0].place(self._turn) + steps, 0), len(turns) - 1)
            self.turn_chosen.emit(int(turns[place]))

    def _make_controls(self) -> None:
        tips = ("", "A row for each turn, with what fell", "A row for each item that falls out, with its turn")
        self.switch = ViewSwitch(("Plot", "Turns", "Items"), "Show the replay as {}", tips=tips)
        self.switch.chosen.connect(lambda number: self._pictures.setCurrentIndex(number))
        self.switch.chosen.connect(lambda number: self.only_falls.setEnabled(number == TABLE))
        self.other = choice_box("replay_other_policy", "A second policy, replayed side by side", _BOX_LETTERS)
        self.other.currentIndexChanged.connect(lambda _: self.refresh())
        self.only_falls = QCheckBox("Only falls")
        self.only_falls.setEnabled(False)
        self.only_falls.setToolTip(tooltip("List only turns at which something fell"))
        self.only_falls.setAccessibleName("List only turns at which something fell")
        self.only_falls.toggled.connect(lambda _: self._show_rows())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.legend = Legend()
        self.names, self.lines, self.summaries = ([ElidedLabel(alignment=left) for _ in SIDES] for _ in range(3))
        for place, side in enumerate(SIDES):
            self.lines[place].setAccessibleName(f"What happened at the turn, {side}")
            self.summaries[place].setAccessibleName(f"What all turns come to, {side}")

    def _make_pictures(self) -> None:
        self.plots = [ReplayPlot(f"Replay, {side}") for side in SIDES]
        self._models = [ReplayModel(self) for _ in self.plots]
        self.tables = [ArrayTableView(model) for model in self._models]
        for place, (plot, table) in enumerate(zip(self.plots, self.tables, strict=True)):
            plot.setObjectName(f"replay_plot_{place + 1}")
            plot.legend = self.legend
            plot.turn_chosen.connect(self.turn_chosen)
            plot.turn_pointed.connect(self._point)
            plot.stepped.connect(self._step)
            table.setObjectName(f"replay_table_{place + 1}")
            table.setAccessibleName(f"Turns of the replay, {SIDES[place]}")
            table.row_selected.connect(lambda number, place=place: self._tell_row(place, number))
        self._fallen_models = [FallenModel(self) for _ in self.plots]
        self.fallen = [ArrayTableView(model) for model in self._fallen_models]
        for place, table in enumerate(self.fallen):
            table.setObjectName(f"replay_fallen_{place + 1}")
            table.setAccessibleName(f"Items that fall out, {SIDES[place]}")
            table.row_selected.connect(lambda row, place=place: self._tell_item(place, row))
            table.row_activated.connect(lambda row, place=place: self._go_to_fall(place, row))
        for pair in (self.plots, self.tables, self.fallen):
            pair[1].hide()  # until there is a second policy: what is hidden later takes its room for a moment

    def _lay_out(self) -> None:
        head = WrappingRow()
        head.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, 0)
        for widget in (self.switch, self.other, self.only_falls, self.legend):
            head.addWidget(widget)
        head.addStretch()
        head.addWidget(export_button("replay_export", self.export_requested.emit))
        holder = QWidget()
        # What it would like to have is no reason to scroll the whole: it takes what there is.
        holder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        holder.setMinimumHeight(9 * GAP)
        self._pictures = Pages(holder)
        for widgets in (self.plots, self.tables, self.fallen):
            self._pictures.addWidget(_side_by_side(widgets))
        self._filled, self._nothing = WrappingPane(), EmptyState("Replay", NOTHING_OPEN)
        inside = QVBoxLayout(self._filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(UNIT)
        inside.addLayout(head)
        inside.addLayout(_sides(self.names))  # which side is whose, above plots and tables alike
        inside.addWidget(holder, 1)
        inside.addLayout(_sides(self.lines, UNIT))
        inside.addLayout(_sides(self.summaries, UNIT))
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)


def _sides(labels: Sequence[QWidget], below: int = 0) -> QHBoxLayout:
    """Return a row of the labels of both sides, equally wide."""
    row = QHBoxLayout()
    row.setSpacing(GAP)
    for label in labels:
        label.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, below)
        label.hide()
        row.addWidget(label, 1)
    return row


def _side_by_side(widgets: Sequence[QWidget]) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(GAP)
    for widget in widgets:
        row.addWidget(widget)
    return holder


def _turn_line(found: Replay, turn: int) -> str:
    """Return a turn in a line: its number and time, the fallen items, and the cached prefix."""
    place = found.place(turn)
    when = time_text(found, place)
    head = f"turn {int(found.turns[place]):,}{when and f', {when}'}"
    return "  ·  ".join([head, caption(found, place), prefix_sentence(found, place)])

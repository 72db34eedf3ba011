"""The replay of a conversation: lanes over its turns, and below them what fell out, all turns or the compactions, for
the current policy and another.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from inspector.analysis.basis import Share
from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.drawing import LANES, replay_drawings
from inspector.analysis.replay.events import MOST_SENTENCES, event_sentences
from inspector.analysis.replay.moments import Moments, moments_of
from inspector.analysis.replay.words import (
    caption,
    lane_figures_at,
    prefix_sentence,
    summary_sentence,
    time_text,
    titled_policy,
)
from inspector.assembly.contenders import Contender
from inspector.assembly.policy import policy_title
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.figures import counted, figures, percentage
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.choice_box import choice_box
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.page import Pages
from inspector.gui.parts.painted_line import PaintedLine
from inspector.gui.parts.texts import excerpt, tooltip
from inspector.gui.plots.exporting import export_button
from inspector.gui.plots.legend import Legend, entries_of
from inspector.gui.plots.turn_plot import TurnPlot
from inspector.gui.screens.replay.models import FallModel, MomentModel, TurnModel
from inspector.gui.session.turns import NOTHING_TO_REPLAY
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, UNIT, give_font
from inspector.model import Probe

REPLAYING = "Assembling every turn of the conversation …"
FALLEN, TURNS, COMPACTIONS = range(3)
NO_COMPACTIONS = "The list of messages is never shortened to a summary here, and the file records no compaction."
SIDES = ("policy in use", "second policy")
ALONE = "no other policy"
_BOX_LETTERS = 15
_LEAST_PLOT, _LEAST_TABLE = 240, 112
_SHARES = (520, 260)
_STATE_ROOM = "Replaying, 100 %"
_TIPS = (
    "What fell out at this turn and before, with how long it lasted",
    "A row for each turn",
    "When the list of messages was shortened, here and as the file records it, and what each lost",
)
_EMPTY = ("No turns.", "Nothing fell out up to this turn.", NO_COMPACTIONS)


class LanesView(AskingView):
    """The lanes and tables of a replay, with those of a second beside them. It computes nothing.

    `requested` asks for the replay under the scenario, and under a second contender (None: none). `turned(turn,
    gesture)` carries a turn to go to, `item_chosen` the id of an item; `export_requested` asks to export the plot.
    """

    requested = Signal(object)
    turned = Signal(int, str)
    item_chosen = Signal(str)
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replay_view")
        self.found: Sequence[Replay] = ()
        self._probes: Sequence[Probe] = ()
        self._moments: Sequence[Moments] = ()
        self._state = ""
        self._turn = 0
        self._pointed: int | None = None
        self._contenders: list[Contender] = []
        self._make_controls()
        self._make_sides()
        self._lay_out()
        self.show_nothing(NOTHING_TO_REPLAY)

    # What is shown

    def set_policies(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Offer these policies as the second; the choice is kept if still offered."""
        chosen = self.other.currentText()
        self._contenders = [Contender(*pair) for pair in sorted(presets) if pair[0] in policies]
        self.other.blockSignals(True)
        self.other.clear()
        self.other.addItems([ALONE, *(_title(each, policies[each.policy]) for each in self._contenders)])
        self.other.setCurrentIndex(max(self.other.findText(chosen), 0))
        self.other.blockSignals(False)

    def set_questions(self, asked: Sequence[Probe]) -> None:
        """Tell what these askable questions need of what a compaction lost."""
        if asked is not self._probes:
            self._probes = asked
            self._find_moments()
            self._show_rows()
            self._say_lines()

    def show_nothing(self, why: str) -> None:
        """Show why there is nothing to see."""
        self.found, self._stale = (), False
        self._find_moments()
        self._show_rows()
        for plot in self.plots:
            plot.forget()
        self._nothing.set_sentence(why)
        self._pages.setCurrentWidget(self._nothing)

    def show_share(self, share: Share) -> None:
        """Show the progress; the earlier replay, or the part that is done, stays visible."""
        self._say_state(f"Replaying, {percentage(share.part, 0)}")
        self._nothing.set_sentence(f"{REPLAYING} {percentage(share.part, 0)}")

    def show_replays(self, found: Sequence[Replay]) -> None:
        """Show a replay or its first part, or two replays side by side."""
        self.found, self._stale = found, False
        self._find_moments()
        if not found or not len(found[0]):
            self.show_nothing(NOTHING_TO_REPLAY)
            return
        self._pages.setCurrentWidget(self._filled)
        self._show_sides(len(found))
        drawings = replay_drawings(found)
        for plot, each, drawing in zip(self.plots, found, drawings, strict=False):
            plot.show_replay(each, titled_policy(each), drawing)
        self._show_rows()
        self.legend.show_entries(entries_of(drawings[0].legend))
        self.legend.hide()  # the bar above names the colours; a file has the legend
        self._set_dimmed(False)
        self._show_turn()

    def end(self, trouble: str) -> None:
        """End the request: all is shown, or `trouble` is the reason why not."""
        self._say_state(trouble)
        if trouble and not self.found:
            self.show_nothing(trouble)

    def show_turn(self, turn: int) -> None:
        """Move the playhead to the turn of the scenario, and say what happened there."""
        if turn != self._turn:
            self._turn = turn
            self._show_turn()

    @property
    def shown_plots(self) -> Sequence[TurnPlot]:
        """The plots of the shown replays."""
        return self.plots[: len(self.found)]

    @property
    def shown_tables(self) -> Sequence[ArrayTableModel]:
        """The tables of turns of the shown replays."""
        return self._turn_models[: len(self.found)]

    @property
    def chosen(self) -> Contender | None:
        """The second policy, None if there is none."""
        place = self.other.currentIndex()
        return self._contenders[place - 1] if place > 0 else None

    # Inside

    def _ask(self) -> None:
        self._say_state("Replaying")
        if not self.found:
            self._nothing.set_sentence(REPLAYING)
        self.requested.emit(self.chosen)

    def _dim(self) -> None:
        self._set_dimmed(bool(self.found))

    def _set_dimmed(self, dimmed: bool) -> None:
        for table in (*self.tables, *self.fallen, *self.compactions):
            table.set_dimmed(dimmed)
        for plot in self.plots:
            plot.set_dimmed(dimmed)

    def _find_moments(self) -> None:
        self._moments = [moments_of(each, self._probes) for each in self.found]

    def _show_sides(self, number: int) -> None:
        for place, widgets in enumerate(zip(self.plots, self.tables, self.fallen, self._told, strict=True)):
            for widget in widgets:
                widget.setVisible(place < number)
            self.names[place].setVisible(number > 1)
            self.names[place].say(titled_policy(self.found[place]) if place < number else "")
            self.lines[place].setVisible(place < number)

    def _show_rows(self) -> None:
        for place in range(len(SIDES)):
            found = self.found[place] if place < len(self.found) else None
            self._turn_models[place].show_replay(found, self.only_falls.isChecked())
            self._fall_models[place].show_replay(found)
            moments = self._moments[place] if place < len(self._moments) else None
            self._moment_models[place].show_moments(moments)
            said = event_sentences(moments) if moments is not None else []
            for line, sentence in zip(self.event_lines[place], [*said, *[""] * MOST_SENTENCES], strict=False):
                line.say(sentence)
                line.setVisible(bool(sentence))
            sides = self.tables[place], self.fallen[place], self.compactions[place]
            for table, empty in zip(sides, _EMPTY, strict=True):
                table.set_empty_text(empty)
                table.show_columns()

    def _show_turn(self) -> None:
        for found, plot in zip(self.found, self.plots, strict=False):
            plot.show_turn(self._turn, lane_figures_at(found, found.place(self._turn)) if len(found) else ())
        for model in (*self._fall_models[: len(self.found)], *self._moment_models[: len(self.found)]):
            model.show_turn(self._turn)
        self._say_lines()

    def _point(self, turn: int | None) -> None:
        self._pointed = turn
        self._say_lines()

    def _say_state(self, text: str) -> None:
        self._state = text
        self._say_lines()

    def _say_lines(self) -> None:
        """Say what happened at the turn, or at the one under the mouse."""
        turn = self._turn if self._pointed is None else self._pointed
        for found, moments, plot, line in zip(self.found, self._moments, self.plots, self.lines, strict=False):
            if len(found):
                whose = f"{titled_policy(found)}: " if len(self.found) > 1 else ""
                line.say(*_turn_words(found, turn, whose, is_pointed=self._pointed is not None))
            events = " ".join(["", *event_sentences(moments)])
            said = f"{titled_policy(found)}: {summary_sentence(found)}.{events} {line.text()}"
            plot.setAccessibleDescription(excerpt(said))
        last = len(self.found[0].case.chosen.parts.messages) if self.found else 0
        done = len(self.found[0]) if self.found else 0
        shown = f"{figures(done)} of {counted(last, 'turn')} replayed" if done < last else ""
        said = self._state or shown
        self.state.reserve(max(_STATE_ROOM, said, key=len) if said else "")  # the line at its left only ends elsewhere
        self.state.say("", said)

    def _tell_turn(self, place: int, row: int) -> None:
        if not self._stale and place < len(self.found):
            self.turned.emit(int(self.found[place].turns[row]), "")

    def _tell_item(self, place: int, fall: int) -> None:
        falls = self._fall_models[place].subject
        if not self._stale and falls is not None:
            self.item_chosen.emit(falls.ids[fall])

    def _go_to_fall(self, place: int, fall: int) -> None:
        falls = self._fall_models[place].subject
        if not self._stale and falls is not None:
            self.turned.emit(int(falls.turns[fall]), "")

    def _go_to_moment(self, place: int, row: int) -> None:
        moments = self._moment_models[place].subject
        turn = None if moments is None else moments.turn(moments.all[row])
        if not self._stale and turn is not None:
            self.turned.emit(turn, "")

    def _choose_table(self, number: int) -> None:
        self._tables.setCurrentIndex(number)
        self.only_falls.setVisible(number == TURNS)

    # Parts

    def _make_controls(self) -> None:
        self.switch = ViewSwitch(("What fell out", "All turns", "Compactions"), "Show {}", tips=_TIPS)
        self.switch.chosen.connect(self._choose_table)
        self.other = choice_box("replay_other_policy", "A second policy, replayed side by side", _BOX_LETTERS)
        self.other.currentIndexChanged.connect(lambda _: self.refresh())
        self.only_falls = QCheckBox("Only falls")
        self.only_falls.setToolTip(tooltip("List only turns at which something fell"))
        self.only_falls.setAccessibleName("List only turns at which something fell")
        self.only_falls.toggled.connect(lambda _: self._show_rows())
        self.only_falls.hide()
        self.legend = Legend(parent=self)
        self.legend.hide()
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.names = [ElidedLabel(alignment=left) for _ in SIDES]
        for name in self.names:
            give_font(name, "title")
        self.lines = [PaintedLine(f"What happened at the turn, {side}") for side in SIDES]
        self.state = PaintedLine("How far the replay is", is_right=True)

    def _make_sides(self) -> None:
        self.plots = [TurnPlot(f"Replay, {side}", 1 + len(LANES)) for side in SIDES]
        self._turn_models, self._fall_models = [TurnModel(self) for _ in SIDES], [FallModel(self) for _ in SIDES]
        self.tables = [ArrayTableView(model) for model in self._turn_models]
        self.fallen = [ArrayTableView(model) for model in self._fall_models]
        for place, plot in enumerate(self.plots):
            plot.setObjectName(f"replay_plot_{place + 1}")
            plot.legend = self.legend
            plot.setMinimumHeight(_LEAST_PLOT)
            plot.turned.connect(self.turned)
            plot.turn_pointed.connect(self._point)
        self._make_compactions()
        for table in (*self.tables, *self.fallen, *self.compactions):
            table.setFrameShape(QFrame.Shape.NoFrame)
        for place, (table, fallen) in enumerate(zip(self.tables, self.fallen, strict=True)):
            table.setObjectName(f"replay_table_{place + 1}")
            table.setAccessibleName(f"Turns of the replay, {SIDES[place]}")
            table.row_selected.connect(lambda row, place=place: self._tell_turn(place, row))
            fallen.setObjectName(f"replay_fallen_{place + 1}")
            fallen.setAccessibleName(f"What fell out, {SIDES[place]}")
            fallen.row_selected.connect(lambda row, place=place: self._tell_item(place, row))
            fallen.row_activated.connect(lambda row, place=place: self._go_to_fall(place, row))
        for pair in (self.plots, self.tables, self.fallen, self._told, self.names, self.lines):
            pair[1].hide()  # until there is a second policy: what is hidden later takes its room for a moment

    def _make_compactions(self) -> None:
        """Make the table of compactions of each side, below the sentences that tell all of them."""
        self._moment_models = [MomentModel(self) for _ in SIDES]
        self.compactions = [ArrayTableView(model) for model in self._moment_models]
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.event_lines = [[ElidedLabel(alignment=left) for _ in range(MOST_SENTENCES)] for _ in SIDES]
        self._told = [QWidget() for _ in SIDES]
        for place, (lines, table, holder) in enumerate(
            zip(self.event_lines, self.compactions, self._told, strict=True)
        ):
            table.setObjectName(f"replay_compactions_{place + 1}")
            table.setAccessibleName(f"Compactions, {SIDES[place]}")
            for told in (table.row_selected, table.row_activated):
                told.connect(lambda row, place=place: self._go_to_moment(place, row))
            rows = QVBoxLayout(holder)
            rows.setContentsMargins(0, 0, 0, 0)
            rows.setSpacing(0)
            for line in lines:
                line.setAccessibleName(f"Compactions in words, {SIDES[place]}")
                line.setContentsMargins(4 * UNIT, 0, 4 * UNIT, 0)
                rows.addWidget(line)
            rows.addWidget(table, 1)

    def _lay_out(self) -> None:
        lower = QWidget()
        lower.setMinimumHeight(_LEAST_TABLE)
        holder = QWidget()
        self._tables = Pages(holder)
        for widgets in (self.fallen, self.tables, self._told):
            self._tables.addWidget(_side_by_side(widgets))
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addLayout(self._head())
        below.addWidget(holder, 1)
        self._filled, self._nothing = QSplitter(Qt.Orientation.Vertical), EmptyState("Replay", NOTHING_TO_REPLAY)
        self._filled.setChildrenCollapsible(False)
        self._filled.addWidget(_side_by_side(self.plots, self.names))
        self._filled.addWidget(lower)
        self._filled.setSizes(_SHARES)
        for place, share in enumerate(_SHARES):
            self._filled.setStretchFactor(place, share)
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)

    def _head(self) -> QHBoxLayout:
        """Return the row above the tables: what they show, what happened at the turn, and the second policy."""
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT, UNIT, 3 * UNIT, UNIT)
        head.setSpacing(2 * UNIT)
        head.addWidget(self.switch)
        for line in self.lines:
            head.addWidget(line, 1)
        for widget in (self.state, self.only_falls, self.other):
            head.addWidget(widget)
        head.addWidget(export_button("replay_export", self.export_requested.emit))
        return head


def _side_by_side(widgets: Sequence[QWidget], names: Sequence[QWidget] = ()) -> QWidget:
    """Return the widgets of both sides beside each other, below their names."""
    holder = QWidget()
    rows = QVBoxLayout(holder)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    for name in names:
        name.setContentsMargins(4 * UNIT, UNIT, 0, 0)
    for stretch, row in ((0, names), (1, widgets)):
        beside = QHBoxLayout()
        beside.setSpacing(GAP)
        for widget in row:
            beside.addWidget(widget, 1)
        rows.addLayout(beside, stretch)
    return holder


def _title(contender: Contender, kind: type) -> str:
    title = policy_title(contender.policy, kind)
    return title if contender.preset == DEFAULT_PRESET else f"{title}, {contender.preset}"


def _turn_words(found: Replay, turn: int, whose: str, is_pointed: bool) -> tuple[str, str]:
    """Return what fell out at a turn, and how much of its prompt a cache holds; a pointed turn has its number."""
    place = found.place(turn)
    when = time_text(found, place)
    head = f"Turn {figures(int(found.turns[place]))}{when and f', {when}'}: " if is_pointed else ""
    return f"{whose}{head}{caption(found, place)}", prefix_sentence(found, place)

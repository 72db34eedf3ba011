"""How long each item lasts: how far back the prompt of each turn reaches, and a row for each item that falls out."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from inspector.analysis.basis import Share
from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.drawing import reach_drawings
from inspector.analysis.replay.tables import ITEM_COLUMNS
from inspector.analysis.replay.words import fallen, lasting_sentence, titled_policy
from inspector.assembly.columns import Section
from inspector.figures import percentage
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.page import Pages
from inspector.gui.parts.texts import excerpt
from inspector.gui.plots.exporting import export_button
from inspector.gui.plots.turn_plot import TurnPlot
from inspector.gui.session.turns import NOTHING_TO_REPLAY
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, UNIT, give_font, theme

TITLE = "How long each lasts"
REPLAYING = "Assembling every turn of the conversation …"
SIDES = ("policy in use", "second policy")
_LEAST_PLOT, _LEAST_TABLE = 110, 110
_SHARES = (280, 460)


class LastingModel(ArrayTableModel[Replay]):
    """A row for each item that falls out, in order of falling."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, parent)

    def show_replay(self, found: Replay | None) -> None:
        """Show the items that fall in a replay; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        self.show(found, fallen(found), found.candidates.ids)

    def marking(self, position: int) -> Marking | None:
        """Return the edge of the section of a row."""
        if self.subject is None:
            return None
        section = Section(int(self.subject.candidates.home_section[int(self.rows[position])]))
        return Marking(theme().section_color(section))


class LastingView(AskingView):
    """The plot and the table of a replay, with those of a second beside them. It computes nothing.

    `requested` asks for the replay. `turned(turn, gesture)` carries a turn to go to, `item_chosen` the id of an item;
    `export_requested` asks to export the plot.
    """

    requested = Signal()
    turned = Signal(int, str)
    item_chosen = Signal(str)
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lasting_view")
        self.found: Sequence[Replay] = ()
        self._turn = 0
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.sentences = [ElidedLabel(alignment=left) for _ in SIDES]
        self._make_sides()
        self._lay_out()
        self.show_nothing(NOTHING_TO_REPLAY)

    def show_nothing(self, why: str) -> None:
        """Show why there is nothing to see."""
        self.found, self._stale = (), False
        for plot, model in zip(self.plots, self._models, strict=True):
            plot.forget()
            model.show_replay(None)
        self._nothing.set_sentence(why)
        self._pages.setCurrentWidget(self._nothing)

    def show_share(self, share: Share) -> None:
        """Show the progress while there is nothing else to see."""
        self._nothing.set_sentence(f"{REPLAYING} {percentage(share.part, 0)}")

    def show_replays(self, found: Sequence[Replay]) -> None:
        """Show a replay or its first part, or two replays side by side."""
        self.found, self._stale = found, False
        if not found or not len(found[0]):
            self.show_nothing(NOTHING_TO_REPLAY)
            return
        self._pages.setCurrentWidget(self._filled)
        for place in range(len(SIDES)):
            each = found[place] if place < len(found) else None
            for widget in (self.plots[place], self.tables[place], self.sentences[place]):
                widget.setVisible(each is not None)
            self._models[place].show_replay(each)
            self.tables[place].show_columns()
            said = "" if each is None else lasting_sentence(each)
            self.sentences[place].say(f"{titled_policy(each)}: {said}" if each and len(found) > 1 else said)
        for plot, each, drawing in zip(self.plots, found, reach_drawings(found), strict=False):
            plot.show_replay(each, titled_policy(each), drawing)
            plot.setAccessibleDescription(excerpt(f"{titled_policy(each)}: {lasting_sentence(each)}"))
            plot.show_turn(self._turn)
        self._set_dimmed(False)

    def end(self, trouble: str) -> None:
        """End the request: all is shown, or `trouble` is the reason why not."""
        if trouble and not self.found:
            self.show_nothing(trouble)

    def show_turn(self, turn: int) -> None:
        """Move the playhead to the turn of the scenario."""
        if turn != self._turn:
            self._turn = turn
            for plot in self.shown_plots:
                plot.show_turn(turn)

    @property
    def shown_plots(self) -> Sequence[TurnPlot]:
        """The plots of the shown replays."""
        return self.plots[: len(self.found)]

    @property
    def shown_tables(self) -> Sequence[ArrayTableModel]:
        """The tables of the shown replays."""
        return self._models[: len(self.found)]

    # Inside

    def _ask(self) -> None:
        if not self.found:
            self._nothing.set_sentence(REPLAYING)
        self.requested.emit()

    def _dim(self) -> None:
        self._set_dimmed(bool(self.found))

    def _set_dimmed(self, dimmed: bool) -> None:
        for table in self.tables:
            table.set_dimmed(dimmed)
        for plot in self.plots:
            plot.set_dimmed(dimmed)

    def _tell_item(self, place: int, row: int) -> None:
        if not self._stale and place < len(self.found):
            self.item_chosen.emit(self.found[place].candidates.ids[row])

    def _go_to_fall(self, place: int, row: int) -> None:
        if not self._stale and place < len(self.found):
            self.turned.emit(int(self.found[place].fell_at[row]), "")

    def _make_sides(self) -> None:
        self.plots = [TurnPlot(f"How far back prompts reach, {side}") for side in SIDES]
        self._models = [LastingModel(self) for _ in SIDES]
        self.tables = [ArrayTableView(model) for model in self._models]
        for place, (plot, table) in enumerate(zip(self.plots, self.tables, strict=True)):
            plot.setObjectName(f"lasting_plot_{place + 1}")
            plot.setMinimumHeight(_LEAST_PLOT)
            plot.turned.connect(self.turned)
            table.setObjectName(f"lasting_table_{place + 1}")
            table.setAccessibleName(f"Items that fall out, {SIDES[place]}")
            table.setFrameShape(QFrame.Shape.NoFrame)
            table.setMinimumHeight(_LEAST_TABLE)
            table.set_empty_text("Nothing falls at any turn.")
            table.row_selected.connect(lambda row, place=place: self._tell_item(place, row))
            table.row_activated.connect(lambda row, place=place: self._go_to_fall(place, row))
            self.sentences[place].setAccessibleName(f"How long items last, {SIDES[place]}")
            give_font(self.sentences[place], "title")
        for pair in (self.plots, self.tables, self.sentences):
            pair[1].hide()  # until there is a second policy: what is hidden later takes its room for a moment

    def _lay_out(self) -> None:
        self._filled, self._nothing = QWidget(), EmptyState(TITLE, NOTHING_TO_REPLAY)
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT, 2 * UNIT, 3 * UNIT, 2 * UNIT)
        for sentence in self.sentences:
            head.addWidget(sentence, 1)
        head.addWidget(export_button("lasting_export", self.export_requested.emit))
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setChildrenCollapsible(False)
        for place, widgets in enumerate((self.plots, self.tables)):
            parts.addWidget(_beside(widgets))
            parts.setStretchFactor(place, _SHARES[place])
        parts.setSizes(_SHARES)
        rows = QVBoxLayout(self._filled)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(head)
        rows.addWidget(parts, 1)
        self._pages = Pages(self)
        for page in (self._nothing, self._filled):
            self._pages.addWidget(page)


def _beside(widgets: Sequence[QWidget]) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(GAP)
    for widget in widgets:
        row.addWidget(widget, 1)
    return holder

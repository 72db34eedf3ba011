"""The summary view: summarized messages, the source, savings and losses of each summary, and the method for new
ones.
"""

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.analysis.fidelity.ask import SummaryTable, SummaryTotal
from inspector.analysis.fidelity.tables import SUMMARY_COLUMNS, item_id
from inspector.assembly.columns import Rows
from inspector.assembly.scenario import Scenario
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.labels import ElidedLabel, Hint, PlainLabel
from inspector.gui.parts.number_field import WholeField, stand_in_column
from inspector.gui.parts.panes import Panes
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.summaries.pair import SummaryPair
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

_NO_ROWS = np.empty(0, dtype=np.intp)


def total_line(table: SummaryTable) -> str:
    """Return the totals of the summaries of this prompt; if it has none, those of the available summaries."""
    inside: SummaryTotal = table.total(table.summarized)
    marked = "≈ " if not table.exact.all() else ""
    if inside.messages:
        return f"{_messages(inside.messages)} summarized · {marked}{inside.sentence}"
    return f"None in this prompt; {_messages(len(table))} would be · {marked}{table.total().sentence}"


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


def in_order(table: SummaryTable) -> Rows:
    """Return the places of a table: those summarized in this prompt, then the rest, each in conversation order."""
    return np.argsort(~table.summarized, kind="stable")


class SummaryModel(ArrayTableModel[SummaryTable]):
    """The messages of a table of summaries: unless sorted, those summarized in this prompt first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(SUMMARY_COLUMNS, parent)

    def show_table(self, table: SummaryTable | None) -> None:
        """Show a table; None shows nothing."""
        if table is None:
            self.show(None, _NO_ROWS, ())
            return
        ids = tuple(item_id(table, place) for place in range(len(table)))
        self.show(table, in_order(table), self.ids if ids == self.ids else ids)


METHODS: tuple[tuple[str | None, str, str], ...] = (
    (None, "first 100 characters", "What the policies do by themselves"),
    (
        "extractive",
        "chosen sentences",
        "Extractive: the sentences of the message that say most, chosen on this machine",
    ),
    ("endpoint", "endpoint", "A server that you configured writes them: the texts are sent to it"),
)
MOST_TOKENS = 2_000
TABLE_WIDTH, PAIR_WIDTH = 520, 480
NOTHING_OPEN = "Open a conversation to see which of its messages are summarized."
NO_SUMMARIES = (
    "Messages that are summarized, or have a summary, are listed here with what each saves and which facts it loses. "
    "No message here has one. Turn on “Summarize old messages” in the policy, or choose above how to make summaries."
)
LEAST_ROWS = 4
_TABLE, _EMPTY = range(2)


class SummaryView(AskingView):
    """Method, totals, table, and the selected message beside its summary. The view computes nothing.

    `requested` asks for the table of the current answer. `row_selected` carries rows of the candidates, `method_chosen`
    a method of `Scenario.summaries` (None for none), `tokens_chosen` the greatest length of such summaries.
    """

    requested = Signal()
    row_selected = Signal(int)
    method_chosen = Signal(object)
    tokens_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("summary_view")
        self._table: SummaryTable | None = None
        self._trouble = ""
        self._model = SummaryModel(self)
        self.method = self._make_method()
        self.tokens = self._make_tokens()
        self.totals = PlainLabel(wordWrap=True)
        self.totals.setIndent(UNIT)
        self.totals.setObjectName("summary_totals")
        self.totals.setAccessibleName("What the summaries save and keep")
        self.trouble = Hint(self, complaint=True)
        self.table = self._make_table()
        self.pair = SummaryPair()
        self._empty = EmptyState("No summaries", NOTHING_OPEN)
        self._pages = QStackedWidget()
        self._lay_out()
        self.show_table(None)

    def _make_method(self) -> QComboBox:
        method = ChoiceBox()
        method.setObjectName("summary_method")
        method.setAccessibleName("What stands for a message that has no summary of its own")
        for place, (name, text, meaning) in enumerate(METHODS):
            method.addItem(text, name)
            method.setItemData(place, tooltip(meaning), Qt.ItemDataRole.ToolTipRole)
        method.activated.connect(lambda place: self.method_chosen.emit(METHODS[place][0]))
        return method

    def _make_tokens(self) -> WholeField:
        tokens = WholeField()
        tokens.setObjectName("summary_tokens")
        tokens.setAccessibleName("How many tokens a computed summary may have")
        tokens.setRange(1, MOST_TOKENS)
        tokens.setSingleStep(5)
        tokens.setPrefix("up to ")
        tokens.count("token")
        stand_in_column(tokens, "up to 2,000 tokens")
        tokens.valueChanged.connect(self.tokens_chosen)
        tokens.refused.connect(lambda reason: self.trouble.say(reason or self._trouble))
        return tokens

    def _make_table(self) -> ArrayTableView:
        table = ArrayTableView(self._model)
        table.setObjectName("summary_table")
        table.setFrameShape(ArrayTableView.Shape.NoFrame)
        table.setAccessibleName("Messages that are or would be summarized")
        table.setSortingEnabled(True)
        table.sort_by("")
        table.keep_rows(LEAST_ROWS)
        table.row_selected.connect(self._choose)
        table.row_followed.connect(self._show_pair)
        return table

    def _lay_out(self) -> None:
        label = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        label.say("Without a summary in the file:")
        label.setBuddy(self.method)
        top = QHBoxLayout()
        top.setContentsMargins(GAP, PANEL_MARGIN, GAP, PANEL_MARGIN)
        top.setSpacing(PANEL_MARGIN)
        for widget in (label, self.method, self.tokens):
            top.addWidget(widget)
        top.setStretchFactor(label, 1)
        top.addStretch(2)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, PANEL_MARGIN)
        self.totals.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        column.setSpacing(UNIT)
        column.addWidget(self.table, 1)
        column.addWidget(self.totals)
        panes = Panes()
        for place, pane in enumerate((left, self.pair)):
            panes.addWidget(pane)
            panes.setStretchFactor(place, 1)
        panes.setSizes([TABLE_WIDTH, PAIR_WIDTH])
        self._pages.addWidget(panes)
        self._pages.addWidget(self._empty)
        self.trouble.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addLayout(top)
        layout.addWidget(self.trouble)
        layout.addWidget(self._pages, 1)

    def show_setting(self, scenario: Scenario, trouble: str) -> None:
        """Show the method of the scenario, and why it is unavailable; nothing is emitted."""
        names = [name for name, _, _ in METHODS]
        self.method.setCurrentIndex(names.index(scenario.summaries) if scenario.summaries in names else -1)
        self.tokens.show_value(scenario.summary_tokens)
        self.tokens.setVisible(scenario.summaries is not None)
        self._trouble = trouble
        self.trouble.say(trouble)

    def show_table(self, table: SummaryTable | None) -> None:
        """Show a table of summaries; None if nothing is open."""
        self._stale = False
        self._table = table
        self._dim()
        self._empty.set_sentence(NOTHING_OPEN if table is None else NO_SUMMARIES)
        self._model.show_table(table)
        self._pages.setCurrentIndex(_TABLE if table is not None and len(table) else _EMPTY)
        self.totals.setText(total_line(table) if table is not None and len(table) else "")
        self._show_pair(self.table.current_row)

    def select_row(self, row: int) -> None:
        """Make a message current, if it is shown."""
        if self._table is not None and len(places := (self._table.rows == row).nonzero()[0]):
            self.table.select_row(int(places[0]))

    def _dim(self) -> None:
        self.table.set_dimmed(self._stale and self._table is not None)

    def _ask(self) -> None:
        self.requested.emit()

    def _choose(self, place: int) -> None:
        self._show_pair(place)
        if self._table is not None and not self._stale:
            self.row_selected.emit(int(self._table.rows[place]))

    def _show_pair(self, place: int) -> None:
        """Show the message at a place of the table beside its summary; without one, the first."""
        table = self._table
        first = int(in_order(table)[0]) if table is not None and len(table) else -1
        self.pair.show_place(table, place if table is not None and 0 <= place < len(table) else first)

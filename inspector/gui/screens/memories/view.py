"""The memories by rank: the query, how it is compared, and why each memory is in the prompt or not."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly import edits
from inspector.assembly.answer import Answer
from inspector.assembly.finding_kinds import EMBEDDING_UNAVAILABLE
from inspector.assembly.marks import marked_rows
from inspector.assembly.memory_ranking import (
    MemoryRanking,
    comparison_sentence,
    prompt_sentence,
    rank_memories,
    ranking_sentence,
)
from inspector.assembly.policy import Policy, policy_title
from inspector.assembly.relevance import DuplicateSearches
from inspector.assembly.scenario import DEFAULT_POLICY
from inspector.figures import counted
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.labels import ElidedLabel, Hint
from inspector.gui.parts.texts import tooltip
from inspector.gui.parts.turning_splitter import TurningSplitter
from inspector.gui.screens.memories.comparison_picker import ComparisonPicker
from inspector.gui.screens.memories.query_box import QueryBox
from inspector.gui.screens.memories.relevance_rows import RelevanceRows
from inspector.gui.screens.memories.scale_rows import ScaleRows
from inspector.gui.screens.memories.table import MemoryTable
from inspector.gui.table.filter import Filter
from inspector.gui.table.item_menu import decision_menu
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, row_height
from inspector.retrieval.relevance.settings import RelevanceSettings

NO_MEMORIES = (
    "Every memory with its rank, what its score is made of, and why it is in the prompt or not. "
    "Add memories to what is open: a file of memories, a workspace or a database."
)
LOADING = "What is being opened is still loading."
NOT_IN_USE = "Open, and not in use here: {memories}. Tick a set of memories in Sources to use it."
NARROWEST = 58 * UNIT
_LEAST_ROWS = 4


class _Shown(NamedTuple):
    """The last values given to the panel."""

    answer: Answer
    policy: Policy | None
    searches: DuplicateSearches


class MemoryView(QWidget):
    """The memories of an answer. The view ranks nothing and keeps no scenario: it shows answers and emits wishes.

    `changed` carries the undo label, the fields of the scenario to replace, and the gesture. `row_selected` and
    `row_activated` carry rows of the candidates, `pin_requested` and `exclude_requested` ids to toggle,
    `mark_requested` rows to mark as must-survive or to unmark, `note_requested` the row for a note, `class_requested`
    ids and their new class, `filter_requested` a line for the filter of all items.
    """

    changed = Signal(object, tuple, str)
    row_selected = Signal(int)
    row_activated = Signal(int)
    pin_requested = Signal(list)
    exclude_requested = Signal(list)
    mark_requested = Signal(list)
    note_requested = Signal(int)
    class_requested = Signal(list, object)
    filter_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memory_view")
        self._shown: _Shown | None = None
        self._is_stale = False
        self._open, self._is_loading = 0, False
        self.query_box, self.picker, self.relevance = QueryBox(), ComparisonPicker(), RelevanceRows()
        self.table, self.total, self.said, self.scales = MemoryTable(), ElidedLabel(), Hint(), ScaleRows()
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        give_font(self.total, "title")
        self.total.setAccessibleName("How many memories are in the prompt")
        self.parts = QPushButton()
        self.parts.setObjectName("memory_parts")
        self.parts.setText("Parts…")
        self.parts.setCheckable(True)
        self.parts.setAccessibleName("Show the parts of a similarity")
        self.parts.setToolTip(tooltip("What a similarity is made of, and how much each part counts"))
        self.compared = ElidedLabel()
        self.compared.setObjectName("memory_compared")
        self.compared.setAccessibleName("Where the similarities come from")
        self._late = QTimer(self, singleShot=True, interval=0)
        self._late.timeout.connect(self._show_if_seen)
        self._lay_out()
        self._connect()
        self._show()

    def show_answer(self, answer: Answer | None, policy: Policy | None, searches: DuplicateSearches) -> None:
        """Show an answer: at once if the view is in sight, otherwise when it comes into sight.

        `policy` is None if its parameters are refused; `searches` knows the near-duplicates.
        """
        self._shown = None if answer is None else _Shown(answer, policy, searches)
        self._is_stale = True
        self._show_if_seen()

    @property
    def is_in_sight(self) -> bool:
        """Whether the view can be seen: Qt calls it visible behind another tab, but its visible region is empty
        there.
        """
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def select_row(self, row: int) -> None:
        """Make the memory at this candidate row current; do nothing if the row is not a memory."""
        if row != self.table.current_row:
            self.table.select_row(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show a pending answer soon: coming to the front of other tabs sends no other event."""
        super().paintEvent(event)
        if self._is_stale:
            self._late.start()

    def menu(self) -> QMenu | None:
        """Return the menu for the selection, None if nothing is selected."""
        self._catch_up()
        rows = self.table.selected_rows()
        if not rows or self._shown is None:
            return None
        answer = self._shown.answer
        menu = decision_menu(
            self.table,
            answer.assembly,
            rows,
            pin=lambda: self._press_letter("p"),
            exclude=lambda: self._press_letter("x"),
            mark=lambda: self._press_letter("m"),
            note=lambda: self._press_letter("n"),
            filter_by=self.filter_requested.emit,
            shown=Filter(),
            overrides=answer.scenario.overrides,
            classify=lambda kind: self.class_requested.emit(self._ids(rows), kind),
            must_survive=marked_rows(answer.heard.marks, answer.assembly.candidates.items).must_survive,
        )
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(GAP, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        head.setSpacing(PANEL_MARGIN)
        head.addWidget(self.query_box, 1)
        head.addWidget(self.picker)
        head.addWidget(self.parts)
        below = QHBoxLayout()
        below.setContentsMargins(GAP, 0, PANEL_MARGIN, UNIT)
        below.setSpacing(GAP)
        below.addWidget(self.total)
        below.addWidget(self.compared, 1)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(below)
        column.addWidget(self.said)
        column.addWidget(self.scales)
        column.addWidget(self.table, 1)
        self.said.setContentsMargins(GAP, 0, PANEL_MARGIN, UNIT)
        self._side = self._scrolled(self.relevance)
        for part in (self.table, self._side):
            part.setMinimumHeight(_LEAST_ROWS * row_height(self.table))
        self._filled = TurningSplitter()
        self._filled.addWidget(left)
        self._filled.addWidget(self._side)
        self._filled.setStretchFactor(0, 1)
        self._filled.setSizes([4 * NARROWEST, NARROWEST])
        self._side.hide()
        self._nothing = EmptyState("Memories", NO_MEMORIES)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._filled)
        self._layout.addWidget(self._nothing)

    def _scrolled(self, rows: RelevanceRows) -> QScrollArea:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(GAP, PANEL_MARGIN, GAP, GAP)
        column.addWidget(rows)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName("Parts of a similarity")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(NARROWEST)
        area.setWidget(page)
        return area

    def _connect(self) -> None:
        self.query_box.asked.connect(self._ask)
        self.picker.way_chosen.connect(lambda way: self.changed.emit(edits.compare_by, (way,), ""))
        self.picker.embedding_chosen.connect(lambda name: self.changed.emit(edits.use_embedding, (name,), ""))
        self.relevance.edited.connect(self._weigh)
        self.scales.chosen.connect(lambda *choice: self.changed.emit(edits.choose_score_scale, choice, ""))
        self.parts.toggled.connect(self._side.setVisible)
        self.table.row_selected.connect(self.row_selected)
        self.table.row_activated.connect(self.row_activated)
        self.table.letter_pressed.connect(self._press_letter)
        self.table.customContextMenuRequested.connect(self._open_menu)

    def _show_if_seen(self) -> None:
        if self._shown is None or self.is_in_sight:
            self._catch_up()

    def _catch_up(self) -> None:
        """Show the pending answer: rows of the answer before would mean other items of it."""
        if self._is_stale:
            self._is_stale = False
            self._show()

    def _show(self) -> None:
        shown = self._shown
        ranking = None if shown is None else _ranking_of(shown)
        filled = ranking is not None and len(ranking) > 0
        if not filled:
            self._nothing.set_sentence(self._why_nothing())
        self._layout.setCurrentWidget(self._filled if filled else self._nothing)
        self.table.show_ranking(ranking)
        if shown is None or ranking is None:
            return
        error = shown.answer.assembly.error
        self.table.set_dimmed(error is not None)
        self.total.say(prompt_sentence(ranking) if error is None else "")
        self.compared.say(
            comparison_sentence(ranking, _embedding_trouble(shown.answer)) if error is None else error.message
        )
        self._show_controls(shown, ranking)

    def _why_nothing(self) -> str:
        """Return the reason for an empty panel; open memories that are not in use are not missing."""
        if self._is_loading:
            return LOADING
        memories = counted(self._open, "memory", plural="memories")
        return NOT_IN_USE.format(memories=memories) if self._open else NO_MEMORIES

    def show_open(self, memories: int, is_loading: bool) -> None:
        """Set the number of memories in all open files, and whether more may come."""
        if (memories, is_loading) != (self._open, self._is_loading):
            self._open, self._is_loading = memories, is_loading
            self._nothing.set_sentence(self._why_nothing())

    def _show_controls(self, shown: _Shown, ranking: MemoryRanking) -> None:
        scenario = shown.answer.scenario
        self.query_box.show_query(scenario.query, shown.answer.assembly.candidates.query)
        self.picker.show_choice(scenario.similarity, scenario.embedding)
        self.relevance.show_settings(scenario.relevance, scenario.similarity)
        self.scales.show_sets(shown.answer.case.chosen.parts.memory_sets, scenario.score_scales)
        if shown.policy is not None:
            title = policy_title(scenario.policy or DEFAULT_POLICY, type(shown.policy))
            self.said.say(ranking_sentence(ranking, title))

    def _ask(self, query: str | None, gesture: str) -> None:
        self.changed.emit(edits.set_query, (query,), gesture)

    def _weigh(self, label: str, settings: RelevanceSettings, gesture: str) -> None:
        self.changed.emit(edits.weigh_relevance, (settings, label), gesture)

    def _press_letter(self, letter: str) -> None:
        self._catch_up()
        rows = self.table.selected_rows()
        if letter == "m" and rows:
            self.mark_requested.emit(rows)
        elif letter == "n" and self.table.current_row in rows:
            self.note_requested.emit(self.table.current_row)
        signal = {"p": self.pin_requested, "x": self.exclude_requested}.get(letter)
        if signal is not None and rows:
            signal.emit(self._ids(rows))

    def _ids(self, rows: Sequence[int]) -> list[str]:
        return [self.table.memories.ids[row] for row in rows]

    def _open_menu(self, point: QPoint) -> None:
        menu = self.menu() or self.table.plain_menu()
        menu.popup(self.table.viewport().mapToGlobal(point))


def _ranking_of(shown: _Shown) -> MemoryRanking:
    assembly = shown.answer.assembly
    return rank_memories(assembly, shown.policy, shown.searches.known(assembly.candidates))


def _embedding_trouble(answer: Answer) -> str:
    """Return why there are no vectors, "" if there are."""
    return next((found.message for found in answer.findings if found.kind == EMBEDDING_UNAVAILABLE), "")

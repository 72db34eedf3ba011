"""The tables of memory use: the memories, the needed messages that no memory names, other ways to write the memories,
and other places for them.
"""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.analysis.basis import Share
from inspector.analysis.recall.memory_places import PLACES, MemoryPlaces
from inspector.analysis.recall.memory_use import UNNAMED_EVIDENCE, USED_MEMORIES, MemoryUse, UsedItem
from inspector.analysis.recall.memory_writing import WRITTEN_WAYS, MemoryWriting
from inspector.assembly.columns import Rows
from inspector.figures import percentage
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.chip import Chip
from inspector.gui.parts.labels import Hint
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import UNIT
from inspector.gui.tuning.gate import Gate
from inspector.tables import Column, Subject, Table

PURPOSE = "How each memory serves the questions: how often it is kept, and how often it has evidence in it."
PAGES = ("Memories", "To write", "Written otherwise", "Placed otherwise")
MEMORIES, TO_WRITE, WRITTEN, PLACED = range(4)
ANSWERED = {MEMORIES: MEMORIES, TO_WRITE: MEMORIES, WRITTEN: WRITTEN, PLACED: PLACED}
"""The page that stands for the question that each page answers: the first two show one answer."""
ASKING = "Asking the questions …"
_LINES = 2
"""The lines of the sentence above the tables."""
NO_MEMORIES = "There are no memories here."
ALL_SERVE = "Every memory has evidence of a question."
ALL_NAMED = "Every needed message is named by a memory."


def _declared(table: Table[Subject]) -> Sequence[Column[Subject]]:
    return table.columns if isinstance(table.columns, Sequence) else ()


class MemoryUseModel(ArrayTableModel[MemoryUse]):
    """Rows of one of the tables."""

    def __init__(self, table: Table[MemoryUse], parent: QObject | None = None) -> None:
        super().__init__(_declared(table), parent)

    def show_use(self, use: MemoryUse | None, rows: Rows, items: Sequence[UsedItem]) -> None:
        """Show these rows; the same items as before stay selected."""
        ids = tuple(f"{item.conversation}/{item.name}" for item in items)
        self.show(use, rows, self.ids if ids == self.ids else ids)


class MemoryUsePage(AskingView):
    """The tables, of which one is shown. `requested` carries the question of that table, one of `ANSWERED`.

    `item_selected` and `item_activated` carry a conversation and the id of an item in it.
    """

    requested = Signal(int)
    item_selected = Signal(str, str)
    item_activated = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.use: MemoryUse | None = None
        self.writing: MemoryWriting | None = None
        self.places: MemoryPlaces | None = None
        self._current: set[int] = set()
        """The questions whose answers are up to date."""
        self.pages = ViewSwitch(PAGES, "Show {}", self)
        self.pages.setObjectName("memory_use_page")
        self.pages.setAccessibleName("What is listed")
        self.pages.chosen.connect(self._show_page)
        self.only_never = Chip("memory_use_never", "Only without evidence", "List only memories that never serve")
        self.only_never.toggled.connect(lambda _: self._show_rows())
        self.said = Hint(lines=_LINES)
        self.said.setForegroundRole(QPalette.ColorRole.WindowText)
        self.models = (MemoryUseModel(USED_MEMORIES, self), MemoryUseModel(UNNAMED_EVIDENCE, self))
        self.ways = ArrayTableModel[MemoryWriting](_declared(WRITTEN_WAYS), self)
        names = ("memory_use_memories", "The memories, and how each serves"), (
            "memory_use_to_write", "The needed messages that no memory names"
        )  # fmt: skip
        self.tables = tuple(self._table(model, *named) for model, named in zip(self.models, names, strict=True))
        self.ways_table = _plain_table(self.ways, "memory_use_ways", "Other ways to write the memories")
        self.placed = ArrayTableModel[MemoryPlaces](_declared(PLACES), self)
        self.placed_table = _plain_table(self.placed, "memory_use_places", "Other places for the memories")
        self._lay_out()
        self.forget()

    def forget(self) -> None:
        """Something else is open: forget what was shown."""
        self.use = self.writing = self.places = None
        for table in (*self.tables, self.ways_table, self.placed_table):
            table.start_over()
        self._show_rows()
        self.refresh()

    def show_use(self, use: MemoryUse) -> None:
        """Show the use of memories."""
        self.use = use
        self._take(MEMORIES)

    def show_writing(self, writing: MemoryWriting) -> None:
        """Show the ways to write memories."""
        self.writing = writing
        self._take(WRITTEN)

    def show_places(self, places: MemoryPlaces) -> None:
        """Show the places of memories."""
        self.places = places
        self._take(PLACED)

    def refresh(self) -> None:
        """Mark all results as outdated."""
        self._current.clear()
        super().refresh()

    @property
    def _question(self) -> int:
        return ANSWERED[self.pages.current]

    def _take(self, question: int) -> None:
        self._current.add(question)
        if question == self._question:
            self._stale = False
        self._dim()
        self._show_rows()

    def show_share(self, share: Share) -> None:
        """Show the progress."""
        self.said.say(f"{ASKING} {percentage(share.part, 0)}")

    def end(self, trouble: str) -> None:
        """End the request; `trouble` is the reason for missing results."""
        if trouble:
            self.said.say(trouble)

    def _ask(self) -> None:
        self.said.say(ASKING)
        self.requested.emit(self._question)

    def _dim(self) -> None:
        for table in self.tables:
            table.set_dimmed(MEMORIES not in self._current and self.use is not None)
        self.ways_table.set_dimmed(WRITTEN not in self._current and self.writing is not None)
        self.placed_table.set_dimmed(PLACED not in self._current and self.places is not None)

    def _show_page(self, page: int) -> None:
        self.stack.setCurrentIndex(page)
        self.only_never.setVisible(page == MEMORIES)
        if self._question in self._current:
            self._stale = False
            self._say()
        else:
            super().refresh()

    def _show_rows(self) -> None:
        use, none = self.use, np.empty(0, np.intp)
        is_filtered = self.only_never.isChecked()
        rows = none if use is None else use.order
        if use is not None and is_filtered:
            rows = rows[np.isin(rows, use.never)]
        self.models[MEMORIES].show_use(use, rows, () if use is None else use.memories)
        unnamed = () if use is None else use.unnamed
        self.models[TO_WRITE].show_use(use, np.arange(len(unnamed)), unnamed)
        for table in self.tables:
            table.show_columns()
        is_known = use is not None
        self.tables[MEMORIES].set_empty_text(
            "" if not is_known else ALL_SERVE if use.memories and is_filtered else NO_MEMORIES
        )
        self.tables[TO_WRITE].set_empty_text(ALL_NAMED if is_known else "")
        writing = self.writing
        ways = () if writing is None else tuple(one.way.name for one in writing.ways)
        self.ways.show(writing, np.arange(len(ways)), self.ways.ids if ways == self.ways.ids else ways)
        self.ways_table.show_columns()
        places = self.places
        names = () if places is None else tuple(one.name for one in places.places)
        self.placed.show(places, np.arange(len(names)), self.placed.ids if names == self.placed.ids else names)
        self.placed_table.show_columns()
        self._say()

    def _say(self) -> None:
        """Say the result of the page, unless another is on its way."""
        result = {MEMORIES: self.use, WRITTEN: self.writing, PLACED: self.places}[self._question]
        is_told_below = self.pages.current == MEMORIES and self.use is not None and not self.use.memories
        if result is None or self._question in self._current:
            self.said.say("" if result is None or is_told_below else result.sentence)

    def _item(self, page: int, row: int) -> UsedItem | None:
        """Return the item of a row; None while the rows belong to another setting."""
        if self.use is None or MEMORIES not in self._current or row < 0:
            return None
        return (self.use.memories, self.use.unnamed)[page][row]

    def _select(self, page: int, row: int) -> None:
        if item := self._item(page, row):
            self.item_selected.emit(item.conversation, item.name)

    def _activate(self, page: int, row: int) -> None:
        if item := self._item(page, row):
            self.item_activated.emit(item.conversation, item.name)

    def _table(self, model: MemoryUseModel, name: str, words: str) -> ArrayTableView:
        table, page = _plain_table(model, name, words), self.models.index(model)
        table.row_selected.connect(lambda row: self._select(page, row))
        table.row_activated.connect(lambda row: self._activate(page, row))
        return table

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT, 2 * UNIT, 4 * UNIT, 2 * UNIT)
        head.setSpacing(2 * UNIT)
        head.addWidget(self.pages)
        head.addWidget(self.only_never)
        head.addStretch(1)
        told = QHBoxLayout()
        told.setContentsMargins(4 * UNIT, 0, 4 * UNIT, UNIT)
        told.addWidget(self.said)
        self.stack = QStackedWidget()
        for table in (*self.tables, self.ways_table, self.placed_table):
            self.stack.addWidget(table)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 1, 0, 0)  # a view covered completely by its parts counts as out of sight
        inside.setSpacing(0)
        inside.addLayout(head)
        inside.addLayout(told)
        inside.addWidget(self.stack, 1)


def _plain_table(model: ArrayTableModel[Subject], name: str, words: str) -> ArrayTableView:
    """Return a table that sorts by any column, and by none at first."""
    table = ArrayTableView(model)
    table.setObjectName(name)
    table.setAccessibleName(words)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setSortingEnabled(True)
    table.horizontalHeader().setSortIndicatorClearable(True)
    table.sort_by("")
    return table


class MemoryUseView(Gate):
    """The page, or why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.page = MemoryUsePage()
        super().__init__(self.page, PURPOSE, parent)

"""The table of memories: an array table with bars for signals, and rules for limits, which cannot be selected."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QItemSelectionRange, Qt
from PySide6.QtWidgets import QWidget

from inspector.assembly.memory_ranking import MemoryRanking
from inspector.gui.screens.memories.model import MemoryModel
from inspector.gui.screens.memories.painting import MemoryRowPainter
from inspector.gui.table.view import ArrayTableView


class MemoryTable(ArrayTableView):
    """The memories in the order of decision, or sorted by a column, then without rules."""

    def __init__(self, parent: QWidget | None = None) -> None:
        model = MemoryModel()
        super().__init__(model, parent)
        model.setParent(self)
        self.memories = model
        self._top = 0
        model.order_will_change.connect(self._remember)
        model.order_changed.connect(self._restore)
        self.painter = MemoryRowPainter(self, self.memories)
        self.setObjectName("memory_table")
        self.setAccessibleName("Memories, ranked, and why each is in the prompt or not")
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def show_ranking(self, ranking: MemoryRanking | None) -> None:
        """Show a ranking, keeping the selected memory."""
        self.memories.show_ranking(ranking)
        self.show_columns()

    def _remember(self) -> None:
        """Remember the scroll position besides the anchor row, before a reset."""
        super()._remember()
        self._top = self.verticalScrollBar().value()

    def _scroll_to_anchor(self) -> None:
        """Follow the selected memory; without a selection stay at the same ranks, where other memories may appear."""
        if self._current >= 0:
            super()._scroll_to_anchor()
        else:
            self.executeDelayedItemsLayout()
            self.verticalScrollBar().setValue(self._top)

    def _selected_parts(self) -> Iterator[QItemSelectionRange]:
        """Yield the selected ranges without the rules inside them."""
        model = self.memories
        for part in super()._selected_parts():
            places = np.arange(part.top(), part.bottom() + 1)
            places = places[model.rows[places] >= 0]
            for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
                if len(run):
                    first, last = (model.index(int(run[end]), part.left()) for end in (0, -1))
                    yield QItemSelectionRange(first, last)

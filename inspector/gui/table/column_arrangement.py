"""How the columns of a table lie: as declared and as there is room, until a person chooses, orders or sizes them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtWidgets import QTableView

from inspector.gui.table.column_choice import AS_DECLARED, ColumnChoice
from inspector.gui.table.columns import Column
from inspector.gui.table.header import ARROW_ROOM, PADDING, TableHeader
from inspector.gui.table.model import ArrayTableModel

LEAST = 3
"""How many times as wide as the narrowest column one that stretches is at least."""
STEP = 16
"""By how many pixels a key makes a column wider."""


class ColumnArrangement:
    """The columns of one table. `choice` is what a person made of them.

    One column stretches: it takes what the others leave, until a person sizes it. Once a person has chosen columns,
    none goes for want of room any more; the table scrolls. The first that is declared always stays: rows carry their
    marks there.
    """

    def __init__(self, view: QTableView, model: ArrayTableModel, header: TableHeader) -> None:
        self._view, self._model, self._header = view, model, header
        self._declared: dict[str, int] = {}
        self._is_arranging = False
        self.choice = AS_DECLARED
        header.sectionResized.connect(self._note_size)
        header.sectionMoved.connect(self._note_order)

    @contextmanager
    def _arranging(self) -> Iterator[None]:
        """What changes meanwhile, no person does."""
        before, self._is_arranging = self._is_arranging, True
        try:
            yield
        finally:
            self._is_arranging = before

    def declare(self, width_of: Callable[[Column], int]) -> None:
        """Lay out the columns that there are now; `width_of` says what one starts with, in pixels."""
        self._declared = {column.key: width_of(column) for column in self._model.columns}
        self._lay()

    def _lay(self) -> None:
        with self._arranging():
            for key in self._declared:
                self._header.resizeSection(self._model.column(key), self._width(key))
            self._put_in_order()
        self.show()

    def declared_width(self, column: Column) -> int:
        """The width in pixels that a column starts with: room for its title, an arrow and its digits."""
        metrics = self._view.fontMetrics()
        title = metrics.horizontalAdvance(column.title) + 2 * PADDING + ARROW_ROOM
        return max(title, column.digits * metrics.horizontalAdvance("0") + 2 * PADDING)

    def take(self, choice: ColumnChoice) -> None:
        """Lay out as a person chose it before."""
        self.choice = choice
        self._lay()

    def show(self) -> None:
        """Show the columns that have something to show and are wanted, or as many as there is room for."""
        shown = self._wanted()
        with self._arranging():
            for section, column in enumerate(self._model.columns):
                if self._header.isSectionHidden(section) == (column.key in shown):
                    self._header.setSectionHidden(section, column.key not in shown)
        self.fit()

    def has_something(self, column: Column) -> bool:
        """Whether a column has anything to show of what the table shows."""
        subject = self._model.subject
        return subject is None or column.shown is None or column.shown(subject)

    def is_shown(self, key: str) -> bool:
        """Whether there is a column of this key, and it is shown."""
        section = self._model.sections.get(key)
        return section is not None and not self._header.isSectionHidden(section)

    def may_go(self, column: Column) -> bool:
        """Whether a person may hide a column."""
        return column is not self._model.columns[0]

    def _wanted(self) -> set[str]:
        there = [column for column in self._model.columns if self.has_something(column)]
        wanted = {column.key for column in there if not self.may_go(column) or self.choice.shown.get(column.key, True)}
        if self.choice.shown:
            return wanted
        lack = sum(self._least(key) for key in wanted) - self._view.viewport().width()
        for column in sorted(there, key=lambda column: -column.yields):
            if lack > 0 and column.yields:
                lack -= self._least(column.key)
                wanted.remove(column.key)
        return wanted

    def _least(self, key: str) -> int:
        return self._width(key) if key in self._declared else 0

    def _width(self, key: str) -> int:
        return max(self.choice.widths.get(key, self._declared[key]), self._header.minimumSectionSize())

    def fit(self) -> None:
        """Give the column that stretches what the others leave; one that a person sized stays as it is.

        Where they leave next to nothing, the table scrolls, and it has the width that it is declared with.
        """
        column = next((column for column in self._model.columns if column.stretches), None)
        if column is None or column.key in self.choice.widths or not self.is_shown(column.key):
            return
        section = self._model.column(column.key)
        others = self._header.length() - self._header.sectionSize(section)
        left = self._view.viewport().width() - others
        width = left if left >= LEAST * self._header.minimumSectionSize() else self._width(column.key)
        if width != self._header.sectionSize(section):
            with self._arranging():
                self._header.resizeSection(section, width)

    def _put_in_order(self) -> None:
        """Columns that the order does not name stay beside those that they are declared beside."""
        order = [key for key in self.choice.order if key in self._model.sections]
        for place, column in enumerate(self._model.columns):
            if column.key not in order:
                order.insert(place, column.key)
        for place, key in enumerate(order):
            self._header.moveSection(self._header.visualIndex(self._model.column(key)), place)

    def _note_size(self, section: int, _: int, width: int) -> None:
        if not self._is_arranging and width and section < len(self._model.columns):
            self.size(self._model.columns[section].key, width)

    def _note_order(self) -> None:
        if not self._is_arranging:
            self.choice = replace(self.choice, order=tuple(column.key for column in self.in_order()))

    def in_order(self) -> list[Column]:
        """The columns from left to right, those that are hidden too."""
        return [self._model.columns[self._header.logicalIndex(place)] for place in range(len(self._model.columns))]

    def sections_shown(self) -> list[int]:
        """The sections that are shown, from left to right."""
        return [self._model.column(column.key) for column in self.in_order() if self.is_shown(column.key)]

    def size(self, key: str, width: int) -> None:
        """Make a column so many pixels wide, as a person wants it."""
        self.choice = replace(self.choice, widths={**self.choice.widths, key: width})
        with self._arranging():
            self._header.resizeSection(self._model.column(key), self._width(key))
        self.fit()

    def widen(self, key: str, steps: int) -> None:
        """Make a column wider by so many steps, or narrower."""
        width = self._header.sectionSize(self._model.column(key)) + steps * STEP
        self.size(key, max(width, self._header.minimumSectionSize()))

    def choose(self, key: str, is_shown: bool) -> None:
        """Show or hide a column; from now on all that could be seen stay, and the others stay away."""
        now = {column.key: self.is_shown(column.key) for column in self._model.columns if self.has_something(column)}
        self.choice = replace(self.choice, shown={**self.choice.shown, **now, key: is_shown})
        self.show()

    def move_past(self, key: str, by: int) -> None:
        """Move a column past the next one that is shown: to the right by 1, to the left by −1."""
        header = self._header
        place = target = header.visualIndex(self._model.column(key))
        while 0 <= target + by < len(self._model.columns):
            target += by
            if not header.isSectionHidden(header.logicalIndex(target)):
                header.moveSection(place, target)
                return

    def reset(self) -> None:
        """Lie as declared."""
        self.take(AS_DECLARED)

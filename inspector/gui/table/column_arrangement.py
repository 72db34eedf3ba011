"""How the columns of a table lie: as declared and as there is room, until a person chooses, orders or sizes them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtWidgets import QTableView

from inspector.gui.table.column_choice import AS_DECLARED, ColumnChoice
from inspector.gui.table.header import ARROW_ROOM, PADDING, TableHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column

STEP = 16
"""By how many pixels a key makes a column wider."""


class ColumnArrangement:
    """The columns of one table. `choice` is what a person made of them.

    One column stretches, the first where that one made place: it takes what the others leave, until a person sizes it.
    Once a person has chosen columns, none goes for want of room any more; the table scrolls. The first that is declared
    always stays: rows carry their marks there.
    """

    def __init__(self, view: QTableView, model: ArrayTableModel, header: TableHeader) -> None:
        self._view, self._model, self._header = view, model, header
        self._declared: dict[str, int] = {}
        self._bearable: dict[str, int] = {}
        self._known: dict[tuple[str, int, bool], int] = {}
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
        self._width_of = width_of
        self._known.clear()  # another font, too, has the columns declared anew
        self._measure()
        self._lay()

    def _measure(self) -> None:
        """The widths in pixels that columns start with, and those that they can do with."""
        self._declared = {column.key: self._width_of(column) for column in self._model.columns}
        self._bearable = {
            column.key: self._width_for(column, column.least) if column.least else self._bare(column)
            for column in self._model.columns
        }

    def _bare(self, column: Column) -> int:
        """The width that a column starts with, without what is spare."""
        return self._declared[column.key] - column.spare * self._view.fontMetrics().horizontalAdvance("0")

    def _lay(self) -> None:
        with self._arranging():
            for key in self._declared:
                self._header.resizeSection(self._model.column(key), self._width(key))
            self._put_in_order()
        self.show()

    def declared_width(self, column: Column) -> int:
        """The width in pixels that a column starts with: room for its title, its digits, and an arrow if it sorts."""
        subject = self._model.subject
        known = column.needs is not None and subject is not None
        return self._width_for(column, column.needs(subject) if known and column.needs else column.digits)

    def _width_for(self, column: Column, digits: int) -> int:
        sorts = column.values is not None
        width = self._known.get((column.title, digits, sorts))
        if width is None:
            metrics = self._view.fontMetrics()
            title = metrics.horizontalAdvance(column.title) + 2 * PADDING + (ARROW_ROOM if sorts else 0)
            width = max(title, digits * metrics.horizontalAdvance("0") + 2 * PADDING)
            self._known[column.title, digits, sorts] = width
        return width

    def take(self, choice: ColumnChoice) -> None:
        """Lay out as a person chose it before."""
        self.choice = choice
        self._lay()

    def show(self) -> None:
        """Show the columns that have something to show and are wanted, or as many as there is room for."""
        self._measure()
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

    def _is_chosen(self, column: Column) -> bool:
        return self.choice.shown.get(column.key, column.at_first) or not self.may_go(column)

    def _wanted(self) -> set[str]:
        there = [column for column in self._model.columns if self.has_something(column) and self._is_chosen(column)]
        wanted = {column.key for column in there}
        if self.choice.shown:
            return wanted
        room = self._view.viewport().width()
        lack = sum(map(self._wide, wanted)) - room
        for column in sorted(there, key=lambda column: -column.yields):
            if lack > 0 and column.yields:
                lack -= self._wide(column.key)
                wanted.remove(column.key)
        lack = sum(map(self._least, wanted)) - room
        for column in sorted(there, key=lambda column: -column.goes_last):
            if lack > 0 and column.goes_last:
                lack -= self._least(column.key)
                wanted.discard(column.key)
        return wanted

    def _wide(self, key: str) -> int:
        """What a column asks others to make place for: those that stretch their whole width, others the least."""
        column = self._model.columns[self._model.column(key)]
        return self._width(key) if column.stretches else self._least(key)

    def _least(self, key: str) -> int:
        return self._sized(self.choice.widths.get(key, self._bearable.get(key, 0)))

    def _width(self, key: str) -> int:
        return self._sized(self.choice.widths.get(key, self._declared.get(key, 0)))

    def _sized(self, width: int) -> int:
        return max(width, self._header.minimumSectionSize())

    def fit(self) -> None:
        """Give the columns the room that there is: first what they can do with, and the one that stretches twice that;
        then the others what they start with, then the one that stretches, then what is spare, and the rest stretches.

        Those that a person sized stay as they are. Where even the least is too much, the table scrolls.
        """
        shown = [column for column in self._model.columns if self.is_shown(column.key)]
        if not any(column.stretches for column in self._model.columns):
            return
        stretching = next((column for column in shown if column.stretches), shown[0])
        widths = {column.key: self._least(column.key) for column in shown}
        wanted = {column.key: self._width(column.key) for column in shown}
        steps = [(stretching.key, min(2 * widths[stretching.key], wanted[stretching.key]))]
        steps += [(column.key, wanted[column.key]) for column in shown if column is not stretching and not column.spare]
        steps += [(stretching.key, wanted[stretching.key]), *wanted.items()]
        left = self._view.viewport().width() - sum(widths.values())
        for key, width in steps:
            more = min(max(left, 0), width - widths[key])
            widths[key] += more
            left -= more
        if stretching.key not in self.choice.widths:
            widths[stretching.key] += max(left, 0)
        with self._arranging():
            for key, width in widths.items():
                if width != self._header.sectionSize(self._model.column(key)):
                    self._header.resizeSection(self._model.column(key), width)

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

"""The arrangement of a table's columns: as declared and as far as they fit, until the user changes it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QTableView, QWidget

from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.table.header import ARROW_ROOM, PADDING, TableHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.reading.values import as_whole, items_of, mapping
from inspector.tables import Column

NARROWEST, WIDEST = 8, 5_000
SIGNS_WIDTH = 20
"""All in pixels."""
MOST_COLUMNS = 100
_MOST_CHARACTERS = 200  # of a key


@dataclass(frozen=True)
class ColumnChoice:
    """Columns by key; anything not given is as declared.

    `order` is from left to right, `widths` are in pixels, `shown` tells for each column whether it is visible.
    """

    order: tuple[str, ...] = ()
    widths: Mapping[str, int] = field(default_factory=dict)
    shown: Mapping[str, bool] = field(default_factory=dict)


AS_DECLARED = ColumnChoice()


def choice_value(choice: ColumnChoice) -> dict[str, Any]:
    """Return a choice as a plain value, which `read_choice` reads back unchanged; empty if all is as declared."""
    parts = {"order": list(choice.order), "widths": dict(choice.widths), "shown": dict(choice.shown)}
    return {name: part for name, part in parts.items() if part}


def read_choice(value: Any) -> ColumnChoice:
    """Return the choice from the valid parts of a plain value. Never raises."""
    known = mapping(value)
    order = dict.fromkeys(key for key in items_of(known.get("order"))[:MOST_COLUMNS] if _is_key(key))
    widths = {key: as_whole(width) for key, width in _first(known.get("widths")).items() if _is_key(key)}
    shown = {key: there for key, there in _first(known.get("shown")).items() if _is_key(key)}
    return ColumnChoice(
        tuple(order),
        {key: min(max(width, NARROWEST), WIDEST) for key, width in widths.items() if width},
        {key: there for key, there in shown.items() if isinstance(there, bool)},
    )


def _first(value: Any) -> dict[Any, Any]:
    return dict(list(mapping(value).items())[:MOST_COLUMNS])


def _is_key(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _MOST_CHARACTERS


STEP = 16
"""The change of a column's width by a key, in pixels."""


class ColumnArrangement:
    """The columns of a table. `choice` is the user's arrangement.

    One column stretches, or the first if that column has gone: it takes the remaining width, until the user sizes it.
    Once the user has chosen columns, none is hidden for lack of room any more; the table scrolls. The first declared
    column always stays: rows carry their marks there.
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
        """Mark changes within the context as not made by the user."""
        before, self._is_arranging = self._is_arranging, True
        try:
            yield
        finally:
            self._is_arranging = before

    def declare(self, width_of: Callable[[Column], int]) -> None:
        """Lay out the current columns; `width_of` returns the initial width in pixels."""
        self._width_of = width_of
        self._known.clear()  # a new font also comes here
        self._measure()
        self._lay()

    def _measure(self) -> None:
        """Measure the initial and the least widths of the columns, in pixels."""
        self._declared = {column.key: self._width_of(column) for column in self._model.columns}
        self._bearable = {
            column.key: self._width_for(column, column.least) if column.least else self._bare(column)
            for column in self._model.columns
        }

    def _bare(self, column: Column) -> int:
        """Return the initial width of a column without its spare part."""
        return self._declared[column.key] - column.spare * self._view.fontMetrics().horizontalAdvance("0")

    def _lay(self) -> None:
        with self._arranging():
            for key in self._declared:
                self._header.resizeSection(self._model.column(key), self._width(key))
            self._put_in_order()
        self.show()

    def declared_width(self, column: Column) -> int:
        """Return the initial width of a column in pixels: room for its title, its digits, and an arrow if it sorts."""
        subject = self._model.subject
        known = column.needs is not None and subject is not None
        return self._width_for(column, column.needs(subject) if known and column.needs else column.digits)

    def _width_for(self, column: Column, digits: int) -> int:
        sorts = column.values is not None
        width = self._known.get((column.title, digits, sorts))
        if width is None:
            metrics = self._view.fontMetrics()
            title = metrics.horizontalAdvance(column.title) + 2 * PADDING + (ARROW_ROOM if sorts else 0)
            if column.of_signs:
                title, digits = SIGNS_WIDTH, 0
            width = max(title, digits * metrics.horizontalAdvance("0") + 2 * PADDING)
            self._known[column.title, digits, sorts] = width
        return width

    def take(self, choice: ColumnChoice) -> None:
        """Restore the user's arrangement."""
        self.choice = choice
        self._lay()

    def show(self) -> None:
        """Show the wanted columns that have contents, or as many as fit."""
        self._measure()
        shown = self._wanted()
        with self._arranging():
            for section, column in enumerate(self._model.columns):
                if self._header.isSectionHidden(section) == (column.key in shown):
                    self._header.setSectionHidden(section, column.key not in shown)
        self.fit()

    def has_something(self, column: Column) -> bool:
        """Return whether a column has contents for the current subject."""
        subject = self._model.subject
        return subject is None or column.shown is None or column.shown(subject)

    def is_shown(self, key: str) -> bool:
        """Return whether a column with this key exists and is shown."""
        section = self._model.sections.get(key)
        return section is not None and not self._header.isSectionHidden(section)

    def may_go(self, column: Column) -> bool:
        """Return whether the user may hide a column."""
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
        """Return the width for which a column may displace others: all of it if it stretches, otherwise the least."""
        column = self._model.columns[self._model.column(key)]
        return self._width(key) if column.stretches else self._least(key)

    def _least(self, key: str) -> int:
        return self._sized(self.choice.widths.get(key, self._bearable.get(key, 0)))

    def _width(self, key: str) -> int:
        return self._sized(self.choice.widths.get(key, self._declared.get(key, 0)))

    def _sized(self, width: int) -> int:
        return max(width, self._header.minimumSectionSize())

    def fit(self) -> None:
        """Distribute the available width over the columns.

        Each column first gets its least width, the stretching one twice that; then the others get their initial width,
        the stretching one its own, and the spare parts follow; the rest goes to the stretching column. Columns sized by
        the user keep their widths. If even the least widths are too much, the table scrolls.
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
        """Order the columns. A column missing from the order stays beside its declared neighbours."""
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
        """Return the columns from left to right, including hidden ones."""
        return [self._model.columns[self._header.logicalIndex(place)] for place in range(len(self._model.columns))]

    def sections_shown(self) -> list[int]:
        """Return the visible sections, from left to right."""
        return [self._model.column(column.key) for column in self.in_order() if self.is_shown(column.key)]

    def size(self, key: str, width: int) -> None:
        """Set the width of a column in pixels, as the user's choice."""
        self.choice = replace(self.choice, widths={**self.choice.widths, key: width})
        with self._arranging():
            self._header.resizeSection(self._model.column(key), self._width(key))
        self.fit()

    def widen(self, key: str, steps: int) -> None:
        """Make a column wider by this many steps, or narrower."""
        width = self._header.sectionSize(self._model.column(key)) + steps * STEP
        self.size(key, max(width, self._header.minimumSectionSize()))

    def choose(self, key: str, is_shown: bool) -> None:
        """Show or hide a column. From now on, all other columns stay as they are, shown or hidden."""
        now = {column.key: self.is_shown(column.key) for column in self._model.columns if self.has_something(column)}
        self.choice = replace(self.choice, shown={**self.choice.shown, **now, key: is_shown})
        self.show()

    def move_past(self, key: str, by: int) -> None:
        """Move a column past the next visible one: to the right by 1, to the left by −1."""
        header = self._header
        place = target = header.visualIndex(self._model.column(key))
        while 0 <= target + by < len(self._model.columns):
            target += by
            if not header.isSectionHidden(header.logicalIndex(target)):
                header.moveSection(place, target)
                return

    def reset(self) -> None:
        """Return to the declared arrangement."""
        self.take(AS_DECLARED)


HINT = "Space shows or hides, Ctrl with an arrow moves, + and − size"
KEYS = (
    KeyUse("Show or hide the column", "Space, Return"),
    KeyUse("Move it", "Ctrl+Up, Ctrl+Down"),
    KeyUse("Make it wider or narrower", "+, -"),
)
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
_SIZES = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}


class ColumnMenu(QMenu):
    """An entry for every column, from left to right, and an entry to reset them. `changed` reports every change."""

    changed = Signal()

    def __init__(self, columns: ColumnArrangement, parent: QWidget | None = None) -> None:
        super().__init__("Columns", parent)
        self.setObjectName("column_menu")
        self.setToolTipsVisible(True)
        self._columns = columns
        self._fill()

    def _fill(self) -> None:
        for column in self._columns.in_order():
            has_something = self._columns.has_something(column)
            note = "" if has_something else " (nothing here)"
            entry = self.addAction(control_text(f"{column.title}{note}"))
            entry.setObjectName(f"column:{column.key}")
            entry.setData(column.key)
            entry.setToolTip(tooltip(column.help))
            entry.setCheckable(True)
            entry.setChecked(self._columns.is_shown(column.key))
            entry.setEnabled(has_something and self._columns.may_go(column))
            entry.toggled.connect(lambda checked, key=column.key: self._choose(key, checked))
        self.addSeparator()
        reset = self.addAction("Reset columns")
        reset.setObjectName("column_menu:reset")
        reset.triggered.connect(self._reset)
        keys = self.addAction(control_text(HINT))
        keys.setEnabled(False)

    def _choose(self, key: str, is_shown: bool) -> None:
        self._columns.choose(key, is_shown)
        self.changed.emit()

    def _reset(self) -> None:
        self._columns.reset()
        self.changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the menu open after a click on a column."""
        entry = self.actionAt(event.position().toPoint())
        if not self._toggle(entry):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter show or hide, Ctrl with an arrow moves, + and − size; other keys have their usual effect."""
        key, entry = Qt.Key(event.key()), self.activeAction()
        name = entry.data() if entry is not None else None
        if key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._toggle(entry):
            return
        if name and event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in _MOVES:
            self._columns.move_past(name, _MOVES[key])
            self._refill(name)
        elif name and key in _SIZES:
            self._columns.widen(name, _SIZES[key])
            self.changed.emit()
        else:
            super().keyPressEvent(event)

    def _toggle(self, entry: QAction | None) -> bool:
        """Show or hide the column of this entry. Returns whether the entry allows it."""
        if entry is None or not entry.isCheckable() or not entry.isEnabled():
            return False
        entry.toggle()
        return True

    def _refill(self, name: str) -> None:
        """Show the entries in their new order, and stay at the moved one."""
        self.clear()
        self._fill()
        moved = next(entry for entry in self.actions() if entry.data() == name)
        self.setActiveAction(moved)
        self.changed.emit()

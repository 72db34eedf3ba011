"""A view whose selection, current item and scroll position stay with their items, whatever the model shows."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPoint,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from inspector.assembly.columns import Rows
from inspector.gui.parts.texts import control_text
from inspector.gui.table.column_arrangement import SIGNS_WIDTH, ColumnArrangement, ColumnChoice
from inspector.gui.table.header import TableHeader
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column

if TYPE_CHECKING:
    from inspector.gui.table.column_arrangement import ColumnMenu


COPY_TEXTS = QKeySequence("Ctrl+Shift+C")


class ArrangedView(QTableView):
    """A table view with an arrangement of columns. `columns_arranged` carries the user's arrangement."""

    columns_arranged = Signal(object)
    columns: ColumnArrangement

    def __init__(self, parent: QWidget | None, header: TableHeader | None) -> None:
        super().__init__(parent)
        self._header = header or TableHeader(self)
        self.setHorizontalHeader(self._header)

    def arrange_columns(self, model: ArrayTableModel) -> None:
        """Lay out the columns of the view's model."""
        header = self._header
        header.setMinimumSectionSize(SIGNS_WIDTH)
        self.columns = ColumnArrangement(self, model, header)
        self._told = self.columns.choice
        self.take_columns()
        header.let_go.connect(self._tell_columns)
        header.customContextMenuRequested.connect(self._open_column_menu)

    def take_columns(self) -> None:
        """Give the current columns their places and widths."""
        self.columns.declare(self._declared_width)

    def _declared_width(self, column: Column) -> int:
        return self.columns.declared_width(column)

    def take_choice(self, choice: ColumnChoice) -> None:
        """Restore the user's arrangement of columns."""
        self._told = choice
        self.columns.take(choice)

    def _tell_columns(self) -> None:
        if self.columns.choice != self._told:
            self._told = self.columns.choice
            self.columns_arranged.emit(self._told)

    def column_menu(self, parent: QWidget) -> "ColumnMenu":
        """Return the menu for choosing, ordering and sizing columns."""
        from inspector.gui.table.column_arrangement import ColumnMenu

        menu = ColumnMenu(self.columns, parent)
        menu.changed.connect(self._tell_columns)
        return menu

    def _open_column_menu(self, place: QPoint) -> None:
        menu = self.column_menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._header.viewport().mapToGlobal(place))

    def show_columns(self) -> None:
        """Show the wanted columns that have contents, or as many as fit."""
        self.columns.show()

    def shows(self, key: str) -> bool:
        """Return whether a column with this key exists and is shown."""
        return self.columns.is_shown(key)

    def plain_menu(self) -> QMenu:
        """Return a menu for copying and for the columns."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.add_copying(menu)
        menu.addSeparator()
        columns = self.column_menu(menu)
        menu.addMenu(columns)
        return menu

    def add_copying(self, menu: QMenu) -> None:
        """Add entries for copying the selection."""
        rows, texts = QKeySequence(QKeySequence.StandardKey.Copy), COPY_TEXTS
        self._add_entry(menu, "menu:copy_rows", "Copy rows", rows, self.copy_rows)
        self._add_entry(menu, "menu:copy_text", "Copy text", texts, self.copy_texts)

    def _add_entry(self, menu: QMenu, name: str, title: str, keys: QKeySequence, done: Callable[[], object]) -> None:
        entry = menu.addAction(control_text(title))
        entry.setObjectName(name)
        entry.setShortcut(keys)
        entry.setShortcutVisibleInContextMenu(True)
        entry.setEnabled(self.selectionModel().hasSelection())
        entry.triggered.connect(lambda _checked=False: done())

    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard as a table."""
        raise NotImplementedError

    def copy_texts(self) -> None:
        """Put the whole texts of the selected rows on the clipboard."""
        raise NotImplementedError

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the plain menu, for tables without a menu of their own."""
        self.plain_menu().popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.show_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self.take_columns()


MAX_RESTORED_RANGES = 1_000

_Select = QItemSelectionModel.SelectionFlag
_NONE = np.empty(0, dtype=np.intp)


class StayingView(ArrangedView):
    """A view of an `ArrayTableModel`. The selection is kept by id, even while a filter hides it.

    If the current item leaves the visible rows, for example by being excluded, the keys continue from its former place.
    `row_selected` carries the row of the subject made current by key, mouse or `select_row`; `row_followed` the current
    item's new row among other items.
    """

    row_selected = Signal(int)
    row_followed = Signal(int)

    def __init__(self, model: ArrayTableModel, parent: QWidget | None, header: TableHeader | None) -> None:
        super().__init__(parent, header)
        self.array_model = model
        self._chosen: Rows = _NONE
        self._current = -1
        self._ids: Sequence[str] = ()
        self._anchors: Rows = _NONE
        self._above = _NONE
        self._followers = _NONE
        self._gap: int | None = None
        self._sorting = (model.sorted_by, model.sort_order)

    def stay_with_items(self) -> None:
        """Start following the view's model."""
        model = self.array_model
        for before, after in ((model.modelAboutToBeReset, model.modelReset), (model.about_to_move, model.moved)):
            before.connect(self._remember)
            after.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self._note_chosen)
        self.selectionModel().currentChanged.connect(self._note_current)

    @property
    def current_row(self) -> int:
        """The current row of the subject, −1 for none; a filter may hide it."""
        return self._current

    def _selected_parts(self) -> Iterable[QItemSelectionRange]:
        return cast(Iterable[QItemSelectionRange], self.selectionModel().selection())

    def selected_rows(self) -> list[int]:
        """Return the selected visible rows of the subject, in the order of the table."""
        return self._selected().tolist()

    def _selected(self) -> Rows:
        parts = [np.arange(part.top(), part.bottom() + 1) for part in self._selected_parts()]
        return self.array_model.rows[np.sort(np.concatenate(parts))] if parts else _NONE

    def select_row(self, row: int) -> bool:
        """Make a row of the subject current and scroll to it. Returns whether it is shown."""
        position = self.array_model.position(row)
        if position is None:
            return False
        self._go_to(position)
        return True

    def select_nothing(self) -> None:
        """Clear the selection and the current item, and keep the scroll position."""
        self._chosen, self._current, self._anchors, self._above = _NONE, -1, _NONE, _NONE
        self._followers, self._gap = _NONE, None
        self.selectionModel().clear()

    @property
    def goes_on_elsewhere(self) -> bool:
        """Whether the next step starts from the current item's former place rather than from its present place."""
        return self._gap is not None

    def step(self, by: int) -> None:
        """Go to the next row (1) or the previous row (−1)."""
        items = np.flatnonzero(self.array_model.rows >= 0)
        here = self.currentIndex().row() if self._gap is None else self._gap - (by > 0)
        position = items[items > here][:1] if by > 0 else items[items < here][-1:]
        if len(position):
            self._go_to(int(position[0]))

    def _go_to(self, position: int) -> None:
        index = self.array_model.index(position, max(self.currentIndex().column(), 0))
        self.selectionModel().setCurrentIndex(index, _Select.ClearAndSelect | _Select.Rows)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def _note_chosen(self) -> None:
        model = self.array_model
        parts = [model.rows[part.top() : part.bottom() + 1] for part in self._selected_parts()]
        self._chosen = np.concatenate(parts) if parts else _NONE
        self._ids = model.ids

    def _note_current(self, current: QModelIndex) -> None:
        if current.isValid():
            self._gap = None
            row = int(self.array_model.rows[current.row()])
            if row != self._current or self._ids is not self.array_model.ids:
                self._current, self._ids = row, self.array_model.ids
                self.row_selected.emit(row)

    def _remember(self) -> None:
        """Before a reset, note rows that should keep their places on the screen, and their distances from the top.

        First the current row if visible, then the other visible rows from the top, in case it leaves, then as many
        above and below, which show whether a row at an end has left. A view at the top without a current row there
        stays at the top.
        """
        model, top = self.array_model, self.verticalScrollBar().value()
        if not len(model.rows):
            return
        last = self.rowAt(self.viewport().height() - 1)
        end = len(model.rows) if last < 0 else last + 1
        top = min(top, len(model.rows) - 1)
        places = np.arange(max(0, 2 * top - end), min(len(model.rows), 2 * end - top))
        rows, seen = model.rows[places], (places >= top) & (places < end)
        order = np.lexsort((places, ~seen, ~seen | (rows != self._current)))
        order = order[rows[order] >= 0]  # headings have no id
        if top == 0 and self._current not in rows[seen]:
            order = order[:0]
        self._anchors, self._above = rows[order], (places - top)[order]
        here = np.flatnonzero(model.rows == self._current) if self._current in rows[seen] else _NONE
        if len(here):
            self._followers = model.rows[here[0] + 1 : here[0] + 1 + len(places)]
        elif self._gap is None:
            self._followers = _NONE
        self._ids = model.ids

    def _restore(self) -> None:
        """After a reset, restore selection, current item and scroll position, as far as the items are shown."""
        other_items = self._ids is not self.array_model.ids
        if other_items:
            self._follow_ids()
        self._ids = self.array_model.ids
        before = self._marked_places()
        with QSignalBlocker(self.selectionModel()):
            self._select_chosen()
        if self._marked_places() != before:
            self.viewport().update()  # the selection moved without a signal
        sorting = (self.array_model.sorted_by, self.array_model.sort_order)
        if sorting == self._sorting:
            self._scroll_to_anchor()
            self._gap = self._find_gap()
        else:
            self._sorting, self._gap = sorting, None
            self.scrollToTop()
        if other_items and self._current >= 0:
            self.row_followed.emit(self._current)

    def _marked_places(self) -> tuple[int, list[tuple[int, int]]]:
        """Return the position of the current row, and the first and last positions of each selected part."""
        return self.currentIndex().row(), [(part.top(), part.bottom()) for part in self._selected_parts()]

    def _follow_ids(self) -> None:
        """Find the remembered items among other items, by id."""
        model, known = self.array_model, self._ids
        chosen = {known[int(row)] for row in self._chosen}
        current = known[self._current] if self._current >= 0 else ""
        anchors = [known[int(row)] for row in self._anchors]
        rows = model.rows_of(wanted) if (wanted := (chosen | {current, *anchors}) - {""}) else {}
        self._chosen = np.array([rows[name] for name in chosen if name in rows], dtype=np.intp)
        self._current = rows.get(current, -1)
        found = np.array([rows.get(name, -1) for name in anchors], dtype=np.intp)
        self._anchors, self._above = found[found >= 0], self._above[found >= 0]

    def _select_chosen(self) -> None:
        model, selection = self.array_model, QItemSelection()
        last_column = len(model.columns) - 1
        positions = np.flatnonzero(np.isin(model.rows, self._chosen)) if len(self._chosen) else _NONE
        runs = np.split(positions, np.flatnonzero(np.diff(positions) > 1) + 1) if len(positions) else []
        for run in runs[:MAX_RESTORED_RANGES]:
            selection.select(model.index(int(run[0]), 0), model.index(int(run[-1]), last_column))
        current = model.position(self._current) if self._current >= 0 else None
        if current is not None:
            self.selectionModel().setCurrentIndex(model.index(current, 0), _Select.NoUpdate)
        self.selectionModel().select(selection, _Select.ClearAndSelect)

    def _scroll_to_anchor(self) -> None:
        """Scroll so that the remembered rows are in their former places, or else to the top.

        The first of them that kept its place in their order decides: the current row, unless it left, for example by
        being excluded in a table sorted by action.
        """
        self.executeDelayedItemsLayout()
        rows = self.array_model.rows
        found = np.flatnonzero(np.isin(rows, self._anchors, kind="table")) if len(self._anchors) else _NONE
        there = {int(rows[place]): int(place) for place in found if rows[place] >= 0}
        still = [number for number, row in enumerate(self._anchors.tolist()) if row in there]
        if not still:
            self.scrollToTop()
            return
        places, above = np.array([there[int(row)] for row in self._anchors[still]]), self._above[still]
        first = _first_in_place(above, places)
        self.verticalScrollBar().setValue(max(0, int(places[first] - above[first])))

    def _find_gap(self) -> int | None:
        """Return the position of the first row after the current one, if that is no longer visible, else None."""
        here, rows = self.array_model.position(self._current), self.array_model.rows
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        end = len(rows) if last < 0 else last + 1
        if first < 0 or (here is not None and first <= here < end):
            return None
        seen = {int(row): first + place for place, row in enumerate(rows[first:end])}
        return next((seen[row] for row in self._followers.tolist() if row in seen), None)

    def start_over(self) -> None:
        """Forget selection and scroll position before other items come, whose ids may be the same by chance."""
        self.select_nothing()
        self.scrollToTop()


def _first_in_place(before: Rows, after: Rows) -> int:
    """Return the first row still in order among these, after leaving out the rows that passed the most others."""
    passed = (before[:, None] < before) != (after[:, None] < after)
    counts, gone = passed.sum(axis=1), np.zeros(len(before), dtype=np.bool_)
    while counts.any():
        worst = len(counts) - 1 - int(counts[::-1].argmax())
        counts -= passed[worst]
        counts[worst], gone[worst], passed[:, worst] = 0, True, False
    return int(gone.argmin())

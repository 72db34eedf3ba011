"""The view of an array table: rows of one height, selection and scroll that stay with their items, keys and letters."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QRect,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QAccessible, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from inspector.assembly.columns import Rows
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.table.model import ArrayTableModel, Index
from inspector.gui.table.row_painter import PADDING, RowPainter
from inspector.gui.theme import PANEL_MARGIN, ROW_HEIGHT

MAX_RESTORED_RANGES = 1_000
MAX_PAINTED_PARTS = 12
"""Beyond so many rectangles all that lies between them is painted in one go."""

_Select = QItemSelectionModel.SelectionFlag
_NONE = np.empty(0, dtype=np.intp)


class ArrayTableView(QTableView):
    """A table of an `ArrayTableModel`. What a person chose stays chosen by id, also while a filter hides it.

    `row_selected` tells the row of the subject that became current by key, mouse or `select_row`; `row_followed` the
    row that the current item has among other items. `letter_pressed` tells of plain letters that the table itself has
    no use for.
    """

    row_selected = Signal(int)
    row_followed = Signal(int)
    row_activated = Signal(int)
    letter_pressed = Signal(str)

    def __init__(self, model: ArrayTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.array_model = model
        self._chosen: Rows = _NONE
        self._current = -1
        self._ids: Sequence[str] = ()
        self._anchor: tuple[int, int] | None = None
        self._set_look()
        self.painter = RowPainter(self, model)
        self.setModel(model)
        self._empty = PlainLabel("", self.viewport())
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._set_widths()
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self._note_chosen)
        self.selectionModel().currentChanged.connect(self._note_current)
        self.doubleClicked.connect(self._activate)

    def _set_look(self) -> None:
        vertical = self.verticalHeader()
        # Fixed, because a header that resizes to contents asks for every row at every change of values.
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.setDefaultSectionSize(ROW_HEIGHT)
        vertical.setMinimumSectionSize(ROW_HEIGHT)
        vertical.hide()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)

    def _set_widths(self) -> None:
        self._widths: dict[str, int] = {}
        header, digit = self.horizontalHeader(), self.fontMetrics().horizontalAdvance("0")
        header.setSectionsMovable(True)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(4 * digit)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for section, column in enumerate(self.array_model.columns):
            title = self.fontMetrics().horizontalAdvance(column.title) + 2 * PADDING + 2 * digit
            self._widths[column.key] = max(title, column.digits * digit + 2 * PADDING)
            self.setColumnWidth(section, self._widths[column.key])
            if column.stretches:
                header.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)

    def show_columns(self) -> None:
        """Show the columns that have something to show, and of those as many as there is room for."""
        subject, columns = self.array_model.subject, self.array_model.columns
        there = [column for column in columns if subject is None or column.shown is None or column.shown(subject)]
        shown = {column.key for column in there}
        lack = sum(self._widths[key] for key in shown) - self.viewport().width()
        for column in sorted(there, key=lambda column: -column.yields):
            if lack > 0 and column.yields:
                lack -= self._widths[column.key]
                shown.remove(column.key)
        for section, column in enumerate(columns):
            if self.isColumnHidden(section) == (column.key in shown):
                self.setColumnHidden(section, column.key not in shown)

    def shows(self, key: str) -> bool:
        """Whether there is a column of this key, and it is shown."""
        section = self.array_model.sections.get(key)
        return section is not None and not self.isColumnHidden(section)

    def sort_by(self, key: str, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by the column of this key as a click on its header does; "" by none."""
        self.sortByColumn(self.array_model.column(key) if key else -1, order)

    def show_sorting(self) -> None:
        """Put the arrow of the header on the column that the model is sorted by."""
        model = self.array_model
        section = model.column(model.sorted_by) if model.sorted_by else -1
        self.horizontalHeader().setSortIndicator(section, model.sort_order)

    def set_empty_text(self, text: str) -> None:
        """The sentence that stands where there are no rows."""
        self._empty.setText(text)
        self._place_empty()

    def _place_empty(self) -> None:
        self._empty.setVisible(not len(self.array_model.rows))
        self._empty.setGeometry(self.viewport().rect().adjusted(PANEL_MARGIN, 0, -PANEL_MARGIN, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows that are in sight; no delegate takes part."""
        painter, region = QPainter(self.viewport()), event.region()
        if region.rectCount() > MAX_PAINTED_PARTS:
            self.painter.paint(painter, region.boundingRect())
            return
        for part in cast(Iterable[QRect], region):
            painter.setClipRect(part)
            self.painter.paint(painter, part)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint what looks otherwise than before, which mostly is little, instead of everything."""
        if QAccessible.isActive():
            super().dataChanged(first, last, roles)  # which also tells assistive technology
        elif self.isVisible():
            self.viewport().update(self.painter.outdated())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make use of the room, and keep the empty sentence in the middle."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.show_columns()
        self._place_empty()

    @property
    def current_row(self) -> int:
        """The row of the subject that is current, −1 for none; it may be hidden by a filter."""
        return self._current

    def _selected_parts(self) -> Iterable[QItemSelectionRange]:
        return cast(Iterable[QItemSelectionRange], self.selectionModel().selection())

    def selected_rows(self) -> list[int]:
        """The selected rows of the subject that are shown, as they stand in the table."""
        positions = sorted(
            position for part in self._selected_parts() for position in range(part.top(), part.bottom() + 1)
        )
        return self.array_model.rows[positions].tolist() if positions else []

    def select_row(self, row: int) -> bool:
        """Make a row of the subject current and bring it into sight; False where it is not shown."""
        position = self.array_model.position(row)
        if position is None:
            return False
        self._go_to(position)
        return True

    def select_nothing(self) -> None:
        """No item is selected or current any more; the scroll stays."""
        self._chosen, self._current, self._anchor = _NONE, -1, None
        self.selectionModel().clear()

    def step(self, by: int) -> None:
        """Go to the next row (1) or the previous one (−1)."""
        items = np.flatnonzero(self.array_model.rows >= 0)
        here = self.currentIndex().row()
        position = items[items > here][:1] if by > 0 else items[items < here][-1:]
        if len(position):
            self._go_to(int(position[0]))

    def _go_to(self, position: int) -> None:
        index = self.array_model.index(position, max(self.currentIndex().column(), 0))
        self.selectionModel().setCurrentIndex(index, _Select.ClearAndSelect | _Select.Rows)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K move, Enter opens; other plain letters are told of, and never start a search through all rows."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.text().lower()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self.currentIndex())
        elif modifiers == Qt.KeyboardModifier.NoModifier and key in ("j", "k"):
            self.step(1 if key == "j" else -1)
        elif modifiers == Qt.KeyboardModifier.NoModifier and key.isalpha():
            self.letter_pressed.emit(key)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Nothing: typing goes to the filter."""

    def _activate(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_activated.emit(int(self.array_model.rows[index.row()]))

    def _note_chosen(self) -> None:
        model = self.array_model
        parts = [model.rows[part.top() : part.bottom() + 1] for part in self._selected_parts()]
        self._chosen = np.concatenate(parts) if parts else _NONE
        self._ids = model.ids

    def _note_current(self, current: QModelIndex) -> None:
        if current.isValid():
            row = int(self.array_model.rows[current.row()])
            if row != self._current or self._ids is not self.array_model.ids:
                self._current, self._ids = row, self.array_model.ids
                self.row_selected.emit(row)

    def _remember(self) -> None:
        """Before a reset: which row keeps its place on the screen, and how far from the top it stands."""
        model, top = self.array_model, self.verticalScrollBar().value()
        if not len(model.rows):
            return
        last = self.rowAt(self.viewport().height() - 1)
        bottom = len(model.rows) - 1 if last < 0 else last
        current = model.position(self._current) if self._current >= 0 else None
        place = current if current is not None and top <= current <= bottom else min(top, bottom)
        place += int(model.rows[place] < 0)  # a heading has no id; the row below it always has one
        self._anchor = (int(model.rows[place]), place - top)
        self._ids = model.ids

    def _restore(self) -> None:
        """After a reset: the same items selected, current and in their place on the screen, where they are shown."""
        other_items = self._ids is not self.array_model.ids
        if other_items:
            self._follow_ids()
        self._ids = self.array_model.ids
        with QSignalBlocker(self.selectionModel()):
            self._select_chosen()
        if len(self._chosen) or self._current >= 0:
            self.viewport().update()  # what is selected moved without telling
        self._scroll_to_anchor()
        self._place_empty()
        if other_items and self._current >= 0:
            self.row_followed.emit(self._current)

    def _follow_ids(self) -> None:
        """Other items: find what was chosen under its id."""
        model, known = self.array_model, self._ids
        chosen = {known[int(row)] for row in self._chosen}
        current = known[self._current] if self._current >= 0 else ""
        anchor = known[self._anchor[0]] if self._anchor else ""
        rows = model.rows_of(wanted) if (wanted := chosen | {current, anchor} - {""}) else {}
        self._chosen = np.array([rows[name] for name in chosen if name in rows], dtype=np.intp)
        self._current = rows.get(current, -1)
        if self._anchor:
            self._anchor = (rows[anchor], self._anchor[1]) if anchor in rows else None

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
        position = self.array_model.position(self._anchor[0]) if self._anchor else None
        if position is None or self._anchor is None:
            return
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(max(0, position - self._anchor[1]))

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows as a picture of before."""
        if self.painter.dimmed != dimmed:
            self.painter.dimmed = dimmed
            self.viewport().update()

"""The view of an array table: rows of one height, selection and scroll that stay with their items, keys and letters."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from inspector.assembly.columns import Rows
from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.table.arranged_view import COPY_TEXTS, ArrangedView
from inspector.gui.table.header import TableHeader
from inspector.gui.table.model import ArrayTableModel, Index
from inspector.gui.table.row_painter import RowPainter
from inspector.gui.theme import PANEL_MARGIN, row_height

MAX_RESTORED_RANGES = 1_000
MAX_PAINTED_PARTS = 12
"""Beyond so many rectangles all that lies between them is painted in one go."""


KEYS = (
    KeyUse("Next or previous item", "J, K, Down, Up"),
    KeyUse("Read the whole item", "Return"),
    KeyUse("Copy the selected rows as a table", "Ctrl+C"),
    KeyUse("Copy their texts", "Ctrl+Shift+C"),
    KeyUse("Select all", "Ctrl+A"),
)

_Select = QItemSelectionModel.SelectionFlag
_NONE = np.empty(0, dtype=np.intp)


class ArrayTableView(ArrangedView):
    """A table of an `ArrayTableModel`. What a person chose stays chosen by id, also while a filter hides it.

    `row_selected` tells the row of the subject that became current by key, mouse or `select_row`; `row_followed` the
    row that the current item has among other items. `letter_pressed` tells of plain letters that the table itself has
    no use for.
    """

    row_selected = Signal(int)
    row_followed = Signal(int)
    row_activated = Signal(int)
    letter_pressed = Signal(str)

    def __init__(
        self, model: ArrayTableModel, parent: QWidget | None = None, header: TableHeader | None = None
    ) -> None:
        super().__init__(parent, header)
        self.array_model = model
        self._chosen: Rows = _NONE
        self._current = -1
        self._ids: Sequence[str] = ()
        self._anchors: Rows = _NONE
        self._above = _NONE
        self._sorting = (model.sorted_by, model.sort_order)
        self._set_look()
        self.painter = RowPainter(self, model)
        self.setModel(model)
        self._empty = PlainLabel("", self.viewport())
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.arrange_columns(model)
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self._note_chosen)
        self.selectionModel().currentChanged.connect(self._note_current)
        self.doubleClicked.connect(self._activate)

    def _set_look(self) -> None:
        vertical = self.verticalHeader()
        # Fixed, because a header that resizes to contents asks for every row at every change of values.
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.hide()
        self._set_row_height()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Its room is there before it is, so that no column comes, goes or changes its width with it.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)

    def keep_rows(self, rows: int) -> None:
        """Have room for so many rows at least, for places where other parts share a small room with the table."""
        self._least_rows = rows
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """The header and the rows that there must be room for."""
        hint = super().minimumSizeHint()
        least = self.horizontalHeader().sizeHint().height() + self._least_rows * row_height(self)
        return QSize(hint.width(), max(hint.height(), least)) if self._least_rows else hint

    _least_rows = 0

    def _set_row_height(self) -> None:
        vertical, height = self.verticalHeader(), row_height(self)
        vertical.setMinimumSectionSize(height)
        vertical.setDefaultSectionSize(height)

    def changeEvent(self, event: QEvent) -> None:
        """Larger text needs higher rows."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_row_height()

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
        """Keep the empty sentence in the middle."""
        super().resizeEvent(event)
        self._place_empty()

    @property
    def current_row(self) -> int:
        """The row of the subject that is current, −1 for none; it may be hidden by a filter."""
        return self._current

    def _selected_parts(self) -> Iterable[QItemSelectionRange]:
        return cast(Iterable[QItemSelectionRange], self.selectionModel().selection())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt takes the keyboard to the first row without selecting it: what is shown of a row is to act on it."""
        super().focusInEvent(event)
        current = self.currentIndex()
        if current.isValid() and not self.selectionModel().hasSelection():
            self.selectionModel().select(current, _Select.Select | _Select.Rows)

    def selected_rows(self) -> list[int]:
        """The selected rows of the subject that are shown, as they stand in the table."""
        return self._selected().tolist()

    def _selected(self) -> Rows:
        parts = [np.arange(part.top(), part.bottom() + 1) for part in self._selected_parts()]
        return self.array_model.rows[np.sort(np.concatenate(parts))] if parts else _NONE

    def select_row(self, row: int) -> bool:
        """Make a row of the subject current and bring it into sight; False where it is not shown."""
        position = self.array_model.position(row)
        if position is None:
            return False
        self._go_to(position)
        return True

    def select_nothing(self) -> None:
        """No item is selected or current any more; the scroll stays."""
        self._chosen, self._current, self._anchors, self._above = _NONE, -1, _NONE, _NONE
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
        """J and K move, Enter opens, Ctrl+C and Ctrl+Shift+C copy.

        Other plain letters are told of, and never start a search through all rows.
        """
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.text().lower()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_rows()
        elif QKeySequence(event.keyCombination()) == COPY_TEXTS:
            self.copy_texts()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self.currentIndex())
        elif event.key() == Qt.Key.Key_Down and not self.currentIndex().isValid():
            self.step(1)  # Qt begins with the first row, and goes nowhere where that is a heading
        elif modifiers == Qt.KeyboardModifier.NoModifier and key in ("j", "k"):
            self.step(1 if key == "j" else -1)
        elif modifiers == Qt.KeyboardModifier.NoModifier and key.isalpha():
            self.letter_pressed.emit(key)
        elif event.key() == Qt.Key.Key_Space and not modifiers and self._has_no_row_to_select():
            event.ignore()  # whoever holds the table may have a use for it, such as playing the turns
        else:
            super().keyPressEvent(event)

    def _has_no_row_to_select(self) -> bool:
        """Whether the row that the keyboard is at is selected already, or is none."""
        current = self.currentIndex()
        return not current.isValid() or self.selectionModel().isSelected(current)

    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard as a table of the columns that are shown."""
        from inspector.gui.table.copying import copied_rows

        if len(rows := self._selected()):
            columns = [self.array_model.columns[section] for section in self.columns.sections_shown()]
            QGuiApplication.clipboard().setMimeData(copied_rows(self.array_model, columns, rows))

    def copy_texts(self) -> None:
        """Put the whole texts of the selected rows on the clipboard."""
        from inspector.gui.table.copying import copied_texts

        if len(rows := self._selected()):
            QGuiApplication.clipboard().setText(copied_texts(self.array_model, rows))

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
        """Before a reset: which rows keep their places on the screen, and how far from the top they stand.

        The current one where it is in sight, then the others from the top, for where that one is gone.
        """
        model, top = self.array_model, self.verticalScrollBar().value()
        if not len(model.rows):
            return
        last = self.rowAt(self.viewport().height() - 1)
        places = np.arange(min(top, len(model.rows) - 1), len(model.rows) if last < 0 else last + 1)
        rows = model.rows[places]
        order = np.argsort(rows != self._current, kind="stable")
        order = order[rows[order] >= 0]  # a heading has no id
        self._anchors, self._above = rows[order], (places - top)[order]
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
        sorting = (self.array_model.sorted_by, self.array_model.sort_order)
        if sorting == self._sorting:
            self._scroll_to_anchor()
        else:
            self._sorting = sorting
            self.scrollToTop()
        self._place_empty()
        if other_items and self._current >= 0:
            self.row_followed.emit(self._current)

    def _follow_ids(self) -> None:
        """Other items: find what was chosen under its id."""
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
        """Scroll to where the first of the remembered rows that is still there stands as it stood; else to the top."""
        self.executeDelayedItemsLayout()
        rows = self.array_model.rows
        places = np.flatnonzero(np.isin(rows, self._anchors, kind="table")) if len(self._anchors) else _NONE
        there = {int(rows[place]): int(place) for place in places if rows[place] >= 0}
        for row, above in zip(self._anchors.tolist(), self._above.tolist(), strict=True):
            if row in there:
                self.verticalScrollBar().setValue(max(0, there[row] - above))
                return
        self.scrollToTop()

    def start_over(self) -> None:
        """Forget what was selected and where it stood: other items come, whose ids may be the same by chance."""
        self.select_nothing()
        self.scrollToTop()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows as a picture of before."""
        if self.painter.dimmed != dimmed:
            self.painter.dimmed = dimmed
            self.viewport().update()

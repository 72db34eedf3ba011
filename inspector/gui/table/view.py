"""The view of an array table: rows of equal height, painted by the table itself; keys and letters."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import cast

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QCursor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QToolTip, QWidget

from inspector.assembly.columns import Rows
from inspector.csv_text import guarded
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.quiet_scroll_bar import QuietScrollBar
from inspector.gui.table.header import TableHeader
from inspector.gui.table.model import ArrayTableModel, Index
from inspector.gui.table.row_painter import RowPainter
from inspector.gui.table.staying_view import COPY_TEXTS, StayingView
from inspector.gui.theme import PANEL_MARGIN, row_height
from inspector.secrets import masked
from inspector.tables import Column
from inspector.visible_text import made_visible, on_one_line

MAX_PAINTED_PARTS = 12
"""With more rectangles, their bounding rectangle is painted as a whole."""


KEYS = (
    KeyUse("Next or previous item", "J, K, Down, Up"),
    KeyUse("First or last item", "Home, End"),
    KeyUse("Read the whole item", "Return"),
    KeyUse("Copy the selected rows as a table", "Ctrl+C"),
    KeyUse("Copy their texts", "Ctrl+Shift+C"),
    KeyUse("Select all", "Ctrl+A"),
)

_Select = QItemSelectionModel.SelectionFlag
_Reason = Qt.FocusReason
_COMES_BACK = (_Reason.ActiveWindowFocusReason, _Reason.PopupFocusReason, _Reason.MenuBarFocusReason)
"""Reasons for a focus that was here before a dialog, a menu or another perspective."""
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_ENDS = {QAbstractItemView.CursorAction.MoveHome: 0, QAbstractItemView.CursorAction.MoveEnd: -1}


class ArrayTableView(StayingView):
    """A table of an `ArrayTableModel`.

    `row_activated` carries the row of the subject that was double-clicked or entered, `letter_pressed` plain letters
    unused by the table itself.
    """

    row_activated = Signal(int)
    letter_pressed = Signal(str)

    def __init__(
        self, model: ArrayTableModel, parent: QWidget | None = None, header: TableHeader | None = None
    ) -> None:
        super().__init__(model, parent, header)
        self._set_look()
        self.painter = RowPainter(self, model)
        self.setModel(model)
        self._empty = PlainLabel("", self.viewport())
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.arrange_columns(model)
        self.stay_with_items()
        model.modelReset.connect(self._place_empty)
        for moved in (model.modelReset, model.moved, self.verticalScrollBar().valueChanged):
            moved.connect(self._close_old_tip)
        self.doubleClicked.connect(self._activate)

    def _set_look(self) -> None:
        vertical = self.verticalHeader()
        # Fixed, because resizing to contents would ask for every row at every change of values.
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.hide()
        self._set_row_height()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Always there, so that columns do not come, go or change width with it.
        self.setVerticalScrollBar(QuietScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)

    def keep_rows(self, rows: int) -> None:
        """Reserve room for at least this many rows, in places where the table shares little room with other parts."""
        self._least_rows = rows
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return room for the header and the reserved rows."""
        hint = super().minimumSizeHint()
        least = self.horizontalHeader().sizeHint().height() + self._least_rows * self.row_pixels()
        return QSize(hint.width(), max(hint.height(), least)) if self._least_rows else hint

    _least_rows = 0

    def row_pixels(self) -> int:
        """Return the height of a row."""
        return row_height(self)

    def _set_row_height(self) -> None:
        vertical, height = self.verticalHeader(), self.row_pixels()
        vertical.setMinimumSectionSize(height)
        vertical.setDefaultSectionSize(height)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_row_height()

    def sort_by(self, key: str, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by the column of this key, as a click on its header does; "" sorts by none."""
        self.sortByColumn(self.array_model.column(key) if key else -1, order)

    def show_sorting(self) -> None:
        """Put the sort arrow over the model's sorted column."""
        model = self.array_model
        section = model.column(model.sorted_by) if model.sorted_by else -1
        self.horizontalHeader().setSortIndicator(section, model.sort_order)

    def set_empty_text(self, text: str) -> None:
        """Set the sentence shown without rows."""
        self._empty.setText(text)
        self._place_empty()

    def _place_empty(self) -> None:
        self._empty.setVisible(not len(self.array_model.rows))
        self._empty.setGeometry(self.viewport().rect().adjusted(PANEL_MARGIN, 0, -PANEL_MARGIN, 0))

    def _close_old_tip(self) -> None:
        """Hide an outdated tooltip: another row may have moved under a resting mouse, which Qt does not notice."""
        if QToolTip.isVisible() and self.viewport().underMouse():
            index = self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))
            if QToolTip.text() != index.data(Qt.ItemDataRole.ToolTipRole):
                QToolTip.hideText()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible rows, without a delegate."""
        painter, region = QPainter(self.viewport()), event.region()
        if region.rectCount() > MAX_PAINTED_PARTS:
            self.painter.paint(painter, region.boundingRect())
            return
        for part in cast(Iterable[QRect], region):
            painter.setClipRect(part)
            self.painter.paint(painter, part)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint only the parts that look different, usually few."""
        if QAccessible.isActive():
            super().dataChanged(first, last, roles)  # this also informs assistive technology
        elif self.isVisible():
            self.viewport().update(self.painter.outdated())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_empty()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Paint both rows again: the outline surrounds the whole row, and Qt repaints only the current cell."""
        super().currentChanged(current, previous)
        for index in (current, previous):
            if index.isValid():
                place = QRect(0, self.rowViewportPosition(index.row()), self.viewport().width(), self.row_pixels())
                self.viewport().update(place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row: Qt makes the first row current without selecting it, but keys act on the shown row.

        A focus that returns from a menu, a dialog or elsewhere makes no row current if none was.
        """
        if event.reason() in _COMES_BACK and not self.currentIndex().isValid():
            with QSignalBlocker(self.selectionModel()):
                super().focusInEvent(event)
                self.selectionModel().clearCurrentIndex()
            return
        super().focusInEvent(event)
        current = self.currentIndex()
        if current.isValid() and not self.selectionModel().hasSelection():
            self.selectionModel().select(current, _Select.Select | _Select.Rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K move, Enter opens, Ctrl+C and Ctrl+Shift+C copy.

        Other plain letters are reported, and never start a search through all rows.
        """
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.text().lower()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_rows()
        elif QKeySequence(event.keyCombination()) == COPY_TEXTS:
            self.copy_texts()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self.currentIndex())
        elif event.key() in _STEPS and modifiers == Qt.KeyboardModifier.NoModifier and self.goes_on_elsewhere:
            self.step(_STEPS[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Down and not self.currentIndex().isValid():
            self.step(1)  # Qt starts with the first row, and stays put if it is a heading
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            # Qt moves along the columns, and with Ctrl to a row without selecting it, unlike the row shown.
            to_rows = event.modifiers() & ~Qt.KeyboardModifier.ControlModifier
            super().keyPressEvent(QKeyEvent(event.type(), event.key(), to_rows))
        elif modifiers == Qt.KeyboardModifier.NoModifier and key in ("j", "k"):
            self.step(1 if key == "j" else -1)
        elif modifiers == Qt.KeyboardModifier.NoModifier and key.isalpha():
            self.letter_pressed.emit(key)
            event.ignore()  # the window may use others
        elif event.key() == Qt.Key.Key_Space and not modifiers and self._has_no_row_to_select():
            event.ignore()  # the window may use it, such as for playing the turns
        else:
            super().keyPressEvent(event)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Move to the first and the last item with Home and End, whatever the column."""
        items = np.flatnonzero(self.array_model.rows >= 0) if action in _ENDS else ()
        if not len(items):
            return super().moveCursor(action, modifiers)
        return self.array_model.index(int(items[_ENDS[action]]), max(self.currentIndex().column(), 0))

    def _has_no_row_to_select(self) -> bool:
        """Return whether the current row is already selected, or there is none."""
        current = self.currentIndex()
        return not current.isValid() or self.selectionModel().isSelected(current)

    def copy_rows(self) -> None:
        """Put the selected rows on the clipboard as a table of the visible columns."""

        if len(rows := self._selected()):
            columns = [self.array_model.columns[section] for section in self.columns.sections_shown()]
            QGuiApplication.clipboard().setMimeData(copied_rows(self.array_model, columns, rows))

    def copy_texts(self) -> None:
        """Put the whole texts of the selected rows on the clipboard."""

        if len(rows := self._selected()):
            QGuiApplication.clipboard().setText(copied_texts(self.array_model, rows))

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: typing goes to the filter."""

    def _activate(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_activated.emit(int(self.array_model.rows[index.row()]))

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows as outdated, or as current again."""
        if self.painter.dimmed != dimmed:
            self.painter.dimmed = dimmed
            self.viewport().update()


_FIGURE = re.compile(r"[+\-\N{MINUS SIGN}–]?[\d.,]*( %)?")
"""Texts that every spreadsheet takes for mere numbers, whatever their sign."""


def copied_rows(model: ArrayTableModel, columns: Sequence[Column], rows: Rows) -> QMimeData:
    """Return these rows under the titles of these columns, as text/plain with tabs and as text/html.

    Heading rows are left out.
    """
    lines = [[_cell(model, column, int(row)) for column in columns] for row in rows if row >= 0]
    titles = [on_one_line(column.title) for column in columns]
    copied = QMimeData()
    copied.setText("".join("\t".join(cells) + "\n" for cells in (titles, *lines)))
    copied.setData("text/html", _html(titles, lines, [column.is_figure for column in columns]).encode())
    return copied


def copied_texts(model: ArrayTableModel, rows: Rows) -> str:
    """Return the whole texts of these rows, separated by blank lines, as in the tooltip of the stretching column."""
    column = next((column for column in model.columns if column.stretches), model.columns[0])
    whole = column.tooltip or column.text
    return masked("\n\n".join(whole(model.subject, int(row)) for row in rows if row >= 0))


def _cell(model: ArrayTableModel, column: Column, row: int) -> str:
    text = column.text(model.subject, row)
    return text if _FIGURE.fullmatch(text) else on_one_line(guarded(made_visible(text)))


def _html(titles: Iterable[str], lines: Iterable[Sequence[str]], rights: Sequence[bool]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    styles = [' style="text-align: right"' if right else "" for right in rights]
    rows = (
        "".join(f"<td{style}>{escape(cell)}</td>" for style, cell in zip(styles, cells, strict=True)) for cells in lines
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

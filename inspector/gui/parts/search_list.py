"""A search list: a text field, and below it the matches. The focus stays in the field."""

from collections.abc import Sequence
from typing import Any, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.parts.choice_model import ChoiceColumn, ChoiceModel
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.theme import UNIT, row_height

KEYS = (
    KeyUse("Take the marked one", "Return"),
    KeyUse("Next or previous line", "Down, Up"),
    KeyUse("A page down or up", "PgDown, PgUp"),
    KeyUse("Close it without choosing", "Esc"),
)
NOTHING_FOUND = "Nothing found."
_PADDING = 4 * UNIT
_LEAST_NAME = 30
"""The least width of a column that declares none, in digits, enough to distinguish names."""
_LEAST_WORDS = 14
"""In fewer digits, a column of words says too little for its room."""
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_LEAPS = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Lines(QStyledItemDelegate):
    """Lines as high as those of all tables, or higher for larger text; cells are aligned with their headings."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the ground of a cell, and its text between margins."""
        self.initStyleOption(option, index)
        view, shown = self.parent(), cast(Any, option)
        assert isinstance(view, QWidget)
        view.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, view)
        inside = shown.rect.adjusted(2 * UNIT, 0, -2 * UNIT, 0)
        marked = bool(shown.state & QStyle.StateFlag.State_Selected)
        painter.setPen(shown.palette.color(QPalette.ColorRole.HighlightedText if marked else QPalette.ColorRole.Text))
        text = shown.fontMetrics.elidedText(shown.text, shown.textElideMode, inside.width())
        painter.drawText(inside, int(shown.displayAlignment), text)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = self.parent()
        assert isinstance(view, QWidget)
        return QSize(0, row_height(view))


class SearchList(QWidget):
    """`chosen` carries the choice taken by Enter or the mouse, `current_changed` the marked choice or None.

    The arrows and the page keys go through the list while the cursor stays in the field.
    """

    chosen = Signal(object)
    current_changed = Signal(object)

    def __init__(
        self,
        name: str,
        columns: Sequence[ChoiceColumn],
        parent: QWidget | None = None,
        headings: bool = False,
        takes_typed: bool = False,
    ) -> None:
        super().__init__(parent)
        self._columns = columns
        self._model = ChoiceModel(columns, self, takes_typed)
        self.line = QLineEdit(self, clearButtonEnabled=True)
        self.line.setObjectName(f"{name}:search")
        self.list = QTreeView(self)
        self.list.setObjectName(f"{name}:list")
        self._nothing = PlainLabel(NOTHING_FOUND, self.list.viewport())
        self._set_up_list(headings)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self.line)
        layout.addWidget(self.list, 1)
        self.setFocusProxy(self.line)
        self.line.installEventFilter(self)
        self.list.viewport().installEventFilter(self)
        self.line.textChanged.connect(self._search)
        self.list.clicked.connect(lambda index: self._take(index.row()))
        self.list.selectionModel().currentRowChanged.connect(lambda index: self._tell(index.row()))

    def describe(self, words: str) -> None:
        """Describe the search, in the empty field and for screen readers."""
        self.line.setPlaceholderText(words)
        self.line.setAccessibleName(words)
        self.list.setAccessibleName(words)

    def show_choices(self, choices: Sequence[Choice], query: str = "") -> None:
        """Show these choices, with this text in the field."""
        self._model.show_choices(choices, query)
        self._fit_columns()
        self.line.setText(query)  # with signals, which show or hide the clear button
        self._mark(0)

    def choices(self) -> list[Choice]:
        """Return the listed choices, from the top."""
        return [self._model.choice(row) for row in range(self._model.rowCount())]

    def mark(self, key: str) -> None:
        """Mark the choice with this key, or the first if it is not listed."""
        rows = (row for row in range(self._model.rowCount()) if self._model.choice(row).key == key)
        self._mark(next(rows, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys meant for the list to it, and follow its size, which is set after that of this widget."""
        if watched is self.list.viewport():
            if event.type() == QEvent.Type.Resize:
                self._fit_columns()
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key, row, rows = event.key(), self.list.currentIndex().row(), self._model.rowCount()
            if key in _STEPS and rows:
                self._mark((row + _STEPS[Qt.Key(key)]) % rows)
                return True
            if key in _LEAPS:
                leap = max(self.list.viewport().height() // row_height(self.list) - 1, 1)
                self._mark(row + (leap if key == Qt.Key.Key_PageDown else -leap))
                return True
            if key in _ENTER:
                self._take(row)
                return True
        return super().eventFilter(watched, event)

    def _set_up_list(self, headings: bool) -> None:
        view = self.list
        view.setModel(self._model)
        view.setItemDelegate(_Lines(view))
        view.setHeaderHidden(not headings)
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setFrameShape(QTreeView.Shape.NoFrame)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setAllColumnsShowFocus(True)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # columns stay with fewer matches
        header = view.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(2 * UNIT)
        for section, column in enumerate(self._columns):
            fixed = QHeaderView.ResizeMode.Fixed if column.digits else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(section, fixed)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def _fit_columns(self) -> None:
        """Give columns their wanted widths; if that leaves too little for names, the widest shrink.

        A column left without room for words is hidden.
        """
        digit = self.list.fontMetrics().horizontalAdvance("0")
        widths = {place: one.digits * digit + _PADDING for place, one in enumerate(self._columns) if one.digits}
        names = sum((one.least or _LEAST_NAME) * digit + _PADDING for one in self._columns if not one.digits)
        lacking = names + sum(widths.values()) - self.list.viewport().width()
        for place in sorted(widths, key=lambda place: widths[place], reverse=True):
            least = self._columns[place].least * digit + _PADDING
            given = max(min(lacking, widths[place] - least), 0)
            widths[place], lacking = widths[place] - given, lacking - given
        for place, width in widths.items():
            least = min(self._columns[place].digits, _LEAST_WORDS)
            self.list.setColumnHidden(place, width < least * digit + _PADDING)
            self.list.setColumnWidth(place, width)
        self._place_nothing()

    def _search(self, query: str) -> None:
        self._model.search(query)
        self._mark(0)
        self._place_nothing()

    def _mark(self, row: int) -> None:
        row = max(0, min(row, self._model.rowCount() - 1))
        index = self._model.index(row, 0)
        self.list.setCurrentIndex(index)
        if index.isValid():
            self.list.scrollTo(index)
        else:
            self.current_changed.emit(None)

    def _tell(self, row: int) -> None:
        self.current_changed.emit(self._model.choice(row) if row >= 0 else None)

    def _take(self, row: int) -> None:
        if 0 <= row < self._model.rowCount() and (choice := self._model.choice(row)).possible:
            self.chosen.emit(choice)

    def _place_nothing(self) -> None:
        self._nothing.setVisible(not self._model.rowCount())
        self._nothing.setGeometry(self.list.viewport().rect())

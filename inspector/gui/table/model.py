"""The table model over arrays: rows are an index array, columns are declared, cells are made when painted.

A row below zero is a heading for the following rows; all others are rows of the subject.

Filtering and sorting make another index array and reset the model once. There is no proxy model, which at 100,000 rows
would cost 70 ms with every change of values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor

from inspector.assembly.columns import Rows
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import tint_color, tone_color
from inspector.retrieval.search.words import Marks
from inspector.tables import Column, Face, Subject, Value, records, sorted_rows

Index = QModelIndex | QPersistentModelIndex

_CHOOSABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NOWHERE = QModelIndex()
_Role = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Cell(NamedTuple):
    """Everything painted in a cell, in a single value: its text, and colour and ground if they are unusual.

    `figure` is drawn by a painter in place of text and may be any comparable value; `marks` are the matched parts of
    the text; `more` follows the text in a quieter ink. Equal cells look the same.
    """

    text: str
    color: QColor | None = None
    ground: QColor | None = None
    figure: object = None
    marks: Marks = ()
    more: str = ""


class Sign(NamedTuple):
    """An icon about a row, and its colour."""

    icon: str
    color: QColor


class Marking(NamedTuple):
    """Additions to a row's cells: a coloured `edge` and `signs` at its left end, or a `heading` instead of cells.

    A row that `is_lit` has the soft ground of the accent.
    """

    edge: QColor
    signs: tuple[Sign, ...] = ()
    heading: str = ""
    is_lit: bool = False


class ArrayTableModel(QAbstractTableModel, Generic[Subject]):
    """Rows of a subject by index array.

    `ids` names every row of the subject; its identity tells whether rows mean the same items as before.
    `about_to_move` and `moved` stand around a change of the rows at some places, as many as before: for Qt only values
    change then, so a view paints the places that look different.
    """

    about_to_move = Signal()
    moved = Signal()

    def __init__(self, columns: Sequence[Column[Subject]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.set_columns(columns)
        self.subject: Subject | None = None
        self.ids: Sequence[str] = ()
        self.rows: Rows = np.empty(0, dtype=np.intp)
        self.sorted_by = ""
        self.sort_order = Qt.SortOrder.AscendingOrder
        self._base = self.rows
        self._before: Subject | None = None
        self._values: NDArray[Any] | None = None

    def set_columns(self, columns: Sequence[Column[Subject]]) -> None:
        """Set the columns; existing ones may only be replaced during a reset.

        Raises ValueError if two have the same key.
        """
        self.declared = tuple(columns)
        self.columns = tuple(column for column in columns if column.faces & Face.WINDOW)
        self.sections: Mapping[str, int] = {column.key: section for section, column in enumerate(self.columns)}
        if len(self.sections) < len(self.columns):
            raise ValueError(f"two columns have the same key: {[column.key for column in self.columns]}")

    def column(self, key: str) -> int:
        """Return the section of a column, its number for Qt. Raises KeyError if there is no such column."""
        return self.sections[key]

    def show(self, subject: Subject | None, rows: Rows, ids: Sequence[str]) -> None:
        """Show these rows of a subject, sorted by the header's column.

        If the rows are the same as before, or as many of the same items, the view asks for visible cells only.
        """
        same_items = ids is self.ids and self.subject is not None
        values = self._sort_values(subject)
        settled = same_items and _equal(values, self._values) and np.array_equal(rows, self._base)
        ordered = self.rows if settled else self._ordered(rows, values)
        if settled or (same_items and np.array_equal(ordered, self.rows)):
            self._before, self.subject, self._base, self._values = self.subject, subject, rows, values
            self.values_changed()
            self._before = None
            return
        if same_items and len(ordered) == len(self.rows):
            self.about_to_move.emit()
            self.subject, self.rows, self._base, self._values = subject, ordered, rows, values
            self.moved.emit()
            self.values_changed()
            return
        self.beginResetModel()
        self.subject, self.ids, self.rows, self._base, self._values = subject, ids, ordered, rows, values
        self.endResetModel()

    def show_under(
        self, columns: Sequence[Column[Subject]], subject: Subject | None, rows: Rows, ids: Sequence[str]
    ) -> None:
        """Show these rows under other columns, still sorted by the same key if it is among them."""
        self.beginResetModel()
        self.set_columns(columns)
        if self.sorted_by not in self.sections:
            self.sorted_by = ""
        values = self._sort_values(subject)
        self.subject, self.ids, self._base, self._values = subject, ids, rows, values
        self.rows = self._ordered(rows, values)
        self.endResetModel()

    def values_changed(self) -> None:
        """Tell the views that any value may have changed, but no row."""
        if len(self.rows):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def altered(self, positions: range) -> Iterable[int]:
        """Return the positions that may look different after the reported change: all, unless a subclass knows
        better.
        """
        return positions

    def records(self) -> Iterator[dict[str, Value]]:
        """The rows in their order as files have them: typed values by the keys of all columns that files have."""
        if self.subject is not None:
            yield from records(self.declared, self.subject, self.rows[self.rows >= 0].tolist())

    def position(self, row: int) -> int | None:
        """Return the position of a row of the subject in the table, or None if it is not shown."""
        found = np.flatnonzero(self.rows == row)
        return int(found[0]) if len(found) else None

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """Return the rows of the subject with these ids, as far as they exist."""
        return {name: row for row, name in enumerate(self.ids) if name in ids}

    def cell(self, position: int, column: Column[Subject]) -> Cell:
        """Return the cell of a row and a column."""
        row, subject = int(self.rows[position]), cast(Subject, self.subject)
        tone = column.tone(subject, row) if column.tone else None
        tint = column.tint(subject, row) if column.tint else None
        color = None if tone is None else tone_color(tone)
        text, more = column.runs(subject, row) if column.runs else (column.text(subject, row), "")
        return Cell(text, color, None if tint is None else tint_color(tint), more=more)

    def brief(self, position: int, column: Column[Subject]) -> tuple[str, str]:
        """Return the two parts of a shorter text of a cell, "" if there is none."""
        return column.brief(cast(Subject, self.subject), int(self.rows[position])) if column.brief else ("", "")

    @property
    def column_of_signs(self) -> Column[Subject]:
        """The column with the signs about rows: the first, where none is declared for them."""
        return next((column for column in self.columns if column.of_signs), self.columns[0])

    def marking(self, position: int) -> Marking | None:
        """Return the additions to a row's cells; none here."""
        return None

    def heading(self, row: int) -> str:
        """Return the title for a row below zero; this model has no headings."""
        return ""

    def _sort_values(self, subject: Subject | None) -> NDArray[Any] | None:
        values = self.columns[self.sections[self.sorted_by]].values if self.sorted_by else None
        return values(subject) if values and subject is not None else None

    def _ordered(self, rows: Rows, values: NDArray[Any] | None) -> Rows:
        return rows if values is None else sorted_rows(rows, values, self.sort_order == Qt.SortOrder.DescendingOrder)

    def sort_by(self, key: str, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by the column of this key; "" restores the original order of the rows."""
        self.sorted_by, self.sort_order = key, order
        values = self._sort_values(self.subject)
        rows = self._ordered(self._base, values)
        self.beginResetModel()
        self._values, self.rows = values, rows
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a section as a header requests, or by none, −1."""
        self.sort_by(self.columns[column].key if column >= 0 else "", order)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """Return the text, tooltip and alignment of a cell and the id of its row, or None for all other roles."""
        if not index.isValid():
            return None
        column, row = index.column(), int(self.rows[index.row()])
        if role == _Role.DisplayRole or role == _Role.AccessibleTextRole:
            if row < 0:
                return self.heading(row) if column == 0 else ""
            return one_line(self.columns[column].text(cast(Subject, self.subject), row))
        if row < 0:
            return None
        if role == _Role.UserRole:
            return self.ids[row]
        if role == _Role.TextAlignmentRole:
            return _RIGHT if self.columns[column].is_figure else _LEFT
        if role == _Role.ToolTipRole:
            return tooltip(self._cell_tip(row, column), wraps=True)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row, which can be selected, or of a heading, which cannot."""
        if not index.isValid() or self.rows[index.row()] < 0:
            return Qt.ItemFlag.NoItemFlags
        return _CHOOSABLE

    def _cell_tip(self, row: int, column: int) -> str:
        declared = self.columns[column]
        return (declared.tooltip or declared.text)(cast(Subject, self.subject), row)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        """Return the titles of the columns, with explanations as tooltips."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        declared = self.columns[section]
        if role == _Role.DisplayRole:
            return one_line(declared.title)
        if role == _Role.ToolTipRole:
            return tooltip(declared.help)
        if role == _Role.TextAlignmentRole:
            return _RIGHT if declared.is_figure else _LEFT
        return None


def _equal(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return one is other or np.array_equal(one, other, equal_nan=one.dtype.kind == "f")

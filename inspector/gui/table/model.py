"""The table model over arrays: rows are an index array, columns are declared, a cell is made when it is painted.

A row below zero is a heading for those that follow it; all others are rows of the subject.

Filtering and sorting make another index array and reset the model once; no proxy model stands between, which at
100,000 rows would cost 70 ms with every change of values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from inspector.assembly.columns import Rows
from inspector.assembly.sorting import sorted_rows
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import one_line
from inspector.gui.theme import tint_color, tone_color
from inspector.retrieval.search.words import Marks
from inspector.tables import Column, Face, Subject, Value, records

Index = QModelIndex | QPersistentModelIndex

_CHOOSABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NOWHERE = QModelIndex()
_Role = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Cell(NamedTuple):
    """What is painted in a cell, in one answer: its text, and colour and ground where they are not the usual ones.

    `figure` is what a painter draws in the place of a text, any value that can be compared; `marks` are the stretches
    of the text that somebody looks for. Two cells that are equal look the same.
    """

    text: str
    color: QColor | None = None
    ground: QColor | None = None
    figure: object = None
    marks: Marks = ()


class Sign(NamedTuple):
    """A glyph that says something of a row, and its colour."""

    glyph: str
    color: QColor


class Marking(NamedTuple):
    """What a row carries beside its cells: a thin `edge` in a colour and `signs` at its left end, or a `heading` in the
    place of all cells."""

    edge: QColor
    signs: tuple[Sign, ...] = ()
    heading: str = ""


class ArrayTableModel(QAbstractTableModel, Generic[Subject]):
    """Rows of a subject by index array. `ids` names every row of the subject; its identity says whether rows mean
    the same items as before."""

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
        """Have these columns; where there are others already, between the beginning and the end of a reset.

        Raises ValueError where two have the same key.
        """
        self.declared = tuple(columns)
        self.columns = tuple(column for column in columns if column.faces & Face.WINDOW)
        self.sections: Mapping[str, int] = {column.key: section for section, column in enumerate(self.columns)}
        if len(self.sections) < len(self.columns):
            raise ValueError(f"two columns have the same key: {[column.key for column in self.columns]}")

    def column(self, key: str) -> int:
        """The section of a column, which is what Qt calls it by. Raises KeyError where there is no such column."""
        return self.sections[key]

    def show(self, subject: Subject | None, rows: Rows, ids: Sequence[str]) -> None:
        """Show these rows of a subject, sorted as the header says.

        Where they are the rows that stand there already, only values changed, and the view asks for visible cells.
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
        self.beginResetModel()
        self.subject, self.ids, self.rows, self._base, self._values = subject, ids, ordered, rows, values
        self.endResetModel()

    def show_under(
        self, columns: Sequence[Column[Subject]], subject: Subject | None, rows: Rows, ids: Sequence[str]
    ) -> None:
        """Show these rows under other columns, still sorted by the one of the same key where it is among them."""
        self.beginResetModel()
        self.set_columns(columns)
        if self.sorted_by not in self.sections:
            self.sorted_by = ""
        values = self._sort_values(subject)
        self.subject, self.ids, self._base, self._values = subject, ids, rows, values
        self.rows = self._ordered(rows, values)
        self.endResetModel()

    def values_changed(self) -> None:
        """Tell the views that any value may be another, and no row."""
        if len(self.rows):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def altered(self, positions: range) -> Iterable[int]:
        """Which of these places may look otherwise since the change of values that is just told: all, as far as this
        model knows."""
        return positions

    def records(self) -> Iterator[dict[str, Value]]:
        """The rows in their order as files have them: typed values by the keys of all columns that files have."""
        if self.subject is not None:
            yield from records(self.declared, self.subject, self.rows[self.rows >= 0].tolist())

    def position(self, row: int) -> int | None:
        """Where a row of the subject stands in the table, None where it is not shown."""
        found = np.flatnonzero(self.rows == row)
        return int(found[0]) if len(found) else None

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """The rows of the subject with these ids, as far as it has them."""
        return {name: row for row, name in enumerate(self.ids) if name in ids}

    def cell(self, position: int, column: Column[Subject]) -> Cell:
        """What is painted where a row and a column meet."""
        row, subject = int(self.rows[position]), cast(Subject, self.subject)
        tone = column.tone(subject, row) if column.tone else None
        tint = column.tint(subject, row) if column.tint else None
        color = None if tone is None else tone_color(tone)
        return Cell(column.text(subject, row), color, None if tint is None else tint_color(tint))

    def marking(self, position: int) -> Marking | None:
        """What a row carries beside its cells; nothing here."""
        return None

    def heading(self, row: int) -> str:
        """The title that a row below zero stands for; no rows here are headings."""
        return ""

    def _sort_values(self, subject: Subject | None) -> NDArray[Any] | None:
        values = self.columns[self.sections[self.sorted_by]].values if self.sorted_by else None
        return values(subject) if values and subject is not None else None

    def _ordered(self, rows: Rows, values: NDArray[Any] | None) -> Rows:
        return rows if values is None else sorted_rows(rows, values, self.sort_order == Qt.SortOrder.DescendingOrder)

    def sort_by(self, key: str, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by the column of this key; "" gives back the order that the rows came in."""
        self.sorted_by, self.sort_order = key, order
        values = self._sort_values(self.subject)
        rows = self._ordered(self._base, values)
        self.beginResetModel()
        self._values, self.rows = values, rows
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort as a header asks for it: by a section, or by none, −1."""
        self.sort_by(self.columns[column].key if column >= 0 else "", order)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """How many rows are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """How many columns are declared."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """The text, tooltip and alignment of a cell and the id of its row; None for all other roles."""
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
        """Rows can be chosen, headings cannot."""
        if not index.isValid() or self.rows[index.row()] < 0:
            return Qt.ItemFlag.NoItemFlags
        return _CHOOSABLE

    def _cell_tip(self, row: int, column: int) -> str:
        declared = self.columns[column]
        return (declared.tooltip or declared.text)(cast(Subject, self.subject), row)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        """Titles of the columns, and what they mean as tooltips."""
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

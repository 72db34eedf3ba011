"""The model of a search list: a row for each matching choice, made when painted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.parts.choices import Choice, WordSearch
from inspector.gui.parts.texts import first_line, tooltip
from inspector.gui.theme import theme

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class ChoiceColumn:
    """A column of cells: its heading and its width in digits (0: the remaining width); figures are right-aligned.

    With little room, it keeps its `least` digits; with 0 it may be hidden, unless it takes the remaining width.
    """

    title: str
    digits: int = 0
    at_right: bool = False
    least: int = 0


class ChoiceModel(QAbstractTableModel):
    """The choices that match the typed text, best first. UserRole gives the `Choice` of a row.

    With `takes_typed`, the typed text itself is the last choice (with the key ""), unless it is the title of another.
    """

    def __init__(
        self, columns: Sequence[ChoiceColumn], parent: QObject | None = None, takes_typed: bool = False
    ) -> None:
        super().__init__(parent)
        self._columns, self._takes_typed = columns, takes_typed
        self._choices: Sequence[Choice] = ()
        self._search = WordSearch((), loose=False)
        self._found: Sequence[int] = ()
        self._typed: Choice | None = None

    def show_choices(self, choices: Sequence[Choice], query: str = "") -> None:
        """Set the choices, and list those that match the query."""
        self._choices = choices
        self._search = WordSearch(choices, loose=not self._takes_typed)
        self.search(query)

    def search(self, query: str) -> None:
        """List the choices that match these words."""
        self.beginResetModel()
        self._found = self._search.matches(query)
        self._typed = self._typed_choice(query.strip())
        self.endResetModel()

    def choice(self, row: int) -> Choice:
        """Return the choice in a row."""
        if row == len(self._found) and self._typed is not None:
            return self._typed
        return self._choices[self._found[row]]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._found) + (self._typed is not None)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self._columns[section].at_right else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the cell as a line of text; only the title has the full colour."""
        choice = self.choice(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return first_line(choice.cells[index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self._columns[index.column()].at_right else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(choice, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(choice.tip or choice.title)
        if role == Qt.ItemDataRole.UserRole:
            return choice
        return None

    def _ink(self, choice: Choice, column: int) -> Any:
        return theme().text if column == 0 and choice.possible else theme().muted_text

    def _typed_choice(self, text: str) -> Choice | None:
        known = any(self._choices[number].title == text for number in self._found)
        if not self._takes_typed or not text or known:
            return None
        return Choice("", (text, "as typed", *("" for _ in self._columns[2:])), text)

"""The finished prompt as a list of pieces: messages, and inside a shared message its items.

Texts are made when a row is needed, so that a prompt of any length is listed immediately.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.assembly.columns import ROLES, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Joined, Run
from inspector.gui.parts.visible_text import one_line
from inspector.model import Message
from inspector.secrets import masked_head

_Index = QModelIndex | QPersistentModelIndex
_NAMED = 12


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A row of the list. `row` is the row of the candidates, None for the head of a shared message.

    `message` counts the messages of the prompt from 0; `item` is the id. `tokens` and `text` are those of the item; in
    a head `tokens` are those of all its items, `item` names the first of them and `text` is the heading above them.
    """

    message: int
    role: str
    name: str
    text: str
    tokens: int
    exact: bool
    row: int | None
    section: Section
    item: str = ""
    items: int = 1
    is_part: bool = False


class PromptModel(QAbstractListModel):
    """A row for each piece. UserRole gives the `PromptRow`, DisplayRole the beginning of its text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._assembly: Assembly | None = None
        self._blocks: list[Block] = []
        self._rows: list[Rows] = []
        self._starts: list[int] = []
        self._messages: list[int] = []
        self._size = 0

    @property
    def message_count(self) -> int:
        """How many messages the prompt has."""
        return self._messages[-1] if self._messages else 0

    def show(self, assembly: Assembly | None) -> None:
        """List the prompt of an assembly."""
        self.beginResetModel()
        self._assembly = assembly
        self._blocks = list(assembly.blocks) if assembly else []
        self._rows = [block.rows for block in self._blocks]
        self._starts, self._messages = [], [0]
        self._size = 0
        for block, rows in zip(self._blocks, self._rows, strict=True):
            self._starts.append(self._size)
            self._size += len(rows) + _has_head(block)
            self._messages.append(self._messages[-1] + (len(rows) if isinstance(block, Run) else 1))
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of pieces."""
        return 0 if parent.isValid() else self._size

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the piece, and its text for readers of the screen."""
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole):
            return None
        piece = self.piece(index.row())
        return piece if role == Qt.ItemDataRole.UserRole else one_line(f"{piece.role}: {masked_head(piece.text, 300)}")

    def piece(self, number: int) -> PromptRow:
        """Return the piece with a number."""
        assembly, place = self._assembly, bisect_right(self._starts, number) - 1
        if assembly is None or not 0 <= number < self._size:
            raise IndexError(number)
        block, rows, message = self._blocks[place], self._rows[place], self._messages[place]
        inside = number - self._starts[place] - _has_head(block)
        if isinstance(block, Run):
            return _message_piece(assembly, message + inside, int(rows[inside]))
        if inside < 0:
            return _head_piece(assembly, message, block, rows)
        return _item_piece(assembly, message, block, int(rows[inside]))

    def whole_text(self, number: int) -> str:
        """Return the text of a piece; for a head the text of the whole message."""
        piece = self.piece(number)
        block = self._blocks[bisect_right(self._starts, number) - 1]
        if self._assembly is None or piece.row is not None or isinstance(block, Run):
            return piece.text
        return _whole_text(self._assembly, block)

    def place_of(self, row: int) -> int | None:
        """Return the number of the piece with a row of the candidates, None if there is none."""
        for start, block, rows in zip(self._starts, self._blocks, self._rows, strict=True):
            found = np.flatnonzero(rows == row)
            if len(found):
                return start + _has_head(block) + int(found[0])
        return None


def _has_head(block: Block) -> int:
    """Return whether a block has a row of its own: a block shared by several items, or with more than its items."""
    if isinstance(block, Composed):
        return int(len(block.parts) != 1 or not isinstance(block.parts[0], int))
    return int(isinstance(block, Joined) and (len(block.rows) > 1 or bool(block.heading)))


def _whole_text(assembly: Assembly, block: Joined | Composed) -> str:
    if isinstance(block, Composed):
        return "".join(block.written(assembly))
    return block.heading + block.joint.join(block.mark + assembly.text(row) for row in block.rows.tolist())


def _message_piece(assembly: Assembly, message: int, row: int) -> PromptRow:
    thing = assembly.candidates.things[row]
    name = thing.name if isinstance(thing, Message) else ""
    return _piece(assembly, message, ROLES[assembly.candidates.role[row]], name, assembly.text(row), row)


def _item_piece(assembly: Assembly, message: int, block: Joined | Composed, row: int) -> PromptRow:
    mark = block.mark if isinstance(block, Joined) else ""
    piece = _piece(assembly, message, block.role, "", mark + assembly.text(row), row)
    return replace(piece, is_part=_has_head(block) > 0)


def _piece(assembly: Assembly, message: int, role: str, name: str, text: str, row: int) -> PromptRow:
    spent, exact = int(assembly.spent[row]), not assembly.candidates.estimated[row]
    section = Section(int(assembly.section[row]))
    return PromptRow(message, role, name, text, spent, exact, row, section, assembly.candidates.ids[row])


def _head_piece(assembly: Assembly, message: int, block: Joined | Composed, rows: Rows) -> PromptRow:
    tokens = int(assembly.spent[rows].sum(dtype=np.int64))
    exact = not assembly.candidates.estimated[rows].any()
    section = Section(int(assembly.section[rows[0]])) if len(rows) else Section.SYSTEM
    names = ", ".join(assembly.candidates.ids[row] for row in rows[:_NAMED].tolist())
    first = block.heading if isinstance(block, Joined) else next(iter(block.parts), "")
    text = first if isinstance(first, str) else ""
    return PromptRow(message, block.role, "", text, tokens, exact, None, section, names, len(rows))

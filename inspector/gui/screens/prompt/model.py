"""The finished prompt as a list of pieces: messages, and inside a shared message its items.

Texts are made when a row is needed, so that a prompt of any length is listed immediately.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector.assembly.columns import ROLES, Action, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Joined, Run
from inspector.assembly.rendered_prompt import RenderedPrompt
from inspector.derived import cached_property
from inspector.figures import counted
from inspector.formats.content.words import part_words
from inspector.gui.parts.texts import first_line, one_line
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme
from inspector.model import Held, Message
from inspector.model.parts import flat, text_of
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
    text = assembly.text(row)
    if isinstance(thing, Message) and thing.parts and assembly.action[row] == Action.KEPT:
        text = _with_media(thing, text)
    return _piece(assembly, message, ROLES[assembly.candidates.role[row]], name, text, row)


def _with_media(message: Message, text: str) -> str:
    """Return the text of a whole message with a line in place of each picture, document, sound or film."""
    parts = flat(message.parts)
    if not any(isinstance(part, Held) for part in parts):
        return text
    said = [f"[{part_words(part)}]" if isinstance(part, Held) else "" for part in parts]
    told = [line or text_of([part]) for part, line in zip(parts, said, strict=True)]
    return "\n".join(filter(None, [*told, text.removeprefix(message.content).strip("\n")]))


def _item_piece(assembly: Assembly, message: int, block: Joined | Composed, row: int) -> PromptRow:
    mark = block.mark if isinstance(block, Joined) else ""
    piece = _piece(assembly, message, block.role, "", mark + assembly.text(row), row)
    return replace(piece, is_part=_has_head(block) > 0)


def _piece(assembly: Assembly, message: int, role: str, name: str, text: str, row: int) -> PromptRow:
    spent, exact = int(assembly.spent[row]), not assembly.candidates.estimated[row]
    section = Section(int(assembly.section[row]))
    return PromptRow(message, role, name, text, spent, exact, row, section, assembly.candidates.ids[row])


def _head_piece(assembly: Assembly, message: int, block: Joined | Composed, rows: Rows) -> PromptRow:
    if isinstance(block, Composed) and block.summary:
        summary = assembly.compactions[block.summary - 1]
        size, name = summary.size, summary.id
        return PromptRow(message, block.role, "", summary.text, size, False, None, Section.HISTORY, name)
    tokens = int(assembly.spent[rows].sum(dtype=np.int64))
    exact = not assembly.candidates.estimated[rows].any()
    section = Section(int(assembly.section[rows[0]])) if len(rows) else Section.SYSTEM
    names = ", ".join(assembly.candidates.ids[row] for row in rows[:_NAMED].tolist())
    first = block.heading if isinstance(block, Joined) else next(iter(block.parts), "")
    text = first if isinstance(first, str) else ""
    return PromptRow(message, block.role, "", text, tokens, exact, None, section, names, len(rows))


class Span(NamedTuple):
    """The place of an item in the text, in characters, and its row among the candidates."""

    start: int
    end: int
    row: int


@dataclass(frozen=True)
class PromptText:
    """The text of a rendered prompt, made on first use."""

    assembly: Assembly
    prompt: RenderedPrompt

    @cached_property
    def text(self) -> str:
        """The whole prompt, with the beginning of the reply."""
        return self.prompt.chat.text

    def span(self, row: int) -> tuple[int, int] | None:
        """Return the beginning and end of a row's text, in characters; None if the text does not contain it."""
        place = self._message_of_row.get(row)
        contents = [] if place is None else self._contents.get(place, [])
        if not contents or place is None:
            return None
        return next((span.start, span.end) for span in self._spans_in(place, contents) if span.row == row)

    def spans_until(self, end: int) -> tuple[Span, ...]:
        """Return the items that begin before a place of the text, in its order; the rest is not looked at."""
        found: dict[int, list[tuple[int, str]]] = {}
        for message, start, text in self._parts():
            if start > end and message not in found:
                break
            found.setdefault(message, []).append((start, text))
        return tuple(sorted(span for place, contents in found.items() for span in self._spans_in(place, contents)))

    def _spans_in(self, place: int, contents: list[tuple[int, str]]) -> Iterator[Span]:
        """Yield the items of a message, whose contents in the text begin at known places."""
        message = self.prompt.messages[place]
        start, written = contents[0]
        trimmed = max(message.said.content.find(written), 0)  # characters cut off at the beginning by the template
        for row in message.rows:
            inside = max(self._offsets.get(row, 0) - trimmed, 0)
            end = min(start + inside + len(self.assembly.text(row)), start + len(written))
            if len(message.rows) == 1 and len(contents) > 1:
                end = contents[-1][0] + len(contents[-1][1])
            yield Span(start + inside, end, row)

    @cached_property
    def _message_of_row(self) -> dict[int, int]:
        return {row: place for place, message in enumerate(self.prompt.messages) for row in message.rows}

    @cached_property
    def _contents(self) -> dict[int, list[tuple[int, str]]]:
        """The content and calls of each message, each with its beginning in the text."""
        found: dict[int, list[tuple[int, str]]] = {}
        for message, start, text in self._parts():
            found.setdefault(message, []).append((start, text))
        return found

    def _parts(self) -> Iterator[tuple[int, int, str]]:
        """Yield the content and the calls of messages in order: their message, beginning in the text, and text."""
        start = 0
        for segment in self.prompt.chat.segments:
            if segment.part in ("content", "call"):
                yield segment.message, start, segment.text
            start += len(segment.text)

    @cached_property
    def _offsets(self) -> dict[int, int]:
        """Where the texts of rows that share a message begin in its content."""
        found: dict[int, int] = {}
        for block in self.assembly.blocks:
            if not isinstance(block, Run):
                found.update(_places_in(self.assembly, block))
        return found


def _places_in(assembly: Assembly, block: Joined | Composed) -> Iterator[tuple[int, int]]:
    """Yield the rows of a shared message, each with the place of its text in the content."""
    if isinstance(block, Joined):
        place = len(block.heading)
        for row in block.rows.tolist():
            yield row, place + len(block.mark)
            place += len(block.mark) + len(assembly.text(row)) + len(block.joint)
        return
    place = 0
    for piece, written in zip(block.pieces, block.written(assembly), strict=True):
        if isinstance(piece, int):
            yield piece, place
        place += len(written)


_EDGE = 3
_CHARACTERS = 300
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop


class PieceDelegate(QStyledItemDelegate):
    """The painter of a piece. All pieces have the same height, for laying out 100,000 immediately."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    @property
    def height(self) -> int:
        """The height in pixels: a line for the head and a line of text."""
        return 2 * self._line + 2 * UNIT

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a piece; parts of a message are indented below its head."""
        self.initStyleOption(option, index)
        option.text = ""
        style = self._view.style() or QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, self._view)
        piece: PromptRow = index.data(Qt.ItemDataRole.UserRole)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = option.palette.highlightedText().color() if selected else theme().text
        quiet = ink if selected else theme().muted_text
        painter.save()
        if not piece.is_part and index.row():
            painter.setPen(theme().border)
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())
        edge = QRect(option.rect.x(), option.rect.y(), _EDGE, option.rect.height())
        painter.fillRect(edge, theme().section_color(piece.section))
        indent = 4 * UNIT if piece.is_part else 0
        box = option.rect.adjusted(PANEL_MARGIN + indent, UNIT, -PANEL_MARGIN, -UNIT)
        self._paint_head(painter, box, piece, (ink, quiet))
        painter.setFont(self._view.font())
        painter.setPen(ink)
        text = first_line(piece.text or piece.item, _CHARACTERS)
        self._paint_line(painter, box.adjusted(0, self._line, 0, 0), text)
        painter.restore()

    @property
    def _line(self) -> int:
        return self._view.fontMetrics().lineSpacing()

    def _paint_head(self, painter: QPainter, box: QRect, piece: PromptRow, inks: tuple[QColor, QColor]) -> None:
        ink, quiet = inks
        tokens = counted(piece.tokens, "token", estimated=not piece.exact)
        painter.setFont(self._view.font())
        painter.setPen(quiet)
        painter.drawText(box, _RIGHT, tokens)
        room = box.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(tokens) - PANEL_MARGIN, 0)
        font = QFont(self._view.font())
        font.setBold(not piece.is_part)
        painter.setFont(font)
        painter.setPen(quiet if piece.is_part else ink)
        self._paint_line(painter, room, _title(piece))

    def _paint_line(self, painter: QPainter, box: QRect, text: str) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _LEFT, shown)


def _title(piece: PromptRow) -> str:
    if piece.is_part:
        return one_line(piece.item)
    if piece.row is None:
        return f"{piece.role}  ·  {piece.items:,} item{'' if piece.items == 1 else 's'}"
    return f"{piece.role}  ·  {one_line(piece.name)}" if piece.name else piece.role

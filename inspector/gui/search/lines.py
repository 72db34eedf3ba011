"""Search results as lines: a heading for each conversation, memory set or lorebook, followed by its places.

No widgets here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inspector.gui.parts.marked_text import paint_marked
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import UNIT, row_height, theme
from inspector.model import LoreEntry, Message
from inspector.retrieval.search.find import LEADS, Found, Group, Place, Thing, text_of, time_of

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line of the list: the heading of a group, if without a place, or one of its places."""

    group: Group
    place: Place | None = None

    @property
    def about(self) -> str:
        """The speaker and the date, or the number of places in the group."""
        if self.place is None:
            return f"{len(self.group.places):,}" if self.group.places else "title"
        thing = self.place.thing
        time = time_of(thing)
        return "  ".join(part for part in (f"{time:%Y-%m-%d}" if time else "", one_line(_who(thing), 40)) if part)

    @property
    def lead(self) -> str:
        """The text before the title of a group."""
        return "" if self.place is not None else LEADS[type(self.group.holder)]

    @property
    def text(self) -> str:
        """The text of the line."""
        excerpt = self.group.title if self.place is None else self.place.excerpt
        return f"{self.lead}{excerpt.text}"

    @property
    def marks(self) -> tuple[tuple[int, int], ...]:
        """The matched parts of the text."""
        marks = self.group.title.marks if self.place is None else self.place.excerpt.marks
        return tuple((start + len(self.lead), end + len(self.lead)) for start, end in marks)


class FoundModel(QAbstractListModel):
    """The lines of the results. UserRole gives the `Line` of a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()

    def show_found(self, found: Found | None) -> None:
        """List the results."""
        self.beginResetModel()
        self.lines = tuple(_lines(found)) if found else ()
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a line, with speaker and date for screen readers."""
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.about}: {line.text}"
        if role == Qt.ItemDataRole.ToolTipRole and line.place is not None:
            return tooltip(text_of(line.place.thing), wraps=True)
        return line if role == Qt.ItemDataRole.UserRole else None


def _who(thing: Thing) -> str:
    """Return the speaker, or the title or type of the item."""
    if isinstance(thing, Message):
        return thing.name or thing.role
    return (thing.title or "entry") if isinstance(thing, LoreEntry) else thing.type or "memory"


def _lines(found: Found) -> Iterator[Line]:
    for group in found.groups:
        yield Line(group)
        yield from (Line(group, place) for place in group.places)


ABOUT_DIGITS = 20


class FoundLines(QStyledItemDelegate):
    """Headings are bold, with their number at the right; places are indented, with speaker and date in front."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        self.initStyleOption(option, index)
        view, shown, line = self._view, cast(Any, option), index.data(Qt.ItemDataRole.UserRole)
        view.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, view)
        is_selected = bool(shown.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_selected else QPalette.ColorRole.Text
        ink = shown.palette.color(role)
        inside = shown.rect.adjusted(2 * UNIT, 0, -2 * UNIT, 0)
        painter.save()
        painter.setPen(ink if is_selected else theme().muted_text)
        text = _paint_about(painter, inside, line)
        painter.setPen(ink)
        font = QFont(view.font())
        font.setBold(line.place is None)
        paint_marked(painter, text, line.text, line.marks, font)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, row_height(self._view))

    @property
    def _view(self) -> QWidget:
        view = self.parent()
        assert isinstance(view, QWidget)
        return view


def _paint_about(painter: QPainter, inside: QRect, line: Line) -> QRect:
    """Paint the description of a line. Returns the remaining room for its text."""
    metrics = painter.fontMetrics()
    if line.place is None:
        width = metrics.horizontalAdvance(line.about)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), line.about)
        return inside.adjusted(0, 0, -width - 2 * UNIT, 0)
    left = inside.adjusted(3 * UNIT, 0, 0, 0)
    width = ABOUT_DIGITS * metrics.horizontalAdvance("0")
    words = metrics.elidedText(line.about, Qt.TextElideMode.ElideRight, width)
    painter.drawText(left, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
    return left.adjusted(width + 2 * UNIT, 0, 0, 0)

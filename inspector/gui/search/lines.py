"""Search results as lines: a heading for each conversation, memory set or lorebook, followed by its places.

No widgets here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import one_line
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

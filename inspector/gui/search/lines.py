"""What was found as lines: a heading for each conversation, memory set or lorebook, and below it its places.

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
    """A line of the list: of a group its heading, without a place, or one of its places."""

    group: Group
    place: Place | None = None

    @property
    def about(self) -> str:
        """Who said it and when, or how much was found there."""
        if self.place is None:
            return f"{len(self.group.places):,}" if self.group.places else "title"
        thing = self.place.thing
        time = time_of(thing)
        return "  ".join(part for part in (f"{time:%Y-%m-%d}" if time else "", one_line(_who(thing), 40)) if part)

    @property
    def lead(self) -> str:
        """What stands before the title of a group."""
        return "" if self.place is not None else LEADS[type(self.group.holder)]

    @property
    def text(self) -> str:
        """The line in words."""
        excerpt = self.group.title if self.place is None else self.place.excerpt
        return f"{self.lead}{excerpt.text}"

    @property
    def marks(self) -> tuple[tuple[int, int], ...]:
        """What of the text was looked for."""
        marks = self.group.title.marks if self.place is None else self.place.excerpt.marks
        return tuple((start + len(self.lead), end + len(self.lead)) for start, end in marks)


class FoundModel(QAbstractListModel):
    """The lines of what was found. UserRole gives the `Line` of a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()

    def show_found(self, found: Found | None) -> None:
        """List what was found."""
        self.beginResetModel()
        self.lines = tuple(_lines(found)) if found else ()
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """How many lines there are."""
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The line in words, with who and when for those who listen."""
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
    """Who said it, or what it is."""
    if isinstance(thing, Message):
        return thing.name or thing.role
    return (thing.title or "entry") if isinstance(thing, LoreEntry) else thing.type or "memory"


def _lines(found: Found) -> Iterator[Line]:
    for group in found.groups:
        yield Line(group)
        yield from (Line(group, place) for place in group.places)

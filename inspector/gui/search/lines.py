"""The lines of the box: sections with their entries, and the matches in texts below their chats. No widgets here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.parts.choices import Choice
from inspector.gui.parts.texts import first_line, one_line, tooltip
from inspector.gui.search.entries import Section, section_of
from inspector.model import LoreEntry, Message
from inspector.retrieval.search.find import LEADS, Found, Group, Place, Thing, text_of, time_of

_Index = QModelIndex | QPersistentModelIndex
MOST = 8
"""The most lines of a section beside others; its sign lists them all."""
LATELY, MOST_LATELY = "Used lately", 5


@dataclass(frozen=True, slots=True, eq=False)
class Heading:
    """The line above a section: its title, and how much of it is listed."""

    text: str
    about: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """The line of an entry."""

    choice: Choice

    @property
    def text(self) -> str:
        """The title."""
        return first_line(self.choice.title)

    @property
    def about(self) -> str:
        """The description, and the keys."""
        return " ".join(filter(None, map(first_line, self.choice.cells[1:])))

    @property
    def tip(self) -> str:
        """The whole title and description."""
        return self.choice.tip


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """The heading of the matches in a chat, memory set or lorebook, if without a place, or one of its places."""

    group: Group
    place: Place | None = None

    @property
    def about(self) -> str:
        """The speaker and the date, or the number of places in the group."""
        if self.place is None:
            return f"{len(self.group.places):,}"
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

    @property
    def tip(self) -> str:
        """The whole text of a place."""
        return "" if self.place is None else text_of(self.place.thing)


Line = Heading | Entry | Hit


class BoxModel(QAbstractListModel):
    """The lines of the box. UserRole gives the line of a row; headings cannot be chosen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show these lines."""
        self.beginResetModel()
        self.lines = tuple(lines)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.lines)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Return that only lines with an effect can be chosen."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled
        return flags | Qt.ItemFlag.ItemIsSelectable if is_choosable(self.lines[index.row()]) else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a line, with its description for screen readers."""
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return (
                f"{line.about}: {line.text}"
                if isinstance(line, Hit)
                else ": ".join(filter(None, (line.text, line.about)))
            )
        if role == Qt.ItemDataRole.ToolTipRole and line.tip:
            return tooltip(line.tip, wraps=isinstance(line, Hit))
        return line if role == Qt.ItemDataRole.UserRole else None


def is_choosable(line: Line) -> bool:
    """Return whether a line can be marked: headings cannot."""
    return not isinstance(line, Heading)


def lately_and_all(choices: Sequence[Choice], used: Sequence[str]) -> Iterator[Line]:
    """Yield what was used lately, newest first, then every section with all its other entries."""
    by_key = {choice.key: choice for choice in choices}
    lately = [by_key[key] for key in dict.fromkeys(used) if key in by_key][:MOST_LATELY]
    if lately:
        yield Heading(LATELY)
        yield from map(Entry, lately)
    rest = [choice for choice in choices if choice not in lately]
    yield from _sections(rest, ordered=tuple(Section), most=None)


def matching_lines(choices: Sequence[Choice], is_limited: bool) -> Iterator[Line]:
    """Yield the sections of matching entries, given best first; the section of the best one is the first."""
    order = tuple(dict.fromkeys(map(section_of, choices)))
    yield from _sections(choices, order, None if is_limited else MOST)


def _sections(choices: Sequence[Choice], ordered: Sequence[Section], most: int | None) -> Iterator[Line]:
    parts: Mapping[Section, list[Choice]] = {section: [] for section in ordered}
    for choice in choices:
        parts[section_of(choice)].append(choice)
    for section, own in parts.items():
        if own:
            listed = own[:most]
            yield Heading(section.title, _amount(len(listed), len(own), section))
            yield from map(Entry, listed)


def _amount(listed: int, found: int, section: Section) -> str:
    return f"{listed:,} of {found:,}, {section.sign} lists all" if listed < found else f"{found:,}"


def found_lines(found: Found | None) -> Iterator[Line]:
    """Yield the matches in texts; a chat that matches only by its title is among the chats."""
    groups = () if found is None else tuple(group for group in found.groups if group.places)
    if found is None or not groups:
        return
    yield Heading(Section.TEXTS.title, f"{found.total:,}")
    for group in groups:
        yield Hit(group)
        yield from (Hit(group, place) for place in group.places)


def _who(thing: Thing) -> str:
    """Return the speaker, or the title or type of the item."""
    if isinstance(thing, Message):
        return thing.name or thing.role
    return (thing.title or "entry") if isinstance(thing, LoreEntry) else thing.type or "memory"

"""The table of conversations: one row each, with its file, its length, when it was and what the setting makes of it.

Columns only; no widgets.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from inspector.analysis.archive.figures import ChatFigures
from inspector.analysis.archive.overview import Looked
from inspector.assembly.columns import F64, Rows
from inspector.figures import figures, percentage
from inspector.gui.parts.unread import UNREAD
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import theme
from inspector.model import Conversation, Message

NOT_YET = "…"


@dataclass(frozen=True, eq=False)
class Archive:
    """All conversations that are open, by row; `spans` are the times of the first and the last message that has one.

    `looked` has those rows that were looked at so far.
    """

    conversations: tuple[Conversation, ...]
    spans: tuple[tuple[datetime, datetime] | None, ...]
    shown: str = ""
    looked: Mapping[int, Looked] = field(default_factory=dict)

    @classmethod
    def of(cls, conversations: Iterable[Conversation]) -> "Archive":
        """Those of a workspace."""
        chats = tuple(conversations)
        return cls(chats, tuple(_span(chat) for chat in chats))

    def title(self, row: int) -> str:
        """What a person calls it."""
        chat = self.conversations[row]
        return chat.title or chat.id

    def file(self, row: int) -> str:
        """The name of the file that it came from."""
        return PurePath(self.conversations[row].origin).name


class ConversationsModel(ArrayTableModel[Archive]):
    """Rows of an archive, those whose title or file has some words in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CONVERSATION_COLUMNS, parent)

    def show_archive(self, archive: Archive, ids: tuple[str, ...], wanted: str) -> None:
        """Show the conversations of an archive that have every word of `wanted` in their title or file."""
        self.show(archive, _matching(archive, wanted), ids)


def _matching(archive: Archive, wanted: str) -> Rows:
    words, count = wanted.casefold().split(), len(archive.conversations)
    texts = (f"{archive.title(row)}\n{archive.file(row)}".casefold() for row in range(count)) if words else ()
    if not words:
        return np.arange(count)
    return np.array([row for row, text in enumerate(texts) if all(word in text for word in words)], dtype=np.intp)


def _span(chat: Conversation) -> tuple[datetime, datetime] | None:
    if not chat.is_read:
        return None
    first, last = _first_time(chat.messages), _first_time(reversed(chat.messages))
    return (first, last) if first and last else None


def _count(archive: Archive, row: int) -> int:
    """How many messages a conversation has, -1 before it was read."""
    chat = archive.conversations[row]
    return len(chat.messages) if chat.is_read else -1


def _first_time(messages: Iterable[Message]) -> datetime | None:
    return next((message.time for message in messages if message.time), None)


def _day(archive: Archive, row: int, end: int) -> str:
    span = archive.spans[row]
    if not archive.conversations[row].is_read:
        return UNREAD
    return f"{span[end]:%Y-%m-%d}" if span else ""


def _minute(archive: Archive, row: int, end: int) -> str:
    span = archive.spans[row]
    if not archive.conversations[row].is_read:
        return "Nobody has read it yet."
    return f"{span[end]:%Y-%m-%d %H:%M}" if span else "No message says when it was."


def _times(archive: Archive, end: int) -> F64:
    return np.array([span[end].timestamp() if span else np.nan for span in archive.spans], np.float64)


def _places(archive: Archive, word: Callable[[int], str]) -> NDArray:
    """Each row's place in the alphabet by a word of it."""
    words = [word(row).casefold() for row in range(len(archive.conversations))]
    places = {one: place for place, one in enumerate(sorted(set(words)))}
    return np.array([places[one] for one in words], np.int32)


def _figures(archive: Archive, row: int) -> ChatFigures | None:
    looked = archive.looked.get(row)
    return looked.figures if looked else None


def _recall(archive: Archive, row: int) -> float | None:
    looked = archive.looked.get(row)
    return looked.recall if looked else None


def _recall_text(archive: Archive, row: int) -> str:
    found = _recall(archive, row)
    return "" if found is None else percentage(found)


def _is_any_recalled(archive: Archive) -> bool:
    return any(one.recall is not None for one in archive.looked.values())


def _recalls(archive: Archive) -> F64:
    found = (_recall(archive, row) for row in range(len(archive.conversations)))
    return np.array([np.nan if one is None else one for one in found], np.float64)


def _written(archive: Archive, row: int, figure: str) -> str:
    """A figure of a row; one that is not known yet is …, of a scenario that is refused –."""
    found = _figures(archive, row)
    if found is None:
        return "–" if row in archive.looked else NOT_YET
    return figures(getattr(found, figure), figure == "tokens" and not found.exact)


def _values(archive: Archive, figure: str) -> F64:
    found = (_figures(archive, row) for row in range(len(archive.conversations)))
    return np.array([np.nan if one is None else getattr(one, figure) for one in found], np.float64)


def _trouble(archive: Archive, row: int) -> str:
    looked = archive.looked.get(row)
    return looked.trouble if looked else "Not looked at yet."


def _figure(key: str, title: str, about: str, name: str, yields: int) -> "Column[Archive]":
    """A column of a figure that is known once its conversation was looked at."""
    return Column(
        key,
        title,
        about,
        lambda archive, row: _written(archive, row, name),
        lambda archive: _values(archive, name),
        digits=10,
        right=True,
        yields=yields,
        tooltip=_trouble,
    )


def _color_of_title(archive: Archive, row: int) -> QColor | None:
    return theme().accent if archive.conversations[row].id == archive.shown else None


def _muted(archive: Archive, row: int) -> QColor:
    return theme().muted_text


# What the setting makes of a conversation is what this list is for: in a narrow one the days go first.
CONVERSATION_COLUMNS: tuple[Column[Archive], ...] = (
    Column(
        "title",
        "Conversation",
        "Its title; ● marks the one that is inspected",
        lambda archive, row: f"{'● ' * (archive.conversations[row].id == archive.shown)}{archive.title(row)}",
        lambda archive: _places(archive, archive.title),
        digits=24,
        stretches=True,
        color=_color_of_title,
    ),
    Column(
        "file",
        "File",
        "The file that it came from",
        lambda archive, row: archive.file(row),
        lambda archive: _places(archive, archive.file),
        digits=26,
        yields=4,
        color=_muted,
        tooltip=lambda archive, row: archive.conversations[row].origin,
    ),
    Column(
        "messages",
        "Messages",
        "How many messages its active branch has",
        lambda archive, row: UNREAD if (count := _count(archive, row)) < 0 else figures(count),
        lambda archive: np.array([_count(archive, row) for row in range(len(archive.conversations))], np.int64),
        digits=9,
        right=True,
    ),
    Column(
        "first",
        "First",
        "The day of its first message",
        lambda archive, row: _day(archive, row, 0),
        lambda archive: _times(archive, 0),
        digits=12,
        yields=7,
        color=_muted,
        tooltip=lambda archive, row: _minute(archive, row, 0),
    ),
    Column(
        "last",
        "Last",
        "The day of its last message",
        lambda archive, row: _day(archive, row, 1),
        lambda archive: _times(archive, 1),
        digits=12,
        yields=6,
        color=_muted,
        tooltip=lambda archive, row: _minute(archive, row, 1),
    ),
    _figure("tokens", "Tokens", "How many tokens its messages have", "tokens", yields=5),
    _figure("prompt", "Prompt", "How many tokens its prompt has under the setting in use", "total", yields=1),
    _figure("dropped", "Dropped", "How many items the setting in use leaves out", "left_out", yields=1),
    _figure("findings", "Findings", "How many findings there are about its prompt", "findings", yields=3),
    Column(
        "recall",
        "Recall",
        "The share of the evidence of its questions that is kept whole, as a mean",
        _recall_text,
        _recalls,
        digits=7,
        right=True,
        yields=2,
        shown=_is_any_recalled,
    ),
)

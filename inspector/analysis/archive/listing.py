"""The list of what is open: a row for each conversation with its file, its length, its days and its figures.

Columns only, the same for the window and the command line.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.archive.figures import ChatFigures
from inspector.analysis.archive.overview import Looked
from inspector.assembly.columns import F64, Rows
from inspector.assembly.sorting import sorted_rows
from inspector.figures import UNREAD, figures, percentage
from inspector.model import Conversation, Message


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

    def matching(self, wanted: str) -> Rows:
        """The rows that have every word of `wanted` in their title or file; all of them for no words."""
        words, count = wanted.casefold().split(), len(self.conversations)
        if not words:
            return np.arange(count)
        texts = (f"{self.title(row)}\n{self.file(row)}".casefold() for row in range(count))
        return np.array([row for row, text in enumerate(texts) if all(word in text for word in words)], dtype=np.intp)

    def value(self, row: int) -> dict[str, Any]:
        """A row for scripts, its figures under the keys of `COLUMNS`; null is what is not known, or not asked."""
        chat, span, looked = self.conversations[row], self.spans[row], self.looked.get(row)
        found = looked.figures if looked else None
        return {
            "id": chat.id,
            "title": self.title(row),
            "file": chat.origin,
            "messages": len(chat.messages) if chat.is_read else None,
            "first": span[0].isoformat() if span else None,
            "last": span[1].isoformat() if span else None,
            **{key: getattr(found, name) if found else None for key, name in _FIGURES.items()},
            "exact": found.exact if found else None,
            "prompt_exact": found.total_exact if found else None,
            "recall": looked.recall if looked else None,
            "trouble": looked.trouble if looked else "",
        }


_FIGURES = {"tokens": "tokens", "prompt": "total", "dropped": "left_out", "findings": "findings"}
"""The columns of figures, and what each is called among the `ChatFigures`."""
_EXACT = {"tokens": "exact", "total": "total_exact"}
"""The figures that may be estimates, and what says whether each is counted."""


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column, declared once: its key, its title, what it is, how a row reads, and what rows are sorted by.

    `right` is a column of figures, `tooltip` says more about a row, and `shown` whether anything is there to show.
    """

    key: str
    title: str
    about: str
    text: Callable[[Archive, int], str]
    values: Callable[[Archive], NDArray[Any]]
    right: bool = False
    tooltip: Callable[[Archive, int], str] | None = None
    shown: Callable[[Archive], bool] | None = None


def listed(archive: Archive, wanted: str, key: str = "", *, descending: bool = False) -> Rows:
    """The rows that have the words `wanted`, in the order of the column of a key; without one, as they were opened.

    KeyError for a key of no column.
    """
    rows = archive.matching(wanted)
    return sorted_rows(rows, COLUMNS[key].values(archive), descending) if key else rows


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
    return f"{span[end]:%Y-%m-%d %H:%M}" if span else "No message says when it was written."


def _times(archive: Archive, end: int) -> F64:
    return np.array([span[end].timestamp() if span else np.nan for span in archive.spans], np.float64)


def _places(archive: Archive, word: Callable[[int], str]) -> NDArray[Any]:
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
        return figures(None) if row in archive.looked else UNREAD
    is_estimate = figure in _EXACT and not getattr(found, _EXACT[figure])
    return figures(getattr(found, figure), is_estimate)


def _values(archive: Archive, figure: str) -> F64:
    found = (_figures(archive, row) for row in range(len(archive.conversations)))
    return np.array([np.nan if one is None else getattr(one, figure) for one in found], np.float64)


def _trouble(archive: Archive, row: int) -> str:
    looked = archive.looked.get(row)
    return looked.trouble if looked else "Not looked at yet."


def _figure(key: str, title: str, about: str) -> ListColumn:
    """A column of a figure that is known once its conversation was looked at."""
    name = _FIGURES[key]
    return ListColumn(
        key,
        title,
        about,
        lambda archive, row: _written(archive, row, name),
        lambda archive: _values(archive, name),
        right=True,
        tooltip=_trouble,
    )


_COLUMNS = (
    ListColumn(
        "title",
        "Conversation",
        "Its title",
        Archive.title,
        lambda archive: _places(archive, archive.title),
    ),
    ListColumn(
        "file",
        "File",
        "The file that it came from",
        Archive.file,
        lambda archive: _places(archive, archive.file),
        tooltip=lambda archive, row: archive.conversations[row].origin,
    ),
    ListColumn(
        "messages",
        "Messages",
        "How many messages its active branch has",
        lambda archive, row: UNREAD if (count := _count(archive, row)) < 0 else figures(count),
        lambda archive: np.array([_count(archive, row) for row in range(len(archive.conversations))], np.int64),
        right=True,
    ),
    ListColumn(
        "first",
        "First",
        "The day of its first message",
        lambda archive, row: _day(archive, row, 0),
        lambda archive: _times(archive, 0),
        tooltip=lambda archive, row: _minute(archive, row, 0),
    ),
    ListColumn(
        "last",
        "Last",
        "The day of its last message",
        lambda archive, row: _day(archive, row, 1),
        lambda archive: _times(archive, 1),
        tooltip=lambda archive, row: _minute(archive, row, 1),
    ),
    _figure("tokens", "Tokens", "How many tokens its messages have"),
    _figure("prompt", "Prompt", "How many tokens its prompt has under the setting in use"),
    _figure("dropped", "Dropped", "How many items the setting in use leaves out"),
    _figure("findings", "Findings", "How many findings there are about its prompt"),
    ListColumn(
        "recall",
        "Recall",
        "The mean share of the evidence of its questions that is kept whole",
        _recall_text,
        _recalls,
        right=True,
        shown=_is_any_recalled,
    ),
)
COLUMNS = {column.key: column for column in _COLUMNS}
"""The columns by their keys, in their order."""

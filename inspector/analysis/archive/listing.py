"""The list of open conversations: a row for each with its file, its length, its days and its figures."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.archive.figures import ChatFigures
from inspector.analysis.archive.overview import Looked
from inspector.assembly.columns import F64, I64, Rows
from inspector.figures import UNREAD, figures
from inspector.model import Conversation, Message
from inspector.tables import Column, Face, Kind, Tone, Value, sorted_rows


@dataclass(frozen=True, eq=False)
class Archive:
    """All open conversations, by row; `spans` are the times of the first and the last message with a time.

    `looked` has the rows examined so far. `is_asked` says that there are questions, so that recall has its column
    before the first of these chats was examined.
    """

    conversations: tuple[Conversation, ...]
    spans: tuple[tuple[datetime, datetime] | None, ...]
    shown: str = ""
    looked: Mapping[int, Looked] = field(default_factory=dict)
    is_asked: bool = False

    @classmethod
    def of(cls, conversations: Iterable[Conversation], *, is_asked: bool = False) -> "Archive":
        """Return those of a workspace."""
        chats = tuple(conversations)
        return cls(chats, tuple(_span(chat) for chat in chats), is_asked=is_asked)

    def title(self, row: int) -> str:
        """Return the title of a conversation, or its id."""
        chat = self.conversations[row]
        return chat.title or chat.id

    def file(self, row: int) -> str:
        """Return the name of its file."""
        return PurePath(self.conversations[row].origin).name

    def matching(self, wanted: str) -> Rows:
        """Return the rows with every word of `wanted` in their title or file; all rows for no words."""
        words, count = wanted.casefold().split(), len(self.conversations)
        if not words:
            return np.arange(count)
        texts = (f"{self.title(row)}\n{self.file(row)}".casefold() for row in range(count))
        return np.array([row for row, text in enumerate(texts) if all(word in text for word in words)], dtype=np.intp)


_FIGURES = {"tokens": "tokens", "prompt": "total", "dropped": "left_out", "findings": "findings"}
"""The columns of figures, with their names in `ChatFigures`."""
_EXACT = {"tokens": "exact", "total": "total_exact"}
"""Figures that may be estimates, with the fields that say whether each is counted."""


def _span(chat: Conversation) -> tuple[datetime, datetime] | None:
    if not chat.is_read:
        return None
    first, last = _first_time(chat.messages), _first_time(reversed(chat.messages))
    return (first, last) if first and last else None


def _count(archive: Archive, row: int) -> int | None:
    chat = archive.conversations[row]
    return len(chat.messages) if chat.is_read else None


def _counts(archive: Archive) -> I64:
    """Return how many messages each conversation has, -1 before it was read."""
    counts = (_count(archive, row) for row in range(len(archive.conversations)))
    return np.array([-1 if count is None else count for count in counts], np.int64)


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
    """Return each row's place in the alphabet by a word of it."""
    words = [word(row).casefold() for row in range(len(archive.conversations))]
    places = {one: place for place, one in enumerate(sorted(set(words)))}
    return np.array([places[one] for one in words], np.int32)


def _figures(archive: Archive, row: int) -> ChatFigures | None:
    looked = archive.looked.get(row)
    return looked.figures if looked else None


def _looked_at(archive: Archive, row: int, name: str) -> int | bool | None:
    found = _figures(archive, row)
    return getattr(found, name) if found else None


def _recall(archive: Archive, row: int) -> float | None:
    looked = archive.looked.get(row)
    return looked.recall if looked else None


def _over(archive: Archive, row: int) -> int | None:
    """Return the tokens beyond the window, None where there are none or they are not known."""
    found = _figures(archive, row)
    return found.over or None if found else None


def _overs(archive: Archive) -> F64:
    found = (_over(archive, row) for row in range(len(archive.conversations)))
    return np.array([np.nan if one is None else one for one in found], np.float64)


def _is_any_recalled(archive: Archive) -> bool:
    return archive.is_asked or any(one.recall is not None for one in archive.looked.values())


def _recalls(archive: Archive) -> F64:
    found = (_recall(archive, row) for row in range(len(archive.conversations)))
    return np.array([np.nan if one is None else one for one in found], np.float64)


def _written(archive: Archive, row: int, figure: str) -> str:
    """Return the text of a figure: … if it is not known yet, – if the scenario is refused."""
    found = _figures(archive, row)
    if found is None:
        return figures(None) if row in archive.looked else UNREAD
    is_estimate = figure in _EXACT and not getattr(found, _EXACT[figure])
    return figures(getattr(found, figure), is_estimate)


def _values(archive: Archive, figure: str) -> F64:
    found = (_figures(archive, row) for row in range(len(archive.conversations)))
    values = (None if one is None else getattr(one, figure) for one in found)
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _trouble(archive: Archive, row: int) -> str:
    looked = archive.looked.get(row)
    return looked.trouble if looked else ""


def _marked_title(archive: Archive, row: int) -> str:
    return f"{'● ' * (archive.conversations[row].id == archive.shown)}{archive.title(row)}"


def _color_of_title(archive: Archive, row: int) -> Tone | None:
    return "accent" if archive.conversations[row].id == archive.shown else None


def _muted(archive: Archive, row: int) -> Tone:
    return "muted"


def _file(key: str, help: str, value: Callable[[Archive, int], Value]) -> Column[Archive]:
    return Column(key, key, help, value, faces=Face.FILES)


def _exact(key: str, help: str, name: str) -> Column[Archive]:
    return _file(key, help, lambda archive, row: _looked_at(archive, row, name))


def _time(key: str, title: str, help: str, end: int, yields: int, at_first: bool = True) -> Column[Archive]:
    """Return the column of a time, shown as the day."""
    return Column(
        key,
        title,
        help,
        lambda archive, row: span[end].isoformat() if (span := archive.spans[row]) else None,
        lambda archive: _times(archive, end),
        words=lambda archive, row: _day(archive, row, end),
        tone=_muted,
        tooltip=lambda archive, row: _minute(archive, row, end),
        digits=10,
        yields=yields,
        at_first=at_first,
    )


def _figure(key: str, title: str, help: str, yields: int, kind: Kind = Kind.COUNT, digits: int = 9) -> Column[Archive]:
    """Return the column of a figure that is known once its conversation has been examined."""
    name = _FIGURES[key]
    return Column(
        key,
        title,
        help,
        lambda archive, row: _looked_at(archive, row, name),
        lambda archive: _values(archive, name),
        kind,
        words=lambda archive, row: _written(archive, row, name),
        tooltip=lambda archive, row: _trouble(archive, row) if row in archive.looked else "Not looked at yet.",
        digits=digits,
        yields=yields,
    )


# The effect of the setting on a conversation is the point of this list: in a narrow one the days go first.
CONVERSATION_COLUMNS: tuple[Column[Archive], ...] = (
    _file("id", "Its id", lambda archive, row: archive.conversations[row].id),
    Column(
        "title",
        "Chat",
        "Its title; ● marks the one that is inspected",
        Archive.title,
        lambda archive: _places(archive, archive.title),
        words=_marked_title,
        tone=_color_of_title,
        digits=16,
        stretches=True,
    ),
    Column(
        "file",
        "File",
        "The file that it came from",
        lambda archive, row: archive.conversations[row].origin,
        lambda archive: _places(archive, archive.file),
        words=Archive.file,
        tone=_muted,
        tooltip=lambda archive, row: archive.conversations[row].origin,
        digits=14,
        yields=5,
    ),
    Column(
        "messages",
        "Messages",
        "How many messages its active branch has",
        _count,
        _counts,
        Kind.COUNT,
        absent=UNREAD,
        digits=9,
    ),
    _time("first", "First", "The day of its first message", 0, 9, at_first=False),
    _time("last", "Last", "The day of its last message", 1, 7),
    _figure("tokens", "Tokens", "How many tokens its messages have", 6, Kind.TOKENS),
    _figure("prompt", "Prompt", "How many tokens its prompt has under the setting in use", 1, Kind.TOKENS),
    Column(
        "kept",
        "Kept",
        "Which share of its items is in the prompt",
        lambda archive, row: found.kept_share if (found := _figures(archive, row)) else None,
        lambda archive: _values(archive, "kept_share"),
        Kind.SHARE,
        absent="",
        faces=Face.FILES | Face.WINDOW,
        digits=9,
        yields=3,
    ),
    _figure("dropped", "Dropped", "How many items the setting in use leaves out", 1, digits=11),
    Column(
        "over",
        "Over",
        "By how many tokens prompt and reply exceed the window",
        _over,
        _overs,
        Kind.TOKENS,
        absent="",
        tone=lambda archive, row: "error",
        faces=Face.FILES | Face.WINDOW,
        digits=7,
        yields=2,
    ),
    _figure("findings", "Findings", "How many findings there are about its prompt", 4, digits=8),
    _exact("exact", "Whether the tokens of its messages are counted, not estimated", "exact"),
    _exact("prompt_exact", "Whether the tokens of its prompt are counted, not estimated", "total_exact"),
    Column(
        "recall",
        "Recall",
        "The mean share of the evidence of its questions that is kept whole",
        _recall,
        _recalls,
        Kind.SHARE,
        absent="",
        shown=_is_any_recalled,
        digits=7,
        yields=2,
    ),
    _file("trouble", "Why there is no prompt of it", _trouble),
)
SORTING = {column.key: column.values for column in CONVERSATION_COLUMNS if column.values}
"""The values for sorting rows, by the keys of their columns."""


def listed(archive: Archive, wanted: str, key: str = "", *, descending: bool = False) -> Rows:
    """Return the rows with the words `wanted`, sorted by the column of a key, or in the order of opening.

    Raise KeyError for an unknown key.
    """
    rows = archive.matching(wanted)
    return sorted_rows(rows, SORTING[key](archive), descending) if key else rows

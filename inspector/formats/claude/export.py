"""The export of Claude.ai: chats, projects and memories, as files, as lines, or together in the zip that it sends."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from inspector.formats.claude.listing import ChatList, is_known
from inspector.formats.format import Format, Listing
from inspector.formats.unread_text import KEPT_UP_TO
from inspector.model import Workspace
from inspector.reading.json import DUPLICATES_UP_TO, duplicate_keys
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError

_MEMBER = re.compile(r"(?:^|/)(?:(?:conversations|projects|memories)(?:-\d+)?|(?:projects|design_chats)/[^/]+)\.json$")
_CHATS_MEMBER = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_WRAPS = ("conversations", "chats", "data")
_LOOKED_AT = 5
_PEEK = 200_000  # bytes


def _sniff(source: FileSource) -> float:
    try:
        if source.shape == "zip":
            return 0.95 if _holds_export(source) else 0.0
        known = [value for value in _first_values(source) if is_known(value)]
        return (1.0 if all(map(_is_whole, known)) else 0.95) if known else 0.0
    except UnreadableError:
        return 0.0


def _is_whole(value: Mapping[str, Any]) -> bool:
    """Return whether this is a chat just as the application writes it, so that no other format needs consideration."""
    return value.keys() >= {"uuid", "name", "created_at", "account", "chat_messages"}


def _holds_export(source: FileSource) -> bool:
    archive = source.archive
    return any(b'"chat_messages"' in archive.peek(name, _PEEK) for name in archive.names if _CHATS_MEMBER.search(name))


def _first_values(source: FileSource) -> list[Any]:
    if source.shape == "json_lines":
        return [record.value for record in source.first_records[:_LOOKED_AT]]
    if source.shape != "json":
        return []
    if source.raw_items is not None:
        return list(source.first_items)
    return [value for _, value in _unwrapped(source.sample)][:_LOOKED_AT]


def _unwrapped(value: Any) -> list[tuple[str, Any]]:
    """Return the chats that an extension or a script wrapped as `conversations`, or the value, each with its place."""
    for key in _WRAPS if isinstance(value, Mapping) else ():
        if isinstance(value.get(key), list) and "chat_messages" not in value:
            return [(f"$.{key}[{number}]", chat) for number, chat in enumerate(value[key])]
    return [("$", value)]


def _load(source: FileSource) -> Workspace:
    chats, unpacked = _chats(source)
    try:
        return chats.whole(source, chats.workspace(source), keeps=True, is_shown=False)
    finally:
        source.give_back(unpacked)


def _list(source: FileSource) -> Listing:
    chats, _ = _chats(source)
    workspace = chats.workspace(source)
    if not chats.may_stay_unread:
        read = chats.whole(source, workspace, keeps=True, is_shown=False)
        return Listing(read, lambda: read)
    keeps = chats.text_bytes <= KEPT_UP_TO
    return Listing(workspace, partial(chats.whole, source, workspace, keeps=keeps, is_shown=True), needs_no_other=True)


def _chats(source: FileSource) -> tuple[ChatList, int]:
    """Return the contents of a file or archive, and the bytes of an archive's text that stay in memory for them.

    Raise UnreadableError if there are none.
    """
    chats, unpacked = ChatList(), 0
    if not source.pieces and source.shape == "zip":
        for name in (name for name in source.archive.names if _MEMBER.search(name)):
            unpacked += _add_member(chats, source, name)
        chats.problems += source.archive.problems
    else:
        _add_file(chats, source)
    if not chats.holds_something:
        expected = "expected chats with chat_messages, projects or memories of Claude.ai, found none"
        raise source.unreadable("$", expected, chats.workspace(source).problems)
    return chats, unpacked


def _add_member(chats: ChatList, source: FileSource, name: str) -> int:
    """Add the contents of a file of an archive; return the size of its text, which stays in memory."""
    taken = 0
    try:
        member = source.member(name)
        source.take(len(member.data), f"the text of {name} would take")
        taken = len(member.data)
        _add_file(chats, member)
        chats.problems += member.problems
    except UnreadableError as error:
        chats.problems.append(error.problem)
    return taken


def _add_file(chats: ChatList, source: FileSource) -> None:
    """Add the contents of an array, of lines or of a single object. Raise UnreadableError if nothing can be read."""
    if source.pieces:
        chats.add_pieces(source, source.pieces)
        if source.size <= DUPLICATES_UP_TO:
            chats.problems[:0] = duplicate_keys(source.utf8, source.path)
    elif source.shape == "json_lines":
        for record in source.records(chats.problems):
            chats.add_value(source.path, f"line {record.line}: $", record.value)
    elif source.raw_items is not None:
        chats.problems += duplicate_keys(source.utf8, source.path)
        chats.add_texts(source, source.raw_items)
    elif isinstance(source.json, list):
        for number, value in enumerate(source.json):
            chats.add_value(source.path, f"$[{number}]", value)
    else:
        for place, value in _unwrapped(source.json):
            chats.add_value(source.path, place, value)


FORMAT = Format(
    "claude",
    "Claude.ai export",
    _sniff,
    _load,
    "chats with `chat_messages`, or projects, memories or design chats of Claude.ai",
    listing=_list,
    beside=("summaries",),
)

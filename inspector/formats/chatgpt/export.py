"""The export of chatgpt.com: `conversations.json`, its shards, and zip archives of them."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from inspector.formats.chatgpt.listing import ChatList, is_chat
from inspector.formats.format import Format, Listing
from inspector.formats.unread_text import KEPT_UP_TO
from inspector.model import Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, mapping

_MEMBER = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_LOOKED_AT = 3
_PEEK = 200_000  # bytes


def _sniff(source: FileSource) -> float:
    if source.shape == "zip":
        return 0.95 if _holds_export(source) else 0.0
    if source.shape not in ("json", "json_lines"):
        return 0.0
    if source.shape == "json" and source.raw_items is None and source.sample is None:
        return 0.6 if _looks_cut(source.utf8[:_PEEK]) else 0.0
    try:
        chats = [value for value in _first_values(source) if is_chat(value)]
        return (1.0 if all(map(_is_whole, chats)) else 0.95) if chats else 0.0
    except UnreadableError:
        return 0.0


def _is_whole(chat: Mapping[str, Any]) -> bool:
    """Return whether a chat is just as the application writes it, so that no other format needs consideration."""
    leaf = chat.get("current_node")
    node = mapping(chat["mapping"]).get(leaf) if isinstance(leaf, str) else None
    return isinstance(node, Mapping) and {"message", "parent", "children"} <= node.keys()


def _looks_cut(head: bytes) -> bool:
    """Return whether an array of invalid JSON still seems to be an export."""
    return head.lstrip().startswith(b"[") and b'"mapping"' in head and b'"author"' in head


def _holds_export(source: FileSource) -> bool:
    try:
        archive = source.archive
        heads = (archive.peek(name, _PEEK) for name in archive.names if _MEMBER.search(name))
        return any(b'"mapping"' in head and b'"inserted_at"' not in head for head in heads)  # the latter are DeepSeek's
    except UnreadableError:
        return False


def _first_values(source: FileSource) -> list[Any]:
    if source.shape == "json_lines":
        return [record.value for record in source.first_records[:_LOOKED_AT]]
    if source.raw_items is not None:
        return list(source.first_items[:_LOOKED_AT])
    value = source.json
    if isinstance(value, Mapping):
        return [value, *list(value.values())[:_LOOKED_AT]]
    return value[:_LOOKED_AT] if isinstance(value, list) else []


def _load(source: FileSource) -> Workspace:
    chats = _chats(source, unpacks_all=False)
    return chats.whole(source, chats.workspace(source), keeps=True, is_shown=False)


def _list(source: FileSource) -> Listing:
    chats = _chats(source, unpacks_all=True)
    workspace = chats.workspace(source)
    whole = partial(chats.whole, source, workspace, keeps=chats.text_bytes <= KEPT_UP_TO, is_shown=True)
    return Listing(changed(workspace, problems=tuple(chats.problems)), whole, needs_no_other=True)


def _chats(source: FileSource, unpacks_all: bool) -> ChatList:
    """Return the chats of a file or archive. With `unpacks_all`, all files of an archive stay in memory as text.

    Raise UnreadableError if there are none.
    """
    chats = ChatList()
    if not source.pieces and source.shape == "zip":
        for name in (name for name in source.archive.names if _MEMBER.search(name)):
            _add_member(chats, source, name, unpacks_all)
        chats.problems += source.archive.problems
    else:
        _add_file(chats, source, at_once=False)
    if not chats:
        expected = source.problem("$", "expected conversations with a mapping of messages")
        raise UnreadableError(next(iter(chats.problems), expected))
    return chats


def _add_member(chats: ChatList, source: FileSource, name: str, stays: bool) -> None:
    """Add the chats of a file of an archive; unless it stays, it is released before the next is unpacked."""
    try:
        member = source.member(name)
        if stays:
            source.take(len(member.data), f"the text of {name} would take")
            _add_file(chats, member, at_once=False)
        else:
            with source.budget.lent(len(member.data), member.path, "it would take"):
                _add_file(chats, member, at_once=True)
    except UnreadableError as error:
        chats.problems.append(error.problem)


def _add_file(chats: ChatList, source: FileSource, at_once: bool) -> None:
    """Add the chats of an array, of lines, of a single object, or of an object keyed by name."""
    if source.pieces:
        chats.add_pieces(source, source.pieces)
    elif source.shape == "json_lines":
        for record in source.records(chats.problems):
            chats.add_value(source.path, f"line {record.line}: $", "", record.value)
    elif source.raw_items is not None:
        chats.add_texts(source, source.raw_items, at_once)
    elif _looks_cut(source.utf8[:_PEEK]) and source.sample is None:
        values, broken = source.whole_items()
        chats.problems += [broken] if broken else []
        _add_list(chats, source, values)
    elif isinstance(source.json, list):
        _add_list(chats, source, source.json)
    elif is_chat(source.json):
        chats.add_value(source.path, "$", "", source.json)
    else:
        for name, value in mapping(source.json).items():
            chats.add_value(source.path, f"$.{name}", name, value)
    chats.problems += [problem for problem in source.problems if problem not in chats.problems]


def _add_list(chats: ChatList, source: FileSource, values: list[Any]) -> None:
    for index, value in enumerate(values):
        chats.add_value(source.path, f"$[{index}]", "", value)


FORMAT = Format("chatgpt", "ChatGPT export", _sniff, _load, "chats with `mapping` and `current_node`", listing=_list)

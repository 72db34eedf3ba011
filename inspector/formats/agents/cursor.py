"""Cursor's `state.vscdb`: the chats of its composer, as `composerData:ID` and `bubbleId:CHAT:ID` of `cursorDiskKV`.

The layout is undocumented; this follows real files. Older chats hold their bubbles, newer ones only name them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.turns import beside, result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, title_of, workspace_of
from inspector.model import Call, Message, Result, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import has_tables, opened
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_TABLE = "cursorDiskKV"
_CHAT, _BUBBLE = "composerData:", "bubbleId:"
_ROLES: Mapping[int, Role] = {1: "user", 2: "assistant"}


def sniff(source: FileSource) -> float:
    """Return how likely this is Cursor's database."""
    return 1.0 if has_tables(source, cursorDiskKV="key value") else 0.0


def load(source: FileSource) -> Workspace:
    """Return the composer's chats with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    values: dict[str, Mapping[str, Any]] = {}
    with opened(source) as database:
        for row in database.rows(_TABLE, "key", "value"):
            key = as_text(row.get("key"))
            if key.startswith((_CHAT, _BUBBLE)):
                values[key] = _object(row.get("value"), notes, f"{_TABLE}: {key}")
    chats = [_chat(key, value, values, notes) for key, value in values.items() if key.startswith(_CHAT)]
    spoken = [chat for chat in chats if chat.nodes]
    if not spoken:
        raise notes.unreadable(_TABLE, "expected chats of Cursor's composer with messages, found none")
    return workspace_of(spoken, source, notes)


def _object(value: Any, notes: Notes, place: str) -> Mapping[str, Any]:
    """Return the object of a value, which is JSON text or bytes; an empty one for null, which marks deleted entries."""
    if value is None:
        return {}
    try:
        found = json.loads(as_text(value))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, Mapping):
        notes.add(place, "expected an object as JSON; it was left out")
    return mapping(found)


def _chat(key: str, chat: Mapping[str, Any], values: Mapping[str, Any], notes: Notes) -> SavedChat:
    id_ = key.removeprefix(_CHAT)
    messages = list(_messages(id_, chat, values, notes))
    nodes = in_line(messages)
    name = as_text(chat["name"]) if isinstance(chat.get("name"), str) else ""
    title = name or title_of(message for _, message in messages)
    model = as_text(mapping(chat.get("modelConfig")).get("modelName"))
    return SavedChat(nodes, next(reversed(nodes), None), f"{_TABLE}: {key}", id_, title, model=model)


def _messages(
    id_: str, chat: Mapping[str, Any], values: Mapping[str, Any], notes: Notes
) -> Iterator[tuple[str, Message]]:
    """Yield the turns of a chat, from the bubbles inside it or from those it names."""
    for number, bubble in enumerate(objects(chat.get("conversation"))):
        place = f"{_TABLE}: {_CHAT}{id_}: $.conversation[{number}]"
        yield from ((place, message) for message in _turn(bubble, notes, place))
    for header in objects(chat.get("fullConversationHeadersOnly")):
        key = f"{_BUBBLE}{id_}:{as_text(header.get('bubbleId'))}"
        place = f"{_TABLE}: {key}"
        if key not in values:
            notes.add(place, "is named by its chat and not in the file")
        elif values[key]:
            yield from ((place, message) for message in _turn({**header, **values[key]}, notes, place))


def _turn(bubble: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the message of a bubble, and the result of the tool in it."""
    kind = as_whole(bubble.get("type"))
    role = _ROLES.get(kind) if kind is not None else None
    if role is None:
        notes.add(f"{place}: $.type", f"expected 1 or 2, found {as_text(bubble.get('type'))[:40]}; it was left out")
        return []
    tool = mapping(bubble.get("toolFormerData"))
    id_, call_id = (as_text(held.get(key)) for held, key in ((bubble, "bubbleId"), (tool, "toolCallId")))
    asked = tool.get("rawArgs", tool.get("params", ""))
    calls = (Call(call_id, as_text(tool.get("name")), as_text(asked)),) if tool.get("name") else ()
    thoughts = as_text(mapping(bubble.get("thinking")).get("text"))
    metadata = read_usage(bubble.get("tokenCount")).metadata
    seen = [
        picture_of(one, At(notes, f"{place}: $.images[{n}]")) for n, one in enumerate(items_of(bubble.get("images")))
    ]
    parts = beside(as_text(bubble.get("text")), thoughts=thoughts, media=seen, calls=calls)
    time = parse_time(bubble.get("createdAt"))
    found: list[Message] = []
    if parts:
        found.append(Message(id_, role, time=time, parts=parts, metadata=metadata))
    if calls and tool.get("result") is not None:
        found.append(result_message(Result(call_id, calls[0].name, as_text(tool["result"])), time=time))
    return found


FORMAT = Format("cursor", "Cursor chats (state.vscdb)", sniff, load, "a database with the table `cursorDiskKV`")

"""Exports of Grok: chats whose answers name the message before them, so that every branch is there.

The sender is written in any case (`human`, `ASSISTANT`). The end of the shown branch is seldom named.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.media import made
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import beside
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import Node, SavedChat, read_each, surest, values_of, workspace_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Message, Part, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_PICTURES = ("image_attachments", "generated_image_urls")
_LOOKED_AT = 5


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats with responses."""
    return surest(source, lambda value: 0.95 if any(map(_is_chat, _listed(value)[:_LOOKED_AT])) else 0.0)


def _listed(value: Any) -> tuple[Any, ...]:
    """Return the chats of an export, or a chat outside any export."""
    listed = mapping(value).get("conversations")
    return items_of(listed) if isinstance(listed, list) else (value,)


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("conversation"), Mapping) and isinstance(fields.get("responses"), list)


def load(source: FileSource) -> Workspace:
    """Return the chats of an export. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    expected = "a chat of Grok (a conversation and its responses)"
    return workspace_of(read_each(_chats(source, notes), _is_chat, _read, notes, expected), source, notes)


def _chats(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    for place, value in values_of(source, notes):
        if isinstance(mapping(value).get("conversations"), list):
            yield from ((f"{place}.conversations[{i}]", chat) for i, chat in enumerate(_listed(value)))
        else:
            yield place, value


def _read(value: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    about = value["conversation"]
    chat = SavedChat({}, as_text(about.get("leaf_response_id")) or None, f"{place}.conversation.leaf_response_id")
    chat.id, chat.title = as_text(about.get("conversation_id")), as_text(about.get("title")).strip()
    records = [mapping(mapping(one).get("response")) for one in items_of(value["responses"])]
    wanted = (as_text(record.get("response_id")) or f"m{number}" for number, record in enumerate(records))
    for number, (record, name) in enumerate(zip(records, unique_texts(wanted), strict=True)):
        at = f"{place}.responses[{number}].response"
        message = _message(record, notes, at)
        parent = as_text(record.get("parent_response_id"))
        chat.nodes[name] = Node(parent, (message,) if message else (), at)
        chat.model = _model(record) or chat.model
    return chat


def _model(record: Mapping[str, Any]) -> str:
    """Return the model named by a response, or requested by a question."""
    asked = mapping(mapping(record.get("metadata")).get("requestModelDetails")).get("modelId")
    return next((as_text(name) for name in (record.get("model"), asked) if isinstance(name, str) and name), "")


def _message(record: Mapping[str, Any], notes: Notes, place: str) -> Message | None:
    sender = as_text(record.get("sender")).strip()
    role = ROLES.get(sender.lower())
    if role is None:
        found = sender[:40] or "nothing"
        notes.add(f"{place}.sender", f"expected human or assistant, found {found}; the message was left out", "error")
        return None
    content = record.get("message")
    if not isinstance(content, str):
        notes.add(f"{place}.message", "expected text; the message is empty")
    thoughts = reasoning_text(record.get("thinking_trace")) or reasoning_text(record.get("steps"))
    return Message(
        "",
        role,
        time=parse_time(record.get("create_time")),
        parts=beside(as_text(content) if isinstance(content, str) else "", thoughts=thoughts, media=_seen(record)),
        metadata=_metadata(record),
    )


def _seen(record: Mapping[str, Any]) -> list[Part]:
    """Return the attached and the made pictures, of which an export has the addresses."""
    listed = [one for key in _PICTURES for one in items_of(record.get(key))]
    return [made("image", address=one if isinstance(one, str) else "") for one in listed]


def _metadata(record: Mapping[str, Any]) -> dict[str, Any]:
    files = [_file_name(file) for file in items_of(record.get("file_attachments"))]
    found = {
        "model": _model(record),
        "files": [name for name in files if name],
        "error": as_text(record.get("error")),
    }
    return {key: value for key, value in found.items() if value}


def _file_name(file: Any) -> str:
    fields = mapping(file)
    named = next((fields[key] for key in ("file_name", "fileName", "name", "id") if fields.get(key)), file)
    return as_text(named) if isinstance(named, str) else ""


FORMAT = Format("grok", "Grok export", sniff, load, "`conversations` with a `conversation` and `responses`")

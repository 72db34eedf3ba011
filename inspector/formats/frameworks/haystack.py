"""Chat messages of Haystack, as `ChatMessage.to_dict` writes them.

deepset-ai/haystack, `haystack/dataclasses/chat_message.py`: `role`, `meta`, `name` and `content`, a list of objects of
a single key: text, tool_call{tool_name, arguments, id}, tool_call_result{result, origin, error}, later also reasoning
and image. From 2.9 to 2.11 these keys began with `_`; before 2.9 the content was text.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, is_itself, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_LISTS = ("messages", "chat_messages", "replies", "prompt")
_ROLES = ("system", "user", "assistant", "tool")
_PARTS = frozenset(("text", "tool_call", "tool_call_result", "reasoning", "image"))


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chat messages of Haystack."""
    return surest(source, lambda value: 0.96 if any(map(_is_message, _inside(value)[1][:8])) else 0.0)


def _inside(value: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the messages of a value and the path to them: those of a list in it, or the value itself."""
    if isinstance(value, list):
        return "", items_of(value)
    fields = mapping(value)
    key = next((key for key in _LISTS if any(map(_is_message, items_of(fields.get(key))[:8]))), "")
    return (f".{key}", items_of(fields[key])) if key else ("", (value,))


def _is_message(value: Any) -> bool:
    """Return whether a value is a message that no other API writes so: its parts have no type, but a key each."""
    fields = mapping(value)
    if fields.get("_role") in _ROLES and "_content" in fields:
        return True
    parts = items_of(fields.get("content"))
    if fields.get("role") not in _ROLES or not parts:
        return False
    if "meta" in fields:
        return any(map(_is_part, parts))
    return all(map(_is_part, parts)) and not _has_text_alone(parts)


def _is_part(value: Any) -> bool:
    """Return whether a value has a single key of Haystack's; Bedrock has pictures of its own under the same key."""
    keys = mapping(value).keys()
    return len(keys) == 1 and keys <= _PARTS and ("image" not in keys or "source" not in mapping(value["image"]))


def _has_text_alone(parts: tuple[Any, ...]) -> bool:
    return all(mapping(part).keys() == {"text"} for part in parts)


def load(source: FileSource) -> Workspace:
    """Return a chat for each list of messages, and one of messages on their own. Raise UnreadableError if none is."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        key, inside = _inside(value)
        if is_itself(inside, value):
            loose += ((place, message) for message in _read(value, notes, place))
            continue
        placed = ((f"{place}{key}[{number}]", one) for number, one in enumerate(inside))
        chats.append(_saved([(at, message) for at, one in placed for message in _read(one, notes, at)], place))
    if loose:
        chats.insert(0, _saved(loose, "$"))
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$", "expected messages of Haystack with role and content, found none")
    return workspace_of(chats, source, notes)


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    models = (as_text(message.metadata.get("model") or "") for _, message in messages)
    model = next(filter(None, models), "")
    title = title_of(message for _, message in messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title, model=model)


def _read(value: Any, notes: Notes, place: str) -> list[Message]:
    fields = {key.removeprefix("_"): held for key, held in mapping(value).items() if isinstance(key, str)}
    content = fields.get("content")
    told = {key: fields[key] for key in ("role", "name") if fields.get(key) is not None}
    if content is not None:
        told["content"] = list(_parts(content, notes, f"{place}.content")) if isinstance(content, list) else content
    found = read_message(told, notes, place)
    about = mapping(fields.get("meta"))
    model = {"model": about["model"]} if isinstance(about.get("model"), str) else {}
    kept = {**read_usage(about.get("usage")).metadata, **model}
    if found and kept:
        time = parse_time(about.get("completion_start_time"))
        found[-1] = changed(found[-1], time=found[-1].time or time, metadata={**found[-1].metadata, **kept})
    return found


def _parts(content: list[Any], notes: Notes, place: str) -> Iterator[Any]:
    """Yield the parts under the usual names; what is none of Haystack's stays as it is."""
    for number, part in enumerate(content):
        fields, at = _unwrapped(mapping(part)), f"{place}[{number}]"
        call, result = mapping(fields.get("tool_call")), mapping(fields.get("tool_call_result"))
        image, thought = mapping(fields.get("image")), mapping(fields.get("reasoning"))
        if call:
            _note_missing(call, ("tool_name", "arguments"), notes, f"{at}.tool_call")
            yield {"type": "tool_call", **_call(call), "arguments": call.get("arguments")}
        elif result:
            _note_missing(result, ("result", "origin"), notes, f"{at}.tool_call_result")
            said = result.get("result")
            yield {"type": "tool_result", **_call(mapping(result.get("origin"))), "content": said}
        elif thought:
            yield {"type": "reasoning", "text": thought.get("reasoning_text")}
        elif image:
            yield {"type": "image", "data": image.get("base64_image"), "media_type": image.get("mime_type")}
        elif isinstance(fields.get("text"), str):
            yield {"type": "text", **fields}
        else:
            yield {"type": next(iter(fields), "null"), **fields} if fields else part


def _unwrapped(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a part whose only key has a list of one object with this object."""
    held = next(iter(part.values()), None)
    is_wrapped = len(part) == 1 and isinstance(held, list) and len(held) == 1 and isinstance(held[0], Mapping)
    return dict.fromkeys(part, held[0]) if is_wrapped and held else part


def _note_missing(held: Mapping[str, Any], keys: tuple[str, ...], notes: Notes, place: str) -> None:
    """Note each of the keys under which a call or a result has nothing."""
    for key in keys:
        if held.get(key) is None or (key == "origin" and not isinstance(held[key], Mapping)):
            notes.add(f"{place}.{key}", f"expected the {key.replace('_', ' ')}, found nothing")


def _call(call: Mapping[str, Any]) -> dict[str, str]:
    return {"id": as_text(call.get("id") or ""), "name": as_text(call.get("tool_name") or "")}


FORMAT = Format(
    "haystack",
    "Haystack messages",
    sniff,
    load,
    "messages with `meta` and parts of a key each: `text`, `tool_call`, `tool_call_result`",
)

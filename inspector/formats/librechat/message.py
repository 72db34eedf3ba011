"""A single message of LibreChat: text, or parts with thinking, tool calls and their results in order."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.openai.parts import Parts, read_parts
from inspector.model import Message, Role, ToolCall, changed
from inspector.reading.values import as_text, as_whole, mapping, objects, parse_time


def read_turn(record: Mapping[str, Any], notes: Notes, place: str) -> tuple[Message, ...]:
    """Return the messages of a record: its text, tool calls and their results; none if it has no text."""
    content = record.get("content")
    text = record.get("text")
    if isinstance(content, list) and content:
        found = _of_parts(content, _role(record), notes, f"{place}.content")
    elif isinstance(text, str):
        found = [Message("", _role(record), as_text(text))]
    else:
        notes.add(f"{place}.text", "expected text, or parts under content; the message was left out", "error")
        return ()
    time = parse_time(record.get("createdAt"))
    found = [changed(message, time=time) for message in found]
    last = max(index for index, message in enumerate(found) if message.role != "tool")
    found[last] = _marked(found[last], record)
    return tuple(found)


def _role(record: Mapping[str, Any]) -> Role:
    return "user" if record.get("isCreatedByUser") is True else "assistant"


def _of_parts(content: list[Any], role: Role, notes: Notes, place: str) -> list[Message]:
    """Return the messages of the parts: text after tool calls begins a new message."""
    found: list[Message] = [Message("", role, "")]
    parts, results = Parts(), list[Message]()
    for index, part in enumerate(content):
        fields, at = mapping(part), f"{place}[{index}]"
        kind = fields.get("type")
        if kind == "tool_call":
            call, result = _call(mapping(fields.get("tool_call")), f"call{index}")
            parts.tool_calls.append(call)
            results += [result] if result else []
            continue
        if results and kind == "text":
            found[-1:] = [_message(found[-1], parts), *results, Message("", role, "")]
            parts, results = Parts(), []
        _add(parts, fields if fields else part, notes, at)
    return [*found[:-1], _message(found[-1], parts), *results]


def _add(parts: Parts, part: Any, notes: Notes, place: str) -> None:
    """Add a part; thinking is no text, and an error is a text of the application."""
    kind = mapping(part).get("type")
    if kind == "think":
        parts.thoughts.append(as_text(part.get("think")))
        return
    if kind == "error":
        notes.add(place, "is an error that the application showed; it was skipped", "info")
        return
    read = read_parts([part], notes, place.rsplit("[", 1)[0])
    parts.texts += read.texts
    parts.images += read.images
    parts.thoughts += read.thoughts
    parts.media += read.media


def _call(call: Mapping[str, Any], name: str) -> tuple[ToolCall, Message | None]:
    """Return a call and its result, both from the same part."""
    inner = mapping(call.get("function")) or call
    id_ = as_text(call.get("id")) or name
    arguments = inner.get("arguments", inner.get("args"))
    output = inner.get("output")
    result = Message("", "tool", as_text(output), as_text(inner.get("name")), tool_call_id=id_)
    return ToolCall(id_, as_text(inner.get("name")), as_text(arguments)), result if output is not None else None


def _message(message: Message, parts: Parts) -> Message:
    metadata = {
        **({"reasoning": parts.reasoning} if parts.reasoning else {}),
        **({"media": parts.media} if parts.media else {}),
    }
    calls = tuple(parts.tool_calls)
    return changed(message, content=parts.text, images=parts.images, tool_calls=calls, metadata=metadata)


def _marked(message: Message, record: Mapping[str, Any]) -> Message:
    """Return the message with the metadata of its record."""
    files = objects(record.get("files"))
    pictures = [file for file in files if as_text(file.get("type")).startswith("image/")]
    names = [as_text(file.get("filename")) for file in files if file not in pictures]
    model = record.get("model")
    found = {
        "model": as_text(model) if isinstance(model, str) and message.role == "assistant" else "",
        "recorded_tokens": as_whole(record.get("tokenCount")),
        "files": [name for name in names if name],
        "error": True if record.get("error") is True else None,
        "unfinished": True if record.get("unfinished") is True else None,
    }
    kept = {key: value for key, value in found.items() if value not in ("", None, [])}
    return changed(message, images=message.images + len(pictures), metadata={**message.metadata, **kept})

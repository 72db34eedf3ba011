"""A single message of LibreChat: text, or parts with thinking, tool calls and their results in order."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import made
from inspector.formats.content.reader import read_part
from inspector.formats.notes import Notes
from inspector.formats.vercel.parts import Steps
from inspector.model import Call, Message, Part, Result, Role, changed, with_parts
from inspector.reading.media_sizes import MediaSize
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
    last = max((index for index, message in enumerate(found) if message.role != "tool"), default=0)
    found[last] = _marked(found[last], record)
    return tuple(found)


def _role(record: Mapping[str, Any]) -> Role:
    return "user" if record.get("isCreatedByUser") is True else "assistant"


def _of_parts(content: list[Any], role: Role, notes: Notes, place: str) -> list[Message]:
    """Return the messages of the parts: text after tool calls begins a new message."""
    steps = Steps(role, notes)
    for index, part in enumerate(content):
        at = At(notes, f"{place}[{index}]")
        kind = mapping(part).get("type")
        if kind == "error":
            at.note("is an error that the application showed; it was skipped", "info")
        elif kind == "tool_call":
            steps.add(_named(read_part(part, at), f"call{index}"))
        else:
            steps.read(part, at.place)
    steps.flush()
    return steps.messages or [Message("", role)]


def _named(parts: list[Part], name: str) -> list[Part]:
    """Return a call and its result, both of the same part, with an id of their own if it has none."""
    return [changed(one, id=one.id or name) if isinstance(one, Call | Result) else one for one in parts]


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
    seen = [made("image", _size(one), as_text(one.get("type")), as_text(one.get("filename"))) for one in pictures]
    return with_parts(message, [*message.whole, *seen], metadata={**message.metadata, **kept})


def _size(file: Mapping[str, Any]) -> MediaSize:
    """Return the size of a file as it is recorded."""
    return MediaSize("", as_whole(file.get("bytes")), as_whole(file.get("width")), as_whole(file.get("height")))

"""One message of Chatbox: its parts, or the text and reasoning that older versions had instead."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import made
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.vercel.parts import Steps
from inspector.model import Message, changed, with_parts
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_SILENT = ("info", "app")  # messages of the application itself, for the screen only


def read_turn(record: Any, notes: Notes, place: str) -> tuple[Message, ...]:
    """Return the messages of a record: its text, tool calls and their results; none for a malformed record."""
    fields = mapping(record)
    role = ROLES.get(as_text(fields.get("role")).lower())
    if role is None:
        found = as_text(fields.get("role"))[:40] or "nothing"
        notes.add(f"{place}.role", f"expected system, user, assistant or tool, found {found}; it was left out", "error")
        return ()
    steps = Steps(role, notes)
    if isinstance(fields.get("reasoningContent"), str):
        steps.add_reasoning(fields["reasoningContent"])
    parts = fields.get("contentParts")
    if isinstance(parts, list):
        for number, part in enumerate(parts):
            _read_part(part, steps, f"{place}.contentParts[{number}]")
    elif isinstance(fields.get("content"), str):
        steps.add_text(fields["content"])
    else:
        notes.add(f"{place}.contentParts", "expected a list of parts, found none; the message was left out", "error")
        return ()
    steps.flush()
    return _marked(steps.messages or [Message("", role, "")], fields)


def _read_part(part: Any, steps: Steps, place: str) -> None:
    fields = mapping(part)
    kind = fields.get("type")
    if kind == "tool-call":
        steps.add_invocation(fields, At(steps.notes, place))
    elif kind == "image":
        steps.add([made("image", address=as_text(fields.get("storageKey")))])
        if isinstance(fields.get("ocrResult"), str):  # sent in its place to models without vision
            steps.add_text(fields["ocrResult"])
    elif kind not in _SILENT:
        steps.read(part, place)


def _marked(turns: list[Message], fields: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return the turns with the time of the record; its last spoken turn gets the record's metadata."""
    time = parse_time(fields.get("timestamp"))
    turns = [changed(turn, time=time) for turn in turns]
    files = [as_text(file.get("name")) for file in objects(fields.get("files"))]
    files += [as_text(link.get("url")) for link in objects(fields.get("links"))]
    seen = [
        made("image", address=as_text(mapping(one).get("storageKey") or mapping(one).get("url")))
        for one in items_of(fields.get("pictures"))
    ]
    found = {
        "model": as_text(fields.get("model")) if turns[0].role == "assistant" else "",
        "files": [name for name in files if name],
        "error": as_text(fields.get("error")),
        **read_usage(fields.get("usage")).metadata,
    }
    last = max((number for number, turn in enumerate(turns) if turn.role != "tool"), default=len(turns) - 1)
    kept = {**turns[last].metadata, **{key: value for key, value in found.items() if value not in ("", [])}}
    turns[last] = with_parts(turns[last], [*turns[last].whole, *seen], metadata=kept)
    return tuple(turns)

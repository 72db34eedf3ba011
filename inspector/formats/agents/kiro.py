"""Sessions of Kiro CLI: `~/.kiro/sessions/cli/ID.jsonl`, a journal of prompts, answers and results.

The layout is undocumented; this follows Dicklesworthstone/cross_agent_session_resumer, `src/providers/kiro.rs`, which
reads and writes it. A line is `{version, kind, data}`, and the parts of its content are `{kind, data}`. The title is in
the file `ID.json` beside it, which holds no messages.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import (
    LeftOut,
    Session,
    enumerated,
    lines_of,
    sure_of,
    turn,
    workspace_of_sessions,
)
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_part, read_result
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Call, Part, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, stem

_ROLES: Mapping[str, Role] = {
    "Prompt": "user",
    "UserMessage": "user",
    "AssistantMessage": "assistant",
    "Response": "assistant",
    "ToolResults": "user",
}


def sniff(source: FileSource) -> float:
    """Return how likely the file is such a journal."""
    return sure_of(source, _is_line)


def _is_line(record: Mapping[str, Any]) -> bool:
    return as_text(record.get("kind")) in _ROLES and isinstance(mapping(record.get("data")).get("content"), list)


def load(source: FileSource) -> Workspace:
    """Return the session. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    session = Session(notes, stem(source.path))
    for place, record in lines_of(source, notes):
        kind = as_text(record.get("kind"))
        if kind in _ROLES:
            _add(session, _ROLES[kind], mapping(record.get("data")), f"{place}.data")
        else:
            left_out.add(kind or as_text(record.get("type")), f"{place}.kind", False)
    return workspace_of_sessions([session], source, left_out, notes, "messages of a session of Kiro")


def _add(session: Session, role: Role, held: Mapping[str, Any], place: str) -> None:
    id_, content, at = as_text(held.get("message_id") or ""), held.get("content"), f"{place}.content"
    if not isinstance(content, list):
        session.notes.add(at, "expected a list of parts; the message was left out")
        return
    parts = [part for where, one in enumerated(at, content) for part in _parts(one, At(session.notes, where))]
    models = [as_text(mapping(mapping(one).get("data")).get("modelId") or "") for one in content]
    session.model = next(filter(None, models), session.model)
    time = mapping(held.get("meta")).get("timestamp")
    session.add(id_, turn(role, [], session.notes, at, time=time, about=f"{id_}.", before=parts), place)


def _parts(part: Any, at: At) -> Iterator[Part]:
    """Yield the parts of `{kind, data}`; older versions wrap a text in its data, or have it alone."""
    held = mapping(part)
    kind, told = as_text(held.get("kind")), held.get("data")
    inner = mapping(told)
    if kind == "text":
        yield from read_part({"type": "text", **(inner or {"text": told})}, at)
    elif kind == "thinking":
        yield from read_part({"type": "thinking", "thinking": inner.get("text")}, at)
    elif kind == "toolUse" and inner:
        yield Call(as_text(inner.get("toolUseId")), as_text(inner.get("name")), as_text(inner.get("input", "")))
    elif kind == "toolResult" and inner:
        yield read_result({"tool_use_id": inner.get("toolUseId"), "content": _results(inner)}, at)
    else:
        yield from read_part({**inner, "type": kind} if kind else part, at)


def _results(held: Mapping[str, Any]) -> Any:
    """Return the content of a result: texts, and data as JSON."""
    content = held.get("content")
    if not isinstance(content, list):
        return content
    return [{"type": "text", "text": as_text(_told(one))} for one in content]


def _told(part: Any) -> Any:
    return mapping(part).get("data", part)


FORMAT = Format(
    "kiro",
    "Kiro CLI session",
    sniff,
    load,
    "lines of a `kind` such as `Prompt` or `AssistantMessage` with `data`",
    beside=("results", "__tool_use_purpose"),
)

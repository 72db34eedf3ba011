"""The messages of opencode: what they tell about themselves, and their parts.

Layout: anomalyco/opencode, `packages/opencode/src/session/message-v2.ts`, and its `toModelMessages`, by which a part
that is `ignored` is not sent, and the output of a call that was `compacted` is replaced by a line.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, enumerated, turn, usage_metadata
from inspector.formats.content.at import At
from inspector.formats.content.media import medium_of
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.model import Call, Message, Part, Result, Text, Thought
from inspector.reading.decode import kind_of
from inspector.reading.values import as_text, mapping, objects

_SILENT = frozenset(("step-finish", "snapshot", "patch", "agent", "retry", "step-start"))
_COMPACTION = "What did we do so far?"
_CLEARED = "[Old tool result content cleared]"


def messages_of(
    info: Mapping[str, Any], parts: list[Any], notes: Notes, place: str, left_out: LeftOut
) -> list[Message]:
    """Return the turns of a message; each step of an answer is one, with the results of its calls after it."""
    role = role_of(info)
    if role is None:
        found = as_text(info.get("role"))[:40] or "nothing"
        notes.add(f"{place}.info.role", f"expected user or assistant, found {found}; the message was left out")
        return []
    if not parts:
        notes.add(f"{place}.parts", "expected parts, found none; the message was left out")
    times = mapping(info.get("time"))
    metadata, thoughts = usage_metadata(info.get("tokens"), info.get("modelID"))
    error = mapping(info.get("error"))
    metadata["error"] = as_text(mapping(error.get("data")).get("message") or error.get("name") or "")
    turns = [
        turn(role, [], notes, place, time=times.get("created"), before=step, about=f"{as_text(info.get('id'))}.")
        for step in _steps(parts, notes, place, left_out)
    ]
    found = [message for messages in turns for message in messages]
    said = [number for number, message in enumerate(found) if message.role == role]
    if said:
        last = found[said[-1]]
        told = turn(role, [], notes, place, before=last.whole, metadata=metadata, thoughts=thoughts)
        found[said[-1]] = Message("", role, time=last.time, parts=told[0].whole, metadata=told[0].metadata)
    return found


def _steps(parts: list[Any], notes: Notes, place: str, left_out: LeftOut) -> Iterator[list[Part]]:
    step: list[Part] = []
    for at, part in enumerated(f"{place}.parts", parts):
        held = mapping(part)
        if held.get("type") == "step-start" and step:
            yield step
            step = []
        step += _part(held, notes, at, left_out)
    yield step


def _part(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> list[Part]:
    kind, text = as_text(held.get("type")), held.get("text")
    if kind in ("text", "reasoning") and isinstance(text, str):
        if held.get("ignored") is True:
            left_out.add("ignored text", place, True)
            return []
        return [(Text if kind == "text" else Thought)(as_text(text))] if text else []
    if kind in ("tool", "tool-invocation"):
        return _tool(held, notes, place)
    if kind == "file":
        return [medium_of("file", {**held, "mimeType": held.get("mime")}, At(notes, place))]
    if kind == "subtask":
        return [Text(as_text(held.get("prompt") or held.get("description")))]
    if kind == "compaction":
        return [Text(_COMPACTION)]
    if kind in ("text", "reasoning"):
        notes.add(f"{place}.text", f"expected text, found {kind_of(text)}; it was skipped")
    else:
        left_out.add(f"part {kind}", f"{place}.type", kind in _SILENT)
    return []


def _tool(held: Mapping[str, Any], notes: Notes, place: str) -> list[Part]:
    """Return a call and its result; in the first versions both are in `toolInvocation`."""
    old = mapping(held.get("toolInvocation"))
    state = mapping(held.get("state"))
    id_ = as_text(held.get("callID") or old.get("toolCallId") or held.get("id"))
    name = as_text(held.get("tool") or old.get("toolName"))
    call = Call(id_, name, as_text(state.get("input", old.get("args", ""))))
    told = next((one for one in (state.get("output"), state.get("error"), old.get("result")) if one is not None), None)
    if told is None:
        return [call]
    media = [
        medium_of("file", {**one, "mimeType": one.get("mime")}, At(notes, f"{place}.state.attachments[{number}]"))
        for number, one in enumerate(objects(state.get("attachments")))
    ]
    is_cleared = bool(mapping(state.get("time")).get("compacted"))
    return [call, Result(id_, name, _CLEARED if is_cleared else as_text(told), () if is_cleared else tuple(media))]

"""A single message of ChatWise: its text, with a mark at the beginning of each part, and its tool calls.

The parts are in `meta.parts`, by id or as a list. Their field names are undocumented: those of the AI SDK, OpenAI and
Anthropic are known.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.vercel.parts import Steps
from inspector.model import Message, Text, Thought, changed, with_parts, with_text
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, items_of, mapping, objects

MARKER = re.compile(r"@message_part::(?P<part>[\w-]+)[ \t]*\n?")
"""The mark before a part, with the id of the part."""

_TOOL = "toolu_"
_IDS = ("id", "toolCallId", "tool_call_id", "tool_use_id", "partId")
_NAMES = ("toolName", "tool_name", "name")
_ASKED = ("input", "args", "arguments", "parameters")
_ANSWERED = ("output", "result", "content", "response")


def read_record(record: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record: its text without marks, the tool calls, and their results."""
    fields = mapping(record)
    kept = {**fields, "reasoning_content": fields["reasoningContent"]} if fields.get("reasoningContent") else record
    found = read_message(kept, notes, place)
    if not found or not isinstance(fields.get("content"), str):
        return found
    files = [as_text(file.get("name") or file.get("path")) for file in objects(fields.get("files"))]
    model = as_text(fields.get("model")) if found[-1].role == "assistant" else ""
    marks = {key: mark for key, mark in (("files", [*filter(None, files)]), ("model", model)) if mark}
    said = changed(found[-1], metadata={**found[-1].metadata, **marks})
    return [*found[:-1], *_turns(said, _parts(mapping(fields.get("meta")).get("parts")), notes, f"{place}.meta.parts")]


def _parts(value: Any) -> dict[str, Mapping[str, Any]]:
    """Return the parts by their ids."""
    value = unwrapped(value)
    if isinstance(value, Mapping):
        return {as_text(name): mapping(unwrapped(part)) for name, part in value.items()}
    parts = [mapping(unwrapped(part)) for part in items_of(value)]
    return {as_text(part[key]): part for part in parts for key in _IDS if isinstance(part.get(key), str)}


def _turns(said: Message, parts: Mapping[str, Mapping[str, Any]], notes: Notes, place: str) -> list[Message]:
    """Return a message as turns: tool results follow the step of their calls."""
    steps, waiting, unread = Steps(said.role, notes), "", 0
    for name, text in _pieces(said.content):
        call = _call(name, parts.get(name, {}))
        if call:
            steps.add_text(waiting.strip("\n"))
            steps.add_invocation(call, At(notes, f"{place}.{name}"))
            waiting = ""
        unread += name.startswith(_TOOL) and not call
        waiting += text
    if unread:
        what = f"calls {unread:,} tools" if unread > 1 else "calls a tool"
        notes.add(place, f"{what}, of which nothing was found here; only the text was read")
    if not steps.calls and not steps.messages:
        return [with_text(said, waiting.strip("\n"))]
    steps.add_text(waiting.strip("\n"))
    steps.flush()
    return _told(steps.messages, said)


def _pieces(content: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text in order: the id of each, "" before the first mark, and its own text."""
    name, start = "", 0
    for mark in MARKER.finditer(content):
        yield name, content[start : mark.start()]
        name, start = mark["part"], mark.end()
    yield name, content[start:]


def _call(name: str, part: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a part as a tool call of the AI SDK; None for any other part."""
    inner = mapping(part.get("function")) or mapping(part.get("toolInvocation")) or part
    tool = next((as_text(inner[key]) for key in _NAMES if isinstance(inner.get(key), str)), "")
    if not tool or not (name.startswith(_TOOL) or any(key in inner for key in _ASKED)):
        return None
    asked = next((inner[key] for key in _ASKED if key in inner), "")
    answers = (one[key] for one in (inner, part) for key in _ANSWERED if one.get(key) is not None)
    return {"toolCallId": name, "toolName": tool, "input": asked, "output": next(answers, None)}


def _told(turns: list[Message], said: Message) -> list[Message]:
    """Return the turns at the time of the message; the last has its id, and the last spoken turn its metadata."""
    last = max(place for place, turn in enumerate(turns) if turn.role != "tool")
    ids = [f"{said.id}.{number}" if said.id else "" for number in range(1, len(turns))] + [said.id]
    turns = [changed(turn, id=id_, time=said.time) for turn, id_ in zip(turns, ids, strict=True)]
    others = [one for one in said.parts if not isinstance(one, Text | Thought)]
    thoughts = [one for one in said.parts if isinstance(one, Thought)]
    turns[last] = with_parts(turns[last], [*thoughts, *turns[last].whole, *others], metadata=said.metadata)
    return turns

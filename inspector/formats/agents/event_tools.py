"""The calls and results among the events that coding agents print. Layouts: see `event_stream`."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.reader import read_result
from inspector.formats.notes import Notes
from inspector.model import Call, Result
from inspector.reading.values import as_text, mapping

_CALL_IDS = ("tool_id", "toolCallId", "tool_call_id", "call_id", "id")
_TOOLS = ("tool_name", "toolName", "toolId", "name")
_ASKED = ("parameters", "arguments", "args", "input")
_ANSWERED = ("value", "output", "result", "content", "error")
_OF_CURSOR = "ToolCall"


def names_call(record: Mapping[str, Any]) -> bool:
    """Return whether an event is surely a call of one of these programs."""
    if "function" in record:
        return bool(mapping(record["function"]).get("name")) and "arguments" in record
    if "tool_call" in record:
        return "subtype" in record and bool(_of_cursor(record)[0])
    return any(key in record for key in _TOOLS[:2]) and "parameters" in record


def call_of(record: Mapping[str, Any]) -> Call | None:
    """Return the call of an event; None if it names no tool."""
    id_ = _first(record, _CALL_IDS)
    name, held = _of_cursor(record)
    if not name:
        held = {**record, **mapping(record.get("function"))}
        name = _first(held, _TOOLS)
    asked = next((held[key] for key in _ASKED if held.get(key) is not None), "")
    return Call(id_, name, as_text(asked)) if name else None


def result_of(record: Mapping[str, Any], kind: str, notes: Notes, place: str) -> Result | None:
    """Return the result in an event of this type; None for a call that is not finished."""
    id_ = _first(record, _CALL_IDS)
    name, held = _of_cursor(record)
    if kind in ("tool_use", "tool_call", "function_call"):
        told = held.get("result") if name else None
        return None if told is None else Result(id_, name, _outcome(told))
    key = next((key for key in _ANSWERED if record.get(key) is not None), "")
    if not key and record.get("status") is None:
        notes.add(place, "expected the content of a result, found nothing; it is empty")
    told = record.get(key, "")
    message = mapping(told).get("message") if key == "error" else None
    content = as_text(message) if message else told
    if isinstance(content, Mapping) and not content.keys() & {"type", "text"}:
        content = as_text(content)
    return read_result({"content": content, "id": id_, "name": _first(record, _TOOLS)}, At(notes, f"{place}.{key}"))


def _of_cursor(record: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the tool of Cursor's event and what is told of the call, which is under a key such as `readToolCall`."""
    for key, held in mapping(record.get("tool_call")).items():
        if key.endswith(_OF_CURSOR) and isinstance(held, Mapping):
            return key.removesuffix(_OF_CURSOR), held
        if key == "function" and isinstance(held, Mapping):
            return as_text(held.get("name")), held
    return "", {}


def _outcome(told: Any) -> str:
    """Return the text of a result, which Cursor wraps by how it ended."""
    held = mapping(told)
    inner = next((held[key] for key in ("success", "error", "rejected") if key in held), told)
    texts = [value for value in mapping(inner).values() if isinstance(value, str)]
    content = mapping(inner).get("content")
    return as_text(content) if isinstance(content, str) and texts == [content] else as_text(inner)


def _first(held: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((as_text(held[key]) for key in keys if isinstance(held.get(key), str | int) and held[key] != ""), "")

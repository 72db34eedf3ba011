"""Messages with parts, by the semantic conventions of OpenTelemetry for generative AI.

open-telemetry/semantic-conventions, `docs/gen-ai/gen-ai-input-messages.json`. Their writers vary: Pydantic AI
(pydantic/pydantic-ai, `models/instrumented.py`) has `result` where others have `response`, and `thinking`; Microsoft's
agents (microsoft/agent-framework, `observability.py`) list several ids of a call; Microsoft.Extensions.AI
(dotnet/extensions, `OpenTelemetryChatClient.cs`) names contents without a type of their own by their class.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message, role_of
from inspector.model import Message
from inspector.reading.json import unquoted, unwrapped
from inspector.reading.values import as_text, items_of, mapping, objects

_CALLS = frozenset(("tool_call", "tool_call_response", "server_tool_call", "server_tool_call_response"))
_TEXTS = frozenset(("text", "reasoning", "thinking"))
_OF_A_CALL = frozenset(("name", "response", "result", "arguments"))
_CLASS_OF_THOUGHTS = "TextReasoningContent"


def is_message(value: Any) -> bool:
    """Return whether a value is a message whose parts follow these conventions."""
    fields = mapping(value)
    return has_parts(fields) and any(map(_is_part, objects(fields["parts"])))


def has_parts(value: Any) -> bool:
    """Return whether a value is a message with a list of parts in place of a content."""
    fields = mapping(value)
    return role_of(fields) is not None and "content" not in fields and isinstance(fields.get("parts"), list)


def _is_part(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _TEXTS:
        return isinstance(part.get("content"), str) and "text" not in part
    return kind in _CALLS and bool(part.keys() & _OF_A_CALL)


def read_parts_message(item: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of an item: the message itself, and one for each tool response in it."""
    fields = mapping(item)
    if "parts" not in fields:  # some write the messages of other conventions into these attributes
        return read_message(item, notes, place)
    kept = {key: fields[key] for key in ("role", "name") if fields.get(key) is not None}
    return read_message({**kept, "parts": [_usual_part(part) for part in items_of(fields["parts"])]}, notes, place)


def _usual_part(part: Any) -> Any:
    """Return a part under its usual names: one id of a call, and a thought by its type."""
    if not isinstance(part, Mapping):
        return part
    kind, held = part.get("type"), mapping(part.get("content"))
    if isinstance(kind, str) and kind.endswith(_CLASS_OF_THOUGHTS):
        told = held or {"text": part.get("content")}
        return {"type": "reasoning", "content": told.get("text"), "encrypted_content": told.get("protectedData")}
    ids = part.get("id")
    if isinstance(ids, list):
        texts = [one for one in ids if isinstance(one, str)]
        return {**part, "id": next((one for one in texts if one.startswith("call_")), texts[-1] if texts else "")}
    return part


def instructions_of(value: Any, notes: Notes, place: str) -> str:
    """Return the system prompt outside the messages: text, or parts of text."""
    if isinstance(value, str) and not listed(value):
        return as_text(unquoted(value))
    parts = listed(value)
    if not parts:
        return ""
    at = f"{place}.gen_ai.system_instructions"
    return "\n".join(one.content for one in read_parts_message({"role": "system", "parts": list(parts)}, notes, at))


def listed(value: Any) -> tuple[Any, ...]:
    """Return the items of a list, which may be JSON text; a single object is a list of one."""
    held = unwrapped(value)
    return (held,) if isinstance(held, Mapping) and held else items_of(held)

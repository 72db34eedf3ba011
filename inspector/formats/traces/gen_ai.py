"""Messages of OpenTelemetry's conventions for generative AI: a role, and parts with a type and a content.

https://opentelemetry.io/docs/specs/semconv/gen-ai. A part is text, reasoning, a call of a tool, its response, or a
picture, sound or file as bytes, as an address or by its id.
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message, role_of
from inspector.formats.traces.attributes import listed
from inspector.model import Message
from inspector.reading.values import as_text, items_of, mapping, objects

_MEDIA = frozenset(("blob", "file", "uri"))
_MODALITIES = frozenset(("image", "video", "audio"))


def is_message(value: Any) -> bool:
    """Whether a value is a message whose parts are of these conventions."""
    fields = mapping(value)
    parts = objects(fields.get("parts"))
    return role_of(fields) is not None and "content" not in fields and any(map(_is_part, parts))


def _is_part(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    if kind in ("text", "reasoning"):
        return isinstance(part.get("content"), str) and "text" not in part
    return kind in ("tool_call", "tool_call_response") and ("name" in part or "response" in part)


def read_parts_message(item: Any, notes: Notes, place: str) -> list[Message]:
    """The messages of one: itself, and one for each response of a tool in it."""
    fields = mapping(item)
    if "parts" not in fields:  # some write the messages of other conventions into these attributes
        return read_message(item, notes, place)
    parts = [_usual(part) for part in items_of(fields["parts"])]
    kept = {key: fields[key] for key in ("role", "name") if fields.get(key) is not None}
    return read_message({**kept, "content": parts}, notes, place)


def _usual(part: Any) -> Any:
    """A part under the names that others have for it; one of an unknown type as it is."""
    fields = mapping(part)
    kind = fields.get("type")
    return _READERS[kind](fields) if isinstance(kind, str) and kind in _READERS else part


def _media(part: Mapping[str, Any]) -> dict[str, Any]:
    modality = part.get("modality")
    kind = modality if isinstance(modality, str) and modality in _MODALITIES else "file"
    data = {"data": part["content"]} if isinstance(part.get("content"), str) else {}
    address = {"url": part["uri"]} if isinstance(part.get("uri"), str) else {}
    return {"type": kind, "media_type": part.get("mime_type"), "file_id": part.get("file_id"), **data, **address}


def _call(part: Mapping[str, Any]) -> dict[str, Any]:
    asked = part.get("arguments", part.get("server_tool_call"))
    return {"type": "tool_use", "id": part.get("id"), "name": part.get("name"), "input": asked}


def _response(part: Mapping[str, Any]) -> dict[str, Any]:
    answered = part.get("response", part.get("result", part.get("server_tool_call_response")))
    text = answered if isinstance(answered, str) else as_text(answered)
    return {"type": "tool_result", "tool_use_id": part.get("id"), "content": text}


_READERS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "text": lambda part: {"type": "text", "text": part.get("content")},
    "reasoning": lambda part: {"type": "thinking", "thinking": part.get("content")},
    "tool_call": _call,
    "server_tool_call": _call,
    "tool_call_response": _response,
    "server_tool_call_response": _response,
    **dict.fromkeys(_MEDIA, _media),
}


def instructions_of(value: Any, notes: Notes, place: str) -> str:
    """The system prompt that stands outside of the messages: text, or parts of text."""
    if isinstance(value, str) and not listed(value):
        return as_text(value)
    parts = listed(value)
    if not parts:
        return ""
    at = f"{place}.gen_ai.system_instructions"
    return "\n".join(one.content for one in read_parts_message({"role": "system", "parts": list(parts)}, notes, at))

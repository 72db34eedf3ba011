"""Contents of Google's Gemini: a role, and parts of text, thoughts, media, function calls and their responses.

https://ai.google.dev/api/caching#Content. Keys are written as `functionCall` or `function_call`. A part of an unknown
kind is noted with its place and is not counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.notes import Notes
from inspector.model import Message, Role, ToolCall, changed
from inspector.reading.values import as_text, items_of, mapping

ROLES: dict[str, Role] = {
    "user": "user",
    "model": "assistant",
    "assistant": "assistant",
    "system": "system",
    "function": "tool",
    "tool": "tool",
}
_DATA = (
    "inlineData",
    "inline_data",
    "inlineFile",
    "inlineImage",
    "inlineAudio",
    "inlineVideo",
    "fileData",
    "file_data",
)
_DRIVE = ("driveDocument", "driveImage", "driveVideo", "driveAudio", "youtubeVideo")
_DOCUMENTS = frozenset(("driveDocument",))
_NAMES = {
    "function_call": "functionCall",
    "function_response": "functionResponse",
    "executable_code": "executableCode",
    "code_execution_result": "codeExecutionResult",
}
CODE = "code_execution"
"""The name of the tool that runs code written by the model."""


@dataclass(slots=True)
class Content:
    """The parts of a content by kind; `results` are function responses: id of the call, name and text."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[tuple[str, str, str]] = field(default_factory=list)
    media: list[dict[str, Any]] = field(default_factory=list)

    @property
    def images(self) -> int:
        """The number of pictures, sounds and videos, without documents."""
        return sum(described["type"] not in _DOCUMENTS and _is_seen_or_heard(described) for described in self.media)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but function responses."""
        return not (self.texts or self.thoughts or self.calls or self.media)


def _is_seen_or_heard(described: Mapping[str, Any]) -> bool:
    kind = described.get("mimeType", "image/")
    return kind.startswith(("image/", "audio/", "video/"))


def is_content(value: Any) -> bool:
    """Return whether a value is a content: parts without a type of their own, and a role of Gemini's or none."""
    parts = mapping(value).get("parts")
    if not isinstance(parts, list) or mapping(value).get("role", "user") not in list(ROLES):
        return False
    held = [mapping(part) for part in parts]
    return any(part.keys() & _KNOWN_KEYS for part in held) and not any("type" in part for part in held)


def read_parts(parts: Any, notes: Notes, place: str, about: str = "") -> Content:
    """Return the parts of a content; `about` is the prefix of new ids for calls without any."""
    content = Content()
    for number, part in enumerate(items_of(parts) if isinstance(parts, list) else (parts,)):
        _read_part(part, content, notes, f"{place}[{number}]", about)
    return content


def _read_part(part: Any, content: Content, notes: Notes, place: str, about: str) -> None:
    if isinstance(part, str):
        content.texts.append(as_text(part))
        return
    held = {_NAMES.get(key, key): value for key, value in mapping(part).items()}
    if isinstance(held.get("functionCall"), Mapping):
        call = held["functionCall"]
        id_ = as_text(call.get("id")) or f"{about}call{len(content.calls)}"
        content.calls.append(ToolCall(id_, as_text(call.get("name")), as_text(call.get("args"))))
    elif isinstance(held.get("functionResponse"), Mapping):
        answer = held["functionResponse"]
        content.results.append((as_text(answer.get("id")), as_text(answer.get("name")), _answer(answer)))
    elif isinstance(held.get("executableCode"), Mapping):
        content.calls.append(
            ToolCall(f"{about}code{len(content.calls)}", CODE, as_text(held["executableCode"].get("code")))
        )
    elif isinstance(held.get("codeExecutionResult"), Mapping):
        content.results.append(("", CODE, as_text(held["codeExecutionResult"].get("output"))))
    elif described := media_of(held):
        content.media += described
    elif isinstance(held.get("text"), str):
        (content.thoughts if held.get("thought") is True else content.texts).append(as_text(held["text"]))
    elif isinstance(held.get("thought"), str):
        content.thoughts.append(as_text(held["thought"]))
    elif not held.keys() & {"thoughtSignature", "thought_signature"}:
        found = ", ".join(as_text(key)[:40] for key in list(held)[:3]) or type(part).__name__
        notes.add(place, f"is a part of an unknown kind ({found}); it was left out")


def media_of(held: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the pictures, sounds, videos and documents of an object by their descriptions, never their bytes."""
    found: list[dict[str, Any]] = []
    for key in (key for key in (*_DATA, *_DRIVE) if isinstance(held.get(key), Mapping)):
        inner = held[key]
        described: dict[str, Any] = {"type": key}
        for name in ("mimeType", "mime_type", "id", "fileUri", "file_uri", "displayName", "name"):
            if isinstance(inner.get(name), str):
                described["mimeType" if name == "mime_type" else name] = as_text(inner[name])
        if isinstance(inner.get("data"), str):
            described["characters"] = len(inner["data"])
        found.append(described)
    return found


def _answer(answer: Mapping[str, Any]) -> str:
    """Return the response of a function: its output or error if that is text, else all of it as the model reads it."""
    response = answer.get("response")
    held = mapping(response)
    if len(held) == 1:
        only = next(iter(held.values()))
        return as_text(only) if isinstance(only, str) else as_text(response)
    return as_text(response)


def messages_of(content: Content, role: Role, **fields: Any) -> list[Message]:
    """Return the messages of a content: function responses, then any text beside them; ids are ""."""
    time = fields.get("time")
    results = [
        Message("", "tool", text, name=name, time=time, tool_call_id=call) for call, name, text in content.results
    ]
    if content.is_empty and (results or role == "tool"):
        return results
    metadata = {
        **({"reasoning": "\n".join(content.thoughts)} if content.thoughts else {}),
        **({"media": content.media} if content.media else {}),
        **fields.pop("metadata", {}),
    }
    said = Message(
        "",
        "user" if role == "tool" else role,
        "\n".join(content.texts),
        images=content.images,
        tool_calls=tuple(content.calls),
        metadata=metadata,
        **fields,
    )
    return [said, *results] if role == "assistant" else [*results, said]


def linked(messages: list[Message]) -> list[Message]:
    """Return the messages; a function response without an id gets that of the first open call of the function."""
    open_calls: list[ToolCall] = []
    found: list[Message] = []
    for message in messages:
        open_calls += message.tool_calls
        if message.role == "tool":
            call = next((one for one in open_calls if _is_of(message, one)), None)
            if call is not None:
                open_calls.remove(call)
                message = changed(message, tool_call_id=call.id)
        found.append(message)
    return found


def _is_of(answer: Message, call: ToolCall) -> bool:
    return call.id == answer.tool_call_id if answer.tool_call_id else call.name == answer.name


_KNOWN_KEYS = frozenset(
    ("text", "thought", *_NAMES, *_NAMES.values(), *_DATA, *_DRIVE, "thoughtSignature", "thought_signature")
)

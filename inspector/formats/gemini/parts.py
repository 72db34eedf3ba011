"""Contents of Google's Gemini: a role, and parts of text, thoughts, media, function calls and their responses.

https://ai.google.dev/api/caching#Content. Keys are written as `functionCall` or `function_call`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import medium_of
from inspector.formats.content.reader import read_part
from inspector.formats.content.turns import identified, result_message, split
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Result, Role, changed
from inspector.model.parts import text_of
from inspector.reading.values import mapping

ROLES: dict[str, Role] = {
    "user": "user",
    "model": "assistant",
    "gemini": "assistant",
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
MEDIA = (*_DATA, "driveDocument", "driveImage", "driveVideo", "driveAudio", "youtubeVideo")
"""The keys of media, in the API and in AI Studio."""
_CALLS = (
    *("functionCall", "functionResponse", "executableCode", "codeExecutionResult"),
    *("function_call", "function_response", "executable_code", "code_execution_result"),
)


@dataclass(slots=True)
class Content:
    """The parts of a content in order, and the results of functions among them."""

    parts: list[Part] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of all parts, line by line."""
        return text_of(self.parts)


def is_content(value: Any) -> bool:
    """Return whether a value is a content: parts without a type of their own, and a role of Gemini's or none."""
    parts = mapping(value).get("parts")
    if not isinstance(parts, list) or mapping(value).get("role", "user") not in list(ROLES):
        return False
    held = [mapping(part) for part in parts]
    return any(part.keys() & _KNOWN_KEYS for part in held) and not any("type" in part for part in held)


def read_parts(parts: Any, notes: Notes, place: str, about: str = "") -> Content:
    """Return the parts of a content; `about` is the prefix of new ids for calls without any."""
    at = At(notes, place)
    if isinstance(parts, list):
        found = [one for number, part in enumerate(parts) for one in read_part(part, at.below(f"[{number}]"))]
    else:
        found = read_part(parts, at)
    return Content(*split(identified(found, about)))


def media_of(held: Mapping[str, Any], at: At) -> list[Part]:
    """Return the pictures, sounds, videos and documents among the keys of an object."""
    return [medium_of(key, held, at) for key in MEDIA if isinstance(held.get(key), Mapping)]


def messages_of(content: Content, role: Role, **fields: Any) -> list[Message]:
    """Return the messages of a content: function responses, then any text beside them; ids are ""."""
    results = [result_message(result, time=fields.get("time")) for result in content.results]
    if not content.parts and (results or role == "tool"):
        return results
    said = Message("", "user" if role == "tool" else role, parts=tuple(content.parts), **fields)
    return [said, *results] if role == "assistant" else [*results, said]


def linked(messages: list[Message]) -> list[Message]:
    """Return the messages; a function response without an id gets that of the first open call of the function."""
    open_calls: list[Call] = []
    found: list[Message] = []
    for message in messages:
        open_calls += message.tool_calls
        if message.role == "tool":
            call = next((one for one in open_calls if _is_of(message, one)), None)
            if call is not None:
                open_calls.remove(call)
                message = _naming(message, call.id)
        found.append(message)
    return found


def _naming(message: Message, call: str) -> Message:
    """Return the result of a function with the id of its call."""
    parts = [changed(part, id=call) if isinstance(part, Result) else part for part in message.parts]
    return changed(message, parts=tuple(parts))


def _is_of(answer: Message, call: Call) -> bool:
    return call.id == answer.tool_call_id if answer.tool_call_id else call.name == answer.name


_KNOWN_KEYS = frozenset(("text", "thought", *_CALLS, *MEDIA, "thoughtSignature", "thought_signature"))

"""The content of a message as a list of parts: text, pictures, sounds, files, refusals, tool use and thinking.

Parts of the Chat Completions and of the Responses API of OpenAI, and the blocks of other vendors in files of the same
layout. Data URLs are never text: only their length is kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from inspector.model import Severity, ToolCall
from inspector.reading.values import as_text, items_of, mapping

LONG_TEXT = 1_000_000  # characters
_TEXTS = frozenset(("text", "input_text", "output_text", "summary_text", "reasoning_text"))
_MEDIA = frozenset(
    (
        *("image_url", "input_image", "image", "image_file", "input_audio", "audio", "output_audio", "video_url"),
        *("video", "input_video", "file", "input_file", "document", "computer_screenshot"),
    )
)
_COUNTED_AS_IMAGES = _MEDIA - {"file", "input_file", "document"}
_NAMES = ("filename", "file_id", "detail", "format", "url", "file_url", "title", "media_type", "id")


class Noter(Protocol):
    """A collector of the problems of a file."""

    def add(self, place: str, message: str, severity: Severity = "warning") -> None:
        """Note a problem at a place of the file."""


@dataclass(slots=True)
class Parts:
    """The parts of a content: its text, the number of pictures, sounds and videos, and the calls and results inside it.

    `tool_results` are pairs of the call's id and the text; `media` describes each part that is not text.
    """

    texts: list[str] = field(default_factory=list)
    images: int = 0
    tool_calls: list[ToolCall] = field(default_factory=list)
    tool_results: list[tuple[str, str]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    media: list[dict[str, Any]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The texts of all parts, line by line."""
        return "\n".join(self.texts)

    @property
    def reasoning(self) -> str:
        """The thinking parts, line by line."""
        return "\n".join(self.thoughts)


def read_parts(content: Any, notes: Noter, place: str) -> Parts:
    """Return a content (text, list of parts, one part, or nothing) as its parts.

    Unknown parts are noted and skipped.
    """
    parts = Parts()
    if isinstance(content, str):
        parts.texts.append(as_text(content))
        if len(content) > LONG_TEXT:
            notes.add(place, f"is {len(content):,} characters long, which is much for one message")
    elif isinstance(content, list):
        for index, part in enumerate(content):
            _read_part(part, parts, notes, f"{place}[{index}]")
    elif isinstance(content, Mapping) and ("type" in content or "text" in content):
        _read_part(content, parts, notes, place)
    elif content is not None:
        notes.add(place, f"expected text or a list of parts, found {type(content).__name__}; it was left out")
    return parts


def _read_part(part: Any, parts: Parts, notes: Noter, place: str) -> None:
    if isinstance(part, str):
        parts.texts.append(as_text(part))
        return
    if not isinstance(part, Mapping):
        if part is not None:
            notes.add(place, "expected a part (an object with a type); it was skipped")
        return
    kind = _kind(part)
    reader = _READERS.get(kind)
    if reader:
        reader(part, parts, notes, place)
    elif kind in _MEDIA:
        _read_media(part, kind, parts)
    elif "text" in part:
        _read_text(part, parts, notes, place)
    else:
        _note_unknown(part, notes, place)


def _note_unknown(part: Mapping[str, Any], notes: Noter, place: str) -> None:
    kind = part.get("type")
    name = as_text(kind)[:40] if isinstance(kind, str) and kind else "null"
    notes.add(place, f"is a part of the unknown type {name}; it was skipped")


def _kind(part: Mapping[str, Any]) -> str:
    kind = part.get("type", "text" if "text" in part else "")
    return kind if isinstance(kind, str) else ""


def _read_text(part: Mapping[str, Any], parts: Parts, notes: Noter, place: str) -> None:
    """Read a text, which the Assistants API and Jan wrap as `{value, annotations}`."""
    text = part.get("text")
    text = text.get("value") if isinstance(text, Mapping) else text
    if text is None or isinstance(text, str):
        parts.texts.append(as_text(text))
    else:
        notes.add(f"{place}.text", f"expected text, found {type(text).__name__}; it was skipped")


def _read_refusal(part: Mapping[str, Any], parts: Parts, _notes: Noter, _place: str) -> None:
    parts.texts.append(as_text(part.get("refusal")))


def _read_thinking(part: Mapping[str, Any], parts: Parts, _notes: Noter, _place: str) -> None:
    parts.thoughts.append(as_text(part.get("thinking") or part.get("text") or part.get("reasoning")))


def _read_tool_use(part: Mapping[str, Any], parts: Parts, _notes: Noter, _place: str) -> None:
    parts.tool_calls.append(ToolCall(as_text(part.get("id")), as_text(part.get("name")), as_text(part.get("input"))))


def _read_tool_result(part: Mapping[str, Any], parts: Parts, notes: Noter, place: str) -> None:
    """Read a tool result: texts, pictures, or data, which the model reads as JSON."""
    inner = Parts()
    content = part.get("content", part.get("output"))
    for piece in items_of(content) or ((content,) if content is not None else ()):
        if isinstance(piece, Mapping) and _kind(piece) in _MEDIA:
            _read_media(piece, _kind(piece), parts)
        elif isinstance(piece, Mapping) and "type" in piece and "text" not in piece:
            _note_unknown(piece, notes, f"{place}.content")
        else:
            inner.texts.append(as_text(piece.get("text", piece)) if isinstance(piece, Mapping) else as_text(piece))
    parts.tool_results.append((as_text(part.get("tool_use_id") or part.get("tool_call_id")), inner.text))


def _read_media(part: Mapping[str, Any], kind: str, parts: Parts) -> None:
    """Count a picture, sound or video and describe it: its name and format, and its length in the file."""
    inner = next((part[key] for key in (kind, "source", "input_audio", "file") if key in part), part)
    described: dict[str, Any] = {"type": kind}
    for key, value in ({"url": inner} if isinstance(inner, str) else {**part, **mapping(inner)}).items():
        if isinstance(value, str) and (value.startswith("data:") or key in ("data", "file_data")):
            described["characters"] = len(value)
        elif key in _NAMES and isinstance(value, str):
            described[key] = value
    parts.media.append(described)
    parts.images += kind in _COUNTED_AS_IMAGES
    if isinstance(inner, Mapping) and inner.get("transcript"):
        parts.texts.append(as_text(inner["transcript"]))
    if mapping(part.get("source")).get("type") == "text":
        parts.texts.append(as_text(mapping(part["source"]).get("data")))


_READERS: dict[str, Callable[[Mapping[str, Any], Parts, Noter, str], None]] = {
    **dict.fromkeys(_TEXTS, _read_text),
    "refusal": _read_refusal,
    "thinking": _read_thinking,
    "reasoning": _read_thinking,
    "redacted_thinking": lambda _part, _parts, _notes, _place: None,
    "tool_use": _read_tool_use,
    "server_tool_use": _read_tool_use,
    "tool_result": _read_tool_result,
}

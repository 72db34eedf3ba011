"""A single message of llama.cpp's web interface: its text, thinking, tool calls and attachments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import medium_at
from inspector.formats.content.turns import as_result
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_call, read_message
from inspector.model import Attachment, Call, Message, Part, Thought, with_parts
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, items_of, objects

_PICTURED = ("image", "audio", "video")


@dataclass(frozen=True, slots=True)
class Turn:
    """The messages of a record, the texts quoted into it, and its model."""

    messages: tuple[Message, ...]
    attachments: tuple[Attachment, ...]
    model: str


def read_turn(record: Mapping[str, Any], name: str, notes: Notes, place: str) -> Turn | None:
    """Return the turn of a record with the id `name`; None if its role is unknown."""
    found = read_message(record, notes, place)
    if not found:
        return None
    *results, message = found
    extras = objects(record.get("extra"))
    thinking = record.get("reasoningContent") or record.get("thinking")
    own = [Thought(as_text(thinking))] if isinstance(thinking, str) and thinking.strip() else []
    parts: list[Part] = [
        *(own if not message.reasoning else []),
        *message.whole,
        *_pictured(extras, At(notes, f"{place}.extra")),
        *_calls(record, notes, f"{place}.toolCalls"),
    ]
    if (call := as_text(record.get("toolCallId"))) and not message.tool_call_id:
        parts = as_result(parts, call, message.name)
    message = with_parts(message, parts, metadata={**message.metadata, **_recorded(record)})
    model = record.get("model")
    return Turn((*results, message), tuple(_quoted(extras, name)), as_text(model) if isinstance(model, str) else "")


def _kind(extra: Mapping[str, Any]) -> str:
    return as_text(extra.get("type")).lower()


def _pictured(extras: tuple[Mapping[str, Any], ...], at: At) -> Iterator[Part]:
    """Yield the media among the attachments: data URLs of pictures (`base64Url`), base64 of sounds."""
    for number, extra in enumerate(extras):
        if _is_pictured(extra):
            kind = next(kind for kind in _PICTURED if _kind(extra).startswith(kind))
            key = next((key for key in ("base64Url", "base64Data", "data") if isinstance(extra.get(key), str)), "")
            yield medium_at(kind, extra, key, at.below(f"[{number}]"))


def _is_pictured(extra: Mapping[str, Any]) -> bool:
    return _kind(extra).startswith(_PICTURED)


def _quoted(extras: tuple[Mapping[str, Any], ...], name: str) -> Iterator[Attachment]:
    """Yield the texts of attached files, which the application wrote into the prompt."""
    for number, extra in enumerate(extras):
        text = extra.get("content")
        if isinstance(text, str) and text.strip() and not _is_pictured(extra):
            yield Attachment(f"{name}/{as_text(extra.get('name')) or number}", as_text(text), name)


def _calls(record: Mapping[str, Any], notes: Notes, place: str) -> tuple[Call, ...]:
    """Return the tool calls, which the record holds as JSON text."""
    written = record.get("toolCalls")
    found = unwrapped(written)
    if isinstance(found, str) and found.strip():
        notes.add(place, "expected a list of tool calls as JSON text; the calls were left out")
    calls = enumerate(items_of(found))
    return tuple(read_call(call, notes, f"{place}[{index}]") for index, call in calls if isinstance(call, Mapping))


def _recorded(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the model, and the server's counts."""
    named = {"model": as_text(record["model"])} if isinstance(record.get("model"), str) and record["model"] else {}
    return {**named, **read_usage(record.get("timings")).metadata}

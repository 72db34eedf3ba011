"""The answer to a request as a single object, whether it was streamed or not."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from inspector.recording.apis import Api
from inspector.recording.streams.anthropic import join_anthropic
from inspector.recording.streams.chat import join_chat
from inspector.recording.streams.events import events_of
from inspector.recording.streams.gemini import join_gemini
from inspector.recording.streams.growth import objects_in
from inspector.recording.streams.ollama import join_ollama
from inspector.recording.streams.responses import join_responses

_JOINING: Mapping[Api, Callable[[Iterable[Mapping[str, Any]]], dict[str, Any]]] = {
    "chat": join_chat,
    "responses": join_responses,
    "anthropic": join_anthropic,
    "gemini": join_gemini,
    "ollama": join_ollama,
}
_LAST_TYPES = ("message_stop", "response.completed", "response.incomplete", "response.failed")
_USAGES = ("usage", "usageMetadata")
_OF_OLLAMA = (
    *("prompt_eval_count", "prompt_eval_duration", "eval_count", "eval_duration"),
    *("load_duration", "total_duration"),
)


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request or answer.

    `json` are its bytes if the body is a single JSON document, else empty. `note` describes a defect, "" for none.
    `has_ended`: the body is complete, either a whole document or a stream with its final event.
    """

    value: Any = None
    json: bytes = b""
    note: str = ""
    has_ended: bool = False


def read_body(text: bytes, what: str) -> Body:
    """Return a body: its JSON document, or its text if it is not JSON, or None if it is empty; notes call it `what`."""
    if not text.strip():
        return Body()
    try:
        return Body(_document(text), text.removeprefix(b"\xef\xbb\xbf"), has_ended=True)
    except (ValueError, RecursionError):
        return Body(text.decode("utf-8", "replace"), b"", f"{what} is no JSON")


def read_answer(api: Api, text: bytes) -> Body:
    """Return the answer in a body: a JSON document or the joined events of a stream; any other body as text."""
    whole = read_body(text, "the answer")
    if whole.json and isinstance(whole.value, Mapping) and not (api == "ollama" and whole.value.get("done") is False):
        return whole
    events = events_of(text)
    if not events.found:
        return whole
    odd = "an event" if events.broken == 1 else f"{events.broken:,} events"
    note = f"{odd} of the stream could not be read" if events.broken else ""
    return Body(joined(api, events.found), b"", note, events.is_done or is_last(api, events.found[-1]))


def joined(api: Api, events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the complete answer from the events of a stream."""
    return _JOINING[api](events)


def is_last(api: Api, event: Mapping[str, Any]) -> bool:
    """Return whether an event marks the end of a stream. Gemini has no end event, only a `finishReason`."""
    if api == "gemini":
        return any(one.get("finishReason") for one in objects_in(event.get("candidates")))
    return event.get("type") in _LAST_TYPES or event.get("done") is True


def usage_in(answer: Any) -> Any:
    """Return the usage that the provider reports in its answer, None if it reports none."""
    if not isinstance(answer, Mapping):
        return None
    told = next((answer[key] for key in _USAGES if answer.get(key) is not None), None)
    counted = {key: answer[key] for key in _OF_OLLAMA if key in answer}
    return told if told is not None else counted or None


def _document(text: bytes) -> Any:
    """Return the value of a JSON document. Raise ValueError or RecursionError.

    The standard library reads lone surrogates and long numbers, which orjson refuses.
    """
    bare = text.removeprefix(b"\xef\xbb\xbf")
    try:
        return orjson.loads(bare)
    except orjson.JSONDecodeError:
        return json.loads(bare.decode(), parse_constant=_refused)


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")

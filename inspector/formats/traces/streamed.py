"""The answer in the events of a stream (`text/event-stream`), as proxies record them, put together as one body."""

from collections.abc import Mapping
from typing import Any

from inspector.reading.values import as_text, items_of, mapping
from inspector.recording.apis import Api
from inspector.recording.streams.answer import joined
from inspector.recording.streams.events import events_of

_OF_ANTHROPIC = ("content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop")
_OF_GEMINI = ("candidates", "promptFeedback", "usageMetadata")


def streamed_answer(text: str) -> Mapping[str, Any] | None:
    """Return the body that a stream amounts to; None if the text is no stream of a known maker."""
    events = events_of(text.encode("utf-8", "surrogatepass")).found
    for event in events:
        if (api := api_of_event(event)) is not None:
            return joined(api, events)
    return None


def api_of_event(event: Mapping[str, Any]) -> Api | None:
    """Return the API that sends such an event, by the event alone: the address is not always recorded.

    Pings and errors are those of several APIs: None. Events of the Realtime API have an `event_id`.
    """
    kind = as_text(event.get("type"))
    if kind in _OF_ANTHROPIC or (kind == "message_start" and mapping(event.get("message")).get("type") == "message"):
        return "anthropic"
    if kind.startswith("response.") and "event_id" not in event:
        return "responses"
    if isinstance(event.get("choices"), list) and _is_chunk(event):
        return "chat"
    if any(isinstance(event.get(key), list | Mapping) for key in _OF_GEMINI):
        return "gemini"
    is_ollama = isinstance(event.get("done"), bool) and isinstance(event.get("model"), str)
    return "ollama" if is_ollama and event.keys() & {"message", "response"} else None


def _is_chunk(event: Mapping[str, Any]) -> bool:
    """Return whether an object with choices is a chunk of a completion; the last has none, the first of Azure's too."""
    choices = items_of(event["choices"])
    if not choices:
        return event.get("object") == "chat.completion.chunk" or bool(event.keys() & {"usage", "prompt_filter_results"})
    return any("delta" in mapping(choice) for choice in choices)

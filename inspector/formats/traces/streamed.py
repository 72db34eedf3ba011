"""The answer in the events of a stream (`text/event-stream`), as proxies record them, put together as one body."""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.reading.values import as_text
from inspector.recording.apis import Api
from inspector.recording.streams.answer import joined
from inspector.recording.streams.events import events_of


def streamed_answer(text: str) -> Mapping[str, Any] | None:
    """Return the body that a stream amounts to; None if the text is no stream of a known maker."""
    events = events_of(text.encode("utf-8", "surrogatepass")).found
    api = _api_of(events)
    return None if api is None else joined(api, events)


def _api_of(events: Iterable[Mapping[str, Any]]) -> Api | None:
    """Return the API whose events these are, by what they say: the address is not always recorded."""
    kinds = {as_text(event.get("type")) for event in events}
    if "message_start" in kinds:
        return "anthropic"
    if any(kind.startswith("response.") for kind in kinds):
        return "responses"
    keys = {key for event in events for key in event}
    return "chat" if "choices" in keys else "gemini" if "candidates" in keys else None

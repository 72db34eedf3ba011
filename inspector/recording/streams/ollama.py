"""Streams of Ollama (github.com/ollama/ollama/blob/main/docs/api.md): a line of JSON for each piece."""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.recording.streams.growth import Grown, finished, grow, objects_in

_PIECES = ("content", "thinking", "response")


def join_ollama(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the answer of a stream: texts joined, calls one after the other, all else as last told."""
    answer: Grown = {}
    for event in events:
        _add(answer, event)
    return finished(answer)


def _add(grown: Grown, event: Mapping[str, Any]) -> None:
    for key, value in event.items():
        if key in _PIECES and isinstance(value, str):
            grow(grown, key, value)
        elif key == "message" and isinstance(value, Mapping):
            if not isinstance(grown.get(key), dict):
                grown[key] = {}
            _add(grown[key], value)
        elif key in ("tool_calls", "logprobs") and isinstance(value, list):
            grown[key] = [*objects_in(grown.get(key)), *value]
        elif value is not None:
            grown[key] = value

"""Streams of Gemini (ai.google.dev/api/generate-content#method:-models.streamgeneratecontent)."""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.recording.streams.growth import Grown, finished, grow, objects_in, whole_number

_OF_TEXT = frozenset(("text", "thought"))


def join_gemini(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the answer of a stream: the parts of each candidate one after the other, all else as last told."""
    answer: dict[str, Any] = {}
    candidates: dict[int, Grown] = {}
    for event in events:
        answer |= {key: one for key, one in event.items() if key != "candidates" and one is not None}
        for candidate in objects_in(event.get("candidates")):
            _add(candidates, candidate)
    if candidates:
        answer["candidates"] = [finished(candidates[index]) for index in sorted(candidates)]
    return answer


def _add(candidates: dict[int, Grown], candidate: Mapping[str, Any]) -> None:
    index = whole_number(candidate.get("index"))
    held = candidates.setdefault(index, {"content": {"parts": []}})
    held |= {key: one for key, one in candidate.items() if key != "content" and one is not None}
    content = candidate.get("content")
    if not isinstance(content, Mapping):
        return
    held["content"] |= {key: one for key, one in content.items() if key != "parts"}
    for part in objects_in(content.get("parts")):
        _add_part(held["content"]["parts"], part)


def _add_part(parts: list[Grown], part: Mapping[str, Any]) -> None:
    """Add a part: a text continues the text before it, if both are thoughts or neither is."""
    last = parts[-1] if parts else None
    is_text = isinstance(part.get("text"), str) and part.keys() <= _OF_TEXT
    if last is not None and is_text and last.keys() <= _OF_TEXT and last.get("thought") == part.get("thought"):
        grow(last, "text", part["text"])
    else:
        parts.append(dict(part))

"""Streams of OpenAI's Responses (platform.openai.com/docs/api-reference/responses-streaming)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inspector.recording.streams.growth import Grown, finished, grow, objects_in, whole_number

_LAST = ("response.completed", "response.incomplete", "response.failed")


def join_responses(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the response of a stream: the one that its last event repeats, else what its pieces add up to."""
    answer: dict[str, Any] = {}
    items: dict[int, Grown] = {}
    for event in events:
        kind = event.get("type")
        if isinstance(event.get("response"), Mapping):
            answer |= event["response"]
        if kind in _LAST and answer.get("output"):
            return answer
        if kind == "error" or "error" in event:
            answer["error"] = event.get("error") or {key: one for key, one in event.items() if key != "type"}
        if isinstance(kind, str):
            _add(items, kind.removeprefix("response."), event)
    if items:
        answer["output"] = [finished(items[index]) for index in sorted(items)]
    return answer


def _add(items: dict[int, Grown], kind: str, event: Mapping[str, Any]) -> None:
    """Add an event to the item that it is about."""
    index = whole_number(event.get("output_index"))
    if kind in ("output_item.added", "output_item.done"):
        item = event.get("item")
        items[index] = dict(item) if isinstance(item, Mapping) else {}
    elif kind in _PIECES and isinstance(event.get("delta"), str):
        _PIECES[kind](items.setdefault(index, {}), event)


def _part_of(key: str, type_: str, field: str) -> Callable[[Grown, Mapping[str, Any]], None]:
    """Return how a piece of a part in the list under `key` is added."""
    place = "summary_index" if key == "summary" else "content_index"

    def add(item: Grown, event: Mapping[str, Any]) -> None:
        parts: list[Grown] = [dict(one) for one in objects_in(item.get(key))]
        item[key] = parts
        wanted = min(max(whole_number(event.get(place)), 0), len(parts))
        if wanted == len(parts):
            parts.append({"type": type_})
        grow(parts[wanted], field, event["delta"])

    return add


def _text_of(key: str) -> Callable[[Grown, Mapping[str, Any]], None]:
    return lambda item, event: grow(item, key, event["delta"])


_PIECES: Mapping[str, Callable[[Grown, Mapping[str, Any]], None]] = {
    "output_text.delta": _part_of("content", "output_text", "text"),
    "refusal.delta": _part_of("content", "refusal", "refusal"),
    "reasoning_text.delta": _part_of("content", "reasoning_text", "text"),
    "reasoning_summary_text.delta": _part_of("summary", "summary_text", "text"),
    "function_call_arguments.delta": _text_of("arguments"),
    "mcp_call_arguments.delta": _text_of("arguments"),
    "custom_tool_call_input.delta": _text_of("input"),
    "code_interpreter_call_code.delta": _text_of("code"),
}

"""The answer in the events of a stream (`text/event-stream`), as proxies record them, put together as one body.

Of Anthropic (docs.anthropic.com/en/api/messages-streaming), OpenAI's Chat Completions and Responses
(platform.openai.com/docs/api-reference), and Gemini (ai.google.dev/api/generate-content).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects

_DATA = "data:"
_ENDS = frozenset(("response.completed", "response.incomplete", "response.failed"))
_DELTAS = (("text", "text"), ("thinking", "thinking"), ("signature", "signature"), ("partial_json", "partial_json"))


def streamed_answer(text: str) -> Mapping[str, Any] | None:
    """Return the body that a stream amounts to; None if the text is no stream of a known maker."""
    lines = (line.strip() for line in text.split("\n"))
    held = (unwrapped(line.removeprefix(_DATA).strip()) for line in lines if line.startswith((_DATA, "{")))
    events = [event for event in held if isinstance(event, Mapping)]
    kinds = {as_text(event.get("type")) for event in events}
    if "message_start" in kinds:
        return _anthropic(events)
    if any(kind.startswith("response.") for kind in kinds):
        return _responses(events)
    if any("choices" in event for event in events):
        return _chat(events)
    return _gemini(events) if any("candidates" in event for event in events) else None


def _anthropic(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        kind, index = event.get("type"), as_whole(event.get("index")) or 0
        if kind == "message_start":
            message = {**mapping(event.get("message"))}
        elif kind == "content_block_start":
            blocks[index] = {**mapping(event.get("content_block"))}
        elif kind == "content_block_delta":
            _add(blocks.setdefault(index, {"type": "text", "text": ""}), mapping(event.get("delta")))
        elif kind == "message_delta":
            message["usage"] = {**mapping(message.get("usage")), **mapping(event.get("usage"))}
    content = [_with_input(blocks[index]) for index in sorted(blocks)]
    return {"type": "message", "role": "assistant", **message, "content": content}


def _add(block: dict[str, Any], delta: Mapping[str, Any]) -> None:
    for name, key in _DELTAS:
        if isinstance(delta.get(name), str):
            block[key] = as_text(block.get(key, "")) + delta[name]


def _with_input(block: dict[str, Any]) -> Mapping[str, Any]:
    """Return a block with the arguments whose pieces came one by one."""
    pieces = block.pop("partial_json", "")
    return {**block, "input": unwrapped(pieces)} if pieces else block


def _responses(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the response that the last event repeats, with the items that came before it where it has none."""
    found: dict[str, Any] = {"object": "response"}
    items: list[Any] = []
    for event in events:
        if event.get("type") == "response.output_item.done":
            items.append(event.get("item"))
        elif event.get("type") in _ENDS:
            found |= mapping(event.get("response"))
    return found if items_of(found.get("output")) else {**found, "output": items}


def _chat(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    calls: dict[int, dict[str, Any]] = {}
    beside: dict[str, Any] = {}
    for event in events:
        beside |= {key: event[key] for key in ("model", "usage", "id") if event.get(key)}
        for choice in objects(event.get("choices"))[:1]:
            delta = mapping(choice.get("delta")) or mapping(choice.get("message"))
            for key in ("content", "reasoning_content", "reasoning", "refusal"):
                if isinstance(delta.get(key), str):
                    message[key] = message.get(key, "") + delta[key]
            for call in objects(delta.get("tool_calls")):
                _add_call(
                    calls.setdefault(as_whole(call.get("index")) or 0, {"id": "", "name": "", "arguments": ""}), call
                )
    made = [{"id": one["id"], "type": "function", "function": one} for one in calls.values()]
    return {**beside, "choices": [{"message": {**message, **({"tool_calls": made} if made else {})}}]}


def _add_call(call: dict[str, Any], delta: Mapping[str, Any]) -> None:
    function = mapping(delta.get("function"))
    call["id"] = call["id"] or as_text(delta.get("id", ""))
    call["name"] += as_text(function.get("name") or "")
    call["arguments"] += as_text(function.get("arguments") or "")


def _gemini(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return one answer with the parts of all; text that goes on in the next part is one text."""
    parts: list[Mapping[str, Any]] = []
    beside: dict[str, Any] = {}
    for event in events:
        beside |= {key: event[key] for key in ("modelVersion", "usageMetadata") if event.get(key)}
        for candidate in objects(event.get("candidates"))[:1]:
            for part in objects(mapping(candidate.get("content")).get("parts")):
                _join(parts, part)
    return {**beside, "candidates": [{"content": {"role": "model", "parts": parts}}]}


def _join(parts: list[Mapping[str, Any]], part: Mapping[str, Any]) -> None:
    last = parts[-1] if parts else {}
    both = isinstance(last.get("text"), str) and isinstance(part.get("text"), str)
    if both and last.get("thought") == part.get("thought"):
        parts[-1] = {**last, **part, "text": last["text"] + part["text"]}
    else:
        parts.append(part)

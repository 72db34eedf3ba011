"""Streams of Anthropic's Messages (docs.anthropic.com/en/docs/build-with-claude/streaming)."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from inspector.recording.streams.growth import Grown, finished, grow, objects_in, whole_number

_PIECES = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_INPUT = "partial_json"


def join_anthropic(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the message of a stream; of a broken stream, with the input of a call as text if it is no JSON yet."""
    message: dict[str, Any] = {}
    blocks: dict[int, Grown] = {}
    for event in events:
        kind = event.get("type")
        if kind == "message_start" and isinstance(event.get("message"), Mapping):
            message = {**event["message"]}
        elif kind == "content_block_start" and isinstance(event.get("content_block"), Mapping):
            blocks[whole_number(event.get("index"))] = dict(event["content_block"])
        elif kind == "content_block_delta" and isinstance(event.get("delta"), Mapping):
            _add(blocks.setdefault(whole_number(event.get("index")), {}), event["delta"])
        elif kind == "message_delta":
            _end(message, event)
        elif kind == "error" or "error" in event:
            message["error"] = event.get("error")
    if message or blocks:
        message["content"] = [*objects_in(message.get("content")), *(_block(blocks[index]) for index in sorted(blocks))]
    return message


def _add(block: Grown, delta: Mapping[str, Any]) -> None:
    kind = delta.get("type")
    if kind == "input_json_delta":
        grow(block, _INPUT, str(delta.get(_INPUT) or ""))
    elif kind == "citations_delta":
        block["citations"] = [*objects_in(block.get("citations")), delta.get("citation")]
    elif isinstance(kind, str) and kind in _PIECES and isinstance(delta.get(_PIECES[kind]), str):
        block.setdefault("type", kind.removesuffix("_delta"))
        grow(block, _PIECES[kind], delta[_PIECES[kind]])
    else:
        block |= {key: one for key, one in delta.items() if key != "type"}


def _end(message: dict[str, Any], event: Mapping[str, Any]) -> None:
    """Add the reason of the end, and the usage, whose figures replace those of the start."""
    for key in ("delta", "usage"):
        told = event.get(key)
        if isinstance(told, Mapping):
            held = {name: one for name, one in told.items() if one is not None}
            if key == "usage":
                before = message.get("usage")
                message["usage"] = {**(before if isinstance(before, Mapping) else {}), **held}
            else:
                message |= held


def _block(block: Grown) -> dict[str, Any]:
    made = finished(block)
    told = made.pop(_INPUT, "")
    if told:
        try:
            made["input"] = orjson.loads(told)
        except orjson.JSONDecodeError:
            made["input"] = told
    return made

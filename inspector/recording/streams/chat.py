"""Streams of OpenAI's Chat Completions (platform.openai.com/docs/api-reference/chat-streaming) and its likes."""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.recording.streams.growth import Grown, GrownText, finished, grow, objects_in, whole_number

_SAID_ONCE = frozenset(("role", "id", "type", "name", "index", "object", "format", "signature"))
"""The fields of a delta that are no pieces of a text: a repetition says the same."""


def join_chat(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the completion of a stream of chunks."""
    answer: Grown = {}
    choices: dict[int, Grown] = {}
    for event in events:
        told = {key: one for key, one in event.items() if key != "choices"}
        answer |= {key: one for key, one in told.items() if one is not None or key not in answer}
        for choice in objects_in(event.get("choices")):
            _add_choice(choices, choice)
    if choices or "choices" not in answer:
        answer["choices"] = [_finished_choice(choices[index]) for index in sorted(choices)]
    if answer.get("object") == "chat.completion.chunk":
        answer["object"] = "chat.completion"
    return answer


def _add_choice(choices: dict[int, Grown], choice: Mapping[str, Any]) -> None:
    index = whole_number(choice.get("index"))
    held = choices.setdefault(index, {"index": index, "message": {"role": "assistant"}})
    for key, value in choice.items():
        if key in ("delta", "message"):
            if isinstance(value, Mapping):
                _add(held["message"], value)
        elif key == "logprobs":
            continue  # a list for each token, of which nothing is shown
        elif value is not None:
            held[key] = value


def _add(grown: Grown, delta: Mapping[str, Any]) -> None:
    """Add a delta to what it continues: texts grow, objects are merged, lists get longer."""
    for key, value in delta.items():
        if key == "tool_calls" and isinstance(value, list):
            _add_calls(_list_at(grown, key), objects_in(value))
        elif isinstance(value, str):
            _add_text(grown, key, value)
        elif isinstance(value, Mapping):
            held = grown.get(key)
            if not isinstance(held, dict):
                held = grown[key] = {}
            _add(held, value)
        elif isinstance(value, list):
            _list_at(grown, key).extend(value)
        elif value is not None or key not in grown:
            grown[key] = value


def _list_at(grown: Grown, key: str) -> list[Any]:
    """Return the list so far under a key."""
    held = grown.get(key)
    if not isinstance(held, list) or isinstance(held, GrownText):
        held = grown[key] = []
    return held


def _add_text(grown: Grown, key: str, value: str) -> None:
    if key not in _SAID_ONCE:
        grow(grown, key, value)
    elif value or key not in grown:
        grown[key] = value


def _add_calls(held: list[Grown], calls: Iterable[Mapping[str, Any]]) -> None:
    for call in calls:
        begun = _begun(held, call)
        if begun is None:
            begun = {}
            held.append(begun)
        _add(begun, call)


def _begun(held: list[Grown], call: Mapping[str, Any]) -> Grown | None:
    """Return the call that a delta continues; None for a new one.

    Some servers number every call 0, or none: then another id is another call.
    """
    same = [one for one in held if one.get("index") == call.get("index")]
    if not same or (call.get("id") and same[-1].get("id") not in (None, "", call["id"])):
        return None
    return same[-1]


def _finished_choice(choice: Grown) -> dict[str, Any]:
    made = finished(choice)
    calls = objects_in(made["message"].get("tool_calls"))
    if calls:
        made["message"]["tool_calls"] = [{key: one for key, one in call.items() if key != "index"} for call in calls]
    return made

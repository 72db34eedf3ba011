"""A single message of the OpenAI Chat Completions layout, and of similar layouts.

https://platform.openai.com/docs/api-reference/chat/create. The arrangement of messages in a file is in `records`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.reader import LONG_TEXT, read_content, read_part
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import as_result, placed, split
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.model import Call, Message, Part, Role, Text, Thought
from inspector.model.parts import text_of
from inspector.reading.decode import kind_of
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, clean, items_of, mapping, objects, parse_time

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bot": "assistant",
    "ai": "assistant",
    "agent": "assistant",
    "model": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "function_call": "assistant",
    "tool": "tool",
    "function": "tool",
    "function_response": "tool",
    "observation": "tool",
}
_TIMES = ("timestamp", "created_at", "create_time", "created", "createdAt", "time", "date", "ts")
_USUAL = frozenset(("role", "from", "content", "value", "id", "uuid", "name", *_TIMES))
_PICTURES = ("images", "image", "image_url", "image_urls")
"""Keys of pictures beside a content: Ollama writes `images`, scripts for fine-tuning the others."""
_REASONING = ("reasoning_content", "reasoning", "thinking", "tool_plan", "reasoning_details")
_CALLED = "function_call"
_KEPT = ("weight", "refusal", "cache_control", "prefix", "status", "phase")


def role_of(record: Any) -> Role | None:
    """Return the role named under `role` or ShareGPT's `from`; None if there is none."""
    if not isinstance(record, Mapping):
        return None
    word = record.get("role", record.get("from"))
    return ROLES.get(word.strip().lower()) if isinstance(word, str) else None


def is_message(record: Any) -> bool:
    """Return whether a value is meant as a message: an object with a role and a content, call or refusal."""
    if not isinstance(record, Mapping) or role_of(record) is None:
        return False
    return bool(record.keys() & {"content", "value", "tool_calls", "function_call", "refusal", "audio", "parts"})


def with_role_of_call(record: Any, said: Iterable[Message]) -> Any:
    """Return a record whose role is the name of a function called in the messages before it as the result of that call.

    LangGraph writes results so. Any other record is returned as it is.
    """
    word = record.get("role") if isinstance(record, Mapping) else None
    if not isinstance(word, str) or role_of(record) is not None:
        return record
    messages = list(said)
    answered = {message.tool_call_id for message in messages}
    calls = [call for message in messages for call in message.tool_calls if call.name == word]
    if not calls:
        return record
    id_ = next((call.id for call in calls if call.id not in answered), calls[-1].id)
    return {"name": word, "tool_call_id": id_, **record, "role": "tool"}


def usual_message(record: Any) -> Message | None:
    """Return the message of a record with plain text and nothing unusual, as most have; None for any other record.

    It equals the message of `read_message`, in a fifth of the time: a file may hold a million of them.
    """
    if type(record) is not dict:
        return None
    content = record["content"] if "content" in record else record.get("value")
    word = record["role"] if "role" in record else record.get("from")
    if type(content) is not str or len(content) > LONG_TEXT or type(word) is not str or word not in ROLES:
        return None
    if word == _CALLED:
        return None
    if len(record) == 2:  # nothing else is there
        return Message("", ROLES[word], clean(content))
    if not record.keys() <= _USUAL:
        return None
    return Message(_id(record), ROLES[word], clean(content), as_text(record.get("name")), _time(record))


def read_message(record: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record: its own, and one for each tool result inside it; none for a malformed record.

    Ids are "" if the record has none.
    """
    usual = usual_message(record)
    if usual is not None:
        return [usual]
    role = role_of(record)
    if role is None:
        notes.add(*_bad_role(record, place), severity="error")
        return []
    key = next((key for key in ("content", "value", "parts", "text") if key in record), "content")
    content = record.get(key)
    if calls_told := _told_calls(record, content):
        record, content = {"tool_calls": calls_told, **record, key: ""}, ""
    said, results = split(read_content(content, notes, f"{place}.{key}"))
    calls = _tool_calls(record, notes, place)
    if content is None and not calls and not record.keys() & {"refusal", "audio", "parts"}:
        notes.add(f"{place}.content", "expected text or a list of parts, found nothing; the message is empty")
    if not text_of(said) and record.get("refusal"):
        said = [*(one for one in said if not isinstance(one, Text)), Text(as_text(record["refusal"]))]
    parts: list[Part] = [*_thoughts(record, said, At(notes, place)), *said, *_media(record, At(notes, place)), *calls]
    if call := as_text(record.get("tool_call_id")):
        parts = as_result(parts, call, as_text(record.get("name")))
    message = Message(
        id=_id(record),
        role=role,
        name=as_text(record.get("name")),
        time=_time(record),
        pinned=record.get("pinned") is True,
        parts=tuple(parts),
        metadata=_metadata(record),
    )
    return placed(message, results)


def _told_calls(record: Mapping[str, Any], content: Any) -> list[Mapping[str, Any]]:
    """Return the calls that are the text of a `function_call` turn of ShareGPT: JSON of one or of several."""
    word = record.get("role", record.get("from"))
    if not isinstance(word, str) or word.strip().lower() != _CALLED or not isinstance(content, str):
        return []
    told = unwrapped(content)
    listed = told if isinstance(told, list) else [told]
    calls = [one for one in listed if isinstance(one, Mapping) and isinstance(one.get("name"), str)]
    return calls if len(calls) == len(listed) else []


def _media(record: Mapping[str, Any], at: At) -> Iterator[Part]:
    """Yield the pictures and the sound beside a content."""
    for key in _PICTURES:
        held = record.get(key)
        for number, picture in enumerate(items_of(held)):
            yield picture_of(picture, at.below(f".{key}[{number}]"))
        if held and isinstance(held, str | Mapping):
            yield picture_of(held, at.below(f".{key}"))
    if isinstance(record.get("audio"), Mapping):
        yield from read_part({"type": "audio", "audio": record["audio"]}, at)


def _bad_role(record: Any, place: str) -> tuple[str, str]:
    if not isinstance(record, Mapping):
        found = json.dumps(record) if isinstance(record, str) else as_text(record) or kind_of(record)
        return place, f"expected a message (an object with role and content), found {found[:40]}"
    found = as_text(record.get("role", record.get("from")))[:40] or "nothing"
    return (
        f"{place}.role",
        f"expected system, developer, user, assistant or tool, found {found}; the message was left out",
    )


def _id(record: Mapping[str, Any]) -> str:
    id_ = record.get("id", record.get("uuid"))
    return as_text(id_) if isinstance(id_, str | int) and not isinstance(id_, bool) else ""


def _time(record: Mapping[str, Any]) -> Any:
    for key in _TIMES:
        if key in record and (time := parse_time(record[key])):
            return time
    return None


def _thoughts(record: Mapping[str, Any], said: list[Part], at: At) -> list[Part]:
    """Return the thinking beside a content, unless it is also in it."""
    if any(isinstance(one, Thought) and one.text for one in said):
        return []
    found = next((text for key in _REASONING if (text := reasoning_text(record.get(key)))), "")
    hidden = [
        Thought("", True, bytes=len(one["data"]), place=at.source(f".reasoning_details[{number}].data"))
        for number, one in enumerate(objects(record.get("reasoning_details")))
        if isinstance(one.get("data"), str) and one["data"]
    ]
    return [Thought(found), *hidden] if found else [*hidden]


def _metadata(record: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {key: record[key] for key in _KEPT if record.get(key) is not None}
    return {**kept, **read_usage(record.get("usage")).metadata}


def _tool_calls(record: Mapping[str, Any], notes: Notes, place: str) -> list[Call]:
    held = unwrapped(record.get("tool_calls"))
    calls: list[Call] = []
    for index, call in enumerate(held if isinstance(held, list) else [] if held is None else [held]):
        at = f"{place}.tool_calls[{index}]"
        if isinstance(call, Mapping):
            calls.append(read_call(call, notes, at))
        elif call is not None and call != "":
            notes.add(at, f"expected a call with a name and arguments, found {kind_of(call)}; it was left out")
    old = record.get("function_call")
    if isinstance(old, Mapping):
        calls.append(read_call(old, notes, f"{place}.function_call"))
    return calls


def read_call(call: Mapping[str, Any], notes: Notes, place: str) -> Call:
    """Return a tool call from `{id, function{name, arguments}}`, `{id, custom{name, input}}` or `{name, arguments}`.

    Arguments that are text stay as they are, valid JSON or not. An item of the Responses API has an `id` of its own
    beside the `call_id`, which its result names.
    """
    inner = next((mapping(call[key]) for key in ("function", "custom") if isinstance(call.get(key), Mapping)), call)
    arguments = next((inner[key] for key in ("arguments", "input", "args") if key in inner), "")
    if "arguments" in inner and isinstance(arguments, str) and arguments.strip() and not _is_json(arguments):
        notes.add(f"{place}.arguments", "is not valid JSON; it was kept as it is written", "info")
    id_ = next((call[key] for key in ("call_id", "tool_call_id", "id") if call.get(key)), "")
    return Call(as_text(id_), as_text(inner.get("name")), as_text(arguments))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True

"""A single message of the OpenAI Chat Completions layout, and of similar layouts.

https://platform.openai.com/docs/api-reference/chat/create. The arrangement of messages in a file is in `records`.
"""

import json
from collections.abc import Mapping
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.openai.parts import LONG_TEXT, Parts, read_parts
from inspector.model import Message, Role, ToolCall
from inspector.reading.decode import kind_of
from inspector.reading.values import as_text, as_whole, clean, items_of, mapping, objects, parse_time

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
_REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_details")
_KEPT = ("weight", "refusal", "audio", "cache_control", "prefix", "status", "phase")

_DEEPEST_REASONING = 20


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
    content = record.get("content", record.get("value"))
    parts = read_parts(content, notes, f"{place}.content")
    calls = (*parts.tool_calls, *_tool_calls(record, notes, place))
    if content is None and not calls and not record.keys() & {"refusal", "audio", "parts"}:
        notes.add(f"{place}.content", "expected text or a list of parts, found nothing; the message is empty")
    message = Message(
        id=_id(record),
        role=role,
        content=parts.text or as_text(record.get("refusal")),
        name=as_text(record.get("name")),
        time=_time(record),
        images=parts.images + len(items_of(record.get("images"))) + isinstance(record.get("audio"), Mapping),
        tool_calls=calls,
        pinned=record.get("pinned") is True,
        tool_call_id=as_text(record.get("tool_call_id")),
        metadata=_metadata(record, parts),
    )
    return _with_results(message, parts)


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


def _with_results(message: Message, parts: Parts) -> list[Message]:
    """Return the message after its tool results, the order in which the model reads them."""
    results = [Message("", "tool", text, tool_call_id=call) for call, text in parts.tool_results]
    says_more = message.content or message.tool_calls or message.images or not results
    return [*results, message] if says_more else results


def _metadata(record: Mapping[str, Any], parts: Parts) -> dict[str, Any]:
    kept: dict[str, Any] = {key: record[key] for key in _KEPT if record.get(key) is not None}
    reasoning = [parts.reasoning, *(reasoning_text(record.get(key)) for key in _REASONING[:3])]
    found = next((text for text in reasoning if text), "") or reasoning_text(record.get(_REASONING[3]))
    tokens = as_whole(mapping(record.get("usage")).get("completion_tokens"))
    return {
        **kept,
        **({"reasoning": found} if found else {}),
        **({"media": parts.media} if parts.media else {}),
        **({"recorded_tokens": tokens} if tokens is not None else {}),
    }


def reasoning_text(value: Any, depth: int = _DEEPEST_REASONING) -> str:
    """Return reasoning as text: from a string, or from pieces with `text`, `summary`, `content` or `thinking`.

    The pieces are a list or an object. Anything nested deeper than `depth` is left out.
    """
    if isinstance(value, str):
        return as_text(value)
    if not depth:
        return ""
    if isinstance(value, Mapping):
        inner = (reasoning_text(value.get(key), depth - 1) for key in ("text", "thinking", "summary", "content"))
        return next(filter(None, inner), "")
    return "\n".join(text for item in items_of(value) if (text := reasoning_text(item, depth - 1)))


def _tool_calls(record: Mapping[str, Any], notes: Notes, place: str) -> list[ToolCall]:
    calls = [
        read_call(call, notes, f"{place}.tool_calls[{index}]")
        for index, call in enumerate(objects(record.get("tool_calls")))
    ]
    old = record.get("function_call")
    if isinstance(old, Mapping):
        calls.append(read_call(old, notes, f"{place}.function_call"))
    return calls


def read_call(call: Mapping[str, Any], notes: Notes, place: str) -> ToolCall:
    """Return a tool call from `{id, function{name, arguments}}`, `{id, custom{name, input}}` or `{name, arguments}`.

    Arguments that are text stay as they are, valid JSON or not.
    """
    inner = next((mapping(call[key]) for key in ("function", "custom") if isinstance(call.get(key), Mapping)), call)
    arguments = next((inner[key] for key in ("arguments", "input", "args") if key in inner), "")
    if "arguments" in inner and isinstance(arguments, str) and arguments.strip() and not _is_json(arguments):
        notes.add(f"{place}.arguments", "is not valid JSON; it was kept as it is written", "info")
    id_ = next((call[key] for key in ("id", "call_id", "tool_call_id") if call.get(key)), "")
    return ToolCall(as_text(id_), as_text(inner.get("name")), as_text(arguments))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True

"""One message of the OpenAI Chat Completions layout, and of those who write theirs nearly alike.

https://platform.openai.com/docs/api-reference/chat/create. How messages lie in a file is in `openai_records`.
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
    """The role that a record names under `role` or ShareGPT's `from`; None where it is none."""
    if not isinstance(record, Mapping):
        return None
    word = record.get("role", record.get("from"))
    return ROLES.get(word.strip().lower()) if isinstance(word, str) else None


def is_message(record: Any) -> bool:
    """Whether a value is meant as a message: an object with a role and something said, called or refused."""
    if not isinstance(record, Mapping) or role_of(record) is None:
        return False
    return bool(record.keys() & {"content", "value", "tool_calls", "function_call", "refusal", "audio", "parts"})


def usual_message(record: Any) -> Message | None:
    """The message of a record that holds plain text and nothing unusual, as most do; None for any other record.

    It is the message that `read_message` makes, in a fifth of the time: a file may hold a million of them.
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
    """The messages that a record holds: one, and one for each tool result that stands inside it; none for a bad one.

    Ids are "" where the record has none.
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
    """Tool results stand before what the person says in the same message, as the model reads them."""
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
    """Reasoning as text: a string, or a list (or object) of pieces with `text`, `summary`, `content` or `thinking`.

    What is nested deeper than `depth` is none.
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
    """A tool call as `{id, function{name, arguments}}`, `{id, custom{name, input}}` or `{name, arguments}`.

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

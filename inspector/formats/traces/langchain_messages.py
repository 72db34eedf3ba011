"""LangChain's messages, as `messages_to_dict`, `dumps` and `model_dump` write them.

No object of the library is created from a file: of a constructor, only its name and its arguments are read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.model import Message, Usage, changed
from inspector.reading.values import as_text, items_of, mapping, objects

_ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "chat": "",
}
_REMOVE = "remove"
_USAGES = ("token_usage", "usage", "usage_metadata")
_PLAIN = ("human", "ai")
_MARKS = frozenset(("additional_kwargs", "response_metadata", "tool_calls", "tool_call_id", "example"))
_ENDINGS = ("MessageChunk", "Message")


def is_langchain(value: Any) -> bool:
    """Return whether a value is a message in any of LangChain's layouts."""
    kind, fields = _opened(value)
    return bool(kind) and ("content" in fields or kind == _REMOVE)


def is_removal(value: Any) -> bool:
    """Return whether a value deletes an earlier message by its id."""
    return _opened(value)[0] == _REMOVE


def _opened(value: Any) -> tuple[str, Mapping[str, Any]]:
    """Return the kind of a message (`human`, `ai`, …) and its fields; "" if it is none."""
    outer = mapping(value)
    if isinstance(outer.get("data"), Mapping):
        return _kind(outer.get("type")), outer["data"]
    if outer.get("lc") == 1 and outer.get("type") == "constructor":
        names = items_of(outer.get("id"))
        return _kind(names[-1] if names else None), mapping(outer.get("kwargs"))
    kind = _kind(outer.get("type"))
    is_plain = outer.get("type") in _PLAIN and "role" not in outer and "content" in outer
    return (kind, outer) if is_plain or outer.keys() & _MARKS else ("", {})


def with_marks(value: Any) -> Any:
    """Return a message of a list that holds LangChain's, as one of them: some have their type and content only."""
    fields = mapping(value)
    is_bare = "content" in fields and "role" not in fields and _kind(fields.get("type"))
    return {"additional_kwargs": {}, **fields} if is_bare and not is_langchain(value) else value


def _kind(word: Any) -> str:
    name = word if isinstance(word, str) else ""
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    name = name.lower()
    return name if name in _ROLES or name == _REMOVE else ""


def read_langchain(value: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a message of LangChain; none for another value, which is noted."""
    return [message for _, message in messages_of(iter([(place, value)]), notes)]


def messages_of(values: Iterator[tuple[str, Any]], notes: Notes) -> Iterator[tuple[str, Message]]:
    """Yield the messages of values with their places; a `remove` deletes the earlier message of its id."""
    found: dict[int, tuple[str, Message]] = {}
    by_id: dict[str, list[int]] = {}
    written = 0
    for place, value in values:
        kind, fields = _opened(value)
        if kind == _REMOVE:
            for removed in by_id.pop(as_text(fields.get("id")), ()):
                found.pop(removed, None)
        elif kind:
            for message in _read(kind, fields, notes, place):
                found[written] = (place, message)
                if message.id:
                    by_id.setdefault(message.id, []).append(written)
                written += 1
        elif mapping(value).get("type") != "secret":  # the name of a left-out key, which is of no use
            notes.add(place, "expected a message of LangChain; it was left out", "error")
    yield from found.values()


def _read(kind: str, fields: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record, read like OpenAI's under other names."""
    calls = [{"id": call.get("id"), "name": call.get("name"), "arguments": call.get("args", "")}
             for call in objects(fields.get("tool_calls"))]  # fmt: skip
    record = {
        "role": _ROLES[kind] or fields.get("role"),
        "content": _without_calls(fields.get("content"), calls),
        "name": fields.get("name"),
        "id": fields.get("id"),
        "tool_call_id": fields.get("tool_call_id"),
        **({"tool_calls": calls} if calls else {}),
    }
    found = read_message({key: value for key, value in record.items() if value is not None}, notes, place)
    about = mapping(fields.get("response_metadata"))
    model = as_text(about.get("model_name") or about.get("model"))
    usage = _usage(mapping(fields.get("usage_metadata")), about)
    kept = {**usage.metadata, **({"model": model} if model else {})}
    if found and kept:
        found[-1] = changed(found[-1], metadata={**found[-1].metadata, **kept})
    return found


def _usage(told: Mapping[str, Any], about: Mapping[str, Any]) -> Usage:
    """Return the usage of an answer, in LangChain's own names, else as the provider gave it."""
    return read_usage(told) if told else read_usage(next(filter(None, map(about.get, _USAGES)), None))


def _without_calls(content: Any, calls: list[dict[str, Any]]) -> Any:
    """Return the content without the calls that are also among the tool calls."""
    if not calls or not isinstance(content, list):
        return content
    return [part for part in content if not isinstance(part, Mapping) or part.get("type") != "tool_use"]

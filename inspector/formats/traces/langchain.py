"""LangChain's messages, as `messages_to_dict`, `dumps` and `model_dump` write them, and LangSmith's runs of them.

No object of the library is created from a file: of a constructor, only its name and its arguments are read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Message, Usage, Workspace, changed
from inspector.reading.source import FileSource
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
_MARKS = frozenset(("additional_kwargs", "response_metadata", "tool_calls", "tool_call_id", "example"))
_ENDINGS = ("MessageChunk", "Message")


def is_langchain(value: Any) -> bool:
    """Return whether a value is a message in any of LangChain's layouts."""
    kind, fields = _opened(value)
    return bool(kind) and ("content" in fields or kind == _REMOVE)


def _opened(value: Any) -> tuple[str, Mapping[str, Any]]:
    """Return the kind of a message (`human`, `ai`, …) and its fields; "" if it is none."""
    outer = mapping(value)
    if isinstance(outer.get("data"), Mapping):
        return _kind(outer.get("type")), outer["data"]
    if outer.get("lc") == 1 and outer.get("type") == "constructor":
        names = items_of(outer.get("id"))
        return _kind(names[-1] if names else None), mapping(outer.get("kwargs"))
    return (_kind(outer.get("type")), outer) if outer.keys() & _MARKS else ("", {})


def _kind(word: Any) -> str:
    name = word if isinstance(word, str) else ""
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    name = name.lower()
    return name if name in _ROLES or name == _REMOVE else ""


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


def sniff(source: FileSource) -> float:
    """Return how likely the file holds messages or runs of LangChain."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    if is_langchain(value):
        return 0.95 if "data" in value or "lc" in value else 0.9
    if any(is_langchain(item) for _, item in _of_run(mapping(value), "$")):
        return 0.9
    return 0.9 if any(is_langchain(item) for item in items_of(mapping(value).get("messages"))[:5]) else 0.0


def _of_run(run: Mapping[str, Any], place: str) -> list[tuple[str, Any]]:
    """Return the inputs and outputs of a LangSmith run, each message with its place."""
    given, answered = (mapping(run.get(key)) for key in ("inputs", "outputs"))
    messages = items_of(given.get("messages"))
    first = messages[0] if messages and isinstance(messages[0], list) else messages
    found = [(f"{place}.inputs.messages[{number}]", item) for number, item in enumerate(first)]
    generations = items_of(answered.get("generations"))
    best = items_of(generations[0]) if generations else ()
    if best and "message" in mapping(best[0]):
        found.append((f"{place}.outputs.generations[0][0].message", best[0]["message"]))
    return found


def load(source: FileSource) -> Workspace:
    """Return the messages of a file as a conversation, and each run or list of messages in it as another.

    Raise UnreadableError if there are none.
    """
    notes = Notes(source.path)
    loose: list[tuple[str, Any]] = []
    chats: list[SavedChat] = []
    for place, value in values_of(source, notes):
        inside = _inside(value, place)
        if inside:
            chats.append(_chat(inside, notes, place, mapping(value)))
        else:
            loose.append((place, value))
    if any(is_langchain(value) for _, value in loose) or not chats:
        chats.insert(0, _chat(loose, notes, "$", {}))
    else:
        for place, _ in loose:
            notes.add(place, "expected a message or a run of LangChain; it was left out", "error")
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$", "expected messages of LangChain, found none")
    return workspace_of(chats, source, notes)


def _inside(value: Any, place: str) -> list[tuple[str, Any]]:
    """Return the messages of a value that holds several."""
    fields = mapping(value)
    if is_langchain(value):
        return []
    listed = items_of(fields.get("messages"))
    found = [(f"{place}.messages[{number}]", item) for number, item in enumerate(listed)] or _of_run(fields, place)
    return found if any(is_langchain(item) for _, item in found) else []


def _chat(values: list[tuple[str, Any]], notes: Notes, place: str, outer: Mapping[str, Any]) -> SavedChat:
    nodes = in_line(messages_of(iter(values), notes))
    models = (message.metadata.get("model") for node in nodes.values() for message in node.messages)
    ids = (outer.get("id"), outer.get("thread_id"))
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        next((as_text(id_) for id_ in ids if isinstance(id_, str) and id_), ""),
        title=as_text(outer["name"]) if isinstance(outer.get("name"), str) else "",
        model=as_text(next((model for model in models if model), "")),
    )


FORMAT = Format(
    "langchain",
    "LangChain messages or LangSmith runs",
    sniff,
    load,
    "`lc` and `id`, messages with `type` and `data`, or runs",
)

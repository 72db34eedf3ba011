"""Threads of Jan: `messages.jsonl` with a message on each line, and `thread.json` with its assistants beside it.

Layout: github.com/janhq/jan; messages follow OpenAI's Assistants API, thinking and tool calls are its own parts. So
lists of messages from the Assistants API itself are read here, too; they begin with the newest message.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, as_whole, items_of, mapping, objects, stem

_MESSAGE, _THREAD = "thread.message", "thread"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds messages or the settings of a thread."""
    return surest(source, lambda value: 0.95 if _is_message(value) or _is_thread(value) or _is_page(value) else 0.0)


def _is_page(value: Any) -> bool:
    fields = mapping(value)
    return fields.get("object") == "list" and any(map(_is_message, items_of(fields.get("data"))))


def _records(values: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the values; an API page is replaced by its messages, oldest first."""
    for place, value in values:
        if _is_page(value):
            listed = [(f"{place}.data[{number}]", item) for number, item in enumerate(value["data"])]
            oldest_first = listed[::-1]
            yield from sorted(oldest_first, key=lambda pair: as_number(mapping(pair[1]).get("created_at")) or 0)
        else:
            yield place, value


def _is_message(value: Any) -> bool:
    fields = mapping(value)
    return fields.get("object") == _MESSAGE and "content" in fields


def _is_thread(value: Any) -> bool:
    fields = mapping(value)
    return fields.get("object", _THREAD) == _THREAD and any(
        "instructions" in one or "assistant_id" in one for one in objects(fields.get("assistants"))
    )


def load(source: FileSource) -> Workspace:
    """Return the threads of the messages, or the assistants of a thread. Raise UnreadableError if there is neither."""
    notes = Notes(source.path)
    threads: dict[str, list[tuple[str, Message]]] = {}
    characters: list[Character] = []
    for place, value in _records(values_of(source, notes)):
        if _is_message(value):
            found = threads.setdefault(as_text(value.get("thread_id")), [])
            found += ((place, message) for message in _messages(value, notes, place))
        elif _is_thread(value):
            characters += _assistants(value, source)
        else:
            notes.add(place, "expected a message of a thread; it was left out", "error")
    if not threads and not characters:
        raise notes.unreadable("$", "expected messages of a thread (object thread.message), found none")
    chats = [_chat(id_, found) for id_, found in threads.items()]
    names = unique_texts(one.id for one in characters)
    assistants = tuple(changed(one, id=name) for one, name in zip(characters, names, strict=True))
    if not chats:
        return Workspace(characters=assistants, problems=tuple(notes.problems))
    return workspace_of(chats, source, notes, characters=assistants)


def _chat(id_: str, found: list[tuple[str, Message]]) -> SavedChat:
    nodes = in_line(found)
    title = title_of(message for _, message in found)
    return SavedChat(nodes, next(reversed(nodes), None), "$", id_, title)


def _assistants(thread: Mapping[str, Any], source: FileSource) -> Iterator[Character]:
    """Yield the assistants of a thread, each with its instructions, model and window."""
    for one in objects(thread.get("assistants")):
        names = (one.get("assistant_name"), one.get("name"), one.get("assistant_id"), one.get("id"))
        name = next((text for name in names if name and (text := as_text(name))), stem(source.path))
        model = mapping(one.get("model"))
        preferred = {"model": as_text(model.get("id")), "context_window": _window(model)}
        instructions = one.get("instructions")
        yield Character(
            name,
            name,
            system_prompt=as_text(instructions) if isinstance(instructions, str) else "",
            preferred_llm={key: value for key, value in preferred.items() if value},
        )


def _window(model: Mapping[str, Any]) -> int | None:
    tokens = as_whole(mapping(model.get("settings")).get("ctx_len"))
    return tokens if tokens and tokens > 0 else None


def _messages(record: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record: tool results follow the text before them."""
    found = read_message(record, notes, place)
    said = next((number for number, one in enumerate(found) if one.role != "tool"), len(found) - 1)
    return [_marked(one, record) if number == said else one for number, one in enumerate(found)]


def _marked(message: Message, record: Mapping[str, Any]) -> Message:
    """Return the message with its recorded metadata."""
    about = mapping(record.get("metadata"))
    found: dict[str, Any] = {**read_usage(about.get("usage")).metadata, "error": as_text(about.get("error")) or None}
    kept = {key: value for key, value in found.items() if value is not None}
    return changed(message, metadata={**message.metadata, **kept}) if kept else message


FORMAT = Format(
    "jan",
    "Jan or OpenAI Assistants thread",
    sniff,
    load,
    "messages whose `object` is thread.message, or a thread with `assistants`",
)

"""Chats in OpenAI's layouts, as JSON or JSON lines: a single chat or many, and lines that are single messages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message, role_of, usual_message, with_role_of_call
from inspector.formats.openai.records import Chat, layout_of, read_chat, read_messages
from inspector.formats.openai.responses import looks_like_items
from inspector.formats.saved_chats import row_tools
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Conversation, Message, MessageTree, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, stem

_LOOKED_AT = 5


def _first_values(source: FileSource) -> Sequence[Any]:
    """Return the first few values for recognizing a chat: items of a list, records, or the document itself."""
    if source.shape == "json_lines":
        return [record.value for record in source.first_records[:_LOOKED_AT]]
    if source.shape == "json" and source.raw_items is not None:
        return source.first_items
    value = source.json if source.shape == "json" else source.yaml
    return value[:_LOOKED_AT] if isinstance(value, list) else [value]


def _sniff(source: FileSource) -> float:
    if source.shape not in ("json", "json_lines", "yaml"):
        return 0.0
    try:
        values = _first_values(source)
    except UnreadableError:
        return 0.0
    if looks_like_items(list(values)) and any(role_of(value) for value in values):
        return 0.7
    return max((_sureness(value) for value in values), default=0.0)


def _sureness(value: Any) -> float:
    if is_message(value):
        return 0.85
    if isinstance(value, list) and any(is_message(item) for item in value[:_LOOKED_AT]):
        return 0.8
    layout = layout_of(value)
    if layout:
        return layout.sureness
    return 0.4 if isinstance(value, Mapping) and {"role", "content"} <= value.keys() else 0.0


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    chats = [chat for chat in _chats(source, notes) if chat.messages or chat.endings]
    if not chats:
        raise notes.unreadable("$", "expected messages with role and content, found none that can be used")
    system = _shared_system_prompt(chats)
    conversations = [_conversation(chat, system is not None) for chat in _named(chats, stem(source.path))]
    return Workspace(
        conversations=tuple(conversations),
        characters=(Character("system", system_prompt=system[0], speaker=system[1]),) if system is not None else (),
        tools=row_tools([(chat.id, chat.tools) for chat in chats]),
        problems=tuple(notes.problems),
    )


def _chats(source: FileSource, notes: Notes) -> Iterator[Chat]:
    if source.shape == "json_lines":
        records = source.records(notes.problems)
        yield from _chats_among(((record.line, record.value) for record in records), "line {}: $".format, notes)
        return
    value = source.json if source.shape == "json" else source.yaml
    if not isinstance(value, list):
        yield from _chats_among([(0, value)], "$".format, notes)
    elif looks_like_items(value):
        yield Chat(read_messages(value, notes, "$"))
    else:
        yield from _chats_among(enumerate(value), "$[{}]".format, notes)


def _chats_among(values: Iterable[tuple[int, Any]], place_of: Callable[[int], str], notes: Notes) -> Iterator[Chat]:
    """Yield the chats among numbered values: whole chats or single messages; consecutive messages are a single chat."""
    loose: list[Message] = []
    for number, value in values:
        usual = usual_message(value)
        if usual is not None:
            loose.append(usual)
            continue
        place = place_of(number)
        chat = Chat(read_messages(value, notes, place)) if isinstance(value, list) else _whole_chat(value, notes, place)
        if chat is None:
            loose += read_message(with_role_of_call(value, loose), notes, place)
            continue
        if loose:
            yield Chat(loose)
            loose = []
        yield chat
    if loose:
        yield Chat(loose)


def _whole_chat(value: Any, notes: Notes, place: str) -> Chat | None:
    return read_chat(value, notes, place) if isinstance(value, Mapping) and not is_message(value) else None


def _shared_system_prompt(chats: Sequence[Chat]) -> tuple[str, str] | None:
    """Return the system prompt at the start of every chat of the file and its speaker; None if there is none or they
    differ.
    """
    first = [chat.messages[0] if _begins_with_system(chat) else None for chat in chats]
    prompts = {None if message is None else (message.content, message.name) for message in first}
    return prompts.pop() if len(prompts) == 1 else None


def _begins_with_system(chat: Chat) -> bool:
    return bool(chat.messages) and chat.messages[0].role == "system"


def _named(chats: Sequence[Chat], file_stem: str) -> list[Chat]:
    """Return the chats with unique ids; those without an id are named after the file."""
    many = len(chats) > 1
    wanted = [chat.id or (f"{file_stem}-{number}" if many else file_stem) for number, chat in enumerate(chats, 1)]
    for chat, id_ in zip(chats, unique_texts(wanted), strict=True):
        chat.id, chat.title = id_, chat.title or id_
    return list(chats)


def _conversation(chat: Chat, without_system: bool) -> Conversation:
    """Return the conversation; its messages replace those of the chat, as both together would not fit into memory."""
    first = 1 if without_system else 0
    nodes, endings = chat.messages, chat.endings
    del nodes[:first]
    path = len(nodes)
    nodes += (message for ending in endings for message in ending)
    for index, id_ in enumerate(_ids(nodes)):
        if nodes[index].id != id_:
            nodes[index] = changed(nodes[index], id=id_)
    tree = _tree(nodes, path, chat.shared - first, [len(ending) for ending in endings]) if endings else None
    messages = tuple(nodes if path == len(nodes) else nodes[:path])  # avoids a second list of a million
    made = Conversation(chat.id, messages, title=chat.title, tree=tree, model=chat.model)
    return changed(made, tool_choice=chat.tool_choice, tool_form=chat.tool_form) if chat.tools else made


def _ids(messages: Sequence[Message]) -> Iterable[str]:
    wanted = (message.id or f"m{index}" for index, message in enumerate(messages))
    return unique_texts(wanted) if any(message.id for message in messages) else wanted


def _tree(nodes: Sequence[Message], path: int, shared: int, endings: Sequence[int]) -> MessageTree:
    """Return the path and its other endings, which all follow the last message they share with it."""
    ids = [node.id for node in nodes]
    fork = ids[shared - 1] if shared > 0 else ""
    parents = ["", *ids[: path - 1]] if path else []
    start = path
    for length in endings:
        parents += [fork, *ids[start : start + length - 1]][:length]
        start += length
    return MessageTree(tuple(nodes), tuple(parents), ids[path - 1] if path else ids[-1])


FORMAT = Format(
    "openai", "OpenAI messages", _sniff, _load, "messages with `role` and `content`, or a body with `messages`"
)

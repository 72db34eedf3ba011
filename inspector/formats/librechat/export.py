"""Conversations exported from LibreChat: messages that name their parent, in a list or nested.

Layout: github.com/danny-avila/LibreChat, `useExportConversation`. No end of a branch is named: the newest is shown.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.librechat.message import read_turn
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, read_chats, surest
from inspector.formats.unique_ids import unique_texts
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects

_NO_PARENT = "00000000-0000-0000-0000-000000000000"
_PROMPTS = ("promptPrefix", "system", "instructions")
_LOOKED_AT = 5


def sniff(source: FileSource) -> float:
    """Return how likely the file holds conversations of LibreChat."""
    return surest(source, lambda value: 0.95 if _is_chat(value) else 0.0)


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    if isinstance(fields.get("messagesTree"), list) and "conversationId" in fields:
        return True
    messages = objects(fields.get("messages"))[:_LOOKED_AT]
    return any({"messageId", "isCreatedByUser"} <= message.keys() for message in messages)


def load(source: FileSource) -> Workspace:
    """Return the conversations of a file. Raise UnreadableError if there is none."""
    return read_chats(source, _is_chat, _read, "a conversation of LibreChat (messages with messageId)")


def _read(value: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    found = list(_records(value, place))
    wanted = (as_text(mapping(record).get("messageId")) or f"m{number}" for number, (_, record, _) in enumerate(found))
    names = unique_texts(wanted)
    nodes: dict[str, Node] = {}
    for name, (at, record, above) in zip(names, found, strict=True):
        if not isinstance(record, Mapping):
            notes.add(at, "expected a message (an object with text or content); it was left out", "error")
            continue
        named = as_text(record.get("parentMessageId"))
        parent = names[above] if above is not None else "" if named == _NO_PARENT else named
        nodes[name] = Node(parent, read_turn(record, notes, at), at)
    options = mapping(value.get("options"))
    window = as_whole(options.get("maxContextTokens"))
    return SavedChat(
        nodes,
        None,
        place,
        id=as_text(value.get("conversationId")),
        title=as_text(value.get("title")).strip(),
        system=next((as_text(options[key]) for key in _PROMPTS if isinstance(options.get(key), str)), "").strip(),
        model=as_text(options.get("model")) or _newest_model(nodes),
        context_window=window,
        parameters={"max_context_tokens": window} if window and window > 0 else {},
    )


def _newest_model(nodes: Mapping[str, Node]) -> str:
    models = (message.metadata.get("model") for node in reversed(list(nodes.values())) for message in node.messages)
    return as_text(next((model for model in models if model), ""))


def _records(value: Mapping[str, Any], place: str) -> Iterator[tuple[str, Any, int | None]]:
    """Yield the place and value of each message, and the number of the message around it."""
    tree = value.get("messagesTree")
    key = "messagesTree" if isinstance(tree, list) else "messages"
    waiting = [(f"{place}.{key}[{n}]", record, None) for n, record in enumerate(items_of(value.get(key)))][::-1]
    number = 0
    while waiting:
        at, record, above = waiting.pop()
        yield at, record, above
        children = enumerate(items_of(mapping(record).get("children")))
        waiting += [(f"{at}.children[{n}]", child, number) for n, child in children][::-1]
        number += 1


FORMAT = Format("librechat", "LibreChat export", sniff, load, "messages with `messageId` and `isCreatedByUser`")

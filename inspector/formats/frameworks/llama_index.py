"""Chat histories of LlamaIndex: chat stores, memories with one, and lists of its messages.

run-llama/llama_index, `llama-index-core/llama_index/core`: `storage/chat_store/simple_chat_store.py`
(`{store: {key: [message]}, class_name}`), `memory/chat_memory_buffer.py` (`chat_store`, `chat_store_key`,
`token_limit`), and `base/llms/types.py`: a message has `role`, `additional_kwargs` and `blocks`, or a `content` before
version 0.12.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message, role_of
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_STORES = ("chat_store", "memory", "primary_memory")
_HELD = ("image", "audio", "video", "data")
_ROLES = {"model": "assistant", "chatbot": "assistant"}
_DEEPEST = 3


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a chat store, a memory or messages of LlamaIndex."""
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    if _has_blocks(value):
        return 0.95
    store = _store_of(value)
    lists = [items_of(one)[:3] for one in mapping(store).values()][:5] if store is not None else []
    told = mapping(value).get("class_name")
    is_named = isinstance(told, str) and told.endswith(("ChatStore", "MemoryBuffer", "Memory"))
    if any(role_of(one) for one in (message for some in lists for message in some)):
        return 0.95 if is_named else 0.85
    return 0.0


def _has_blocks(value: Any) -> bool:
    blocks = objects(mapping(value).get("blocks"))
    return "role" in mapping(value) and any("block_type" in block for block in blocks)


def _store_of(value: Any, depth: int = _DEEPEST) -> Mapping[str, Any] | None:
    """Return the lists of messages by key in a store, or in the store of a memory."""
    fields = mapping(unwrapped(value))
    store = unwrapped(fields.get("store"))
    if isinstance(store, Mapping):
        return store
    inner = (fields[key] for key in _STORES if key in fields)
    return next((found for one in inner if (found := _store_of(one, depth - 1)) is not None), None) if depth else None


def load(source: FileSource) -> Workspace:
    """Return a chat for each key of a store. Raise UnreadableError if no message is there."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        store = _store_of(value)
        if store is not None:
            chats += (_chat(as_text(key), held, notes, f"{place}.store.{key}") for key, held in store.items())
        else:
            loose += ((place, message) for message in _read(value, notes, place))
    if loose:
        chats.insert(0, _saved(loose, "$"))
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$", "expected messages of LlamaIndex, found none")
    return workspace_of(chats, source, notes)


def _chat(key: str, held: Any, notes: Notes, place: str) -> SavedChat:
    placed = ((f"{place}[{number}]", one) for number, one in enumerate(items_of(held)))
    chat = _saved([(at, message) for at, one in placed for message in _read(one, notes, at)], place)
    chat.id = key
    return chat


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(message for _, message in messages))


def _read(record: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of a record: blocks become parts, and calls beside the content are those of the message."""
    fields = mapping(unwrapped(record))
    fields = mapping(fields.get("data")) if "role" not in fields and "data" in fields else fields
    beside = mapping(fields.get("additional_kwargs"))
    word = as_text(fields.get("role")).lower()
    made = {key: fields[key] for key in ("id", "name", "time", "timestamp") if key in fields}
    content = list(_parts(objects(fields["blocks"]))) if fields.get("blocks") else fields.get("content")
    made |= {"role": _ROLES.get(word, word), "content": content if content is not None else ""}
    made |= {key: beside[key] for key in ("tool_call_id", "name") if beside.get(key)}
    calls = list(_calls(beside.get("tool_calls")))
    found = read_message({**made, **({"tool_calls": calls} if calls else {})}, notes, place)
    usage = read_usage(beside.get("usage", beside)).metadata
    if found and usage:
        found[-1] = changed(found[-1], metadata={**found[-1].metadata, **usage})
    return found


def _calls(value: Any) -> Iterator[Mapping[str, Any]]:
    for call in objects(value):
        if "tool_name" in call:
            yield {"id": call.get("tool_id"), "name": call["tool_name"], "arguments": call.get("tool_kwargs", "")}
        else:
            yield call


def _parts(blocks: tuple[Mapping[str, Any], ...]) -> Iterator[Mapping[str, Any]]:
    """Yield blocks as parts under the usual names."""
    for block in blocks:
        kind = as_text(block.get("block_type", block.get("type")))
        if kind == "tool_call":
            name, asked = block.get("tool_name"), block.get("tool_kwargs", "")
            yield {"type": "tool_call", "id": block.get("tool_call_id"), "name": name, "arguments": asked}
        elif kind in ("image", "audio", "video", "document"):
            yield {"type": kind, **_medium(kind, block)}
        else:
            yield {**{key: value for key, value in block.items() if key != "block_type"}, "type": kind}


def _medium(kind: str, block: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the keys of a medium: its bytes as base64, or its address, its type and title."""
    data = next((block[key] for key in _HELD if isinstance(block.get(key), str)), None)
    addresses = (block.get("url"), block.get("path"))
    told = {
        "data": data,
        "url": next((one for one in addresses if isinstance(one, str) and one), None),
        "media_type": block.get(f"{kind}_mimetype"),
        "name": block.get("title"),
        "detail": block.get("detail"),
    }
    return {key: value for key, value in told.items() if isinstance(value, str) and value}


FORMAT = Format("llama_index", "LlamaIndex chat store", sniff, load, "a `store` of messages, or messages with `blocks`")

"""Lists that OpenAI's API answers (`object: list`): stored completions, their messages, and items of conversations.

platform.openai.com/docs/api-reference: `chat/list` (`data` of `chat.completion`), `chat/getMessages` and
`conversations/list-items` (`data` of messages and items, the newest first unless asked otherwise).
"""

from collections.abc import Sequence
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, role_of
from inspector.formats.openai.records import read_chat, read_messages
from inspector.formats.openai.responses import looks_like_items
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_COMPLETIONS = ("chat.completion", "response")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a list of OpenAI's API."""
    return surest(source, lambda value: 0.9 if _is_list(value) else 0.0)


def _is_list(value: Any) -> bool:
    fields = mapping(value)
    held = items_of(fields.get("data"))[:5]
    if fields.get("object") != "list" or not held:
        return False
    return any(map(_is_completion, held)) or looks_like_items(list(held)) or any(map(is_message, held))


def _is_completion(value: Any) -> bool:
    return mapping(value).get("object") in _COMPLETIONS


def load(source: FileSource) -> Workspace:
    """Return a chat for each completion, and one of items. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, value in values_of(source, notes):
        if _is_list(value):
            chats += _chats(items_of(value["data"]), notes, f"{place}.data")
        else:
            notes.add(place, "expected a list of OpenAI's API; it was left out", "error")
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$.data", "expected completions, messages or items, found none")
    return workspace_of([chat for chat in chats if chat.nodes], source, notes)


def _chats(items: Sequence[Any], notes: Notes, place: str) -> list[SavedChat]:
    if not any(map(_is_completion, items)):
        return [_items(items, notes, place)]
    return [_completion(item, notes, f"{place}[{number}]") for number, item in enumerate(items)]


def _completion(item: Any, notes: Notes, place: str) -> SavedChat:
    """Return the chat of a completion, which has its messages only if it was asked for with them."""
    fields = mapping(item)
    chat = read_chat(fields, notes, place) if fields else None
    if chat is None:
        notes.add(place, "expected a completion with an answer; it was left out", "error")
        return SavedChat({}, None, place)
    if not (fields.get("messages") or fields.get("input")):
        notes.add(place, "holds the answer only: what was asked is in the list of the completion's messages", "info")
    return _saved(chat.messages, place, as_text(fields.get("id")), as_text(fields.get("model")), chat.tools)


def _items(items: Sequence[Any], notes: Notes, place: str) -> SavedChat:
    """Return the chat of items; a list that ends with a turn of the user and begins with an answer is turned around."""
    roles = [role for item in items if (role := role_of(item))]
    is_turned = roles[:1] == ["assistant"] and roles[-1] in ("user", "system")
    if is_turned:
        notes.add(place, "is taken to begin with the newest item", "info")
    ordered = list(items)[::-1] if is_turned else list(items)
    return _saved(read_messages(ordered, notes, place), place, "", "", ())


def _saved(messages: Sequence[Message], place: str, id_: str, model: str, tools: Sequence[Any]) -> SavedChat:
    nodes = in_line((place, message) for message in messages)
    title = title_of(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, id_, title, model=model, tools=objects(tools))


FORMAT = Format(
    "openai_list", "Lists of OpenAI's API", sniff, load, "`object: list` with `data` of completions or items"
)

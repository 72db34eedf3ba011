"""Data sets of chats, a row for each: WildChat, LMSYS-Chat, UltraChat, and others with the same columns.

A column holds the turns, as objects with role and content (or from and value), or as texts by turns of user and
assistant. Any Parquet file is read; JSON and JSON lines only if the columns are those of a known set.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.records import layout_of, read_chat
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest, title_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_TALKS = ("data", "conversation", "conversations", "dialog", "dialogue", "messages", "utterances")
_IDS = ("conversation_hash", "prompt_id")
_KNOWN = (
    frozenset(("conversation_hash", "conversation")),  # WildChat
    frozenset(("conversation_id", "conversation", "turn", "language")),  # LMSYS-Chat
    frozenset(("prompt", "prompt_id", "messages")),  # UltraChat 200k
)
_SPEAKERS = ("user", "assistant")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds rows with a chat each."""
    is_table = source.shape == "parquet"
    return surest(source, lambda value: _sureness(mapping(value), is_table))


def _sureness(row: Mapping[str, Any], is_table: bool) -> float:
    if layout_of(row) is not None:
        return 0.9 if is_table or any(known <= row.keys() for known in _KNOWN) else 0.0
    return 0.8 if _talk_key(row) and (is_table or "id" in row) else 0.0


def _talk_key(row: Mapping[str, Any]) -> str:
    """Return the column of alternating texts; "" if there is none."""
    return next((key for key in _TALKS if _is_talk(row.get(key))), "")


def _is_talk(value: Any) -> bool:
    texts = items_of(value)
    return len(texts) > 1 and all(isinstance(text, str) for text in texts)


def _is_row(value: Any) -> bool:
    row = mapping(value)
    return layout_of(row) is not None or bool(_talk_key(row))


def load(source: FileSource) -> Workspace:
    """Return a conversation for each row. Raise UnreadableError if there is none."""
    return read_chats(source, _is_row, _chat, "a row with the turns of a chat")


def _chat(row: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    found = read_chat(row, notes, place)
    messages = found.messages if found else list(_by_turns(row))
    if messages and messages[-1].time is None and (time := parse_time(row.get("timestamp"))):
        messages[-1] = changed(messages[-1], time=time)  # a row of WildChat has the time of its last turn
    nodes = in_line((place, message) for message in messages)
    ids = (row.get(key) for key in _IDS)
    own = next((as_text(id_) for id_ in ids if isinstance(id_, str) and id_), "")
    id_ = found.id if found else as_text(row.get("id"))
    model = found.model if found else ""
    return SavedChat(nodes, next(reversed(nodes), None), place, own or id_, title_of(messages), model=model)


def _by_turns(row: Mapping[str, Any]) -> Iterator[Message]:
    for number, text in enumerate(items_of(row[_talk_key(row)])):
        yield Message("", _SPEAKERS[number % 2], as_text(text))


FORMAT = Format(
    "rows",
    "Data set of chats (WildChat, LMSYS-Chat, UltraChat, Parquet)",
    sniff,
    load,
    "rows with a column of messages, or of texts in turn",
)

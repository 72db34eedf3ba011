"""Task histories of Cline and Roo: Anthropic's messages with a time `ts`, and markers of messages no longer sent.

A message whose `condenseParent` or `truncationParent` is the id of a marker in the file was replaced by that marker.
Such messages are kept and excluded. `ui_messages.json` is the screen output of the same task.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message
from inspector.formats.saved_chats import Node, SavedChat, first_values, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, items_of

_MARKS = frozenset(
    ("condenseParent", "condenseId", "truncationParent", "truncationId", "isSummary", "isTruncationMarker")
)
_OPENINGS = ("<task>", "<environment_details>", "<user_message>")
_REPLACED = (
    ("condenseParent", "condenseId", "summarized", "condensed"),
    ("truncationParent", "truncationId", "dropped", "cut off"),
)
_KINDS = frozenset(("say", "ask"))


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the messages of a task."""
    if source.shape != "json":
        return 0.0
    try:
        values = first_values(source)
    except UnreadableError:
        return 0.0
    if values and all(_is_shown(value) for value in values):
        return 0.9
    return 0.95 if any(_is_of_a_task(value) for value in values) else 0.0


def _is_shown(value: Any) -> bool:
    return isinstance(value, Mapping) and "ts" in value and value.get("type") in list(_KINDS) and "role" not in value


def _is_of_a_task(value: Any) -> bool:
    if not is_message(value) or "ts" not in value:
        return False
    return bool(value.keys() & _MARKS) or any(text.startswith(_OPENINGS) for text in _texts(value["content"]))


def _texts(content: Any) -> list[str]:
    parts = (part.get("text") if isinstance(part, Mapping) else None for part in items_of(content))
    return [text for text in (content, *parts) if isinstance(text, str)]


def load(source: FileSource) -> Workspace:
    """Return the task as a conversation. Raise UnreadableError if there is none."""
    records = items_of(source.json)
    if records and all(_is_shown(record) for record in records[:5]):
        message = "holds the messages on the screen of Cline or Roo; the sent ones are in api_conversation_history.json"
        raise source.unreadable("$", message)
    if not any(_is_of_a_task(record) for record in records):
        raise source.unreadable("$", "expected the messages of a task of Cline or Roo, found none")
    notes = Notes(source.path)
    chat = SavedChat({}, None, "$")
    markers = {field: _ids(records, field) for _, field, _, _ in _REPLACED}
    for number, record in enumerate(records):
        place, name = f"$[{number}]", f"m{number}"
        found = [_marked(message, record, markers) for message in read_message(record, notes, place)]
        if found:
            chat.nodes[name] = Node(chat.leaf or "", tuple(found), place)
            chat.leaf = name
    return workspace_of([chat], source, notes)


def _ids(records: tuple[Any, ...], field: str) -> Mapping[str, str]:
    """Return the ids of the markers under a field, each with the id of its message."""
    named = ((record, f"m{number}") for number, record in enumerate(records) if isinstance(record, Mapping))
    return {record[field]: name for record, name in named if isinstance(record.get(field), str)}


def _marked(message: Message, record: Mapping[str, Any], markers: Mapping[str, Mapping[str, str]]) -> Message:
    """Return the message with its recorded fate: replaced by a marker, or replacing others."""
    kept: dict[str, Any] = {key: True for key in ("isSummary", "isTruncationMarker") if record.get(key) is True}
    excluded = False
    for parent, field, action, reason in _REPLACED:
        marker = record.get(parent)
        if isinstance(marker, str) and marker in markers[field]:
            kept["recorded"] = {"action": action, "by": markers[field][marker], "reason": as_text(reason)}
            excluded = True
    return changed(message, excluded=excluded, metadata={**message.metadata, **kept}) if kept else message


FORMAT = Format("cline", "Cline or Roo task", sniff, load, "messages of a task with `ts`")

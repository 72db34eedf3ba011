"""Task histories of Cline 3 and Roo: Anthropic's messages with a time `ts`, and markers of messages no longer sent.

Roo (RooCodeInc/Roo-Code, `src/core/task-persistence/apiMessages.ts`, `rooMessage.ts`): a message whose `condenseParent`
or `truncationParent` is the id of a marker in the file was replaced by that marker. Such messages are kept and
excluded. Version 2 wraps messages of the AI SDK in `{version, messages}`; thoughts that only their maker can read are
items of their own. Cline (cline/cline, `src/core/storage/disk.ts`, `src/shared/messages/content.ts`): older versions
write no `ts`. The files beside a task are read with it, see `gathered`: `ui_messages.json`, what the screen showed, has
the range of messages that are no longer sent (`conversationHistoryDeletedRange`), `task_metadata.json` the model, and
`context_history.json` the texts that were sent in other words (`ContextManager.ts`).
"""

from collections.abc import Mapping
from typing import Any

from inspector.figures import counted
from inspector.formats.compaction import CUT_OFF
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_part
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message
from inspector.formats.saved_chats import Node, SavedChat, first_values, workspace_of
from inspector.model import Message, Part, Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, pure_path, stem

_MARKS = frozenset(
    ("condenseParent", "condenseId", "truncationParent", "truncationId", "isSummary", "isTruncationMarker")
)
_OPENINGS = ("<task>", "<environment_details>", "<user_message>")
_REPLACED = (
    ("condenseParent", "condenseId", "summarized", "condensed"),
    ("truncationParent", "truncationId", "dropped", CUT_OFF),
)
_DELETED = "conversationHistoryDeletedRange"
_BESIDE = ("ui_messages", "task_metadata", "context_history", "modelInfo")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the messages of a task."""
    if source.shape != "json":
        return 0.0
    try:
        values = first_values(source)
    except UnreadableError:
        return 0.0
    return 0.95 if _is_task(_records_in(values[0] if len(values) == 1 else values)) else 0.0


def _records_in(value: Any) -> tuple[Any, ...]:
    """Return the messages of a list, or of the wrapping of version 2."""
    return items_of(mapping(value).get("messages")) or (
        items_of(value) if isinstance(value, list | tuple) else (value,)
    )


def _is_task(records: tuple[Any, ...]) -> bool:
    return any(_is_of_a_task(record) for record in records) or any(_is_timeless(record) for record in records[:2])


def _is_of_a_task(value: Any) -> bool:
    if not is_message(value) or "ts" not in value:
        return False
    return bool(value.keys() & _MARKS) or any(text.startswith(_OPENINGS) for text in _texts(value.get("content")))


def _is_timeless(value: Any) -> bool:
    """Return whether this is the first message of a task, as older versions write it."""
    if not is_message(value) or "ts" in value:
        return False
    texts = _texts(value.get("content"))
    return any(text.startswith("<task>") for text in texts) and any("<environment_details>" in text for text in texts)


def _texts(content: Any) -> list[str]:
    parts = (part.get("text") if isinstance(part, Mapping) else None for part in items_of(content))
    return [text for text in (content, *parts) if isinstance(text, str)]


def load(source: FileSource) -> Workspace:
    """Return the task as a conversation. Raise UnreadableError if there is none."""
    held = mapping(source.json)
    records, above = _records_in(source.json), "$.messages" if items_of(held.get("messages")) else "$"
    if not _is_task(records):
        raise source.unreadable("$", "expected the messages of a task of Cline or Roo, found none")
    notes = Notes(source.path)
    chat = SavedChat({}, None, "$", _id_of(source.path))
    markers = {field: _ids(records, field) for _, field, _, _ in _REPLACED}
    gone = _deleted(held, len(records), notes)
    thoughts: list[Part] = []
    for number, record in enumerate(records):
        place, name = f"{above}[{number}]", f"m{number}"
        if _is_thought(record):
            thoughts += read_part(record, At(notes, place))
            continue
        found = [_told(_marked(message, record, markers), record) for message in read_message(record, notes, place)]
        if found and thoughts:
            found = _with_thoughts(found, thoughts)
            thoughts = []
        if found:
            chat.nodes[name] = Node(chat.leaf or "", tuple(_sent(found, number, gone)), place)
            chat.leaf = name
            chat.model = as_text(found[-1].metadata.get("model") or "") or chat.model
    if thoughts:
        chat.nodes["thoughts"] = Node(chat.leaf or "", (Message("", "assistant", parts=tuple(thoughts)),), above)
        chat.leaf = "thoughts"
    used = objects(mapping(held.get("task_metadata")).get("model_usage"))
    chat.model = chat.model or (as_text(used[-1].get("model_id") or "") if used else "")
    _note_other_words(held, notes)
    return workspace_of([chat], source, notes)


def _id_of(file: str) -> str:
    """Return the id of a task: the name of its folder, since its files have the same names in all tasks."""
    folder = pure_path(file).parent.name
    return folder if stem(file) == "api_conversation_history" and folder.isdecimal() else ""


def _is_thought(record: Any) -> bool:
    held = mapping(record)
    return held.get("type") == "reasoning" and "role" not in held


def _with_thoughts(found: list[Message], thoughts: list[Part]) -> list[Message]:
    """Return the messages of a record after thoughts, which are of its answer, or else a message of their own."""
    first = found[0]
    if first.role == "assistant":
        return [changed(first, parts=(*thoughts, *first.whole)), *found[1:]]
    return [Message("", "assistant", parts=tuple(thoughts)), *found]


def _told(message: Message, record: Mapping[str, Any]) -> Message:
    """Return a message with its usage and model; the results inside a record have none of their own."""
    model = as_text(mapping(record.get("modelInfo")).get("modelId") or "")
    usage = read_usage(mapping(record.get("metrics")).get("tokens")).metadata
    told = {**usage, **({"model": model} if model else {})}
    return changed(message, metadata={**message.metadata, **told}) if told and message.role != "tool" else message


def _deleted(held: Mapping[str, Any], number: int, notes: Notes) -> range | None:
    """Return the messages that Cline no longer sends: the range that the last message on the screen names, or None."""
    shown = objects(held.get("ui_messages"))
    named = next((one[_DELETED] for one in reversed(shown) if one.get(_DELETED)), None)
    if named is None:
        return None
    ends = [as_whole(end) for end in items_of(named)]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None and 0 <= ends[0] <= ends[1] < number:
        return range(ends[0], ends[1] + 1)
    words = f"expected the first and last of {number:,} messages, found {as_text(named)[:40]}; it was left out"
    notes.add(f"$.ui_messages.{_DELETED}", words)
    return None


def _sent(found: list[Message], number: int, gone: range | None) -> list[Message]:
    """Return messages with what Cline recorded of them: dropped, or still sent; nothing if it never cut."""
    if gone is None:
        return found
    note = {"action": "dropped", "reason": CUT_OFF} if number in gone else {"action": "kept"}
    return [changed(one, metadata={"recorded": note, **one.metadata}) for one in found]


def _note_other_words(held: Mapping[str, Any], notes: Notes) -> None:
    """Note how many messages Cline sends in other words than the file of the task has."""
    if changed_ones := items_of(held.get("context_history")):
        words = f"{counted(len(changed_ones), 'message')} of this task had texts that Cline sent in other words"
        notes.add(
            "$.context_history", f"{words}, such as a notice for a file read again; the original is shown", "info"
        )


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


FORMAT = Format("cline", "Cline or Roo task", sniff, load, "messages of a task with `ts`", beside=_BESIDE)

"""Session files of Codex: `rollout-*.jsonl` of three generations, and the JSON of the first program of that name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.branches import branches_of, marked
from inspector.formats.codex.rollout import SILENT_LINES, Rollout
from inspector.formats.compaction import SUMMARY_MARK, Kept, recorded_actions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import title_of
from inspector.model import Character, Conversation, Message, Tool, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, items_of, mapping, stem

_ENVELOPES = frozenset(("session_meta", "response_item", "event_msg", "turn_context", "compacted"))
_HEAD = frozenset(("id", "timestamp", "instructions"))


def _sniff(source: FileSource) -> float:
    try:
        if source.shape == "json_lines":
            return max((_sureness(record.value) for record in source.first_records), default=0.0)
        if source.shape != "json" or source.raw_items is not None:
            return 0.0
        return max(0.95 if _is_old(source.sample) else 0.0, _sureness(source.sample))
    except UnreadableError:
        return 0.0


def _sureness(record: Any) -> float:
    held = mapping(record)
    if held.get("type") in list(_ENVELOPES) and isinstance(held.get("payload"), Mapping):
        return 0.97
    if held.get("record_type") == "state":
        return 0.9
    return 0.9 if held.keys() >= _HEAD and not held.keys() & {"role", "messages", "content", "type"} else 0.0


def _is_old(value: Any) -> bool:
    held = mapping(value)
    return isinstance(held.get("items"), list) and "id" in mapping(held.get("session"))


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    rollout = Rollout(notes)
    for place, record in _records(source, notes):
        rollout.read(record, place)
    links, leaf = rollout.links()
    if not links:
        raise notes.unreadable("$", "expected records with messages of Codex, found none")
    branches = branches_of(links, leaf, notes.add)
    kept = _sent_again(branches.path, rollout.sent_again)
    branches = marked(branches, recorded_actions(branches.path, kept))
    rollout.note_what_was_left_out()
    id_ = rollout.id or stem(source.path)
    conversation = Conversation(
        id_,
        branches.path,
        title_of(branches.path) or id_,
        tree=branches.tree,
        model=rollout.model,
        context_window=rollout.context_window,
    )
    return Workspace(
        conversations=(conversation,),
        characters=_characters(rollout.instructions, branches.path),
        tools=tuple(Tool({"type": "function", "function": tool}) for tool in rollout.tools),
        problems=tuple(notes.problems),
    )


def _records(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield the place and value of each record."""
    if source.shape == "json" and _is_old(source.json):
        yield "$.session", source.json["session"]
        yield from ((f"$.items[{number}]", item) for number, item in enumerate(items_of(source.json["items"])))
    else:
        yield from ((f"line {record.line}: $", record.value) for record in source.records(notes.problems))


def _sent_again(path: Sequence[Message], texts: set[str]) -> Kept:
    """Return the messages with these texts, for each summary of the path."""
    again = frozenset(message.id for message in path if message.role == "user" and message.content in texts)
    return {message.id: again for message in path if message.metadata.get(SUMMARY_MARK)}


def _characters(instructions: str, path: Sequence[Message]) -> tuple[Character, ...]:
    """Return the instructions as the system prompt, unless they were sent as a message and are already there."""
    text = instructions.strip()
    if not text or any(text in message.content for message in path):
        return ()
    return (Character("system", name="Codex", system_prompt=instructions),)


def _is_unsent(held: Mapping[str, Any]) -> bool:
    """Return whether this is a line that no prompt has."""
    return held.get("type") in list(SILENT_LINES) and "payload" in held


FORMAT = Format(
    "codex",
    "Codex session",
    _sniff,
    _load,
    "lines of type `session_meta`, or with `record_type`",
    unsent=_is_unsent,
)

"""The lines of a Codex session as messages: turns, summaries, and turns that were taken back.

A line is an envelope `{timestamp, type, payload}`, or in older files the item itself. Each message is there twice, as
an item that was sent and as an event for the screen; events are read only if there are no such items. A file may begin
anywhere in a session. Kinds of lines: openai/codex, `codex-rs/history/src/lib.rs` (`RolloutItem`, before that in
`codex-rs/protocol/src/protocol.rs`). What another agent wrote (`InterAgentCommunication`) is sent as the model's own
words, with its author.
"""

from collections.abc import Mapping
from typing import Any

from inspector.figures import counted
from inspector.formats.branches import Link
from inspector.formats.compaction import SUMMARY_MARK
from inspector.formats.content.turns import with_thought_tokens
from inspector.formats.content.usage import read_usage
from inspector.formats.notes import Notes
from inspector.formats.openai.responses import ItemReader
from inspector.model import Message, changed
from inspector.reading.decode import kind_of
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_SILENT_ITEMS = frozenset(("ghost_snapshot", "compaction_trigger", "tool_search_output"))
SILENT_LINES = frozenset(("world_state", "inter_agent_communication_metadata"))
"""Lines of what the program compares its next notice of the surroundings with, whose notices are items; and lines that
tell whether a message of another agent begins a turn."""
_NOT_PERSONS = ("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md", "<turn_aborted>")
_SPOKEN = {"user_message": "user", "agent_message": "assistant"}


class Rollout:
    """A session while it is read: its messages in the order of the file, each with its parent.

    `id`, `model`, `context_window`, `instructions` and `tools` are the file's description of the session.
    """

    def __init__(self, notes: Notes) -> None:
        self.id = ""
        self.model = ""
        self.context_window: int | None = None
        self.instructions = ""
        self.tools: list[Mapping[str, Any]] = []
        self.sent_again: set[str] = set()
        self._notes = notes
        self._reader = ItemReader(notes)
        self._events: list[Message] = []
        self._parents: list[int] = []
        self._tip = -1
        self._ended = ""
        self._unknown: dict[str, list[str]] = {}

    def read(self, record: Any, place: str) -> None:
        """Read a line."""
        if not isinstance(record, Mapping):
            self._notes.add(place, f"expected a record (an object), found {kind_of(record)}; it was left out")
            return
        kind, time = as_text(record.get("type")), record.get("timestamp")
        payload = mapping(record.get("payload"))
        if kind in _ENVELOPES and isinstance(record.get("payload"), Mapping):
            _ENVELOPES[kind](self, {**payload, "timestamp": payload.get("timestamp", time)}, f"{place}.payload")
        elif "payload" in record:
            if kind not in SILENT_LINES:
                self._leave_out(kind, place)
        elif "record_type" not in record and not kind and "role" not in record:
            self._read_meta(record, place)
        elif "record_type" not in record:
            self._read_item(record, place)

    def links(self) -> tuple[list[Link], str]:
        """Return the messages as links, and the id of the last link of the active path."""
        self._follow(self._reader.finished())
        messages = self._reader.messages if any(map(_is_said, self._reader.messages)) else self._with_events()
        ids = [f"m{number}" for number in range(len(messages))]
        parents = self._parents if messages is self._reader.messages else range(-1, len(messages) - 1)
        links = [
            Link(id_, ids[parent] if parent >= 0 else "", [message])
            for id_, parent, message in zip(ids, parents, messages, strict=True)
        ]
        tip = self._tip if messages is self._reader.messages else len(messages) - 1
        return links, ids[tip] if tip >= 0 else ""

    def note_what_was_left_out(self) -> None:
        """Note one problem for the lines of each unknown type."""
        for kind, places in self._unknown.items():
            were = "was" if len(places) == 1 else "were"
            words = f"{counted(len(places), 'record')} of the unknown type {kind[:40] or '(none)'} {were} left out"
            self._notes.add(f"{places[0]}.type", words)

    def _read_meta(self, meta: Mapping[str, Any], _place: str) -> None:
        self.id = self.id or as_text(meta.get("id"))
        base = meta.get("base_instructions")
        told = base.get("text") if isinstance(base, Mapping) else base
        self.instructions = self.instructions or as_text(told or meta.get("instructions"))
        self.tools += [tool for tool in objects(meta.get("dynamic_tools")) if tool.get("name")]

    def _read_context(self, context: Mapping[str, Any], _place: str) -> None:
        self.model = as_text(context.get("model")) or self.model

    def _read_item(self, item: Mapping[str, Any], place: str) -> None:
        kind = as_text(item.get("type")) or "message"
        if kind in _SILENT_ITEMS:
            return
        if kind != "message" and not ItemReader.knows(kind):
            self._leave_out(kind, place)
            return
        output = item.get("output")
        if isinstance(output, Mapping) and "content" in output:
            item = {**item, "output": output["content"]}
        before = len(self._reader.messages)
        self._reader.read(item, place)
        time = parse_time(item.get("timestamp"))
        messages = self._reader.messages
        messages[before:] = [one if one.time else changed(one, time=time) for one in messages[before:]]
        self._follow(messages)

    def _follow(self, messages: list[Message]) -> None:
        """Append the new messages to the active path."""
        while len(self._parents) < len(messages):
            self._parents.append(self._tip)
            self._tip = len(self._parents) - 1

    def _read_compaction(self, compaction: Mapping[str, Any], place: str) -> None:
        """Add the summary as a message; messages resent beside it are recognized by their text."""
        again = [mapping(item) for item in items_of(compaction.get("replacement_history"))]
        self.sent_again = {text for item in again if (text := _text_of(item))}
        text = as_text(compaction.get("message"))
        if not text:
            self._notes.add(place, "stands for earlier turns that were condensed and encrypted; it cannot be shown")
        summary = Message("", "user", text, time=parse_time(compaction.get("timestamp")), metadata={SUMMARY_MARK: True})
        self._reader.add(summary)
        self._follow(self._reader.messages)

    def _read_agent(self, told: Mapping[str, Any], place: str) -> None:
        """Add what another agent wrote to this one."""
        content = told.get("content")
        if not isinstance(content, str) or not content:
            why = "is encrypted" if told.get("encrypted_content") else "was not found"
            self._notes.add(f"{place}.content", f"the message of another agent {why}; it was left out")
            return
        told_to = {"recipient": as_text(told["recipient"])} if told.get("recipient") else {}
        name, time = as_text(told.get("author") or ""), parse_time(told.get("timestamp"))
        self._reader.add(Message("", "assistant", as_text(content), name=name, time=time, metadata=told_to))
        self._follow(self._reader.messages)

    def _read_event(self, event: Mapping[str, Any], place: str) -> None:
        kind = as_text(event.get("type"))
        if kind in _SPOKEN:
            role = "user" if _SPOKEN[kind] == "user" else "assistant"
            self._events.append(Message("", role, as_text(event.get("message")), time=parse_time(event["timestamp"])))
        elif kind == "token_count":
            self._read_usage(mapping(event.get("info")))
        elif kind == "thread_rolled_back":
            self._take_back(as_whole(event.get("num_turns")) or 0, place)

    def _read_usage(self, info: Mapping[str, Any]) -> None:
        """Record the provider's token counts of the last answer, and the window of the model."""
        window = as_whole(info.get("model_context_window"))
        self.context_window = window if window and window > 0 else self.context_window
        usage, messages = read_usage(info.get("last_token_usage")), self._reader.messages
        place = next((place for place in self._path() if messages[place].role == "assistant"), -1)
        if usage.metadata and place >= 0:
            (told,) = with_thought_tokens([messages[place]], usage.thoughts)
            messages[place] = changed(told, metadata={**told.metadata, **usage.metadata})

    def _take_back(self, turns: int, place: str) -> None:
        """Go back to before the last user turns; they stay as a branch."""
        for place_in_path in self._path():
            if turns and _begins_turn(self._reader.messages[place_in_path]):
                turns -= 1
                self._tip = self._parents[place_in_path]
            if not turns:
                return
        if turns:
            self._notes.add(place, f"takes back {turns:,} more turns than there are")

    def _path(self) -> list[int]:
        """Return the places of the messages of the active path, the last first."""
        found: list[int] = []
        place = self._tip
        while place >= 0:
            found.append(place)
            place = self._parents[place]
        return found

    def _with_events(self) -> list[Message]:
        return self._events or self._reader.messages

    def _leave_out(self, kind: str, place: str) -> None:
        self._unknown.setdefault(kind, []).append(place)


def _is_said(message: Message) -> bool:
    return message.role in ("user", "assistant") and bool(message.content) and SUMMARY_MARK not in message.metadata


def _begins_turn(message: Message) -> bool:
    is_own = SUMMARY_MARK in message.metadata or message.content.lstrip().startswith(_NOT_PERSONS)
    return message.role == "user" and not is_own


def _text_of(item: Mapping[str, Any]) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return as_text(content)
    return "\n".join(as_text(part["text"]) for part in objects(content) if isinstance(part.get("text"), str))


_ENVELOPES = {
    "session_meta": Rollout._read_meta,
    "turn_context": Rollout._read_context,
    "response_item": Rollout._read_item,
    "event_msg": Rollout._read_event,
    "compacted": Rollout._read_compaction,
    "inter_agent_communication": Rollout._read_agent,
}

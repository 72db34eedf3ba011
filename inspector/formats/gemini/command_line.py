"""Sessions of Gemini CLI, as JSON or as a log of JSON lines that rewrites a message whenever it changes.

Layout: google-gemini/gemini-cli, `packages/core/src/services/chatRecordingTypes.ts` and, before it,
`chatRecordingService.ts`; of `logs.json`, which has only what users wrote in all sessions of a project,
`packages/core/src/core/logger.ts` (`LogEntry`). In a log, `$rewindTo` goes back to before a message, which stays as a
branch, and `$set` with messages lists the messages sent to the model from then on: all others were condensed or
dropped.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.branches import Link, branches_of, marked
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.gemini.parts import messages_of, read_parts
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import first_line, title_of
from inspector.model import (
    Branches,
    Call,
    Conversation,
    Held,
    Message,
    Result,
    Text,
    Thought,
    Workspace,
    changed,
)
from inspector.model.parts import text_of
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, items_of, mapping, objects, parse_time, stem

_SCREEN = frozenset(("info", "error", "warning", "help", "about", "quit", "stats", "model_stats", "tool_stats"))
_ANSWERING = frozenset(("gemini", "qwen", "model", "assistant"))
"""Types of answers; early versions of Qwen Code, which began as this program, write their own."""
_CONTENTS = ("content", "parts", "text", "message")
_HEAD = frozenset(("sessionId", "projectHash"))


def _sniff(source: FileSource) -> float:
    try:
        if source.shape == "json_lines":
            return 0.97 if any(_is_head(record.value) for record in source.first_records) else 0.0
        if source.shape != "json":
            return 0.0
        if source.raw_items is not None:
            return 0.97 if any(map(_is_logged, source.first_items)) else 0.0
        return 0.97 if _is_head(source.sample) else 0.0
    except UnreadableError:
        return 0.0


def _is_head(value: Any) -> bool:
    held = mapping(value)
    if "sessionId" not in held or "type" in held:
        return False
    kinds = [as_text(one.get("type")) for one in objects(held.get("messages"))[:20]]
    return bool(_ANSWERING & {*kinds}) or held.keys() >= _HEAD or (bool(kinds) and {*kinds} <= {"user", *_SCREEN})


def _is_logged(value: Any) -> bool:
    """Return whether a value is an entry of `logs.json`."""
    held = mapping(value)
    return {"sessionId", "messageId", "type", "timestamp"} <= held.keys() and isinstance(held.get("message"), str)


class _Session:
    """A session while it is read: its messages by id, each with its parent."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.head: dict[str, Any] = {}
        self.links: dict[str, Link] = {}
        self.model = ""
        self.on_screen = 0
        self.sent: set[str] | None = None
        self._after_set: set[str] = set()
        self._tip = ""

    def read(self, record: Any, place: str) -> None:
        """Read a record of a log, or a whole session."""
        if not isinstance(record, Mapping):
            self.notes.add(place, f"expected a record (an object), found {kind_of(record)}; it was left out")
        elif isinstance(record.get("$rewindTo"), str):
            self._rewind(as_text(record["$rewindTo"]), place)
        elif "$set" in record:
            self._update(mapping(record["$set"]), f"{place}.$set", True)
        elif "id" in record and "type" in record:
            self.add(record, place)
        else:
            self._update(record, place, False)

    def _update(self, head: Mapping[str, Any], place: str, replaces: bool) -> None:
        self.head |= {key: value for key, value in head.items() if key != "messages"}
        messages = items_of(head.get("messages"))
        for number, message in enumerate(messages):
            self.add(message, f"{place}.messages[{number}]")
        if replaces and "messages" in head:
            self.sent = {as_text(mapping(message).get("id")) for message in messages}
            self._after_set = set(self.links)

    def add(self, record: Any, place: str) -> None:
        """Add a message, or replace it."""
        id_ = as_text(mapping(record).get("id")) or f"m{len(self.links)}"
        messages = self._messages(record, id_, place)
        known = self.links.get(id_)
        if known is not None:
            known.messages = messages
        elif messages:
            self.links[id_] = Link(id_, self._tip, messages, place)
            self._tip = id_

    def branches(self) -> Branches:
        """Return the branches; if the log records it, each message says whether it was still sent to the model."""
        branches = branches_of(list(self.links.values()), self._tip, self.notes.add)
        if self.sent is None:
            return branches
        gone = {
            message.id
            for id_ in self._after_set - self.sent
            for message in (self.links[id_].messages if id_ in self.links else [])
        }
        if not gone:
            return branches
        actions = {one.id: "summarized" if one.id in gone else "kept" for one in branches.path}
        return marked(branches, {id_: {"recorded": {"action": action}} for id_, action in actions.items()})

    def _rewind(self, id_: str, place: str) -> None:
        if id_ in self.links:
            self._tip = self.links[id_].parent
        else:
            self.notes.add(f"{place}.$rewindTo", f'goes back to "{id_[:40]}", which is not in the file')

    def _messages(self, record: Any, id_: str, place: str) -> list[Message]:
        held = mapping(record)
        kind = as_text(held.get("type"))
        if kind in _SCREEN:
            self.on_screen += 1
            return []
        if kind != "user" and kind not in _ANSWERING:
            found = kind[:40] or "nothing"
            self.notes.add(f"{place}.type", f"expected user or gemini, found {found}; the message was left out")
            return []
        key = next((key for key in _CONTENTS if held.get(key)), "content")
        content = read_parts(held.get(key, ""), self.notes, f"{place}.{key}", f"{id_}.")
        said = [one for one in content.parts if not (isinstance(one, Text) and not one.text)]
        content.parts = [*map(Thought, filter(None, map(_thought, objects(held.get("thoughts"))))), *said]
        for number, call in enumerate(objects(held.get("toolCalls"))):
            self._add_call(content, call, f"{id_}.call{number}", f"{place}.toolCalls[{number}]")
        self.model = as_text(held.get("model")) or self.model
        role = "user" if kind == "user" else "assistant"
        made = messages_of(content, role, time=parse_time(held.get("timestamp")), metadata=_usage(held))
        return [changed(one, id=f"{id_}.{n}" if n else id_) for n, one in enumerate(made)]

    def _add_call(self, content: Any, call: Mapping[str, Any], id_: str, place: str) -> None:
        name, own = as_text(call.get("name")), as_text(call.get("id")) or id_
        content.parts.append(Call(own, name, as_text(call.get("args"))))
        if call.get("result") is None:
            return
        answer = read_parts(call["result"], self.notes, f"{place}.result")
        told = text_of(answer.results) if answer.results else answer.text
        media = [one for part in answer.results for one in part.parts]
        media += [one for one in answer.parts if isinstance(one, Held)]
        content.results.append(Result(own, name, told, tuple(media)))


def _thought(thought: Mapping[str, Any]) -> str:
    return "\n".join(filter(None, (as_text(thought.get("subject")), as_text(thought.get("description")))))


def _usage(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the usage as Google counted it, and the model."""
    named = {"model": as_text(record["model"])} if isinstance(record.get("model"), str) else {}
    return {**read_usage(record.get("tokens")).metadata, **named}


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    sessions: dict[str, _Session] = {}
    for place, record in _records(source, notes):
        name = as_text(record["sessionId"]) if _is_logged(record) else ""
        session = sessions.setdefault(name, _Session(notes))
        if name:
            session.head["sessionId"] = name
            session.add({**record, "id": as_text(record["messageId"])}, place)
        else:
            session.read(record, place)
    spoken = [session for session in sessions.values() if session.links]
    if not spoken:
        raise notes.unreadable("$.messages", "expected messages of a user or of Gemini, found none")
    if set(sessions) - {""}:
        notes.add("", "holds only what users wrote; the answers are in the files of the sessions (chats)", "info")
    if on_screen := sum(session.on_screen for session in sessions.values()):
        words = f"{on_screen:,} messages of the program to the user were never sent and were left out"
        notes.add("", words, "info")
    conversations = tuple(_conversation(session, source) for session in spoken)
    return Workspace(conversations=conversations, problems=tuple(notes.problems))


def _conversation(session: _Session, source: FileSource) -> Conversation:
    branches = session.branches()
    id_ = as_text(session.head.get("sessionId")) or stem(source.path)
    title = first_line(as_text(session.head.get("summary"))) or title_of(branches.path) or id_
    return Conversation(id_, branches.path, title, tree=branches.tree, model=session.model)


def _records(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    if source.shape == "json" and isinstance(source.json, list):
        yield from ((f"$[{number}]", record) for number, record in enumerate(source.json))
    elif source.shape == "json":
        yield "$", source.json
    else:
        yield from ((f"line {record.line}: $", record.value) for record in source.records(notes.problems))


def _is_unsent(held: Mapping[str, Any]) -> bool:
    """Return whether this is a message of the program to the user."""
    return held.get("type") in list(_SCREEN) and "timestamp" in held


_BESIDE = ("displayContent", "displayName", "description", "resultDisplay")
"""What the screen shows in place of a prompt or of a tool's result."""

FORMAT = Format(
    "gemini_cli",
    "Gemini CLI session",
    _sniff,
    _load,
    "`sessionId` and `messages` of type user and gemini",
    beside=_BESIDE,
    unsent=_is_unsent,
)

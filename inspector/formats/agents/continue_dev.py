"""Sessions of Continue (`~/.continue/sessions/ID.json`, continuedev/continue), and those of Kiro in the same layout.

`core/index.d.ts` has the types (`Session`, `ChatHistoryItem`). As `gui/src/redux/util/constructMessages.ts` sends them:
the context items of a turn go before its text, the results of tools come from `toolCallStates`, and what is up to a
`conversationSummary` is replaced by it. Older sessions have messages of the role `tool` instead of those states.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, thoughts_in, turn, workspace_of_sessions
from inspector.formats.content.turns import result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES, read_call
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Message, Part, Result, Text, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_MARKS = ("workspaceDirectory", "sessionId", "chatModelTitle")
_THINKING = "thinking"
_BESIDE = (
    "editorState",
    "promptLogs",
    "modifiers",
    "appliedRules",
    "parsedArgs",
    "processedArgs",
    "tool",
    "description",
)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a session."""
    return surest(source, lambda value: 0.96 if _is_session(value) else 0.0)


def _is_session(value: Any) -> bool:
    fields = mapping(value)
    items = items_of(fields.get("history"))
    is_read = any(isinstance(mapping(mapping(item).get("message")).get("role"), str) for item in items[:5])
    return is_read and any(isinstance(fields.get(key), str) for key in _MARKS)


class _History:
    """A session while its items are read; `thoughts` go before the next answer."""

    def __init__(self, held: Mapping[str, Any], notes: Notes, left_out: LeftOut) -> None:
        self.notes, self.left_out = notes, left_out
        self.session = Session(notes, as_text(held.get("sessionId") or ""))
        self.session.title = as_text(held.get("title") or "")
        self.session.model = as_text(held.get("chatModelTitle") or "")
        self.thoughts: list[Part] = []
        items = objects(held.get("history"))
        self._told = {_id_of(state) for item in items for state in objects(item.get("toolCallStates"))}

    def read(self, item: Any, place: str) -> None:
        """Read an item of the history."""
        message, at = mapping(mapping(item).get("message")), f"{place}.message"
        word = as_text(message.get("role") or "")
        role = ROLES.get(word)
        if word == _THINKING:
            self.thoughts += thoughts_in(message, ("content", "reasoning_details"), self.notes, at)
        elif role == "tool":
            self._result(message, at)
        elif role is None:
            self.notes.add(f"{at}.role", f"expected the role of a message, found {word[:40] or 'nothing'}", "error")
        else:
            thoughts = thoughts_in(item, ("reasoning",), self.notes, place) if not self.thoughts else self.thoughts
            calls = [
                read_call(call, self.notes, f"{at}.toolCalls[{number}]")
                for number, call in enumerate(objects(message.get("toolCalls")))
            ]
            found = turn(
                role,
                message.get("content"),
                self.notes,
                f"{at}.content",
                about=f"m{len(self.session.nodes)}.",
                before=[*thoughts, *_context(item, role)],
                after=calls,
                metadata=read_usage(message.get("usage")).metadata,
            )
            self.thoughts = []
            self.session.add(as_text(message.get("id") or ""), found, place)
            self._states(item, place)
        if summary := as_text(mapping(item).get("conversationSummary") or ""):
            self.session.compact("", Message("", "system", f"Previous conversation summary:\n\n {summary}"), place)

    def end(self) -> None:
        """Keep thoughts that no answer follows."""
        if self.thoughts:
            self.session.add("", [Message("", "assistant", parts=tuple(self.thoughts))], "$.history")

    def _result(self, message: Mapping[str, Any], at: str) -> None:
        """Read a result that is a message of its own, unless it stands in the state of its call."""
        id_ = as_text(message.get("toolCallId") or "")
        if id_ and id_ in self._told:
            return
        if not isinstance(message.get("content"), str):
            self.notes.add(f"{at}.content", "expected the text of a result, found none; it is empty")
        self.session.add("", [result_message(Result(id_, "", as_text(message.get("content") or "")))], at)

    def _states(self, item: Mapping[str, Any], place: str) -> None:
        for number, state in enumerate(objects(item.get("toolCallStates"))):
            output = [as_text(one.get("content") or "") for one in objects(state.get("output"))]
            status = as_text(state.get("status") or "")
            if not output and status not in ("generating", "generated"):
                self.notes.add(f"{place}.toolCallStates[{number}]", f"has no output ({status or 'no status'})", "info")
            name = as_text(mapping(mapping(state.get("toolCall")).get("function")).get("name") or "")
            failed = {"is_error": True} if status == "errored" else {}
            result = Result(_id_of(state), name, "\n\n".join(output))
            self.session.add("", [result_message(result, metadata=failed)], place)


def _id_of(state: Mapping[str, Any]) -> str:
    return as_text(state.get("toolCallId") or mapping(state.get("toolCall")).get("id") or "")


def _context(item: Mapping[str, Any], role: str) -> Iterable[Part]:
    """Yield what a user gave along with a text, which is sent before it."""
    for one in objects(item.get("contextItems")) if role == "user" else ():
        if text := as_text(one.get("content") or "").strip():
            yield Text(f"{text}\n")


def load(source: FileSource) -> Workspace:
    """Return each session as a conversation. Raise UnreadableError if none has messages."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    sessions: list[Session] = []
    for place, value in values_of(source, notes):
        if not _is_session(value):
            notes.add(place, "expected a session of Continue (an object with its items); it was left out", "error")
            continue
        history = _History(value, notes, left_out)
        for at, item in enumerated(f"{place}.history", items_of(value["history"])):
            history.read(item, at)
        history.end()
        sessions.append(history.session)
    return workspace_of_sessions(sessions, source, left_out, notes, "sessions of Continue with messages")


FORMAT = Format(
    "continue",
    "Continue session",
    sniff,
    load,
    "`history` of items with a `message`, and `workspaceDirectory`",
    beside=_BESIDE,
)

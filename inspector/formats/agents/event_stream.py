"""The events printed by coding agents without a screen (`--output-format stream-json`), one per line.

Layouts: Claude Code and programs that copy it (docs.claude.com, Agent SDK reference, `SDKMessage`); Cursor
(cursor.com/docs/cli/reference/output-format); Gemini CLI (google-gemini/gemini-cli,
`packages/core/src/output/types.ts`); Factory's Droid (docs.factory.ai, `droid exec`; fixtures of
jazzyalex/agent-sessions, which also has the older events with `function`). Pieces of a text are joined to an answer.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.event_tools import call_of, names_call, result_of
from inspector.formats.agents.session import (
    LeftOut,
    Session,
    lines_of,
    sure_of,
    turn,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import identified, result_message
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Message, Part, Role, Thought, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, parse_time

_IDS = ("session_id", "sessionId")
_TEXTS = ("content", "text", "message")
_CALLS = ("tool_use", "tool_call", "function_call")
_RESULTS = ("tool_result", "function_result")
_THOUGHTS = ("thinking", "reasoning", "thought")
_ENDS = ("result", "completion")
_SILENT = frozenset(
    (
        *("init", "system", "stream_event", "rate_limit_event", "tool_progress", "tool_use_summary", "auth_status"),
        *("keep_alive", "control_request", "control_response", "control_cancel_request", "interaction_query"),
        *("prompt_suggestion", "status", "connection", "retry"),
    )
)
_CONTINUED = "This session is being continued"
"""The beginning of the summary with which Claude Code goes on after a compaction."""


def sniff(source: FileSource) -> float:
    """Return how likely the file holds events printed by an agent rather than a session kept by Claude Code."""
    return 0.0 if sure_of(source, _is_kept) else max(sure_of(source, _is_own, 0.98), sure_of(source, _is_spoken, 0.9))


def _is_kept(record: Mapping[str, Any]) -> bool:
    return "parentUuid" in record or "isSidechain" in record


def _is_own(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if not any(key in record for key in _IDS) or ("uuid" in record and "session_id" not in record):
        return False
    if kind in ("user", "assistant"):
        return "session_id" in record and "content" in mapping(record.get("message"))
    if kind == "result":
        return "subtype" in record and bool(record.keys() & {"is_error", "result", "usage"})
    is_start = kind == "init" or (kind == "system" and record.get("subtype") == "init")
    return (is_start and "model" in record) or (kind == "completion" and "finalText" in record)


def _is_spoken(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind in _CALLS and names_call(record):
        return True
    is_said = kind == "message" and record.get("role") in ("user", "assistant")
    return is_said and isinstance(record.get("text"), str) and any(key in record for key in _IDS)


class _Log:
    """The events while they are read: a session, and one for each of its sub-agents.

    `_pieces` are the parts of the answer that is being printed, by the id of its message, and `_about` is what was told
    of it.
    """

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.left_out = LeftOut(notes)
        self.session = Session(notes)
        self.sessions = [self.session]
        self._of_call: dict[str, Session] = {}
        self._pieces: list[Any] = []
        self._thoughts: list[str] = []
        self._answer = ""
        self._about: Mapping[str, Any] = {}
        self._place = ""
        self._writing = self.session
        self._compaction: Mapping[str, Any] | None = None

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read an event."""
        kind = as_text(record.get("type") or "")
        session = self._session_of(record)
        self.session.id = self.session.id or next((as_text(record[key]) for key in _IDS if record.get(key)), "")
        if kind in ("user", "assistant") and isinstance(record.get("message"), Mapping):
            self._wrapped(session, record, place)
        elif kind in ("", "message", "user", "assistant") and "role" in record:
            self._spoken(session, record, place)
        elif kind in _CALLS or kind in _RESULTS:
            self._used(session, record, kind, place)
        elif kind in _THOUGHTS:
            self._thought(session, record, place)
        elif kind in _ENDS:
            self._ended(session, record, kind, place)
        elif kind == "error":
            self._failed(record, place)
        else:
            self._other(session, record, kind, place)

    def flush(self) -> None:
        """Add the answer whose pieces have all been read."""
        pieces, thoughts, about = self._pieces, "".join(self._thoughts), self._about
        self._pieces, self._thoughts, self._answer, self._about = [], [], "", {}
        if not pieces and not thoughts:
            return
        before: list[Part] = [Thought(thoughts)] if thoughts else []
        message = mapping(about.get("message"))
        metadata, count = usage_metadata(message.get("usage"), message.get("model"))
        found = turn(
            "assistant",
            _joined(pieces),
            self.notes,
            self._place,
            time=_time_of(about),
            about=f"a{len(self._writing.nodes)}.",
            before=before,
            metadata=metadata,
            thoughts=count,
        )
        self._writing.add(as_text(about.get("uuid") or about.get("id") or ""), found, self._place)

    def _session_of(self, record: Mapping[str, Any]) -> Session:
        """Return the session of an event: a sub-agent's where the event names the call that started it."""
        call = record.get("parent_tool_use_id")
        if not isinstance(call, str) or not call:
            return self.session
        if call not in self._of_call:
            self._of_call[call] = Session(self.notes, f"{self.session.id}/{call}")
            self.sessions.append(self._of_call[call])
        return self._of_call[call]

    def _piece(self, session: Session, name: str, about: Mapping[str, Any], place: str) -> None:
        """Prepare for a piece of the answer of this name, finishing the answer before it."""
        is_same = session is self._writing and (name == self._answer or not self._pieces)
        if not is_same:
            self.flush()
        if not self._pieces:
            self._about, self._place = about, place
        self._writing, self._answer = session, name

    def _wrapped(self, session: Session, record: Mapping[str, Any], place: str) -> None:
        """Read a message of Anthropic's API; an answer may be spread over several events."""
        message = mapping(record["message"])
        word = message.get("role")
        role = ROLES.get(word.lower() if isinstance(word, str) else as_text(record["type"]))
        at = f"{place}.message"
        content = message.get("content")
        if role != "assistant":
            self.flush()
            self._add(session, role or "user", content, record, f"{at}.content")
            return
        model = as_text(message.get("model") or "")
        session.model = model if model and model != "<synthetic>" else session.model
        if content is None:
            self.notes.add(f"{at}.content", "expected text or a list of blocks, found nothing; it was left out")
            return
        name = as_text(message.get("id") or "")
        if not name and self._is_repeated(content):
            return
        self._piece(session, name, record, f"{at}.content")
        self._pieces += content if isinstance(content, list) else [content]

    def _is_repeated(self, content: Any) -> bool:
        """Return whether a text without an id repeats all pieces before it, as Cursor prints at the end."""
        text, said = reasoning_text(content), reasoning_text(self._pieces)
        return bool(text) and len(self._pieces) > 1 and text.replace("\n", "") == said.replace("\n", "")

    def _spoken(self, session: Session, record: Mapping[str, Any], place: str) -> None:
        role = ROLES.get(as_text(record["role"]).lower())
        key = next((key for key in _TEXTS if record.get(key) is not None), "content")
        if role is None:
            found = as_text(record["role"])[:40] or "nothing"
            self.notes.add(f"{place}.role", f"expected user or assistant, found {found}; the message was left out")
            return
        session.model = as_text(record.get("model") or "") or session.model
        is_piece = record.get("delta") is True or (record.get("type") == "message" and "id" not in record)
        if role == "assistant" and is_piece and isinstance(record.get(key), str):
            self._piece(session, "piece", record, f"{place}.{key}")
            self._pieces.append(record[key])
            return
        if role != "assistant":
            self.flush()
        self._add(session, role, record.get(key), record, f"{place}.{key}")

    def _add(self, session: Session, role: Role, content: Any, record: Mapping[str, Any], place: str) -> None:
        """Add a whole message with the thoughts printed before it."""
        before = self._taken_thoughts() if role == "assistant" else []
        self.flush()
        time, id_ = _time_of(record), as_text(record.get("uuid") or record.get("id") or "")
        found = turn(
            role, content, self.notes, place, time=time, about=f"{role[0]}{len(session.nodes)}.", before=before
        )
        if self._compaction is not None and found and _is_summary(record, found[0]):
            self._add_summary(session, found[0], id_, place)
        else:
            session.add(id_, found, place)

    def _taken_thoughts(self) -> list[Part]:
        """Return the thoughts printed for the next message; none where they belong to the pieces of an answer."""
        if self._pieces or not self._thoughts:
            return []
        thought, self._thoughts, self._about = Thought("".join(self._thoughts)), [], {}
        return [thought]

    def _add_summary(self, session: Session, summary: Message, id_: str, place: str) -> None:
        told = {key: value for key, value in (self._compaction or {}).items() if isinstance(value, str | int)}
        self._compaction = None
        marked = Message("", "user", time=summary.time, parts=summary.whole, metadata={"compaction": told})
        session.compact(id_, marked, place)

    def _used(self, session: Session, record: Mapping[str, Any], kind: str, place: str) -> None:
        """Read a call, its result, or both; for a finished call printed before, only the result is new."""
        if self._pieces:
            self.flush()
        result = result_of(record, kind, self.notes, place)
        call = call_of(record) if kind in _CALLS else None
        if call is not None and call.id not in session.called:
            parts = [*self._taken_thoughts(), *identified([call], f"c{len(session.nodes)}.")]
            session.add("", [Message("", "assistant", time=parse_time(_time_of(record)), parts=tuple(parts))], place)
        elif call is None and result is None:
            self.notes.add(place, "expected a call with the name of its tool, found none; it was left out")
        self.flush()
        if result is not None:
            failed = {"is_error": True} if _is_failure(record) else {}
            session.add("", [result_message(result, time=parse_time(_time_of(record)), metadata=failed)], place)

    def _thought(self, session: Session, record: Mapping[str, Any], place: str) -> None:
        told = next((record[key] for key in (*_TEXTS, "thinking", "thought") if record.get(key) is not None), None)
        if told is None:
            self.left_out.add(as_text(record["type"]), place, record.get("subtype") == "completed")
            return
        if self._pieces:
            self.flush()
        if not self._thoughts:
            self._about, self._place = record, place
        self._writing = session
        self._thoughts.append(reasoning_text(told))

    def _ended(self, session: Session, record: Mapping[str, Any], kind: str, place: str) -> None:
        """Read the end of a run: its text is new only if no answer has it."""
        self.flush()
        key = "finalText" if "finalText" in record else "result"
        text = record.get(key)
        if not isinstance(text, str) or not text:
            self.left_out.add(kind, f"{place}.type", True)
            return
        said = [message.content for message in session.messages if message.role == "assistant"]
        if _letters(text) not in _letters("".join(said)):
            self._add(session, "assistant", text, {**record, "id": ""}, f"{place}.{key}")
        elif text not in said:
            self.notes.add(f"{place}.{key}", "is the text of answers before it once more; it was left out", "info")

    def _failed(self, record: Mapping[str, Any], place: str) -> None:
        told = reasoning_text(
            record.get("message") or record.get("text") or mapping(record.get("error")).get("message")
        )
        self.notes.add(place, f"is an error of the program, no message; it was left out: {told[:80]}", "info")

    def _other(self, session: Session, record: Mapping[str, Any], kind: str, place: str) -> None:
        if kind not in _SILENT:
            self.flush()
        if kind in ("init", "system"):
            session.model = as_text(record.get("model") or "") or session.model
            if record.get("subtype") == "compact_boundary":
                self._compaction = mapping(record.get("compact_metadata"))
        self.left_out.add(kind, f"{place}.type", kind in _SILENT)


def _joined(pieces: list[Any]) -> Any:
    """Return the pieces of an answer as one content, cut texts joined."""
    if all(isinstance(one, str) for one in pieces):
        return "".join(pieces)
    whole: list[Any] = []
    for one in pieces:
        if whole and _is_plain(one) and _is_plain(whole[-1]):
            whole[-1] = {"type": "text", "text": whole[-1]["text"] + one["text"]}
        else:
            whole.append(one)
    return whole


def _letters(text: str) -> str:
    return "".join(text.split())


def _is_plain(one: Any) -> bool:
    held = mapping(one)
    return held.keys() == {"type", "text"} and held["type"] == "text" and isinstance(held["text"], str)


def _is_summary(record: Mapping[str, Any], message: Message) -> bool:
    return bool(record.get("isCompactSummary")) or message.content.startswith(_CONTINUED)


def _is_failure(record: Mapping[str, Any]) -> bool:
    return record.get("isError") is True or record.get("is_error") is True or record.get("status") == "error"


def _time_of(record: Mapping[str, Any]) -> Any:
    return next((record[key] for key in ("timestamp", "timestamp_ms", "created_at") if key in record), None)


def load(source: FileSource) -> Workspace:
    """Return the session and the sessions of its sub-agents. Raise UnreadableError without messages."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    log.flush()
    return workspace_of_sessions(log.sessions, source, log.left_out, notes, "messages that an agent printed")


_BESIDE = ("tool_use_result", "event", "permission_denials", "riskLevelReason", "slash_commands", "structured_output")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "agent_events",
    "Printed events of a coding agent",
    sniff,
    load,
    "lines with `type` and `session_id`, as `stream-json` prints them",
    beside=_BESIDE,
)

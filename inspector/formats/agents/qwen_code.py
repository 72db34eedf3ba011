"""Sessions of Qwen Code: JSON lines of `~/.qwen/projects/…/chats`, each with the id of the record before it.

Layout: QwenLM/qwen-code, `packages/core/src/services/chatRecordingService.ts` (`ChatRecord`). Messages are contents of
Gemini. A record `chat_compression` has the history that was sent from then on: messages of it that are in the session
were kept, all others before it were summarized. Work of sub-agents is a conversation of its own.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.session import (
    LeftOut,
    Session,
    enumerated,
    lines_of,
    sure_of,
    turn,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.format import Format
from inspector.formats.gemini.parts import ROLES
from inspector.formats.notes import Notes
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping

_TYPES = frozenset(("user", "assistant", "tool_result", "system"))
_MARKS = frozenset(("uuid", "parentUuid", "sessionId"))
_KNOWN = frozenset(
    (
        *("session_notes", "slash_command", "ui_telemetry", "at_command", "attribution_snapshot", "notification"),
        *(
            "background_task_completed",
            "cron",
            "mid_turn_user_message",
            "custom_title",
            "parent_session",
            "turn_result",
        ),
        *("session_source", "session_execution_engine", "omni_recall", "session_model", "session_approval_mode"),
        *("rewind", "agent_bootstrap", "agent_launch_prompt", "agent_retry", "agent_session_ready", "goal_state"),
        *("file_history_snapshot", "user_text_elements", "session_artifact_event", "session_artifact_snapshot"),
        *("session_sources_snapshot", "branch_checkpoint", "goal_runtime", "goal_turn_end", "realtime_message"),
        *(
            "turn_result",
            "managed_session_header_v1",
            "managed_session_event_v1",
            "managed_session_commit_v1",
            "chat_compression",
        ),
    )
)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds records of Qwen Code."""
    return sure_of(source, _is_record, 0.98)


def _is_record(record: Mapping[str, Any]) -> bool:
    if record.get("type") not in list(_TYPES) or not record.keys() >= _MARKS:
        return False
    message = mapping(record.get("message"))
    return "parts" in message or ("systemPayload" in record and as_text(record.get("subtype")) in _KNOWN)


class _Log:
    """The sessions of a file while it is read: the agent's own, and those of its sub-agents."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.sessions: dict[str, Session] = {}
        self.left_out = LeftOut(notes)

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read a record."""
        session = self._session(record)
        payload = mapping(record.get("systemPayload"))
        id_, parent = as_text(record.get("uuid")), record.get("parentUuid")
        above = as_text(parent) if "parentUuid" in record else None
        subtype = as_text(record.get("subtype"))
        if subtype == "chat_compression":
            self._compress(session, record, payload, place)
        elif "message" in record or (record.get("type") != "system" and not subtype):
            session.add(id_, self._messages(session, record, place), place, above)
        else:
            session.title = as_text(payload.get("customTitle")) or session.title
            session.model = as_text(payload.get("modelId")) or session.model
            session.add(id_, (), place, above)
            kind = subtype or as_text(record.get("type"))
            self.left_out.add(kind, f"{place}.type", kind in _KNOWN)

    def _session(self, record: Mapping[str, Any]) -> Session:
        id_, agent = as_text(record.get("sessionId")), as_text(record.get("agentId"))
        key = f"{id_}/{agent}" if record.get("isSidechain") is True or agent else id_
        return self.sessions.setdefault(key, Session(self.notes, key))

    def _messages(self, session: Session, record: Mapping[str, Any], place: str) -> list[Message]:
        held = mapping(record.get("message"))
        word = as_text(held.get("role")) or as_text(record.get("type"))
        role = ROLES.get(word.strip().lower()) or ("user" if word == "tool_result" else None)
        if role is None:
            found = word[:40] or "nothing"
            self.notes.add(f"{place}.message.role", f"expected user or model, found {found}; it was left out")
            return []
        session.model = as_text(record.get("model")) or session.model
        session.context_window = as_whole(record.get("contextWindowSize")) or session.context_window
        metadata, thoughts = usage_metadata(record.get("usageMetadata"), record.get("model"))
        key = next((key for key in ("parts", "content", "text") if key in held), "parts")
        about = f"{as_text(record.get('uuid'))}."
        return turn(
            role,
            held.get(key),
            self.notes,
            f"{place}.message.{key}",
            time=record.get("timestamp"),
            about=about,
            metadata=metadata,
            thoughts=thoughts,
        )

    def _compress(self, session: Session, record: Mapping[str, Any], payload: Mapping[str, Any], place: str) -> None:
        """Add the first message of the compressed history that the session has not as the summary, then the others."""
        at = f"{place}.systemPayload.compressedHistory"
        path = session.path()
        known = {_likeness(message): name for name in path for message in session.nodes[name].messages}
        kept: list[str] = []
        new: list[Message] = []
        for below, content in enumerated(at, items_of(payload.get("compressedHistory"))):
            role = ROLES.get(as_text(mapping(content).get("role"))) or "user"
            for message in turn(role, mapping(content).get("parts"), self.notes, f"{below}.parts"):
                like = _likeness(message)
                if like in known:
                    kept.append(known[like])
                else:
                    new.append(message)
        info = mapping(payload.get("info"))
        if not new:
            self.notes.add(at, "expected the summary of earlier turns, found none; the summary is empty")
        summary = new[0] if new else Message("", "user")
        told = {key: value for key, value in info.items() if isinstance(value, str | int)}
        summary = Message("", "user", parts=summary.parts, content=summary.content, metadata={"compaction": told})
        session.compact(as_text(record.get("uuid")), summary, place, kept)
        tip = session.tip
        session.add(f"{tip}.after", new[1:], place)


def _likeness(message: Message) -> tuple[Any, ...]:
    calls = tuple((call.name, call.arguments) for call in message.tool_calls)
    return message.role, message.content, calls


def load(source: FileSource) -> Workspace:
    """Return the session, and those of its sub-agents. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    return workspace_of_sessions(log.sessions.values(), source, log.left_out, notes, "messages of Qwen Code")


_BESIDE = ("systemPayload", "toolCallResult")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "qwen_code",
    "Qwen Code session",
    sniff,
    load,
    "lines with `parentUuid` and a `message` with `parts`",
    beside=_BESIDE,
)

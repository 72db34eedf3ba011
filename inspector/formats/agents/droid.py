"""Sessions of Factory's Droid: JSON lines of `~/.factory/sessions`, with blocks of Anthropic.

Layout: specstoryai/getspecstory, `specstory-cli/pkg/providers/droidcli/parser.go`. A `compaction_state` has the summary
of the first messages, and in newer versions their number.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.session import (
    LeftOut,
    Session,
    lines_of,
    sure_of,
    turn,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, parse_time

_SILENT = frozenset(("session_start", "todo_state", "session_settings", "agent_turn_outcome", "session_end"))
_ABOUT = frozenset(("cwd", "title", "owner", "session", "sessionTitle", "version"))


def sniff(source: FileSource) -> float:
    """Return how likely the file begins as a session of Droid, or has its messages."""
    return max(sure_of(source, _is_own, 0.98), sure_of(source, _is_message, 0.82))


def _is_own(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind == "session_start":
        return bool(record.keys() & _ABOUT)
    return kind == "compaction_state" and bool(record.keys() & {"summary", "summaryText"})


def _is_message(record: Mapping[str, Any]) -> bool:
    is_line = record.get("type") == "message" and {"id", "timestamp", "message"} <= record.keys()
    return is_line and role_of(record["message"]) is not None and isinstance(record["message"].get("content"), list)


class _Log:
    """A session while it is read; `_sent` are the nodes of each message of the present context."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.session = Session(notes)
        self.left_out = LeftOut(notes)
        self._sent: list[list[str]] = []

    def read(self, record: Mapping[str, Any], place: str) -> None:
        """Read a record."""
        kind = as_text(record.get("type"))
        session = self.session
        if kind == "session_start":
            inner = {**mapping(record.get("session")), **record}
            session.id = as_text(inner.get("id")) or session.id
            session.title = as_text(inner.get("sessionTitle") or inner.get("title")) or session.title
        elif kind == "message":
            names = session.add(as_text(record.get("id")), self._messages(record, place), place)
            self._sent.append(names)
        elif kind == "compaction_state":
            self._compact(record, place)
        else:
            session.model = as_text(record.get("model")) or session.model
            self.left_out.add(kind, f"{place}.type", kind in _SILENT)

    def _messages(self, record: Mapping[str, Any], place: str) -> list[Message]:
        held = mapping(record.get("message"))
        role = role_of(held)
        at = f"{place}.message"
        if role is None:
            found = as_text(held.get("role"))[:40] or "nothing"
            self.notes.add(f"{at}.role", f"expected user or assistant, found {found}; the message was left out")
            return []
        self.session.model = as_text(held.get("model")) or self.session.model
        metadata, thoughts = usage_metadata(held.get("usage"), held.get("model"))
        return turn(
            role,
            held.get("content"),
            self.notes,
            f"{at}.content",
            time=record.get("timestamp"),
            about=f"{as_text(record.get('id'))}.",
            metadata=metadata,
            thoughts=thoughts,
        )

    def _compact(self, record: Mapping[str, Any], place: str) -> None:
        told = record.get("summary")
        older = "\n".join(filter(None, (as_text(mapping(told).get("title")), as_text(mapping(told).get("body")))))
        text = as_text(record.get("summaryText")) or older or (as_text(told) if isinstance(told, str) else "")
        if not text:
            self.notes.add(f"{place}.summaryText", "expected the summary of a compaction, found none; it is empty")
        removed = as_whole(record.get("removedCount"))
        kept = [] if removed is None else self._sent[max(removed, 0) :]
        known = ("summaryTokens", "summaryKind", "removedCount")
        metadata = {"compaction": {key: record[key] for key in known if isinstance(record.get(key), str | int)}}
        summary = Message("", "user", text, time=parse_time(record.get("timestamp")), metadata=metadata)
        self.session.compact(as_text(record.get("id")), summary, place, [name for names in kept for name in names])
        self._sent = [[self.session.tip], *kept]


def load(source: FileSource) -> Workspace:
    """Return the session. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    log = _Log(notes)
    for place, record in lines_of(source, notes):
        log.read(record, place)
    return workspace_of_sessions([log.session], source, log.left_out, notes, "messages of Droid")


_BESIDE = ("todos", "riskLevelReason", "systemInfo")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "droid", "Factory Droid session", sniff, load, "lines of type `session_start` and `message`", beside=_BESIDE
)

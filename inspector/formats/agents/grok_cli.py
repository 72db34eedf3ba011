"""The database of Grok CLI (`~/.grok/grok.db`): sessions, messages of Vercel's AI SDK, usage and compactions.

Layout: superagent-ai/grok-cli, `src/storage/migrations.ts` and `transcript.ts`. A compaction names the first message
that was kept beside its summary.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, json_object, usage_metadata, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text, as_whole, parse_time

_Rows = list[dict[str, Any]]


def sniff(source: FileSource) -> float:
    """Return how likely this is the database of Grok CLI."""
    found = has_tables(source, messages="session_id seq role message_json", sessions="id title model")
    return 1.0 if found else 0.0


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    with opened(source) as database:
        sessions = list(_sessions(database, notes))
    return workspace_of_sessions(sessions, source, LeftOut(notes), notes, "sessions of Grok CLI with messages")


def _sessions(database: Database, notes: Notes) -> Iterator[Session]:
    messages = _by_session(database.rows("messages", "session_id", "seq", "role", "message_json", "created_at"))
    compactions = _by_session(
        database.rows("compactions", "session_id", "id", "first_kept_seq", "summary", "tokens_before", "created_at")
    )
    usage = _by_session(
        database.rows(
            "usage_events", "session_id", "message_seq", "model", "input_tokens", "output_tokens", "total_tokens"
        )
    )
    about = {as_text(row.get("id")): row for row in database.rows("sessions", "id", "title", "model", "recap_text")}
    for id_ in {**about, **messages}:
        row = about.get(id_, {})
        session = Session(notes, id_)
        session.title, session.model = as_text(row.get("title") or ""), as_text(row.get("model") or "")
        _fill(session, messages.get(id_, []), compactions.get(id_, []))
        _add_usage(session, usage.get(id_, []))
        yield session


def _by_session(rows: Iterator[dict[str, Any]]) -> dict[str, _Rows]:
    found: dict[str, _Rows] = {}
    for row in rows:
        found.setdefault(as_text(row.get("session_id")), []).append(row)
    return found


def _fill(session: Session, messages: _Rows, compactions: _Rows) -> None:
    """Add the messages in sequence, and the summaries at the times at which they were made."""
    waiting = sorted(compactions, key=lambda row: as_text(row.get("created_at")))
    for row in sorted(messages, key=lambda row: as_whole(row.get("seq")) or 0):
        while waiting and as_text(waiting[0].get("created_at")) < as_text(row.get("created_at")):
            _compact(session, waiting.pop(0))
        seq = as_text(row.get("seq"))
        place = f"messages: {session.id[:20]} {seq}"
        held = json_object(row.get("message_json"), session.notes, place)
        if held:
            named = {"role": row.get("role"), **held, "created_at": row.get("created_at")}
            session.add(seq, read_message(named, session.notes, place), place)
    for row in waiting:
        _compact(session, row)


def _compact(session: Session, row: Mapping[str, Any]) -> None:
    first = as_text(row.get("first_kept_seq"))
    told = {"compaction": {"tokensBefore": as_whole(row.get("tokens_before")) or 0}}
    text, time = as_text(row.get("summary") or ""), parse_time(row.get("created_at"))
    summary = Message("", "user", text, time=time, metadata=told)
    session.compact(f"compaction{as_text(row.get('id'))}", summary, "compactions", session.kept_from(first))


def _add_usage(session: Session, rows: _Rows) -> None:
    for row in rows:
        name = as_text(row.get("message_seq"))
        told = {key: row[key] for key in ("input_tokens", "output_tokens", "total_tokens") if row.get(key)}
        metadata, thoughts = usage_metadata(told, row.get("model"))
        if name in session.nodes:
            session.annotate(name, metadata, thoughts)


FORMAT = Format("grok_cli", "Grok CLI sessions", sniff, load, "a database with `messages` that have `message_json`")

"""The database of Hermes Agent (`~/.hermes/state.db`): sessions with their system prompts, and messages of OpenAI.

Layout: NousResearch/hermes-agent, `hermes_state.py` and its mixins. A compression ends a session, and goes on in
another that names it as its parent; both are conversations. The sessions that it writes as JSON are read as requests of
OpenAI.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, json_list, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text

_COLUMNS = (
    *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"),
    *("reasoning", "reasoning_content", "reasoning_details", "active"),
)
_NAMED = ("content", "tool_call_id", "timestamp", "reasoning", "reasoning_content")


def sniff(source: FileSource) -> float:
    """Return how likely this is the database of Hermes Agent."""
    found = has_tables(
        source, sessions="id source model system_prompt", messages="session_id role content tool_calls tool_call_id"
    )
    return 1.0 if found else 0.0


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    with opened(source) as database:
        sessions = list(_sessions(database, notes))
    return workspace_of_sessions(sessions, source, LeftOut(notes), notes, "sessions of Hermes with messages")


def _sessions(database: Database, notes: Notes) -> Iterator[Session]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in database.rows("messages", *_COLUMNS):
        rows.setdefault(as_text(row.get("session_id")), []).append(row)
    about = {as_text(row.get("id")): row for row in database.rows("sessions", "id", "title", "model", "system_prompt")}
    for id_ in {**about, **rows}:
        row = about.get(id_, {})
        session = Session(notes, id_)
        session.title, session.model = as_text(row.get("title") or ""), as_text(row.get("model") or "")
        session.system = as_text(row.get("system_prompt") or "")
        for message in rows.get(id_, ()):
            _add(session, message)
        yield session


def _add(session: Session, row: Mapping[str, Any]) -> None:
    """Add a message; one that a rewind took back is left out of the path."""
    id_ = as_text(row.get("id"))
    place = f"messages: {id_}"
    named: dict[str, Any] = {"role": row.get("role"), **{key: row[key] for key in _NAMED if row.get(key) is not None}}
    named.setdefault("content", "")
    for key in ("tool_calls", "reasoning_details"):
        if row.get(key):
            named[key] = json_list(row[key], session.notes, f"{place}: {key}")
    before = session.tip
    session.add(id_, read_message(named, session.notes, place), place)
    if row.get("active") == 0:
        session.tip = before


FORMAT = Format(
    "hermes", "Hermes Agent sessions", sniff, load, "a database with `sessions` that have a `system_prompt`"
)

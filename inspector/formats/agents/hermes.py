"""Sessions of Hermes Agent: its database (`~/.hermes/state.db`), and the JSON of a session; messages of OpenAI.

Layout: NousResearch/hermes-agent, `hermes_state.py` and its mixins; the JSON by fixtures of jazzyalex/agent-sessions. A
compression ends a session, and goes on in another that names it as its parent; both are conversations. Messages whose
role is `session_meta` are records of the program.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, json_list, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import read_each, surest, values_of
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text, mapping, objects

_COLUMNS = (
    *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"),
    *("reasoning", "reasoning_content", "reasoning_details", "active"),
)
_META = "session_meta"
_HEAD = frozenset(("session_id", "session_start", "messages"))
_TOLD = frozenset(("platform", "message_count", "base_url"))
_NAMED = ("content", "tool_call_id", "timestamp", "reasoning", "reasoning_content")


def sniff(source: FileSource) -> float:
    """Return how likely this is the database of Hermes Agent."""
    found = has_tables(
        source, sessions="id source model system_prompt", messages="session_id role content tool_calls tool_call_id"
    )
    if found:
        return 1.0
    return 0.0 if source.shape == "sqlite" else surest(source, lambda value: 0.96 if _is_written(value) else 0.0)


def _is_written(value: Any) -> bool:
    """Return whether a value is a session written as JSON."""
    held = mapping(value)
    return held.keys() >= _HEAD and bool(held.keys() & _TOLD) and isinstance(held["messages"], list)


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    if source.shape == "sqlite":
        with opened(source) as database:
            sessions = list(_sessions(database, notes))
    else:
        expected = "a session of Hermes with messages"
        written = read_each(values_of(source, notes), _is_written, partial(_written, left_out), notes, expected)
        sessions = list(written)
    return workspace_of_sessions(sessions, source, left_out, notes, "sessions of Hermes with messages")


def _written(left_out: LeftOut, held: Mapping[str, Any], notes: Notes, place: str) -> Session:
    """Return a session that was written as JSON."""
    session = Session(notes, as_text(held["session_id"]))
    session.title, session.model = as_text(held.get("title") or ""), as_text(held.get("model") or "")
    if not isinstance(held.get("system_prompt", ""), str | None):
        notes.add(f"{place}.system_prompt", "expected the text of the system prompt; it was left out")
    else:
        session.system = as_text(held.get("system_prompt") or "")
    session.tools = list(objects(held.get("tools")))
    for at, message in enumerated(f"{place}.messages", held["messages"]):
        if mapping(message).get("role") == _META:
            left_out.add(_META, at, True)
        else:
            session.add("", read_message(message, notes, at), at)
    return session


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


_BESIDE = ("codex_reasoning_items",)
"""Keys of what is there a second time."""

FORMAT = Format(
    "hermes",
    "Hermes Agent sessions",
    sniff,
    load,
    "a database with `sessions` that have a `system_prompt`, or `session_start` and `messages`",
    beside=_BESIDE,
)

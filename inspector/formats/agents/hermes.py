"""Sessions of Hermes Agent: its database (`~/.hermes/state.db`), its exports, and the JSON of a session.

Layout: NousResearch/hermes-agent, `hermes_state.py` and its mixins (`hermes_state_schema.py`, `_messages.py`,
`_portability.py`); the JSON by fixtures of jazzyalex/agent-sessions. A compression ends a session, and goes on in
another that names it as its parent; both are conversations. Newer versions compress in place: they archive all rows,
and write the summary with copies of the messages that they keep. From version 25 on, system prompts are in a table of
their own. `api_content` is what was sent where the program shows another text. Messages whose role is `session_meta`
are records of the program.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, json_list, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import read_each, surest, values_of
from inspector.model import Message, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_number, as_text, mapping, objects

_COLUMNS = (
    *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"),
    *("reasoning", "reasoning_content", "reasoning_details", "active", "compacted", "_compressed_summary"),
    "api_content",
)
_ABOUT = ("id", "title", "model", "system_prompt", "system_prompt_hash")
_META = "session_meta"
_HEAD = frozenset(("session_id", "session_start", "messages"))
_TOLD = frozenset(("platform", "message_count", "base_url"))
_NAMED = ("content", "tool_call_id", "timestamp", "reasoning", "reasoning_content")
_EXPORTED = frozenset(("id", "source", "messages"))
_ROW = frozenset(("started_at", "end_reason", "parent_session_id"))
_SAME = ("role", "content", "tool_call_id", "tool_calls", "timestamp")
"""Columns by which a copy of a message is the same message."""
_AS_JSON = ("\u2400json:", "\x01json:")
"""Beginnings of contents with several parts; the first is a NUL in the database."""
_SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")
"""Beginnings of the summaries of versions that do not mark them."""


def sniff(source: FileSource) -> float:
    """Return how likely this is the database of Hermes Agent."""
    found = has_tables(
        source, sessions="id source model system_prompt", messages="session_id role content tool_calls tool_call_id"
    )
    if found:
        return 1.0
    return 0.0 if source.shape == "sqlite" else surest(source, lambda value: 0.96 if _is_written(value) else 0.0)


def _is_written(value: Any) -> bool:
    """Return whether a value is a session written as JSON, or exported."""
    held = mapping(value)
    if not isinstance(held.get("messages"), list):
        return False
    return (held.keys() >= _HEAD and bool(held.keys() & _TOLD)) or _is_exported(held)


def _is_exported(held: Mapping[str, Any]) -> bool:
    return held.keys() >= _EXPORTED and bool(held.keys() & _ROW)


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    if source.shape == "sqlite":
        with opened(source) as database:
            sessions = list(_sessions(database, notes, left_out))
    else:
        expected = "a session of Hermes with messages"
        written = read_each(_segments(source, notes), _is_written, partial(_written, left_out), notes, expected)
        sessions = list(written)
    return workspace_of_sessions(sessions, source, left_out, notes, "sessions of Hermes with messages")


def _segments(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file; the sessions of an exported lineage in place of the one that joins them."""
    for place, value in values_of(source, notes):
        segments = objects(mapping(value).get("segments"))
        yield from enumerated(f"{place}.segments", segments) if segments else [(place, value)]


def _written(left_out: LeftOut, held: Mapping[str, Any], notes: Notes, place: str) -> Session:
    """Return a session that was written as JSON, or exported as the rows of its messages."""
    session = Session(notes, as_text(held.get("session_id") or held.get("id")))
    session.title, session.model = as_text(held.get("title") or ""), as_text(held.get("model") or "")
    if not isinstance(held.get("system_prompt", ""), str | None):
        notes.add(f"{place}.system_prompt", "expected the text of the system prompt; it was left out")
    else:
        session.system = as_text(held.get("system_prompt") or "")
    session.tools = list(objects(held.get("tools")))
    listed = enumerated(f"{place}.messages", held["messages"])
    if _is_exported(held):
        _fill(session, [(at, mapping(one)) for at, one in listed], left_out)
        return session
    for at, message in listed:
        if mapping(message).get("role") == _META:
            left_out.add(_META, at, True)
        else:
            session.add("", read_message(message, notes, at), at)
    return session


def _sessions(database: Database, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    rows: dict[str, list[_Placed]] = {}
    for row in database.rows("messages", *_COLUMNS):
        place = f"messages: {as_text(row.get('id'))}"
        rows.setdefault(as_text(row.get("session_id")), []).append((place, row))
    about = {as_text(row.get("id")): row for row in database.rows("sessions", *_ABOUT)}
    prompts = {as_text(row.get("hash")): row.get("prompt") for row in database.rows("system_prompts", "hash", "prompt")}
    for id_ in {**about, **rows}:
        row = about.get(id_, {})
        session = Session(notes, id_)
        session.title, session.model = as_text(row.get("title") or ""), as_text(row.get("model") or "")
        key = as_text(row.get("system_prompt_hash") or "")
        session.system = as_text(row.get("system_prompt") or prompts.get(key) or "")
        if key and not session.system:
            notes.add(f"sessions: {id_}", "names a system prompt that is not in the database")
        _fill(session, rows.get(id_, []), left_out)
        yield session


_Placed = tuple[str, Mapping[str, Any]]
"""The row of a message with its place."""


def _fill(session: Session, rows: list[_Placed], left_out: LeftOut) -> None:
    """Add the messages of a session; what a compression in place archived comes before its summary."""
    if any(row.get("compacted") == 1 for _, row in rows):
        rows = _in_order(list(_without_copies(rows, left_out)))
    live: list[str] = []
    for place, row in rows:
        if row.get("role") == _META:
            left_out.add(_META, place, True)
            continue
        names = _add(session, row, place, live)
        live += names if row.get("active") != 0 else []


def _without_copies(rows: Iterable[_Placed], left_out: LeftOut) -> Iterator[_Placed]:
    """Yield the rows without the archived ones that were written again."""
    seen = {_identity(row) for _, row in rows if row.get("compacted") != 1}
    for place, row in rows:
        if row.get("compacted") == 1 and _identity(row) in seen:
            left_out.add("archived copy of a message that was kept", place, True)
            continue
        seen.add(_identity(row))
        yield place, row


def _identity(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(as_text(row.get(key)) for key in _SAME)


def _in_order(rows: list[_Placed]) -> list[_Placed]:
    """Return the rows in the order of their times, if each has one: copies have the times of their messages."""
    times = [as_number(row.get("timestamp")) for _, row in rows]
    if any(time is None for time in times):
        return rows
    return sorted(rows, key=lambda pair: as_number(pair[1].get("timestamp")) or 0.0)


def _add(session: Session, row: Mapping[str, Any], place: str, live: list[str]) -> list[str]:
    """Add a message and return its nodes; one that a rewind took back is left out of the path."""
    found = list(_messages(session, row, place))
    id_, before = as_text(row.get("id")), session.tip
    if found and _is_summary(row, found[-1]):
        session.compact(id_, found[-1], place, live)
        return [session.tip]
    names = session.add(id_, found, place)
    if row.get("active") == 0 and row.get("compacted") != 1:
        session.tip = before
    return names


def _messages(session: Session, row: Mapping[str, Any], place: str) -> Iterator[Message]:
    named: dict[str, Any] = {"role": row.get("role"), **{key: row[key] for key in _NAMED if row.get(key) is not None}}
    named["content"] = _content(named.get("content", ""))
    sent = row.get("api_content")
    is_other = isinstance(sent, str) and sent and sent != named["content"]
    for key in ("tool_calls", "reasoning_details"):
        if row.get(key):
            told = row[key]
            named[key] = told if isinstance(told, list) else json_list(told, session.notes, f"{place}: {key}")
    shown = {"shown": as_text(named["content"])} if is_other else {}
    if is_other:
        named["content"] = sent
    for message in read_message(named, session.notes, place):
        yield changed(message, metadata={**message.metadata, **shown}) if shown else message


def _content(content: Any) -> Any:
    """Return the content of a message: text, or the parts that the database has as JSON."""
    text = content if isinstance(content, str) else ""
    prefix = next((one for one in _AS_JSON if text.startswith(one)), "")
    return unwrapped(text.removeprefix(prefix)) if prefix else content


def _is_summary(row: Mapping[str, Any], message: Message) -> bool:
    if "_compressed_summary" in row:
        return row["_compressed_summary"] in (1, True)
    return message.content.startswith(_SUMMARIES)


_BESIDE = ("codex_reasoning_items", "codex_message_items", "display_metadata", "model_config", "preview")
"""Keys of what is there a second time."""

FORMAT = Format(
    "hermes",
    "Hermes Agent sessions",
    sniff,
    load,
    "a database with `sessions` that have a `system_prompt`, or `session_start` and `messages`",
    beside=_BESIDE,
)

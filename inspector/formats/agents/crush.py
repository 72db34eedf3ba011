"""Sessions of Crush: its database `crush.db`, and the JSON of `crush session show --json`.

Layout: charmbracelet/crush, `internal/db/migrations`, `internal/message/content.go` and `message.go` (parts as
`{type, data}`), `internal/cmd/session.go` (the JSON, with the fields of a part beside its type). By
`internal/agent/agent.go`, a session goes on from its last summary, which is sent as the user's; a summary that failed
ends with an error and replaces nothing. The token counts of a session are left out: versions add them up differently.
The database of the first opencode (opencode-ai/opencode, `internal/db/migrations`), which became Crush, has the same
tables with fewer columns.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, enumerated, json_list, turn, workspace_of_sessions
from inspector.formats.content.at import At
from inspector.formats.content.media import medium_of
from inspector.formats.content.reader import read_part, read_result
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.formats.saved_chats import surest, values_of
from inspector.model import DocumentPart, Part, Text, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_number, as_text, as_whole, clean, items_of, mapping, objects

_COLUMNS = ("id", "session_id", "role", "parts", "model", "created_at", "is_summary_message")
_UNTITLED = frozenset(("New Session", "Untitled Session"))
_FAILED = frozenset(("error", "canceled", "content_filter"))
_ENDED = "finish"


def sniff(source: FileSource) -> float:
    """Return how likely this is the database, or a session as JSON."""
    found = has_tables(source, sessions="id title prompt_tokens", messages="id session_id role parts finished_at")
    if found:
        return 1.0
    return 0.0 if source.shape == "sqlite" else surest(source, lambda value: 0.96 if _is_shown(value) else 0.0)


def _is_shown(value: Any) -> bool:
    """Return whether a value is what `crush session show --json` prints."""
    held = mapping(value)
    about = mapping(held.get("meta"))
    is_told = isinstance(held.get("messages"), list) and about.keys() >= {"uuid", "title", "completion_tokens"}
    return is_told and any("parts" in one for one in objects(held["messages"]))


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    if source.shape == "sqlite":
        with opened(source) as database:
            sessions = list(_of_tables(database, notes, left_out))
    else:
        sessions = [_shown(mapping(value), notes, place, left_out) for place, value in values_of(source, notes)]
    return workspace_of_sessions(sessions, source, left_out, notes, "messages of a session of Crush")


def _of_tables(database: Database, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(database.rows("messages", *_COLUMNS), key=lambda row: as_number(row.get("created_at")) or 0):
        rows.setdefault(as_text(row.get("session_id")), []).append(row)
    about = {as_text(row.get("id")): row for row in database.rows("sessions", "id", "title", "summary_message_id")}
    for id_ in {**about, **rows}:
        session = _titled(id_, about.get(id_, {}), notes)
        last = as_text(about.get(id_, {}).get("summary_message_id") or "")
        for row in rows.get(id_, ()):
            place = f"messages: {as_text(row.get('id'))}"
            parts = json_list(row.get("parts"), notes, f"{place}: parts")
            _add(session, row, parts, place, left_out, last)
        yield session


def _shown(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> Session:
    about = mapping(held.get("meta"))
    session = _titled(as_text(about.get("uuid") or about.get("id")), about, notes)
    for at, one in enumerated(f"{place}.messages", items_of(held.get("messages"))):
        message = mapping(one)
        _add(session, message, items_of(message.get("parts")), at, left_out, "")
    return session


def _titled(id_: str, about: Mapping[str, Any], notes: Notes) -> Session:
    session = Session(notes, id_)
    title = as_text(about.get("title") or "")
    session.title = "" if title in _UNTITLED else title
    return session


def _add(
    session: Session, row: Mapping[str, Any], parts: Any, place: str, left_out: LeftOut, last_summary: str
) -> None:
    """Add a message, or the summary of all before it."""
    notes, id_ = session.notes, as_text(row.get("id"))
    role = role_of(row)
    if role is None:
        found = as_text(row.get("role"))[:40] or "nothing"
        notes.add(f"{place}: role", f"expected user, assistant or tool, found {found}; the message was left out")
        return
    if not parts:
        notes.add(f"{place}: parts", "expected parts, found none; the message was left out")
    read = [
        one for at, part in enumerated(f"{place}.parts", parts) for one in _parts(mapping(part), notes, at, left_out)
    ]
    ended = next((_data(one) for one in objects(parts) if one.get("type") == _ENDED), {})
    failed = ended.get("reason") in list(_FAILED)
    error = ": ".join(filter(None, (as_text(ended.get(key) or "") for key in ("message", "details"))))
    told = {"model": as_text(row.get("model") or ""), "error": error if failed else ""}
    time = row.get("created_at", row.get("created"))
    found = turn(role, [], notes, place, time=time, about=f"{id_}.", before=read, metadata=told)
    session.model = told["model"] or session.model
    is_summary = (bool(id_) and id_ == last_summary) or (as_whole(row.get("is_summary_message")) == 1 and not failed)
    if is_summary and found:
        session.compact(id_, changed(found[-1], role="user"), place)
    else:
        session.add(id_, found, place)


def _data(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a part: under `data`, or beside its type as the JSON has them."""
    return part["data"] if isinstance(part.get("data"), Mapping) else part


def _parts(part: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> list[Part]:
    kind, held, at = as_text(part.get("type")), _data(part), At(notes, place)
    if kind == _ENDED:
        left_out.add("end of an answer", place, True)
        return []
    if kind == "tool_result":
        return [_result(held, at)]
    if kind == "binary":
        return [_attached(held, at)]
    if kind == "shell_command":
        code = as_text(held.get("exit_code", ""))
        return [Text(f"$ {as_text(held.get('command'))}\n{as_text(held.get('output'))}\n(exit code {code})")]
    if kind == "reasoning":
        return read_part({"type": "thinking", "thinking": held.get("thinking")}, at)
    if kind == "image_url":
        return read_part({"type": kind, "image_url": {"url": held.get("url"), "detail": held.get("detail")}}, at)
    return read_part({**held, "type": kind} if held is not part else part, at)


def _result(held: Mapping[str, Any], at: At) -> Part:
    """Return a result; one with data is sent as the medium that these are, without its text."""
    if not held.get("data"):
        return read_result(held, at)
    medium = {"type": "file", "data": held["data"], "mimeType": held.get("mime_type")}
    return read_result({**held, "content": [medium]}, at)


def _attached(held: Mapping[str, Any], at: At) -> Part:
    """Return an attachment of the user; the model reads a text as text."""
    type_ = as_text(held.get("MIMEType") or held.get("mime_type") or "")
    name, data = as_text(held.get("Path") or ""), held.get("Data")
    if type_.startswith("text/") and isinstance(data, str):
        try:
            text = clean(base64.b64decode(data, validate=True).decode(errors="replace"))
        except (binascii.Error, ValueError):
            at.below(".Data").note("expected base64; the text of the attachment was left out")
            text = ""
        return DocumentPart(media_type=type_, text=text, name=name)
    return medium_of("file", {"data": data, "mimeType": type_, "name": name, "size": held.get("size")}, at)


FORMAT = Format(
    "crush",
    "Crush session",
    sniff,
    load,
    "a database with `parts` and `finished_at`, or `meta` with `completion_tokens` beside `messages`",
    beside=("thought_signature", "signature", "metadata", "skills", "todos"),
)

"""Sessions of Cursor's agent: `store.db` of `~/.cursor/chats/…/ID`, and the transcripts of `agent-transcripts`.

The layout is undocumented; this follows specstoryai/getspecstory, `specstory-cli/pkg/providers/cursorcli`. The newest
root, a message of Protocol Buffers, names the blobs of the messages in field 1; each is a message of Vercel's AI SDK as
JSON. Blobs that it does not name are left out: they belong to earlier states. A transcript has a message on each line.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.session import LeftOut, Session, lines_of, sure_of, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message, role_of
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import has_tables, opened
from inspector.reading.values import as_text, mapping, stem

_NAME_BYTES = 32  # of SHA-256
_NAMES, _BYTES = 1, 2  # the field of the names, and the wire type of bytes
_MOST_SHIFT = 63
_FIXED = {1: 8, 5: 4}  # bytes of the wire types of fixed size
_UNTITLED = "New Agent"


def sniff(source: FileSource) -> float:
    """Return how likely this is the store of a session, or its transcript."""
    if has_tables(source, blobs="id data", meta="key value"):
        return 0.97
    return sure_of(source, _is_line, 0.9)


def _is_line(record: Mapping[str, Any]) -> bool:
    message = record.get("message")
    keys = {"type", "uuid", "parentUuid", "sessionId", "timestamp", "content"}
    return role_of(record) is not None and "content" in mapping(message) and not record.keys() & keys


def load(source: FileSource) -> Workspace:
    """Return the session. Raise UnreadableError if it has no messages."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    session = _stored(source, notes) if source.shape == "sqlite" else _written(source, notes, left_out)
    return workspace_of_sessions([session], source, left_out, notes, "messages of Cursor's agent")


def _written(source: FileSource, notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes, stem(source.path))
    for place, record in lines_of(source, notes):
        if "message" not in record and "role" not in record:
            kind = as_text(record.get("type"))
            left_out.add(kind, f"{place}.type", kind in ("turn_ended", "session_start", "session_end"))
            continue
        held = {**mapping(record.get("message")), "role": record.get("role")}
        session.add("", read_message(held, notes, f"{place}.message"), place)
    return session


def _stored(source: FileSource, notes: Notes) -> Session:
    session = Session(notes)
    with opened(source) as database:
        about = _about(row.get("value") for row in database.rows("meta", "key", "value"))
        blobs = {as_text(row.get("id")): _bytes_of(row.get("data")) for row in database.rows("blobs", "id", "data")}
    session.id = as_text(about.get("agentId"))
    name = as_text(about.get("name"))
    session.title = "" if name == _UNTITLED else name
    session.model = as_text(about.get("lastUsedModel"))
    messages = {id_: held for id_, data in blobs.items() if (held := _message(data)) is not None}
    root = as_text(about.get("latestRootBlobId"))
    names = [name for name in _names_in(blobs.get(root, b"")) if name in blobs]
    if not names:
        notes.add("meta", "names no root with messages; all messages of the store are shown in the order of writing")
        names = list(messages)
    for name in names:
        place = f"blobs: {name[:12]}"
        if name in messages:
            session.add(name, read_message({**messages[name], "id": ""}, notes, place), place)
        else:
            notes.add(place, "is no message in JSON; it was left out")
    if others := len(messages.keys() - {*names}):
        notes.add("blobs", f"{others:,} messages of earlier states of the session were left out", "info")
    return session


def _about(values: Iterator[Any]) -> Mapping[str, Any]:
    """Return what the store tells about the session: JSON, also as hexadecimal digits."""
    for value in values:
        text = as_text(value.decode(errors="replace") if isinstance(value, bytes) else value)
        for written in (text, _from_digits(text)):
            if (held := _object(written)) is not None:
                return held
    return {}


def _from_digits(text: str) -> str:
    try:
        return bytes.fromhex(text).decode(errors="replace")
    except ValueError:
        return ""


def _bytes_of(value: Any) -> bytes:
    return value if isinstance(value, bytes) else as_text(value).encode()


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, Mapping) else None


def _message(data: bytes) -> Mapping[str, Any] | None:
    """Return the message of a blob, which older versions put inside of another message."""
    start = data.find(b'{"')
    end = data.rfind(b"}") + 1
    held = _object(data[start:end].decode(errors="replace")) if 0 <= start < end else None
    return held if held is not None and role_of(held) is not None else None


def _names_in(data: bytes) -> Iterator[str]:
    """Yield the names of blobs in a message of Protocol Buffers, up to anything that is none."""
    at = 0
    while at < len(data):
        tag, at = _number(data, at)
        kind, field = tag & 7, tag >> 3
        if kind == _BYTES:
            size, at = _number(data, at)
            if field == _NAMES and size == _NAME_BYTES:
                yield data[at : at + size].hex()
            at += size
        elif kind in _FIXED:
            at += _FIXED[kind]
        elif kind == 0:
            _, at = _number(data, at)
        else:
            return


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length and the place after it."""
    value = 0
    for shift in range(0, _MOST_SHIFT, 7):
        if at >= len(data):
            break
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            break
    return value, at


FORMAT = Format(
    "cursor_cli", "Cursor agent session", sniff, load, "a database with `blobs` and `meta`, or lines with a `message`"
)

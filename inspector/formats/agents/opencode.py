"""Sessions of opencode: what `opencode export` writes, and its database `opencode.db`.

Layout: anomalyco/opencode, `packages/opencode/src/session/message-v2.ts` (`MessageV2.Info`, `MessageV2.Part`); the
tables of the database hold the same objects. An answer marked as a summary replaces all before it but its request, and
the messages from `tail_start_id` on.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.opencode_parts import messages_of
from inspector.formats.agents.session import LeftOut, Session, enumerated, json_object, workspace_of_sessions
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import has_tables, opened
from inspector.reading.values import as_number, as_text, items_of, mapping, objects

_Told = list[tuple[str, Mapping[str, Any], list[Any]]]
"""The messages of a session: the place, the description and the parts of each."""


def sniff(source: FileSource) -> float:
    """Return how likely this is the database or an export."""
    if has_tables(source, session="id title", message="id session_id data", part="id message_id data"):
        return 1.0
    return surest(source, _sureness)


def _sureness(value: Any) -> float:
    listed = objects(mapping(value).get("messages"))
    return 0.97 if any("role" in mapping(one.get("info")) and "parts" in one for one in listed) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    if source.shape == "sqlite":
        sessions = list(_of_tables(source, notes, left_out))
    else:
        sessions = [_of_file(mapping(value), notes, place, left_out) for place, value in values_of(source, notes)]
    return workspace_of_sessions(sessions, source, left_out, notes, "messages of a session of opencode")


def _of_file(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> Session:
    listed = held.get("messages")
    if not isinstance(listed, list):
        notes.add(f"{place}.messages", "expected the messages of a session, found none; it was left out")
    told = [
        (at, mapping(mapping(one).get("info")), list(items_of(mapping(one).get("parts"))))
        for at, one in enumerated(f"{place}.messages", items_of(listed))
    ]
    return _session(mapping(held.get("info")), told, notes, left_out)


def _of_tables(source: FileSource, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    with opened(source) as database:
        sessions = list(database.rows("session", "id", "title", "parent_id"))
        messages = list(database.rows("message", "id", "session_id", "time_created", "data"))
        parts: dict[str, list[Any]] = {}
        for row in database.rows("part", "id", "message_id", "data"):
            place = f"part: {as_text(row.get('id'))}"
            parts.setdefault(as_text(row.get("message_id")), []).append(_object(row, notes, place))
    told: dict[str, _Told] = {}
    for row in sorted(messages, key=lambda row: (as_number(row.get("time_created")) or 0, as_text(row.get("id")))):
        place = f"message: {as_text(row.get('id'))}"
        info = _object(row, notes, place)
        told.setdefault(as_text(row.get("session_id")), []).append((place, info, parts.get(as_text(info["id"]), [])))
    for row in sessions:
        yield _session(row, told.pop(as_text(row.get("id")), []), notes, left_out)
    for id_, lost in told.items():
        notes.add(f"message: {as_text(lost[0][1].get('id'))}", f'is of the session "{id_[:40]}", which is not there')
        yield _session({"id": id_}, lost, notes, left_out)


def _object(row: Mapping[str, Any], notes: Notes, place: str) -> Mapping[str, Any]:
    """Return the object in a row, with the id of the row."""
    return {**json_object(row.get("data") or "{}", notes, place), "id": as_text(row.get("id"))}


def _session(about: Mapping[str, Any], told: _Told, notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes, as_text(about.get("id")))
    title = as_text(about.get("title"))
    session.title = "" if title.startswith("New session - ") else title
    request, tail = "", ""
    nodes: dict[str, str] = {}
    for place, info, parts in told:
        id_ = as_text(info.get("id"))
        found = messages_of(info, parts, notes, place, left_out)
        model = mapping(info.get("model"))
        session.model = as_text(info.get("modelID") or model.get("modelID")) or session.model
        session.system = as_text(info.get("system") if isinstance(info.get("system"), str) else "") or session.system
        if info.get("role") == "assistant" and info.get("summary") is True and found:
            session.add(f"{id_}.before", found[:-1], place)
            kept = session.kept_from(nodes.get(tail) or nodes.get(request, "")) if tail or request else []
            session.compact(id_, found[-1], place, kept)
        else:
            nodes[id_] = session.add(id_, found, place)[0]
        asked = [one for one in objects(parts) if one.get("type") == "compaction"]
        if asked:
            request, tail = id_, as_text(asked[0].get("tail_start_id"))
    return session


_BESIDE = ("metadata", "diffs", "diff", "before", "after", "summary")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "opencode",
    "opencode session",
    sniff,
    load,
    "`messages` of `info` and `parts`, or the tables `message` and `part`",
    beside=_BESIDE,
)

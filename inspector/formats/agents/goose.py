"""Sessions of Goose: its database `sessions.db`, its older logs `sessions/*.jsonl`, what it exports and prints as JSON.

Layout: block/goose, `crates/goose/src/session/session_manager.rs` (database and `goose session export`),
`session/storage.rs` and `legacy.rs` (a line of the session, then a message on each line), `session/export_bundle.rs`
(the sessions of subagents beside), and `crates/goose-cli` (`goose run --output-format json` and `stream-json`). The
requests that it logs are read by `goose_requests`. By `context_mgmt`, a compaction hides all messages from the agent
(`agentVisible`), and adds a summary of the user's that only the agent sees, with an answer that tells it to go on.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.agents.goose_parts import Placed, is_marked, is_message, is_on_screen, joined, messages_of
from inspector.formats.agents.goose_requests import is_request, requests_of
from inspector.formats.agents.session import (
    LeftOut,
    Session,
    enumerated,
    json_list,
    json_object,
    lines_of,
    sure_of,
    usage_metadata,
    workspace_of_sessions,
)
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Workspace, changed
from inspector.model.usage import Usage, recorded_usage
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, stem

_Told = list[Placed]
"""The messages of a session."""

_LISTS = ("conversation", "messages")
_HEADER = frozenset(("working_dir", "total_tokens", "accumulated_total_tokens", "schedule_id"))
_EVENTS = frozenset(("notification", "complete", "error"))
_USAGE = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_COLUMNS = ("id", "message_id", "session_id", "role", "content_json", "created_timestamp", "metadata_json")
_ABOUT = (
    *("id", "name", "description", "recipe_json", "model_config_json", "provider_name"),
    *_USAGE,
)
_HIDDEN = {"recorded": {"action": "dropped", "reason": "hidden from the agent"}}


def sniff(source: FileSource) -> float:
    """Return how likely this is a database, a log, or an export."""
    found = has_tables(source, sessions="id working_dir", messages="session_id role content_json created_timestamp")
    if found:
        return 1.0
    return 0.0 if source.shape == "sqlite" else sure_of(source, _is_surely_ours) or sure_of(source, is_message, 0.6)


def _is_surely_ours(record: Mapping[str, Any]) -> bool:
    if _is_header(record) or is_request(record):
        return True
    listed = [mapping(one) for key in _LISTS for one in items_of(record.get(key))[:20]]
    return any(is_message(one) and is_marked(one) for one in (record, mapping(record.get("message")), *listed))


def _is_header(record: Mapping[str, Any]) -> bool:
    """Return whether a record is the first line of a log, which tells about its session."""
    return "role" not in record and "message_count" in record and bool(record.keys() & _HEADER)


def load(source: FileSource) -> Workspace:
    """Return the sessions with messages. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    left_out = LeftOut(notes)
    if source.shape == "sqlite":
        with opened(source) as database:
            sessions = list(_of_tables(database, notes, left_out))
    elif sure_of(source, is_request):
        sessions = list(requests_of(source, notes, left_out))
    else:
        sessions = list(_of_records(source, notes, left_out))
    return workspace_of_sessions(sessions, source, left_out, notes, "messages of a session of Goose")


def _of_tables(database: Database, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    told: dict[str, _Told] = {}
    for row in database.rows("messages", *_COLUMNS):
        told.setdefault(as_text(row.get("session_id")), []).append(_row(row, notes))
    about = {as_text(row.get("id")): row for row in database.rows("sessions", *_ABOUT)}
    for id_ in {**about, **told}:
        row = about.get(id_, {})
        place = f"sessions: {id_}"
        found = {
            key: json_object(row[f"{key}_json"], notes, f"{place}: {key}_json")
            for key in ("recipe", "model_config")
            if row.get(f"{key}_json")
        }
        yield _session({**row, **found, "id": id_}, told.get(id_, []), notes, left_out)


def _row(row: Mapping[str, Any], notes: Notes) -> Placed:
    """Return the message of a row."""
    place = f"messages: {as_text(row.get('id'))}"
    metadata = row.get("metadata_json")
    return place, {
        "id": as_text(row.get("message_id") or row.get("id")),
        "role": row.get("role"),
        "created": row.get("created_timestamp"),
        "content": json_list(row.get("content_json"), notes, f"{place}: content_json"),
        "metadata": json_object(metadata, notes, f"{place}: metadata_json") if metadata else {},
    }


def _of_records(source: FileSource, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    """Yield the exported sessions of a file, and the one that its other records are."""
    about: Mapping[str, Any] = {"id": stem(source.path)}
    told: _Told = []
    printed: _Told = []
    for place, record in lines_of(source, notes):
        key = next((key for key in _LISTS if isinstance(record.get(key), list)), "")
        if key:
            yield from _exported(record, key, place, notes, left_out)
        elif "content" in record or "role" in record:
            told.append((place, record))
        elif isinstance(record.get("message"), Mapping):
            printed.append((f"{place}.message", mapping(record["message"])))
        elif _is_header(record):
            about = {**about, **record}
        else:
            kind = as_text(record.get("type"))
            left_out.add(kind, f"{place}.type", kind in _EVENTS)
    yield _session(about, [*told, *joined(printed)], notes, left_out)


def _exported(held: Mapping[str, Any], key: str, place: str, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    """Yield an exported session, and those of its subagents."""
    told = [(at, mapping(one)) for at, one in enumerated(f"{place}.{key}", held[key])]
    yield _session(held, told, notes, left_out)
    for at, child in enumerated(f"{place}.child_sessions", items_of(held.get("child_sessions"))):
        own = next((key for key in _LISTS if isinstance(mapping(child).get(key), list)), "")
        if own:
            yield from _exported(mapping(child), own, at, notes, left_out)


def _session(about: Mapping[str, Any], told: _Told, notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes, as_text(about.get("id")))
    session.title = as_text(about.get("name") or about.get("description") or "")
    model = mapping(about.get("model_config"))
    session.model = as_text(model.get("model_name") or "")
    session.context_window = as_whole(model.get("context_limit"))
    session.system = as_text(mapping(about.get("recipe")).get("instructions") or "")
    session.tools = [tool for tool in objects(about.get("tools")) if tool.get("name")]
    last = max((number for number, (_, one) in enumerate(told) if _is_summary(told, number)), default=-1)
    for number, (place, held) in enumerate(told):
        _add(session, held, place, left_out, is_summary=_is_summary(told, number), is_past=number < last)
    _use(session, about, told)
    return session


def _add(
    session: Session, held: Mapping[str, Any], place: str, left_out: LeftOut, *, is_summary: bool, is_past: bool
) -> None:
    """Add a message. Those hidden from the agent before the last summary are in it; others were never sent again."""
    found = messages_of(held, session.notes, place, left_out)
    id_ = as_text(held.get("id") or "")
    models = [as_text(one.metadata["model"]) for one in found if one.metadata.get("model")]
    session.model = models[-1] if models else session.model
    if is_summary and found:
        session.compact(id_, found[-1], place)
        return
    is_hidden = _sees(held, "agentVisible") is False
    if is_hidden and not is_past:
        found = [changed(one, excluded=True, metadata={**one.metadata, **_HIDDEN}) for one in found]
    session.add(id_, found, place)


def _sees(held: Mapping[str, Any], key: str) -> Any:
    return mapping(held.get("metadata")).get(key)


def _is_summary(told: Sequence[Placed], number: int) -> bool:
    """Return whether a message is a summary: a user's that the user does not see, with the answer to go on after it."""
    held = told[number][1]
    after = told[number + 1][1] if number + 1 < len(told) else {}
    if held.get("role") != "user" or _sees(held, "userVisible") is not False or _sees(held, "turnContext"):
        return False
    return after.get("role") == "assistant" and _sees(after, "userVisible") is False


def _use(session: Session, about: Mapping[str, Any], told: _Told) -> None:
    """Give the last answer the usage of the session's last request, unless it has its own or anything came since."""
    answer = session.last_answer()
    if not told or not answer or answer != session.tip or told[-1][1].get("role") != "assistant":
        return
    if all(recorded_usage(one.metadata) == Usage() for one in session.nodes[answer].messages):
        used = {key: about[key] for key in _USAGE if as_whole(about.get(key))}
        session.annotate(answer, usage_metadata(used)[0])


_BESIDE = ("extension_data", "recipe", "user_recipe_values", "artifacts", "tool_meta", "_meta", "structuredContent")
"""Keys of texts for the screen, of the program's own settings, and of what is there a second time."""

FORMAT = Format(
    "goose",
    "Goose session",
    sniff,
    load,
    "a database with `content_json`, messages with `created` and `agentVisible`, or `model_config` beside `input`",
    beside=_BESIDE,
    unsent=is_on_screen,
)

"""Data exported from LobeChat: backups of its tables, older exports of sessions, and single topics.

Layout: github.com/lobehub/lobe-chat, `packages/types/src/export.ts` and `message/ui/chat.ts`. Messages are in a single
list; each names its own session, topic and thread.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.lobechat.message import attachments_of, read_turn
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, title_of, workspace_of
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, items_of, mapping, objects, parse_time

_KINDS = ("all", "sessions", "singleSession", "agents", "settings")
_TALK = ("sessionId", "agentId", "groupId", "topicId", "threadId")
_TOPIC_VERSION = "2.0"
_EXPECTED = "messages of LobeChat (state.messages, data.messages, or a topic)"

_Record = tuple[str, Mapping[str, Any]]


def sniff(source: FileSource) -> float:
    """Return how likely this is data of LobeChat."""
    value = mapping(source.sample) if source.shape == "json" and source.raw_items is None else {}
    if _is_export(value) or _is_backup(value):
        return 0.96
    is_topic = "exportedAt" in value and value.get("version") == _TOPIC_VERSION
    return 0.95 if is_topic and isinstance(value.get("messages"), list) else 0.0


def _is_export(value: Mapping[str, Any]) -> bool:
    kind = value.get("exportType")
    return isinstance(kind, str) and kind in _KINDS and isinstance(value.get("state"), Mapping)


def _is_backup(value: Mapping[str, Any]) -> bool:
    tables = mapping(value.get("data"))
    return "schemaHash" in value and isinstance(tables.get("messages"), list)


def load(source: FileSource) -> Workspace:
    """Return a chat for each topic of a session, and a chat of messages without a topic.

    Raise UnreadableError if there are no messages.
    """
    notes = Notes(source.path)
    value = mapping(source.json)
    tables, place = _tables(value)
    records = _records(tables, notes, place)
    if not records:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none")
    described = _Described(tables)
    chats = [described.chat(key, found, notes) for key, found in _talks(records).items()]
    if "title" in value and len(chats) == 1:
        chats[0].title = as_text(value["title"]).strip()
    return workspace_of(chats, source, notes)


def _tables(value: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return the lists of an export by their names, and their place."""
    if isinstance(value.get("messages"), list):
        return value, "$"
    return (mapping(value["state"]), "$.state") if _is_export(value) else (mapping(value.get("data")), "$.data")


def _records(tables: Mapping[str, Any], notes: Notes, place: str) -> list[_Record]:
    found: list[_Record] = []
    for number, record in enumerate(items_of(tables.get("messages"))):
        at = f"{place}.messages[{number}]"
        if isinstance(record, Mapping):
            found.append((at, record))
        else:
            notes.add(at, "expected a message (an object with role and content); it was left out", "error")
    return found


def _talks(records: list[_Record]) -> dict[tuple[str, ...], list[_Record]]:
    """Return the messages of each session, topic and thread, the oldest first."""
    talks: dict[tuple[str, ...], list[_Record]] = {}
    for at, record in records:
        talks.setdefault(tuple(as_text(record.get(key)) for key in _TALK), []).append((at, record))
    return {key: sorted(found, key=lambda pair: _when(pair[1])) for key, found in talks.items()}


def _when(record: Mapping[str, Any]) -> float:
    time = parse_time(record.get("createdAt"))
    return time.timestamp() if time else as_number(record.get("createdAt")) or 0.0


class _Described:
    """The titles of topics and the system prompt of each session."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._topics = _by_id(tables.get("topics"))
        self._sessions = _by_id(tables.get("sessions"))
        agents = _by_id(tables.get("agents"))
        pairs = objects(tables.get("agentsToSessions"))
        self._agents = {
            **agents,
            **{as_text(one.get("sessionId")): agents.get(as_text(one.get("agentId")), {}) for one in pairs},
        }

    def chat(self, key: tuple[str, ...], records: list[_Record], notes: Notes) -> SavedChat:
        """Return the chat of the messages of a topic."""
        session, topic = self._sessions.get(key[0], {}), self._topics.get(key[3], {})
        told = self._agents.get(key[0]) or self._agents.get(key[1]) or mapping(session.get("config"))
        nodes = in_line(_placed(records, notes))
        titles = (topic.get("title"), mapping(session.get("meta")).get("title"), session.get("title"))
        title = next((as_text(text).strip() for text in titles if as_text(text).strip()), "")
        return SavedChat(
            nodes,
            next(reversed(nodes), None),
            records[0][0],
            id=next(filter(None, (key[4], key[3], key[2], key[0])), ""),
            title=title or title_of(message for node in nodes.values() for message in node.messages),
            system=as_text(told.get("systemRole")).strip(),
            model=as_text(told.get("model")),
            beside={"attachments": [file for _, record in records for file in attachments_of(record)]},
        )


def _placed(records: list[_Record], notes: Notes) -> Iterator[tuple[str, Message]]:
    for at, record in records:
        yield from ((at, message) for message in read_turn(record, notes, at))


def _by_id(listed: Any) -> dict[str, Mapping[str, Any]]:
    return {as_text(one.get("id")): one for one in objects(listed)}


FORMAT = Format(
    "lobechat", "LobeChat export", sniff, load, "`exportType` with `state`, tables with a `schemaHash`, or a topic"
)

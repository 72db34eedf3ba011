"""Data exported from Chatbox: sessions with their threads and forks, and their condensed parts.

Layout: github.com/chatboxai/chatbox, `src/shared/types/session.ts`. The settings beside them hold keys of services and
are not read. A fork holds every line of answers except the shown line, which is the session itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from inspector.formats.chatbox.message import read_turn
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, workspace_of
from inspector.model import Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects

_SESSION = "session:"
_OLD = "chat-sessions"  # all sessions in one list, until version 1.9
_MARK = "__exported_items"
_EXPECTED = "a session of Chatbox (an object with messages)"


def sniff(source: FileSource) -> float:
    """Return how likely this is data of Chatbox: its sessions, or its export mark."""
    value = mapping(source.sample) if source.shape == "json" and source.raw_items is None else {}
    if any(_is_session(session) for _, session in _sessions(value)):
        return 0.97
    return 0.9 if _MARK in value else 0.0


def _sessions(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the sessions of a document with their places; some versions write each of them as text."""
    for key, session in value.items():
        if key.startswith(_SESSION):
            yield f"$.{key}", unwrapped(session)
    listed = unwrapped(value.get(_OLD))
    yield from ((f"$.{_OLD}[{number}]", session) for number, session in enumerate(items_of(listed)))


def _is_session(value: Any) -> bool:
    return isinstance(mapping(value).get("messages"), list)


def load(source: FileSource) -> Workspace:
    """Return a chat for each session, and for each of its threads. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, session in _sessions(mapping(source.json)):
        if _is_session(session):
            chats += _chats(session, notes, place)
        else:
            notes.add(place, f"expected {_EXPECTED}; it was left out", "error")
    if not chats:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes)


def _chats(session: Mapping[str, Any], notes: Notes, place: str) -> Iterator[SavedChat]:
    """Yield the open chat of a session, and those put away as threads."""
    yield _chat(session, session, notes, place)
    for number, thread in enumerate(objects(session.get("threads"))):
        if items_of(thread.get("messages")):
            yield _chat(thread, session, notes, f"{place}.threads[{number}]")


def _chat(talk: Mapping[str, Any], session: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    nodes: dict[str, Node] = {}
    leaf = _add_line(nodes, items_of(talk.get("messages")), "", notes, f"{place}.messages")
    _add_forks(nodes, mapping(session.get("messageForksHash")), notes, f"{place}.messageForksHash")
    _mark_condensed(nodes, objects(talk.get("compactionPoints")))
    settings = mapping(session.get("settings"))
    named = [as_text(one.get(key)).strip() for one, key in ((talk, "name"), (session, "name"))]
    return SavedChat(
        nodes,
        leaf or None,
        place,
        as_text(talk.get("id")),
        next(filter(None, named), ""),
        model=as_text(settings.get("modelId") or settings.get("model")),
        context_window=as_whole(settings.get("contextWindow")),
    )


def _add_line(nodes: dict[str, Node], records: Iterable[Any], above: str, notes: Notes, place: str) -> str:
    """Add messages that follow each other; return the name of the last node."""
    for number, record in enumerate(records):
        at = f"{place}[{number}]"
        name = as_text(mapping(record).get("id")) or f"m{len(nodes)}"
        while name in nodes:
            name = f"{name}-{len(nodes)}"
        nodes[name] = Node(above, read_turn(record, notes, at), at)
        above = name
    return above


def _add_forks(nodes: dict[str, Node], forks: Mapping[str, Any], notes: Notes, place: str) -> None:
    """Add the hidden lines of answers below the messages where they begin, some of which are in other lines."""
    waiting = {as_text(name): mapping(fork) for name, fork in forks.items()}
    found = [name for name in nodes if name in waiting]
    while found:
        name, before = found.pop(), len(nodes)
        fork = waiting.pop(name)
        for number, line in enumerate(objects(fork.get("lists"))):
            if number != fork.get("position"):
                at = f"{place}.{name}.lists[{number}].messages"
                _add_line(nodes, items_of(line.get("messages")), name, notes, at)
        found += [added for added in islice(reversed(nodes), len(nodes) - before) if added in waiting]


def _mark_condensed(nodes: dict[str, Node], points: Iterable[Mapping[str, Any]]) -> None:
    """Note with each message whether the application still sent it after the last condensation, or its summary."""
    last = next((point for point in reversed([*points]) if as_text(point.get("boundaryMessageId")) in nodes), None)
    if last is None:
        return
    by, action = as_text(last.get("summaryMessageId")), "summarized"
    for name, node in nodes.items():
        recorded = {"action": action, "by": by} if action == "summarized" and name != by else {"action": "kept"}
        marked = (changed(one, metadata={**one.metadata, "recorded": recorded}) for one in node.messages)
        nodes[name] = Node(node.parent, tuple(marked), node.place)
        if name == as_text(last["boundaryMessageId"]):
            action = "kept"


FORMAT = Format("chatbox", "Chatbox export", sniff, load, "`session:…` with messages, or `__exported_items`")

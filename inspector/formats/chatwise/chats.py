"""Chats exported from ChatWise: `chat-*.json`, alone or in the archive that the application writes.

The other files of that archive hold keys of services (`providers.json`, `config.json`) and are not opened. Layout: as
github.com/OpenConduit/core, issue 91, describes it; ChatWise itself is closed source.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.chatwise.message import MARKER, read_record
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, mapping, objects

_CHAT = re.compile(r"(?:.*/)?chat-[^/]+\.json$")
_BESIDE = ("assistants.json", "providers.json", "prompts.json", "config.json")
_OWN = {"reasoningContent", "meta", "chatId"}
_LOOKED_AT = 5
_EXPECTED = "a chat of ChatWise (an object with id, title and messages)"


def sniff(source: FileSource) -> float:
    """Return how likely the file is a chat of ChatWise, or the archive with all of them."""
    if source.shape == "zip":
        try:
            names = source.archive.names
        except UnreadableError:
            return 0.0
        beside = {name.rsplit("/", 1)[-1] for name in names} & {*_BESIDE}
        return 0.95 if beside and any(map(_CHAT.match, names)) else 0.0
    return surest(source, lambda value: 0.95 if _is_own(value) else 0.0)


def _is_own(value: Any) -> bool:
    """Return whether a value is a chat with any field that is unique to ChatWise."""
    fields = mapping(value)
    if not _is_chat(fields):
        return False
    if "systemInstruction" in fields and "createdAt" in fields:
        return True
    messages = [one for one in objects(fields["messages"])[:_LOOKED_AT] if "createdAt" in one]
    return any(one.keys() & _OWN or MARKER.search(as_text(one.get("content"))) for one in messages)


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    return {"id", "title", "messages"} <= fields.keys() and isinstance(fields["messages"], list)


def load(source: FileSource) -> Workspace:
    """Return the chats of a file or an archive. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for value, at, place in _values(source, notes):
        if _is_chat(value):
            chats.append(_chat(value, at, place))
        else:
            at.add(place, f"expected {_EXPECTED}; it was left out", "error")
        if at is not notes:
            notes.problems += at.problems
    if not chats:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes)


def _values(source: FileSource, notes: Notes) -> Iterator[tuple[Any, Notes, str]]:
    """Yield the chats as written, each with the notes of its file and its place."""
    if source.shape != "zip":
        yield from ((value, notes, place) for place, value in values_of(source, notes))
        return
    notes.problems += source.archive.problems
    for name in filter(_CHAT.match, source.archive.names):
        try:
            member = source.member(name)
            value = member.json
        except UnreadableError as error:
            notes.problems.append(changed(error.problem, severity="warning"))
        else:
            yield value, Notes(member.path, list(member.problems)), "$"


def _chat(value: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    placed = ((f"{place}.messages[{number}]", record) for number, record in enumerate(value["messages"]))
    nodes = in_line((at, message) for at, record in placed for message in read_record(record, notes, at))
    texts = {key: as_text(value[key]) for key in ("id", "title", "systemInstruction", "model") if value.get(key)}
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        texts.get("id", ""),
        texts.get("title", "").strip(),
        texts.get("systemInstruction", "").strip(),
        texts.get("model", ""),
    )


FORMAT = Format(
    "chatwise",
    "ChatWise export",
    sniff,
    load,
    "`chat-*.json` in an archive, or a chat with `systemInstruction` or `reasoningContent`",
)

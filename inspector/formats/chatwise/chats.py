"""Chats exported from ChatWise: `chat-*.json`, alone or in the archive that the application writes.

The other files of that archive hold keys of services (`providers.json`, `config.json`) and are not opened. Layout: as
github.com/OpenConduit/core, issue 91, describes it; ChatWise itself is not open.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.openai.message import Notes, read_message
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, mapping, objects

_CHAT = re.compile(r"(?:.*/)?chat-[^/]+\.json$")
_BESIDE = ("assistants.json", "providers.json", "prompts.json", "config.json")
_OWN = {"reasoningContent", "meta", "chatId"}
_MARKER = re.compile(r"@message_part::(?P<part>[\w-]+)[ \t]*\n?")
_TOOL = "toolu_"
_LOOKED_AT = 5
_EXPECTED = "a chat of ChatWise (an object with id, title and messages)"


def sniff(source: FileSource) -> float:
    """How sure it is that a chat of ChatWise stands here, or the archive with all of them."""
    if source.shape == "zip":
        try:
            names = source.archive.names
        except UnreadableError:
            return 0.0
        beside = {name.rsplit("/", 1)[-1] for name in names} & {*_BESIDE}
        return 0.95 if beside and any(map(_CHAT.match, names)) else 0.0
    return surest(source, lambda value: 0.95 if _is_own(value) else 0.0)


def _is_own(value: Any) -> bool:
    """Whether a value is a chat that has anything which only those of ChatWise have."""
    fields = mapping(value)
    if not _is_chat(fields):
        return False
    if "systemInstruction" in fields and "createdAt" in fields:
        return True
    messages = [one for one in objects(fields["messages"])[:_LOOKED_AT] if "createdAt" in one]
    return any(one.keys() & _OWN or _MARKER.search(as_text(one.get("content"))) for one in messages)


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    return {"id", "title", "messages"} <= fields.keys() and isinstance(fields["messages"], list)


def load(source: FileSource) -> Workspace:
    """The chats of a file or an archive. Raises UnreadableError where there is none."""
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
    """The chats as they are written, each with the notes of its file and its place."""
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
    nodes = in_line((at, message) for at, record in placed for message in _messages(record, notes, at))
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


def _messages(record: Any, notes: Notes, place: str) -> list[Message]:
    """The messages of a record without the marks of where its parts began; calls of tools cannot be read."""
    fields = mapping(record)
    kept = {**fields, "reasoning_content": fields["reasoningContent"]} if fields.get("reasoningContent") else record
    found = read_message(kept, notes, place)
    if not found or not isinstance(fields.get("content"), str):
        return found
    text = found[-1].content
    tools = [one["part"] for one in _MARKER.finditer(text) if one["part"].startswith(_TOOL)]
    if tools:
        what = f"calls {len(tools):,} tools" if len(tools) > 1 else "calls a tool"
        notes.add(f"{place}.meta.parts", f"{what}, whose layout is not known; only the text was read")
    files = [as_text(file.get("name") or file.get("path")) for file in objects(fields.get("files"))]
    model = as_text(fields.get("model")) if found[-1].role == "assistant" else ""
    marks = {key: mark for key, mark in (("files", [*filter(None, files)]), ("model", model)) if mark}
    said = changed(found[-1], content=_MARKER.sub("", text).strip("\n"), metadata={**found[-1].metadata, **marks})
    return [*found[:-1], said]


FORMAT = Format(
    "chatwise",
    "ChatWise export",
    sniff,
    load,
    "`chat-*.json` in an archive, or a chat with `systemInstruction` or `reasoningContent`",
)

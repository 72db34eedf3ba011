"""A single chat of Claude.ai as a conversation: its turns, attached files, and the shown branch.

`text` of a message repeats its blocks, sometimes with the thinking among them, and is used only without blocks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

import msgspec
from msgspec import Raw

from inspector.figures import counted
from inspector.formats.branches import Link, branches_of
from inspector.formats.claude.blocks import turns_of
from inspector.formats.content.media import made
from inspector.formats.content.turns import beside
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import first_line
from inspector.formats.unique_ids import unique_texts
from inspector.model import Attachment, Branches, Message, Role, Text, Unknown, changed, with_parts
from inspector.reading.pieces import ArraySlice
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".bmp", ".svg", ".mp3", ".wav", ".m4a", ".mp4", ".mov")
_PICTURE_KINDS = frozenset(("image", "video", "audio"))
_ASIDES = ("user_interjection", "error")
_NOTHING = Raw(b"")
_OF_OTHERS = frozenset(("docs", "conversations_memory", "project_memories"))


class _Project(TypedDict, total=False):
    uuid: str | None
    name: str | None


class _Chat(TypedDict, total=False):
    """The keys of a chat for its heading, and the keys by which a project or memories are recognized."""

    uuid: str | None
    name: str | None
    title: str | None
    summary: str | None
    model: str | None
    project_uuid: str | None
    project: _Project | None
    chat_messages: Raw
    docs: Raw
    conversations_memory: Raw
    project_memories: Raw


_decode_chat = msgspec.json.Decoder(_Chat).decode
_decode_chats = msgspec.json.Decoder(list[_Chat]).decode


@dataclass(frozen=True, slots=True)
class Heading:
    """The description of a chat, beside its messages; `project` is the id of its project, if named."""

    id: str
    title: str
    model: str
    project: str


@dataclass(frozen=True, slots=True)
class ClaudeChat:
    """The messages of a chat, and the attached files whose text was not quoted into its turns."""

    branches: Branches
    attachments: tuple[Attachment, ...]


def is_chat(value: Any) -> bool:
    """Return whether a value is a chat of Claude.ai, or of its design application; DeepSeek's have `chat_session`."""
    if not isinstance(value, Mapping) or "chat_session" in value:
        return False
    return isinstance(value.get("chat_messages"), list) or is_design_chat(value)


def is_design_chat(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a chat of Claude's design application, whose messages are nested in messages."""
    messages = objects(value.get("messages"))
    return "project" in value and any("uuid" in one and "role" in mapping(one.get("content")) for one in messages)


def heading_of(chat: Mapping[str, Any]) -> Heading:
    """Return the heading of a chat, without looking at its messages."""
    project = chat.get("project_uuid") or mapping(chat.get("project")).get("uuid")
    return Heading(as_text(chat.get("uuid")), _title(chat), as_text(chat.get("model")), as_text(project))


def heading_in(text: Raw) -> Heading | None:
    """Return the heading of a chat in JSON, skipping its messages; None if it may be anything but a plain chat."""
    try:
        return _heading(_decode_chat(text))
    except (msgspec.DecodeError, RecursionError):
        return None


def headings_in(piece: ArraySlice) -> list[Heading | None]:
    """Return the heading of each chat of a piece of an export, in a single pass. Raise WrongCutError."""
    chats = piece.decoded(_decode_chats)
    return [heading_in(text) for text in piece.items()] if chats is None else list(map(_heading, chats))


def _heading(chat: _Chat) -> Heading | None:
    messages = memoryview(chat.get("chat_messages", _NOTHING))
    return heading_of(chat) if messages[:1] == b"[" and not chat.keys() & _OF_OTHERS else None


def read_chat(chat: Mapping[str, Any], quotes_files: bool, notes: Notes, place: str) -> ClaudeChat:
    """Return a chat of an export. With `quotes_files`, the text of attached files is put into the turns they belong to.

    Without it, that text is in `attachments`, which go with every chat of a file; with it there are none, and the files
    of a message that was left out are a problem.
    """
    key = "chat_messages" if "chat_messages" in chat else "messages"
    records = [_plain(record) for record in items_of(chat.get(key))]
    names = unique_texts(_name(record, number) for number, record in enumerate(records))
    is_tree = any("parent_message_uuid" in mapping(record) for record in records)
    links: list[Link] = []
    attachments: list[Attachment] = []
    for number, (record, name) in enumerate(zip(records, names, strict=True)):
        here = f"{place}.{key}[{number}]"
        messages = _messages(record, name, notes, here)
        files = list(_files(record, name))
        if not quotes_files:
            attachments += files
        elif messages:
            messages[0] = _quoting(messages[0], files)
        elif files:
            notes.add(here, f"the message was left out, and with it the text of {counted(len(files), 'attached file')}")
        links.append(Link(name, _parent(record, names, number, is_tree), messages, here))
    leaf = as_text(chat.get("current_leaf_message_uuid"))
    return ClaudeChat(branches_of(links, leaf, notes.add), tuple(attachments))


def _plain(record: Any) -> Any:
    """Return a message; those of the design application are nested in another object, which has their id and role."""
    inner = mapping(record).get("content")
    if isinstance(inner, list) or not isinstance(inner, Mapping) or "role" not in inner:  # the first is far quicker
        return record
    return {"sender": inner.get("role"), "created_at": inner.get("timestamp"), **inner, "uuid": record.get("uuid")}


def _name(record: Any, number: int) -> str:
    return as_text(mapping(record).get("uuid")) or f"m{number}"


def _parent(record: Any, names: list[str], number: int, is_tree: bool) -> str:
    """Return the parent of a message; the first messages of a tree follow a root without a message."""
    if not is_tree:
        return names[number - 1] if number else ""
    parent = as_text(mapping(record).get("parent_message_uuid"))
    return "" if parent.startswith("00000000-0000-4000-8000-") else parent


def _messages(record: Any, name: str, notes: Notes, place: str) -> list[Message]:
    """Return the turns of a message; none, with a problem, if it is no message or of an unknown sender."""
    if not isinstance(record, Mapping):
        notes.add(place, "expected a message (an object with sender and content)")
        return []
    role = _role(record)
    if role is None:
        found = as_text(record.get("sender", record.get("role")))[:40] or "nothing"
        notes.add(f"{place}.sender", f"expected human or assistant, found {found}; the message was left out")
        return []
    time = parse_time(record.get("created_at"))
    content = record.get("content")
    key = "content" if content else "text"
    said = content if content else as_text(record.get("text"))
    messages = _after_interjections(name, role, time, said, notes, f"{place}.{key}")
    if all(isinstance(part, Unknown) for message in messages for part in message.whole):
        unknown = [part for message in messages for part in message.parts]
        messages = [Message(name, role, time=time, parts=(*beside(as_text(record.get("text"))), *unknown))]
    return [_with_files(messages[0], record), *messages[1:]]


def _role(record: Mapping[str, Any]) -> Role | None:
    word = record.get("sender", record.get("role"))
    return ROLES.get(word.strip().lower()) if isinstance(word, str) else None


def _after_interjections(name: str, role: Role, time: Any, content: Any, notes: Notes, place: str) -> list[Message]:
    """Return the turns of a content; user text in the middle of an answer, and errors, are turns of their own."""
    if not isinstance(content, list) or not any(mapping(block).get("type") in _ASIDES for block in content):
        return turns_of(name, role, time, content, notes, place)
    found: list[Message] = []
    blocks: list[Any] = []
    for block in [*content, None]:
        kind = mapping(block).get("type")
        if block is not None and kind not in _ASIDES:
            blocks.append(block)
            continue
        found += turns_of(name, role, time, blocks, notes, place) if blocks else []
        blocks = []
        if block is not None:
            found.append(_aside(mapping(block), name, time))
    ids = (f"{name}.{number}" if number else name for number in range(len(found)))
    return [changed(message, id=id_) for message, id_ in zip(found, ids, strict=True)]


def _aside(block: Mapping[str, Any], name: str, time: Any) -> Message:
    text = next((as_text(block[key]) for key in ("text", "content", "message", "error") if block.get(key)), "")
    if block.get("type") == "error":
        recorded = {"action": "dropped", "reason": "an error that the application showed"}
        return Message(name, "assistant", text, time=time, excluded=True, metadata={"recorded": recorded})
    return Message(name, "user", text, time=time)


def _with_files(message: Message, record: Mapping[str, Any]) -> Message:
    """Return the message with the files sent along, of which an export has only the names."""
    if not record.get("files") and not record.get("files_v2"):
        return message
    files = (*objects(record.get("files")), *objects(record.get("files_v2")))
    unique = {as_text(file.get("file_uuid") or file.get("uuid") or file.get("file_name")): file for file in files}
    names = [as_text(file.get("file_name")) for file in unique.values()]
    if not names:
        return message
    seen = [made(_kind(file), name=as_text(file.get("file_name"))) for file in unique.values() if _is_picture(file)]
    return with_parts(message, [*message.whole, *seen], metadata={**message.metadata, "files": names})


def _kind(file: Mapping[str, Any]) -> str:
    kind = file.get("file_kind")
    return kind if isinstance(kind, str) else ""


def _is_picture(file: Mapping[str, Any]) -> bool:
    kind = file.get("file_kind")
    return (
        kind in _PICTURE_KINDS if isinstance(kind, str) else as_text(file.get("file_name")).lower().endswith(_PICTURES)
    )


def _files(record: Any, name: str) -> Iterator[Attachment]:
    """Yield the attached files whose text an export has; it was in the prompt and is not in the text of the message."""
    for number, file in enumerate(objects(mapping(record).get("attachments"))):
        if text := as_text(file.get("extracted_content")):
            path = f"{name}/{as_text(file.get('file_name')).strip() or f'pasted text {number + 1}'}"
            yield Attachment(path, text, name)


def _quoting(message: Message, files: list[Attachment]) -> Message:
    """Return the message with the text of its files before its own, as the model read it."""
    if not files:
        return message
    quoted = (f"[{file.path.partition('/')[2]}]\n{file.content}" for file in files)
    if not message.parts:
        return changed(message, content="\n\n".join(filter(None, (*quoted, message.content))))
    return with_parts(message, [Text("\n\n".join(quoted) + "\n"), *message.parts])


def _title(chat: Mapping[str, Any]) -> str:
    for key in ("name", "title", "summary"):
        if title := first_line(as_text(chat.get(key))):
            return title
    return as_text(mapping(chat.get("project")).get("name"))

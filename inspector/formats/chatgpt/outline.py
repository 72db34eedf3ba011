"""What an export needs to know of each of its chats before it is read: all share a system text, and instructions.

Most of a chat is skipped for it: only names, roles and kinds of contents are decoded, and few messages as a whole. Of a
chat that is unusual nothing is concluded so; it is read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from inspector.formats.chatgpt.content import Reading, read_node
from inspector.formats.openai.message import ROLES, Notes
from inspector.model import Profile
from inspector.reading.json import parse
from inspector.reading.unreadable import UnreadableError
from inspector.reading.values import as_text, clean, mapping

_NO_TEXT = Raw(b"")
_BLANK = b'[""]'
_REASONING = frozenset(("thoughts", "reasoning_recap"))
_TOLD = frozenset(("user_editable_context", "model_editable_context"))


@dataclass(frozen=True, slots=True)
class Outline:
    """A chat without its messages. `is_spoken` says that its active path has nodes.

    `system_prompt` is the text of its system node, "" where there is none, `profiles` are the custom instructions and
    `memories` the saved memories on the active path.
    """

    id: str
    title: str
    model: str
    is_spoken: bool
    system_prompt: str = ""
    profiles: Sequence[Profile] = ()
    memories: Sequence[str] = ()


class _Author(Struct, gc=False):
    role: Any = None


class _Content(Struct, gc=False):
    content_type: str | None = None
    parts: Raw = _NO_TEXT
    text: Raw = _NO_TEXT
    result: Raw = _NO_TEXT
    output_str: Raw = _NO_TEXT
    snippet: Raw = _NO_TEXT
    content: Raw = _NO_TEXT
    summary: Raw = _NO_TEXT


class _Metadata(Struct, gc=False):
    model_slug: Any = None
    user_context_message_data: Raw = _NO_TEXT


class _Message(Struct, gc=False):
    author: _Author | None = None
    content: _Content | None = None
    metadata: _Metadata | None = None


class _Node(Struct, gc=False):
    parent: str | None | UnsetType = UNSET
    message: _Message | None = None


class _Chat(Struct, gc=False):
    current_node: str
    mapping: dict[str, _Node]
    title: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    default_model_slug: str | None = None


class _WholeNode(Struct, gc=False):
    message: Raw = _NO_TEXT


class _WholeNodes(Struct, gc=False):
    mapping: dict[str, _WholeNode]


_decode_chat = msgspec.json.Decoder(_Chat).decode
_decode_nodes = msgspec.json.Decoder(_WholeNodes).decode


def outline_of(text: Raw) -> Outline | None:
    """The outline of a chat in JSON, as `ChatGptChat.outline` has it; None for one that has to be read for that."""
    try:
        chat = _decode_chat(text)
        if not chat.current_node or chat.current_node not in chat.mapping:
            return None
        path = _path(chat)
        found = list(_told(text, chat, path)) if path else []
    except (msgspec.DecodeError, UnreadableError, RecursionError):
        return None
    if not path:
        return None
    turn = next((reading for reading in found if reading.kind == "turn"), None)
    profiles = (reading.profile for reading in found)
    return Outline(
        clean(chat.conversation_id if chat.conversation_id is not None else chat.id or ""),
        clean(chat.title or ""),
        clean(chat.default_model_slug or "") or _newest_model(chat, path),
        True,
        turn.message.content if turn else "",
        tuple(profile for profile in profiles if profile and (profile.facts or profile.preferences)),
        tuple(reading.message.content for reading in found if reading.kind == "memory"),
    )


def _path(chat: _Chat) -> list[str]:
    """The nodes of the active path, root first; none where they do not say themselves what they follow."""
    nodes, path = chat.mapping, dict.fromkeys(())
    name: str | None = chat.current_node
    while name and name in nodes and name not in path:
        path[name] = None
        parent = nodes[name].parent
        if parent is UNSET:
            return []
        name = parent
    return list(path)[::-1]


def _told(text: Raw, chat: _Chat, path: list[str]) -> Iterator[Reading]:
    """The messages of a path that say something of all chats: instructions, memories, and a system text at its head."""
    whole: dict[str, _WholeNode] = {}
    is_spoken = False
    for name in path:
        message = chat.mapping[name].message
        if message is None:
            continue
        content, metadata = message.content, message.metadata
        kind = content.content_type if content is not None else None
        if kind in _TOLD or (metadata is not None and metadata.user_context_message_data is not _NO_TEXT):
            pass
        elif is_spoken or kind in _REASONING or _is_blank(message):
            continue
        elif not _is_system(message):
            is_spoken = True
            continue
        whole = whole or _decode_nodes(text).mapping
        parsed = parse(bytes(whole[name].message), "", look_for_duplicates=False)
        reading = read_node(name, mapping(parsed.value), Notes(""), "")
        if reading.kind == "turn" and (is_spoken or reading.message.role != "system"):
            is_spoken = True
            continue
        is_spoken = is_spoken or reading.kind == "turn"
        yield reading


def _is_system(message: _Message) -> bool:
    role = message.author.role if message.author is not None else None
    return isinstance(role, str) and ROLES.get(role) == "system"


def _is_blank(message: _Message) -> bool:
    """Whether this is the system message without a text that chats begin with."""
    content = message.content
    if content is None or content.content_type != "text" or not _is_system(message) or bytes(content.parts) != _BLANK:
        return False
    others = (content.text, content.result, content.output_str, content.snippet, content.content, content.summary)
    return all(other is _NO_TEXT for other in others)


def _newest_model(chat: _Chat, path: list[str]) -> str:
    """The model that wrote the newest answer of a path."""
    for name in reversed(path):
        message = chat.mapping[name].message
        metadata = message.metadata if message is not None else None
        if message is None or metadata is None or not metadata.model_slug:
            continue
        kind = message.content.content_type if message.content is not None else None
        if kind not in _REASONING and kind != "model_editable_context":
            return as_text(metadata.model_slug)
    return ""

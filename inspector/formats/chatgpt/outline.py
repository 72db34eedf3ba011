"""The facts an export needs of each chat before reading it: all share a system text, and instructions.

Most of a chat is skipped for this: only names, roles and kinds of contents are decoded, and few messages as a whole. An
unusual chat gets no outline; it is read.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from inspector.formats.chatgpt.content import Reading, read_node
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.model import Profile
from inspector.reading.json import parse
from inspector.reading.pieces import ArraySlice
from inspector.reading.values import UnreadableError, as_text, clean, mapping

_NO_TEXT = Raw(b"")
_BLANK = b'[""]'
_REASONING = frozenset(("thoughts", "reasoning_recap"))
_TOLD = frozenset(("user_editable_context", "model_editable_context"))
_SYSTEM = frozenset(word for word, role in ROLES.items() if role == "system")


class Outline(Struct, frozen=True):
    """A chat without its messages. `is_spoken`: its active path has nodes.

    `system_prompt` is the text of its system node, "" if there is none, `profiles` are the custom instructions and
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
    role: str | None = None


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
    user_context_message_data: Raw = _NO_TEXT


class _Message(Struct, gc=False):
    author: _Author | None = None
    content: _Content | None = None
    metadata: _Metadata | None = None


class _Node(Struct, gc=False):
    message: _Message | None = None


class _Chat(Struct, gc=False):
    current_node: str
    mapping: dict[str, _Node]
    title: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    default_model_slug: str | None = None


class _LinkedNode(Struct, gc=False):
    parent: str | UnsetType | None = UNSET
    message: Raw = _NO_TEXT


class _LinkedNodes(Struct, gc=False):
    mapping: dict[str, _LinkedNode]


class _Slug(Struct, gc=False):
    model_slug: Any = None


class _Answer(Struct, gc=False):
    metadata: _Slug | None = None


_decode_chat = msgspec.json.Decoder(_Chat).decode
_decode_chats = msgspec.json.Decoder(list[_Chat]).decode
_decode_nodes = msgspec.json.Decoder(_LinkedNodes).decode  # few chats need more than this
_decode_answer = msgspec.json.Decoder(_Answer | None).decode


def outline_of(text: Raw) -> Outline | None:
    """Return the outline of a chat in JSON, equal to `ChatGptChat.outline`; None if the chat must be read for it."""
    try:
        return _outline(_decode_chat(text), lambda: text)
    except (msgspec.DecodeError, RecursionError):
        return None


def outlines_in(piece: ArraySlice) -> list[Outline | None]:
    """Return the outline of each chat of a piece of an export, mostly in a single pass. Raise WrongCutError."""
    chats = piece.decoded(_decode_chats)
    if chats is None:
        return [outline_of(text) for text in piece.items()]
    texts = cache(piece.items)
    return [_outline(chat, lambda index=index: texts()[index]) for index, chat in enumerate(chats)]


def _outline(chat: _Chat, text: Callable[[], Raw]) -> Outline | None:
    """Return the outline of a chat; `text` is called only if messages concern all chats."""
    if not chat.current_node or chat.current_node not in chat.mapping:
        return None
    try:
        found = list(_told(text(), chat)) if _tells(chat) else []
        model = clean(chat.default_model_slug or "") or _newest_model(text(), chat)
    except (msgspec.DecodeError, UnreadableError, RecursionError):
        return None
    turn = next((reading for reading in found if reading.kind == "turn"), None)
    profiles = (reading.profile for reading in found)
    return Outline(
        clean(chat.conversation_id if chat.conversation_id is not None else chat.id or ""),
        clean(chat.title or ""),
        model,
        True,
        turn.message.content if turn else "",
        tuple(profile for profile in profiles if profile and (profile.facts or profile.preferences)),
        tuple(reading.message.content for reading in found if reading.kind == "memory"),
    )


def _path(nodes: dict[str, _LinkedNode], leaf: str) -> list[str]:
    """Return the nodes of the active path, root first. Raise ValidationError if a node does not name its parent."""
    path, seen = list[str](), set[str]()
    name: str | None = leaf
    while name and name in nodes and name not in seen:
        path.append(name)
        seen.add(name)
        parent = nodes[name].parent
        if parent is UNSET:
            raise msgspec.ValidationError("a node names no parent")
        name = parent
    path.reverse()
    return path


def _tells(chat: _Chat) -> bool:
    """Return whether any message may concern all chats."""
    for node in chat.mapping.values():
        if (message := node.message) is not None:
            if (author := message.author) is not None and author.role in _SYSTEM and not _is_blank(message):
                return True
            if (content := message.content) is not None and content.content_type in _TOLD:
                return True
            if (metadata := message.metadata) is not None and metadata.user_context_message_data is not _NO_TEXT:
                return True
    return False


def _told(text: Raw, chat: _Chat) -> Iterator[Reading]:
    """Yield the messages of the path that concern all chats: instructions, memories, a system text at its head."""
    whole = _decode_nodes(text).mapping
    is_spoken = False
    for name in _path(whole, chat.current_node):
        message = chat.mapping[name].message
        if message is None or _is_blank(message):
            continue
        reading = _read(name, whole[name]) if _may_tell(message) else None
        kind = message.content.content_type if message.content is not None else None
        if reading is not None and (reading.kind != "turn" or (not is_spoken and reading.message.role == "system")):
            yield reading
        is_spoken = is_spoken or (reading.kind == "turn" if reading is not None else kind not in _REASONING)


def _may_tell(message: _Message) -> bool:
    kind = message.content.content_type if message.content is not None else None
    told = message.metadata is not None and message.metadata.user_context_message_data is not _NO_TEXT
    return told or kind in _TOLD or _is_system(message)


def _read(name: str, node: _LinkedNode) -> Reading:
    parsed = parse(bytes(node.message), "", look_for_duplicates=False)
    return read_node(name, mapping(parsed.value), Notes(""), "")


def _is_system(message: _Message) -> bool:
    return message.author is not None and message.author.role in _SYSTEM


def _is_blank(message: _Message) -> bool:
    """Return whether this is the system message without text at the start of chats."""
    content, metadata = message.content, message.metadata
    if metadata is not None and metadata.user_context_message_data is not _NO_TEXT:
        return False
    if content is None or content.content_type != "text" or not _is_system(message) or bytes(content.parts) != _BLANK:
        return False
    others = (content.text, content.result, content.output_str, content.snippet, content.content, content.summary)
    return all(other is _NO_TEXT for other in others)


def _newest_model(text: Raw, chat: _Chat) -> str:
    """Return the model that wrote the newest answer of the active path."""
    nodes = _decode_nodes(text).mapping
    for name in reversed(_path(nodes, chat.current_node)):
        message = chat.mapping[name].message
        answer = _decode_answer(nodes[name].message) if message is not None else None
        if message is None or answer is None or answer.metadata is None or not answer.metadata.model_slug:
            continue
        kind = message.content.content_type if message.content is not None else None
        if kind not in _REASONING and kind != "model_editable_context":
            return as_text(answer.metadata.model_slug)
    return ""

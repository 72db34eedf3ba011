"""Conversations: messages in order, and the tree they were chosen from where the source kept one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, field

from inspector.model.record import nothing

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(Struct, frozen=True, gc=False):
    """A call that an assistant message makes; `arguments` is the text as the source wrote it, valid JSON or not."""

    id: str
    name: str
    arguments: str = ""


class Message(Struct, frozen=True, gc=False):
    """One turn. `tokens` is set by native files only: it overrides the measured count of the content.

    `emotional_weight` lies in 0–1; it, `key_moment` and `filler` (nothing is lost without it) are None where nobody
    said anything of them. `images` is how many pictures, sounds or videos the source attached.
    `metadata` holds what the policies do not read (`recorded`, `recorded_tokens`, `reasoning`, …).
    """

    id: str
    role: Role
    content: str
    name: str = ""
    time: datetime | None = None
    tokens: int | None = None
    summary: str | None = None
    emotional_weight: float | None = None
    key_moment: bool | None = None
    filler: bool | None = None
    pinned: bool = False
    excluded: bool = False
    images: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=nothing)


class MessageTree(Struct, frozen=True):
    """Every branch of a conversation.

    `messages` are all nodes in the order of the source; `parents[i]` is the id of the parent of `messages[i]`,
    "" for a root; `leaf` is the id of the last message of the path that the source calls active.
    """

    messages: tuple[Message, ...]
    parents: tuple[str, ...]
    leaf: str


class Conversation(Struct, frozen=True):
    """A saved chat: the messages of its active branch, oldest first.

    `source` is the platform that a native file names (web, discord). `model`, `context_window` and `parameters`
    are what the file itself names; they become defaults of a scenario.
    """

    id: str
    messages: tuple[Message, ...]
    title: str = ""
    thread_id: str = ""
    source: str = ""
    tree: MessageTree | None = None
    model: str = ""
    context_window: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    origin: str = ""

"""Conversations: messages in order, and the tree from which they were chosen if the source kept a tree."""

from collections.abc import Callable, Mapping
from datetime import datetime
from threading import Lock
from typing import Any, Literal

from msgspec import Struct, field

from inspector.model.records import nothing

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(Struct, frozen=True, gc=False):
    """A call made by an assistant message; `arguments` is the text as the source wrote it, valid JSON or not."""

    id: str
    name: str
    arguments: str = ""


class Message(Struct, frozen=True, gc=False):
    """A turn. `tokens` is set by native files only: it overrides the measured count of the content.

    `emotional_weight` is in 0–1; it, `key_moment` and `filler` (nothing is lost without it) are None if unmarked.
    `images` is the number of pictures, sounds or videos attached by the source. `metadata` holds values not read by
    policies (`recorded`, `recorded_tokens`, `reasoning`, …).
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

    `messages` are all nodes in the order of the source; `parents[i]` is the id of the parent of `messages[i]`, "" for a
    root; `leaf` is the id of the last message of the source's active path.
    """

    messages: tuple[Message, ...]
    parents: tuple[str, ...]
    leaf: str


class Branches(Struct, frozen=True):
    """The messages of the active path, oldest first, and the tree if there are other branches."""

    path: tuple[Message, ...]
    tree: MessageTree | None = None


class Unread:
    """Branches still held as text in a file. They are read once, on first access."""

    __slots__ = ("_branches", "_lock", "_read")

    def __init__(self, read: Callable[[], Branches]) -> None:
        self._read: Callable[[], Branches] | None = read
        self._branches: Branches | None = None
        self._lock = Lock()

    @property
    def is_read(self) -> bool:
        """Whether they have been read."""
        return self._branches is not None

    @property
    def branches(self) -> Branches:
        """The branches; an access from another thread waits while they are being read."""
        with self._lock:
            if self._read is not None:
                self._branches, self._read = self._read(), None
        assert self._branches is not None
        return self._branches


class ConversationFields(Struct, frozen=True, eq=False):
    """The fields of a `Conversation`, which is the class to use."""

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
    tool_choice: str = ""
    tool_form: str = "tools"


# The held value, or `Unread`.
_messages_of: Any = ConversationFields.messages
_tree_of: Any = ConversationFields.tree


class Conversation(ConversationFields, frozen=True, eq=False):
    """A saved chat: the messages of its active branch, oldest first.

    `source` is the platform named in a native file (web, discord). `model`, `context_window` and `parameters` are those
    named in the file itself; they become defaults of a scenario. `tool_choice` is the choice among the tools that a
    request makes for the model: `none`, `any`, or the name of a function after `=`; "" leaves it to the model.
    `tool_form` is `functions` for a request of OpenAI's first interface of tools.

    A conversation of a large file may be `unread`: its messages and its tree are then read on first access. Check
    `is_read` before showing many conversations.
    """

    @classmethod
    def unread(cls, id: str, read: Callable[[], Branches], title: str = "", model: str = "") -> "Conversation":
        """Return a conversation whose branches are made by `read` on first access."""
        branches: Any = Unread(read)
        return cls(id, branches, title=title, tree=branches, model=model)

    @property
    def is_read(self) -> bool:
        """Whether accessing the messages takes no time."""
        held = _messages_of.__get__(self)
        return not isinstance(held, Unread) or held.is_read

    @property
    def messages(self) -> tuple[Message, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The messages of the active branch."""
        held = _messages_of.__get__(self)
        return held.branches.path if type(held) is Unread else held

    @property
    def tree(self) -> MessageTree | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All branches, if there are others besides the active branch."""
        held = _tree_of.__get__(self)
        return held.branches.tree if type(held) is Unread else held

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Conversation):
            return self is other
        return all(getattr(self, name) == getattr(other, name) for name in self.__struct_fields__)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__struct_fields__)

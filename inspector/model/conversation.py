"""Conversations: messages in order, and the tree from which they were chosen if the source kept a tree."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from threading import Lock
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import force_setattr

from inspector.model.parts import Call, DocumentPart, Part, Result, Seen, Text, Thought, flat, text_of
from inspector.model.problem import Problem
from inspector.model.records import changed, nothing

Role = Literal["system", "user", "assistant", "tool"]


class Message(Struct, frozen=True, gc=False):
    """A turn. `tokens` is set by native files only: it overrides the measured count of the content.

    `parts` are its parts in order; () for plain text, which `content` holds. With parts, `content` is their text and is
    not given: raise ValueError if it differs. `emotional_weight` is in 0–1; it, `key_moment` and `filler` (nothing is
    lost without it) are None if unmarked. `metadata` holds values not read by policies (`recorded`, `recorded_tokens`,
    …).
    """

    id: str
    role: Role
    content: str = ""
    name: str = ""
    time: datetime | None = None
    tokens: int | None = None
    summary: str | None = None
    emotional_weight: float | None = None
    key_moment: bool | None = None
    filler: bool | None = None
    pinned: bool = False
    excluded: bool = False
    parts: tuple[Part, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=nothing)

    def __post_init__(self) -> None:
        if self.parts:
            _settle(self)

    @property
    def whole(self) -> tuple[Part, ...]:
        """All parts in order; plain text is a single part, and empty text none."""
        return self.parts or ((Text(self.content),) if self.content else ())

    @property
    def images(self) -> int:
        """The number of pictures, sounds and films, also inside of results."""
        return sum(isinstance(part, Seen) for part in flat(self.parts)) if self.parts else 0

    @property
    def tool_calls(self) -> tuple[Call, ...]:
        """The calls of tools, in order."""
        return tuple(part for part in self.parts if isinstance(part, Call)) if self.parts else ()

    @property
    def tool_call_id(self) -> str:
        """The id of the call of which this is the result, "" if it is none."""
        return next((part.id for part in self.parts if isinstance(part, Result)), "") if self.parts else ""

    @property
    def reasoning(self) -> str:
        """The texts of all thoughts, line by line."""
        texts = (part.text for part in self.parts if isinstance(part, Thought))
        return "\n".join(filter(None, texts)) if self.parts else ""

    @property
    def thinking(self) -> str:
        """The thoughts of the model that a request can send back as text, line by line.

        The text of an encrypted thought is a summary for users; its server reads the encrypted data.
        """
        if not self.parts or self.role != "assistant":
            return ""
        texts = (part.text for part in self.parts if isinstance(part, Thought) and not part.encrypted)
        return "\n".join(filter(None, texts))


def _settle(message: Message) -> None:
    """Set the content of a new message to the text of its parts; a single text is a plain message."""
    text = text_of(message.parts)
    if message.content not in ("", text):
        raise ValueError("the content of a message is the text of its parts")
    force_setattr(message, "content", text)
    if len(message.parts) == 1 and isinstance(message.parts[0], Text):
        force_setattr(message, "parts", ())


def with_parts(message: Message, parts: Iterable[Part], **fields: Any) -> Message:
    """Return the message with other parts, and other values in these fields."""
    return changed(message, content="", parts=tuple(parts), **fields)


def with_text(message: Message, text: str, **fields: Any) -> Message:
    """Return the message with another text: in place of its first text, and without its other texts."""
    if not message.parts:
        return changed(message, content=text, **fields)
    place = next((n for n, part in enumerate(message.parts) if isinstance(part, Text | Result)), len(message.parts))
    before = [_silent(part) for part in message.parts[:place]]
    after = [_silent(part) for part in message.parts[place + 1 :] if not isinstance(part, Text)]
    first = message.parts[place] if place < len(message.parts) else None
    said = [changed(first, content=text)] if isinstance(first, Result) else [Text(text)] if text else []
    return with_parts(message, [*before, *said, *after], **fields)


def _silent(part: Part) -> Part:
    """Return the part without text of its own in the prompt."""
    if isinstance(part, DocumentPart):
        return changed(part, text="")
    return changed(part, content="") if isinstance(part, Result) else part


class MessageTree(Struct, frozen=True):
    """Every branch of a conversation.

    `messages` are all nodes in the order of the source; `parents[i]` is the id of the parent of `messages[i]`, "" for a
    root; `leaf` is the id of the last message of the source's active path.
    """

    messages: tuple[Message, ...]
    parents: tuple[str, ...]
    leaf: str


class Branches(Struct, frozen=True):
    """The messages of the active path, oldest first, and the tree if there are other branches.

    `problems` are those found while a chat of a large file was read on demand.
    """

    path: tuple[Message, ...]
    tree: MessageTree | None = None
    problems: tuple[Problem, ...] = ()


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

    @property
    def problems_on_demand(self) -> tuple[Problem, ...]:
        """The problems of a conversation of a large file that is read on demand, in itself; () for any other."""
        held = _messages_of.__get__(self)
        return held.branches.problems if type(held) is Unread else ()

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Conversation):
            return self is other
        return all(getattr(self, name) == getattr(other, name) for name in self.__struct_fields__)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__struct_fields__)

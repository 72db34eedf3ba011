"""The records of a workspace besides conversations: characters, memories, lorebooks, passages and probes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar, get_args

from msgspec import Struct, field
from msgspec.structs import replace

MOST_TOKENS = 1_000_000_000
"""The most tokens of a thing: small enough for arrays of counts, even after additions."""

MOST_IMAGES = 10_000
"""The most pictures of a message whose file only counts them."""

Owners = tuple[str, ...] | None
"""The ids of the conversations to which a thing belongs: () for none, None if its file does not say."""

_Record = TypeVar("_Record", bound=Struct)
_NOTHING: Mapping[str, Any] = {}


def nothing() -> Mapping[str, Any]:
    """Return the empty mapping shared by all records without values in a field; it is never changed."""
    return _NOTHING


def changed(record: _Record, **fields: Any) -> _Record:
    """Return the same record with other values in these fields."""
    return replace(record, **fields)


class Component(Struct, frozen=True, gc=False):
    """A piece of a system message. A lower `priority` comes first; `condition` False switches it off.

    A note that stands among the messages has a `depth`, the number of messages after it, and a `role`. One that stands
    beside the main prompt has a `position` instead.
    """

    id: str
    type: str
    content: str
    priority: float
    required: bool = False
    tokens: int | None = None
    condition: bool | Literal["error"] = True
    depth: int | None = None
    role: Literal["system", "user", "assistant"] | None = None
    position: Literal["before_prompt", "after_prompt"] | None = None


class Profile(Struct, frozen=True):
    """The facts known about the author of the user messages."""

    name: str = ""
    preferences: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class Character(Struct, frozen=True):
    """A character or assistant. `system_tokens` overrides the measured count of the system prompt.

    `speaker` is the name that the source gives to the speaker of the system prompt, as a message may have one.
    `preferred_llm` holds the keys `model`, `context_window`, `budget_ratios` and `parameters` (of policies) if the file
    names them. `conversations` are its owners (`workspace`).
    """

    id: str
    name: str = ""
    system_prompt: str = ""
    system_tokens: int | None = None
    components: tuple[Component, ...] = ()
    directive: str = ""
    greeting: str = ""
    speaker: str = ""
    profile: Profile | None = None
    preferred_llm: Mapping[str, Any] = field(default_factory=nothing)
    conversations: Owners = None
    origin: str = ""


class LoreEntry(Struct, frozen=True, gc=False):
    """An entry. A lower `order` comes first; `position` is a word such as before_char or at_depth.

    `activation` keeps the activation settings of the source under SillyTavern's names (selectiveLogic, probability, …).
    """

    id: str
    content: str
    title: str = ""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    constant: bool = False
    enabled: bool = True
    order: float = 100
    position: str = ""
    score: float | None = None
    tokens: int | None = None
    activation: Mapping[str, Any] = field(default_factory=nothing)


class Lorebook(Struct, frozen=True):
    """A named list of entries, in file order. `conversations` are its owners (`workspace`)."""

    id: str
    entries: tuple[LoreEntry, ...]
    title: str = ""
    conversations: Owners = None
    origin: str = ""


class Memory(Struct, frozen=True, gc=False):
    """A stored memory. `priority` is 0–100, `confidence` 0–1; None means not recorded.

    `similarity` is the score as its store recorded it, on the `score_scale` of its set.
    """

    id: str
    content: str
    type: str = ""
    priority: float | None = None
    similarity: float | None = None
    confidence: float | None = None
    category: str = ""
    time: datetime | None = None
    tokens: int | None = None
    status: str = ""
    durability: str = ""
    source: str = ""
    thread_id: str = ""
    source_messages: tuple[str, ...] = ()
    agent: str = ""
    pinned: bool = False
    excluded: bool = False
    tags: tuple[str, ...] = ()


ScoreScale = Literal["similarity", "distance", "raw"]
"""The scale of recorded scores: 0–1 with the best highest, any with the best lowest, any with the best highest."""
SCORE_SCALES: tuple[ScoreScale, ...] = get_args(ScoreScale)


class MemorySet(Struct, frozen=True):
    """A named list of memories, in file order. `conversations` are its owners (`workspace`).

    Without a `score_scale`, its scores are similarities, unless any is above 1: then they are raw.
    """

    id: str
    memories: tuple[Memory, ...]
    title: str = ""
    conversations: Owners = None
    origin: str = ""
    score_scale: ScoreScale | None = None


PassageKind = Literal["lorebook", "chat", "chronicle", "document"]


class Passage(Struct, frozen=True, gc=False):
    """A chunk retrieved by another system, with its `score` in 0–1 if recorded."""

    id: str
    content: str
    kind: PassageKind
    score: float | None = None
    time: datetime | None = None
    message_id: str = ""
    tokens: int | None = None
    conversations: Owners = None
    origin: str = ""


class PastSummary(Struct, frozen=True, gc=False):
    """The summary of another conversation, or of an earlier part of a conversation.

    `time` is when it was made, `source_messages` are the ids of the messages from which it was made.
    """

    id: str
    summary: str
    title: str = ""
    similarity: float | None = None
    tone: str = ""
    topics: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    time: datetime | None = None
    source_messages: tuple[str, ...] = ()
    tokens: int | None = None
    conversations: Owners = None
    origin: str = ""


class Document(Struct, frozen=True):
    """A document excerpt; `pages` is text such as 1-2."""

    id: str
    content: str
    title: str = ""
    tokens: int | None = None
    pages: str = ""
    conversations: Owners = None
    origin: str = ""


class Attachment(Struct, frozen=True):
    """A local file quoted in a turn (of the message `message_id`, if known); its path is its id."""

    path: str
    content: str
    message_id: str = ""
    conversations: Owners = None
    origin: str = ""


class SkippedFile(Struct, frozen=True):
    """A file that could not be attached, and why."""

    path: str
    reason: str
    conversations: Owners = None
    origin: str = ""


class Tool(Struct, frozen=True):
    """A tool for the model to call: its definition as the source wrote it."""

    schema: Mapping[str, Any]
    conversations: Owners = None
    origin: str = ""


class Probe(Struct, frozen=True, gc=False):
    """A question, and the ids of the messages and memories needed for an answer.

    `conversation` is the id of its chat, "" for the only chat. The question is asked when the first `at` messages
    exist, by default all of them; `query` is its text, None if the chat's own newest message asks. `answer` is the
    known answer, "" for none.
    """

    id: str
    evidence: tuple[str, ...]
    conversation: str = ""
    at: int | None = None
    query: str | None = None
    category: str = ""
    answer: str = ""
    origin: str = ""

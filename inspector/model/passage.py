"""Content from elsewhere: retrieved passages, past summaries, documents, attachments and tools.

`conversations` of a thing are its owners, as in `inspector.model.belonging`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from inspector.model.record import Owners

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

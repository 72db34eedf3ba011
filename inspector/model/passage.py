"""Retrieved passages, past summaries, documents, attachments and tools: what comes from elsewhere."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

PassageKind = Literal["lorebook", "chat", "chronicle", "document"]


class Passage(Struct, frozen=True, gc=False):
    """A chunk that another system retrieved, with its `score` in 0–1 where it recorded one."""

    id: str
    content: str
    kind: PassageKind
    score: float | None = None
    time: datetime | None = None
    message_id: str = ""
    tokens: int | None = None
    origin: str = ""


class PastSummary(Struct, frozen=True, gc=False):
    """The summary of another conversation, or of an earlier part of one.

    `conversations` are the ids of those whose prompts it may come into; without any, all.
    """

    id: str
    summary: str
    title: str = ""
    similarity: float | None = None
    tone: str = ""
    topics: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    tokens: int | None = None
    conversations: tuple[str, ...] = ()
    origin: str = ""


class Document(Struct, frozen=True):
    """A document excerpt; `pages` is text such as 1-2."""

    id: str
    content: str
    title: str = ""
    tokens: int | None = None
    pages: str = ""
    origin: str = ""


class Attachment(Struct, frozen=True):
    """A local file quoted into the turn; its path is its id."""

    path: str
    content: str
    origin: str = ""


class SkippedFile(Struct, frozen=True):
    """A file that could not be attached, and why."""

    path: str
    reason: str
    origin: str = ""


class Tool(Struct, frozen=True):
    """A tool that the model may call: its definition as the source wrote it."""

    schema: Mapping[str, Any]
    origin: str = ""

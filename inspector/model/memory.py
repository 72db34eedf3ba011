"""Memories: facts stored by a system about a user or a chat, for retrieval."""

from datetime import datetime

from msgspec import Struct

from inspector.model.record import Owners


class Memory(Struct, frozen=True, gc=False):
    """A stored memory. `priority` is 0–100; `similarity` and `confidence` are 0–1; None means not recorded."""

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


class MemorySet(Struct, frozen=True):
    """A named list of memories, in file order. `conversations` are its owners (`belonging`)."""

    id: str
    memories: tuple[Memory, ...]
    title: str = ""
    conversations: Owners = None
    origin: str = ""

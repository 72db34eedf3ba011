"""The workspace: the loaded content, and the problems met while loading it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from inspector.model.conversation import Conversation, Message
from inspector.model.parts import DocumentPart, Image, Sound, Thought, Unknown, Video
from inspector.model.problem import Problem
from inspector.model.records import (
    MOST_IMAGES,
    MOST_TOKENS,
    Attachment,
    Character,
    Component,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Passage,
    PastSummary,
    Probe,
    SkippedFile,
    Tool,
    changed,
)

_MOST_BYTES = 2**50
_SIZES = {"width": 1_000_000, "height": 1_000_000, "pages": 1_000_000, "seconds": 1e9, "bytes": _MOST_BYTES}
HIGHEST: Mapping[type, Mapping[str, float]] = {
    Message: {"emotional_weight": 1, "tokens": MOST_TOKENS, "images": MOST_IMAGES},
    **dict.fromkeys((Image, DocumentPart, Sound, Video, Unknown), _SIZES),
    Thought: {"tokens": MOST_TOKENS, "bytes": _MOST_BYTES},
    Memory: {"priority": 100, "similarity": 1, "confidence": 1, "tokens": MOST_TOKENS},
    Character: {"system_tokens": MOST_TOKENS},
    Component: {"tokens": MOST_TOKENS},
    LoreEntry: {"tokens": MOST_TOKENS},
    Passage: {"score": 1, "tokens": MOST_TOKENS},
    PastSummary: {"similarity": 1, "tokens": MOST_TOKENS},
    Document: {"tokens": MOST_TOKENS},
}
"""The highest value of each field that has a range, by kind of item; the lowest is 0."""


class Source(Struct, frozen=True):
    """An opened file, the format in which it was read (`openai`, `chatgpt`, …), and whether it was broken JSON.

    `columns` is set for a table read as a user explained it: the content of each column, and its name.
    """

    path: str
    format: str
    repaired: bool = False
    columns: tuple[tuple[str, str], ...] = ()


class Workspace(Struct, frozen=True):
    """The loaded content, in the order of the files.

    `origin` of a thing is the path of its file. `inspector.model.workspace` decides which things belong to a
    conversation.
    """

    conversations: tuple[Conversation, ...] = ()
    memory_sets: tuple[MemorySet, ...] = ()
    characters: tuple[Character, ...] = ()
    lorebooks: tuple[Lorebook, ...] = ()
    passages: tuple[Passage, ...] = ()
    summaries: tuple[PastSummary, ...] = ()
    documents: tuple[Document, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    tools: tuple[Tool, ...] = ()
    probes: tuple[Probe, ...] = ()
    sources: tuple[Source, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def unopened(self) -> tuple[Problem, ...]:
        """The files of folders and archives of which nothing was used: the first problem of each, with the reason."""
        found: dict[str, Problem] = {}
        for problem in self.problems:
            if problem.unopened:
                found.setdefault(problem.file, problem)
        return tuple(found.values())


OWNED = (
    *("memory_sets", "characters", "lorebooks", "passages", "summaries"),
    *("documents", "attachments", "skipped", "tools"),
)
"""The lists of a workspace whose things belong to conversations."""


def goes_with(workspace: Workspace, conversation: Conversation | None) -> Callable[[Any], bool]:
    """Return a test whether a thing belongs to a conversation; everything does if there is none."""
    if conversation is None:
        return lambda thing: True
    holders = _origins(workspace)

    def goes(thing: Any) -> bool:
        if thing.conversations is not None:
            return conversation.id in thing.conversations
        return thing.origin == conversation.origin or thing.origin not in holders

    return goes


def waiting(workspace: Workspace, held: Iterable[Conversation] = ()) -> Workspace:
    """Return the same workspace, in which things without owners or a conversation in their file belong to none.

    `held` are conversations whose files the workspace held before.
    """
    holders = _origins(workspace)
    once = {chat.origin for chat in held}

    def waits(thing: Any) -> bool:
        return thing.conversations is None and thing.origin not in holders and (not once or thing.origin in once)

    lists = {
        name: tuple(changed(thing, conversations=()) if waits(thing) else thing for thing in getattr(workspace, name))
        for name in OWNED
    }
    return changed(workspace, **lists)


def _origins(workspace: Workspace) -> set[str]:
    return {chat.origin for chat in workspace.conversations}

"""The workspace: the loaded content, and the problems met while loading it."""

from typing import Literal

from msgspec import Struct

from inspector.model.character import Character
from inspector.model.conversation import Conversation
from inspector.model.lorebook import Lorebook
from inspector.model.memory import MemorySet
from inspector.model.passage import Attachment, Document, Passage, PastSummary, SkippedFile, Tool
from inspector.model.probe import Probe

Severity = Literal["error", "warning", "info"]


class Problem(Struct, frozen=True, gc=False):
    """A part of a file that could not be used unchanged.

    `file` is the path as given, `place` a line, JSON path or chunk in it ("" for the whole file), `message` says both
    the finding and the expectation. `unopened` is true if nothing of the file was used, `repairable` if it is broken
    JSON, which can be guessed on request, `is_table` if it is a table whose columns are unexplained.
    """

    file: str
    place: str
    message: str
    severity: Severity = "error"
    unopened: bool = False
    repairable: bool = False
    is_table: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: {self.message}" if self.place else f"{self.file}: {self.message}"


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

    `origin` of a thing is the path of its file. `inspector.model.belonging` decides which things belong to a
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

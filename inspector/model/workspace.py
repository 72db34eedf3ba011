"""The workspace: everything that was loaded, and the problems met while loading it."""

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
    """Something in a file that could not be used as it stands.

    `file` is the path as it was given, `place` a line, JSON path or chunk in it ("" for the whole file),
    `message` says what was found and what was expected. `unopened` says that nothing of the file was used,
    `repairable` that it is broken JSON of which something can be guessed, for who asks for that, `is_table` that it is
    a table of which nobody said what its columns hold.
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
    """A file that was opened, the format it was read as (`openai`, `chatgpt`, …), and whether it was broken JSON.

    `columns` are there for a table that is read as a user explained it: what each column holds, and its name.
    """

    path: str
    format: str
    repaired: bool = False
    columns: tuple[tuple[str, str], ...] = ()


class Workspace(Struct, frozen=True):
    """What was loaded, in the order of the files.

    `origin` of a thing is the path of the file it came from. Which of the things go with a conversation is decided in
    `inspector.model.belonging`.
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
        """The files of folders and archives of which nothing was used: the first problem of each, which says why."""
        found: dict[str, Problem] = {}
        for problem in self.problems:
            if problem.unopened:
                found.setdefault(problem.file, problem)
        return tuple(found.values())

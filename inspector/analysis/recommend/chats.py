"""The conversations of probes: all open in a single workspace, or in files of an archive opened in turn.

Both can be given to other processes, which open them independently.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from inspector.analysis.archive.chats import BadFile, Opening, lost, refusals
from inspector.analysis.archive.files import ArchiveFile, Chunk, chunks
from inspector.analysis.archive.workers import Begin
from inspector.analysis.archive.working import worked_through
from inspector.analysis.recall.probes import Skipped
from inspector.analysis.recommend.blocks import Asked, FoundProbes, asked_of, find_probes
from inspector.assembly.case import Choices
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe, Workspace

_MOST_FILES, _MOST_BYTES = 16, 16_000_000


class Chats(Protocol):
    """Conversations by name. It can be pickled."""

    @property
    def plain(self) -> Pipeline:
        """A pipeline with the policies and presets of settings, with any files open."""
        ...

    def pipeline(self, conversation: str) -> Pipeline:
        """Return a pipeline with this conversation open; the next call may return another pipeline."""
        ...


@dataclass(frozen=True, eq=False)
class OpenChats:
    """The conversations of the workspace of a pipeline."""

    plain: Pipeline

    def pipeline(self, conversation: str) -> Pipeline:
        """Return the plain pipeline, in which all conversations are open."""
        return self.plain

    def __reduce__(self) -> tuple[Any, ...]:
        choices = self.plain.choices
        return _open_again, (replace(choices, tokenizers=dict(choices.tokenizers)),)


def _open_again(choices: Choices) -> OpenChats:
    made_from = choices.workspace, choices.policies, choices.presets, choices.models, choices.tokenizers
    return OpenChats(Pipeline(*made_from))


@dataclass(frozen=True, eq=False)
class FiledChats:
    """Conversations in separate files, by name. A single file is in memory at a time."""

    opening: Opening
    files: Mapping[str, str]
    _last: dict[str, Pipeline] = field(default_factory=dict, init=False, repr=False)

    @property
    def plain(self) -> Pipeline:
        """A pipeline with nothing open."""
        return self.opening.pipeline(Workspace())

    def pipeline(self, conversation: str) -> Pipeline:
        """Return the pipeline of the file of a conversation, opened now unless it was the last."""
        path = self.files[conversation]
        if path not in self._last:
            self._last.clear()
            self._last[path] = self.opening.pipeline(self.opening.read(path)[0])
        return self._last[path]

    def __reduce__(self) -> tuple[Any, ...]:
        return FiledChats, (self.opening, self.files)


@dataclass(frozen=True)
class ProbesOfFiles:
    """The work on a chunk of files: the askable probes about their conversations.

    These are the given probes, each of which names its conversation, or without given probes those of the files.
    """

    opening: Opening
    scenario: Scenario
    probes: tuple[Probe, ...] = ()

    def __call__(self, chunk: Chunk) -> tuple[list[tuple[str, FoundProbes]], list[BadFile]]:
        """Return the probes of each file with its path, and the problems of the files."""
        found: list[tuple[str, FoundProbes]] = []
        bad: list[BadFile] = []
        for file in chunk:
            with refusals(file.path, bad):
                workspace, wrong = self.opening.read(file.path)
                bad += wrong
                if wanted := self._wanted(workspace):
                    found.append((file.path, find_probes(self.opening.pipeline(workspace), self.scenario, wanted)))
        return found, bad

    def _wanted(self, workspace: Workspace) -> Sequence[Probe]:
        names = {conversation.id for conversation in workspace.conversations}
        return [probe for probe in self.probes if probe.conversation in names] if self.probes else workspace.probes


@dataclass(frozen=True)
class FoundChats:
    """The progress of the search for probes, in files, and at its end (None before) the probes and their places."""

    done: int
    total: int
    chats: FiledChats | None = None
    asked: Asked | None = None
    bad: tuple[BadFile, ...] = ()


def find_chats(work: ProbesOfFiles, files: Sequence[ArchiveFile], begin: Begin) -> Iterator[FoundChats]:
    """Search each file separately for probes about it.

    A conversation is taken from the first file with its name. Raise NoWorkersError.
    """
    found: dict[str, FoundProbes] = {}
    bad: list[BadFile] = []
    done = 0
    for finished in worked_through(begin, work, chunks(files, files, _MOST_FILES, _MOST_BYTES)):
        if finished is not None:
            chunk, made = finished
            some, wrong = made if made is not None else ([], [lost(file.path) for file in chunk])
            found.update(some)
            bad += wrong
            done += len(chunk)
        yield FoundChats(done, len(files))
    places: dict[str, str] = {}
    parts = [_first_of_name(path, found[path], places, bad) for path in sorted(found)]
    lacking = FoundProbes((), (), (), (), _nowhere(work.probes, parts))
    yield FoundChats(done, len(files), FiledChats(work.opening, places), asked_of([*parts, lacking]), tuple(bad))


def _first_of_name(path: str, found: FoundProbes, places: dict[str, str], bad: list[BadFile]) -> FoundProbes:
    """Return the probes of a file, except those about conversations whose names are already taken."""
    names = dict.fromkeys(probe.conversation for probe in found.probes)
    taken = [name for name in names if places.setdefault(name, path) != path]
    bad += [BadFile(path, name, f"a conversation of this name is in {places[name]}, which is asked") for name in taken]
    return found.about(names.keys() - set(taken))


def _nowhere(probes: Iterable[Probe], parts: Sequence[FoundProbes]) -> tuple[Skipped, ...]:
    """Return the given probes without a conversation in any file, and the reasons."""
    told = {probe.id for part in parts for probe in part.probes} | {one.id for part in parts for one in part.skipped}
    return tuple(
        Skipped(probe.id, f"the conversation {probe.conversation} is in no file")
        if probe.conversation
        else Skipped(probe.id, "names no conversation")
        for probe in probes
        if probe.id not in told
    )

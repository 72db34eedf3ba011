"""Where the conversations of probes are: all open in one workspace, or in files of an archive that are opened in turn.

Both can be given to other processes, which open what they need by themselves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from inspector.analysis.archive.chats import BadFile, Opening, lost, refusals
from inspector.analysis.archive.files import ArchiveFile, Chunk, chunks
from inspector.analysis.archive.workers import Begin
from inspector.analysis.archive.working import worked_through
from inspector.analysis.probes import Skipped
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
        """A pipeline with the policies and presets that settings are made of, whatever is open in it."""
        ...

    def pipeline(self, conversation: str) -> Pipeline:
        """A pipeline in which this conversation is open; it may be another one at the next call."""
        ...


@dataclass(frozen=True, eq=False)
class OpenChats:
    """The conversations of the workspace of a pipeline."""

    plain: Pipeline

    def pipeline(self, conversation: str) -> Pipeline:
        """The one pipeline."""
        return self.plain

    def __reduce__(self) -> tuple[Any, ...]:
        choices = self.plain.choices
        return _open_again, (replace(choices, tokenizers=dict(choices.tokenizers)),)


def _open_again(choices: Choices) -> OpenChats:
    made_from = choices.workspace, choices.policies, choices.presets, choices.models, choices.tokenizers
    return OpenChats(Pipeline(*made_from))


@dataclass(frozen=True, eq=False)
class FiledChats:
    """Conversations that each lie in a file, by name. One file is in memory at a time."""

    opening: Opening
    files: Mapping[str, str]
    _last: dict[str, Pipeline] = field(default_factory=dict, init=False, repr=False)

    @property
    def plain(self) -> Pipeline:
        """A pipeline with nothing open."""
        return self.opening.pipeline(Workspace())

    def pipeline(self, conversation: str) -> Pipeline:
        """The pipeline of the file of a conversation, opened now unless it was the last."""
        path = self.files[conversation]
        if path not in self._last:
            self._last.clear()
            self._last[path] = self.opening.pipeline(self.opening.read(path)[0])
        return self._last[path]

    def __reduce__(self) -> tuple[Any, ...]:
        return FiledChats, (self.opening, self.files)


@dataclass(frozen=True)
class ProbesOfFiles:
    """What workers look for in a chunk of files: the probes that can be asked about their conversations.

    These are the given ones, each of which names its conversation, or where none are given those of the files.
    """

    opening: Opening
    scenario: Scenario
    probes: tuple[Probe, ...] = ()

    def __call__(self, chunk: Chunk) -> tuple[list[tuple[str, FoundProbes]], list[BadFile]]:
        """The probes of each file with its path, and what was wrong with the files."""
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
    """How far the search for probes is, in files, and at its end (None before) what there is to ask, and where."""

    done: int
    total: int
    chats: FiledChats | None = None
    asked: Asked | None = None
    bad: tuple[BadFile, ...] = ()


def find_chats(work: ProbesOfFiles, files: Sequence[ArchiveFile], begin: Begin) -> Iterator[FoundChats]:
    """Look through all files, each by itself, for what can be asked about them.

    A conversation is asked about in the first file that has one of its name. Raises NoWorkersError.
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
    """The probes of a file but those about conversations whose names stand for others already."""
    names = dict.fromkeys(probe.conversation for probe in found.probes)
    taken = [name for name in names if places.setdefault(name, path) != path]
    bad += [BadFile(path, name, f"a conversation of this name is in {places[name]}, which is asked") for name in taken]
    return found.about(names.keys() - set(taken))


def _nowhere(probes: Iterable[Probe], parts: Sequence[FoundProbes]) -> tuple[Skipped, ...]:
    """The given probes that were found nowhere, and why."""
    told = {probe.id for part in parts for probe in part.probes} | {one.id for part in parts for one in part.skipped}
    return tuple(
        Skipped(probe.id, f"the conversation {probe.conversation} is in no file")
        if probe.conversation
        else Skipped(probe.id, "names no conversation")
        for probe in probes
        if probe.id not in told
    )

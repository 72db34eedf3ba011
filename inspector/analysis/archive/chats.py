"""Reading a file of an archive, and reporting unusable files. Independent of the analysis."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.preset import Preset
from inspector.formats import Format, load_workspace
from inspector.model import Problem, Workspace
from inspector.reading.budget import OPENING_BYTES
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.table import ModelTable
from inspector.tokens.tokenizer import MakeTokenizer, TokenizerUnavailableError

_log = logging.getLogger(__name__)
_REFUSALS = (ScenarioError, UnknownTokenizerError, TokenizerUnavailableError)


@dataclass(frozen=True, slots=True)
class BadFile:
    """A file of which nothing, or not all, could be used: `place` is where in it ("" for the whole), and why."""

    path: str
    place: str
    reason: str


def lost(path: str) -> BadFile:
    """Return the report of a file that ended every process working on it."""
    return BadFile(path, "", "ends the process that works on it, as where memory runs out")


@dataclass(frozen=True)
class Opening:
    """The means to open and assemble the files of an archive, the same in every process."""

    policies: Mapping[str, type]
    presets: Mapping[tuple[str, str], Preset]
    models: ModelTable | None = None
    tokenizers: Mapping[str, MakeTokenizer] = field(default_factory=dict)
    formats: Iterable[Format] | None = None
    opening_bytes: int = OPENING_BYTES

    def pipeline(self, workspace: Workspace) -> Pipeline:
        """Return a pipeline for a single file, which is released with it."""
        return Pipeline(workspace, self.policies, self.presets, self.models, self.tokenizers)

    def read(self, path: str) -> tuple[Workspace, list[BadFile]]:
        """Return the contents of a file and its unusable parts; a file without a conversation is bad, too."""
        workspace = load_workspace([path], formats=self.formats, opening_bytes=self.opening_bytes)
        bad = [_bad(path, problem) for problem in workspace.problems if problem.severity == "error"]
        if not (workspace.conversations or workspace.probes or bad):
            bad.append(BadFile(path, "", "holds no conversation"))
        return workspace, bad


def _bad(path: str, problem: Problem) -> BadFile:
    inside = "" if problem.file == path else str(Path(problem.file).name)
    return BadFile(path, ": ".join(filter(None, (inside, problem.place))), problem.message)


@contextmanager
def refusals(path: str, bad: list[BadFile]) -> Iterator[None]:
    """Report any failure in the block as a problem of this file, so that the others go on."""
    try:
        yield
    except _REFUSALS as problem:
        bad.append(BadFile(path, "", str(problem)))
    except Exception as defect:  # noqa: BLE001 - said of the file, and logged with its traceback
        _log.error("%s could not be worked through", path, exc_info=defect)
        bad.append(BadFile(path, "", f"a fault of this program: {type(defect).__name__}: {defect}"))

"""The rows of a sweep over a chunk of files, as the bytes of a Parquet file with what was wrong with the files."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from itertools import islice
from typing import Any

from inspector.analysis.archive.chats import BadFile, Opening, lost, refusals
from inspector.analysis.archive.files import ArchiveFile, Chunk
from inspector.analysis.archive.schema import KEY, as_columns, parquet, schema_of
from inspector.analysis.grid import WORDS_ONLY, Grid
from inspector.analysis.sweep import Row, sweep_rows
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.model import Probe, Workspace

_ROWS_AT_ONCE = 10_000
"""Rows that are dictionaries at a time: as columns they take a fiftieth of the memory."""


@dataclass(frozen=True)
class Told:
    """What the metadata of a Parquet file of rows says: see `schema`."""

    settings: str
    files: tuple[ArchiveFile, ...]
    bad: tuple[BadFile, ...]

    def value(self) -> bytes:
        """The same as JSON; what is no UTF-8 in the name of a file is an escape in it, and comes back."""
        files, bad = list(map(astuple, self.files)), [asdict(one) for one in self.bad]
        return json.dumps({"settings": self.settings, "files": files, "bad_files": bad}).encode()


def told(metadata: dict[bytes, bytes] | None) -> Told | None:
    """What the metadata of a Parquet file say; None of a file that is not one of ours."""
    if not metadata or KEY not in metadata:
        return None
    value = json.loads(metadata[KEY])
    bad = tuple(BadFile(**one) for one in value["bad_files"])
    return Told(value["settings"], tuple(ArchiveFile(*one) for one in value["files"]), bad)


@dataclass(frozen=True)
class SweepOfFiles:
    """What workers do with a chunk: the grid over each conversation of each file, as the bytes of a Parquet file.

    `settings` is the fingerprint that they are kept under.
    """

    opening: Opening
    scenario: Scenario
    grid: Grid
    measured: bool = False
    probes: tuple[Probe, ...] = ()
    settings: str = ""

    def __call__(self, chunk: Chunk) -> bytes:
        """A Parquet file with the rows of these files, and in its metadata what was wrong with them."""
        bad: list[BadFile] = []
        return self._written(chunk, self._rows(chunk, bad), bad)

    def lost(self, chunk: Chunk) -> bytes:
        """The same of files that ended every process that read them."""
        return self._written(chunk, (), [lost(file.path) for file in chunk])

    def _written(self, chunk: Chunk, rows: Iterable[Row], bad: Sequence[BadFile]) -> bytes:
        """The bytes; `bad` is looked at when all rows were taken."""
        content = io.BytesIO()
        with parquet().ParquetWriter(content, self.schema) as writer:
            for batch in _batches(rows):
                writer.write_table(as_columns(batch, self.schema))
            writer.add_key_value_metadata({KEY: Told(self.settings, chunk, tuple(bad)).value()})
        return content.getvalue()

    @cached_property
    def schema(self) -> Any:
        """The columns of all parts. Raises ScenarioError and UnknownTokenizerError where no file could be swept."""
        return schema_of(self._tried(), self.grid)

    def _tried(self) -> Sequence[str]:
        """The columns, after the grid was tried on nothing: a name that is not known is wrong for every file."""
        pipeline = self.opening.pipeline(Workspace())
        anywhere = replace(self.scenario, conversation=None, character=None, memory_sets=None, leaf=None)
        first = {key: values[:1] for key, values in self.grid.items()}
        columns: Sequence[str] = ()
        for key in (None, *(key for key in self.grid if key in WORDS_ONLY)):
            grid = first if key is None else {**first, key: self.grid[key]}
            for row in sweep_rows(pipeline, anywhere, grid, probes=self.probes):
                columns = columns or list(row)
        return columns

    def _rows(self, chunk: Chunk, bad: list[BadFile]) -> Iterator[Row]:
        for file in chunk:
            with refusals(file.path, bad):
                workspace, found = self.opening.read(file.path)
                bad += found
                if workspace.conversations:
                    yield from self._rows_of(workspace)

    def _rows_of(self, workspace: Workspace) -> Iterator[Row]:
        pipeline = self.opening.pipeline(workspace)
        yield from sweep_rows(pipeline, self.scenario, self.grid, measured=self.measured, probes=self.probes)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    made = iter(rows)
    while batch := list(islice(made, _ROWS_AT_ONCE)):
        yield batch

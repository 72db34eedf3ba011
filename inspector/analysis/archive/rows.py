"""The rows of a sweep over a chunk of files, as the bytes of a Parquet file with the problems of the files."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from itertools import islice
from typing import Any

from inspector.analysis.archive.chats import BadFile, Opening, lost, refusals
from inspector.analysis.archive.files import ArchiveFile, Chunk
from inspector.analysis.archive.schema import KEY, as_columns, parquet, schema_of
from inspector.analysis.sweep.ask import Row, sweep_rows
from inspector.analysis.sweep.grid import WORDS_ONLY, Grid
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.model import Probe, Workspace

_ROWS_AT_ONCE = 10_000
"""The number of rows held as dictionaries at a time: as columns they take a fiftieth of the memory."""


@dataclass(frozen=True)
class Told:
    """The metadata of a Parquet file of rows: see `schema`."""

    settings: str
    files: tuple[ArchiveFile, ...]
    bad: tuple[BadFile, ...]

    def value(self) -> bytes:
        """Return the metadata as JSON; bytes of file names outside UTF-8 are escaped, and restored on reading."""
        files, bad = list(map(astuple, self.files)), [asdict(one) for one in self.bad]
        return json.dumps({"settings": self.settings, "files": files, "bad_files": bad}).encode()


def told(metadata: dict[bytes, bytes] | None) -> Told | None:
    """Return the metadata of a Parquet file; None for a file from another program."""
    if not metadata or KEY not in metadata:
        return None
    value = json.loads(metadata[KEY])
    bad = tuple(BadFile(**one) for one in value["bad_files"])
    return Told(value["settings"], tuple(ArchiveFile(*one) for one in value["files"]), bad)


@dataclass(frozen=True)
class SweepOfFiles:
    """The work on a chunk: the grid over each conversation of each file, as the bytes of a Parquet file.

    `settings` is the fingerprint under which they are stored.
    """

    opening: Opening
    scenario: Scenario
    grid: Grid
    measured: bool = False
    probes: tuple[Probe, ...] = ()
    settings: str = ""
    reply: int | None = None

    def __call__(self, chunk: Chunk) -> bytes:
        """Return a Parquet file with the rows of these files, and in its metadata the problems of the files."""
        bad: list[BadFile] = []
        return self._written(chunk, self._rows(chunk, bad), bad)

    def lost(self, chunk: Chunk) -> bytes:
        """Return the same for files that ended every process reading them."""
        return self._written(chunk, (), [lost(file.path) for file in chunk])

    def _written(self, chunk: Chunk, rows: Iterable[Row], bad: Sequence[BadFile]) -> bytes:
        """Return the bytes; `bad` is looked at when all rows were taken."""
        content = io.BytesIO()
        with parquet().ParquetWriter(content, self.schema) as writer:
            for batch in _batches(rows):
                writer.write_table(as_columns(batch, self.schema))
            writer.add_key_value_metadata({KEY: Told(self.settings, chunk, tuple(bad)).value()})
        return content.getvalue()

    @cached_property
    def schema(self) -> Any:
        """The columns of all parts. Raise ScenarioError and UnknownTokenizerError if no file could be swept."""
        return schema_of(self._tried(), self.grid)

    def _tried(self) -> Sequence[str]:
        """Return the columns after trying the grid on an empty workspace: an unknown name is wrong for every file."""
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
        terms = {"measured": self.measured, "probes": self.probes, "reply": self.reply}
        yield from sweep_rows(pipeline, self.scenario, self.grid, **terms)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    made = iter(rows)
    while batch := list(islice(made, _ROWS_AT_ONCE)):
        yield batch

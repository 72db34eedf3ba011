"""A sweep over an archive, which may be killed at any moment and continues when restarted."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import IO, Any

from inspector.analysis.archive.chats import BadFile
from inspector.analysis.archive.files import ArchiveFile, chunks
from inspector.analysis.archive.parts import (
    Parts,
    StoredPart,
    bad_files,
    begun_parts,
    fingerprint,
    in_order,
    parts_folder,
    rows_in,
    told_by,
    write_joined,
)
from inspector.analysis.archive.rows import SweepOfFiles, Told
from inspector.analysis.archive.schema import check_archives
from inspector.analysis.archive.workers import Begin
from inspector.analysis.archive.working import worked_through
from inspector.analysis.sweep.row_files import write_csv, write_jsonl
from inspector.writing import new_file

_MOST_FILES, _MOST_ROWS, _MOST_BYTES = 64, 20_000, 16_000_000
"""The limits of a part: a kill loses at most the work in progress."""
_LEAST_PARTS = 32
_TEXTS: Mapping[str, Callable[[Iterable[Mapping[str, Any]], IO[bytes]], None]] = {
    ".jsonl": write_jsonl,
    ".csv": write_csv,
}


@dataclass(frozen=True, slots=True)
class Step:
    """The progress of a sweep, in files; `outdated` is the number of parts from an earlier run whose files have
    changed.

    `bad` are the problems of the files, given once the rows are complete.
    """

    done: int
    total: int
    outdated: int = 0
    bad: tuple[BadFile, ...] = ()


def sweep_archive(
    work: SweepOfFiles,
    files: Sequence[ArchiveFile],
    begin: Begin,
    out: str | Path,
    settings: Mapping[str, Any],
    opened: Sequence[str] = (),
    *,
    anew: bool = False,
) -> Generator[Step, None, None]:
    """Sweep the files into a file of rows that ends in .parquet, .csv or .jsonl, yielding the progress.

    The rows are kept in parts beside it until it is complete (see `parts`): after an interruption or a kill, another
    call with the same settings makes only missing and outdated parts. A complete Parquet file of the same files and
    settings is kept. `opened` are further files that must not be overwritten.

    Raise MissingArchivesError, OtherSettingsError (unless `anew`), AlreadyRunningError, NoWorkersError, OSError, and
    the errors of `sweep_rows` for unknown names.
    """
    check_archives()
    work = replace(work, settings=fingerprint(settings))
    _ = work.schema
    whole = None if anew else _whole(work, files, out)
    if whole is not None:
        yield Step(len(files), len(files), bad=whole.bad)
        return
    with begun_parts(out, settings, anew) as parts:
        yield from _made(parts, work, files, begin)
        kept = in_order(parts.current(files)[0], files)
        with new_file(out, [*(file.path for file in files), *opened]) as file:
            _write(kept, work, Path(out).suffix, file)
        bad = bad_files(kept)
        parts.clear()
    yield Step(len(files), len(files), bad=bad)


def _whole(work: SweepOfFiles, files: Sequence[ArchiveFile], out: str | Path) -> Told | None:
    """Return the description of the file of rows if it is already complete."""
    said = None if parts_folder(out).exists() else told_by(out)
    is_it = said is not None and said.settings == work.settings and said.files == tuple(files)
    return said if is_it else None


def _made(parts: Parts, work: SweepOfFiles, files: Sequence[ArchiveFile], begin: Begin) -> Iterator[Step]:
    """Make the missing parts."""
    kept, outdated = parts.current(files)
    there = {file for part in kept for file in part.told.files}
    done, total = len(there), len(files)
    yield Step(done, total, outdated)
    left = [file for file in files if file not in there]
    cells = max(1, prod(map(len, work.grid.values())))
    most_files = max(1, min(_MOST_FILES, _MOST_ROWS // cells, len(left) // _LEAST_PARTS))
    for finished in worked_through(begin, work, chunks(files, left, most_files, _MOST_BYTES)):
        if finished is not None:
            chunk, content = finished
            parts.add(work.lost(chunk) if content is None else content)
            done += len(chunk)
        yield Step(done, total, outdated)


def _write(parts: Sequence[StoredPart], work: SweepOfFiles, ending: str, file: IO[bytes]) -> None:
    if ending in _TEXTS:
        _TEXTS[ending](rows_in(part.place for part in parts), file)
    else:
        write_joined(parts, work.schema, work.settings, file)

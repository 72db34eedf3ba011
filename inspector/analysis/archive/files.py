"""The files of an archive: which there are, how large, and when they were changed. Opens none of them."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class ArchiveFile:
    """A file as it was when the archive was listed: `size` in bytes, `changed` in nanoseconds since 1970."""

    path: str
    size: int
    changed: int


Chunk = tuple[ArchiveFile, ...]
"""Files given to a worker together."""


def archive_files(paths: Iterable[str], glob: str, but: Sequence[str | Path] = ()) -> list[ArchiveFile]:
    """Return the matching files in these folders, and the files named explicitly, by path, without duplicates.

    Hidden files and folders are left out, and so is everything in `but` and below it. Raise OSError for a missing path,
    and ValueError for an invalid pattern.
    """
    left_out = [Path(os.path.realpath(path)) for path in but]
    found = {path: status for path, status in _named(paths, glob) if not _is_below(path, left_out)}
    return sorted(ArchiveFile(path, status.st_size, status.st_mtime_ns) for path, status in found.items())


def _named(paths: Iterable[str], glob: str) -> Iterator[tuple[str, os.stat_result]]:
    for path in paths:
        status = os.stat(path)
        if os.path.isdir(path):
            yield from _matching(Path(path), glob)
        else:
            yield path, status


def _matching(folder: Path, glob: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        for path in folder.glob(glob):
            if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
                yield str(path), path.stat()
    except (NotImplementedError, ValueError) as problem:
        raise ValueError(f"{glob!r} is not a pattern of paths in a folder: {problem}") from None


def _is_below(path: str, places: Sequence[Path]) -> bool:
    if not places:
        return False
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(place) for place in places)


def chunks(files: Sequence[ArchiveFile], left: Iterable[ArchiveFile], most_files: int, most_bytes: int) -> list[Chunk]:
    """Return the remaining files in chunks of neighbours, each within the limits but with at least one file."""
    places = {file: place for place, file in enumerate(files)}
    made: list[list[ArchiveFile]] = []
    size, before = 0, -2
    for file in sorted(left, key=places.__getitem__):
        place = places[file]
        is_full = not made or len(made[-1]) == most_files or size + file.size > most_bytes
        if is_full or place != before + 1:
            made.append([])
            size = 0
        made[-1].append(file)
        size, before = size + file.size, place
    return list(map(tuple, made))

"""Which files were opened: they are sources, and nothing is written over one of them, by whatever name."""

import os
from collections.abc import Iterable
from pathlib import Path

from inspector.model import Workspace

_LOGS = ("-wal", "-shm", "-journal")  # what SQLite reads beside a database


class SourceProtectedError(OSError):
    """The file to be written is one of those that were opened; sources are never written to."""


def files_of(workspace: Workspace) -> list[str]:
    """The files that a workspace was opened from, each once, also those that could not be read."""
    read = (source.path for source in workspace.sources)
    return list(dict.fromkeys((*read, *(held.file for held in workspace.problems if held.file))))


def refuse_opened(opened: Iterable[str | Path], path: str | Path, named: str | Path | None = None) -> None:
    """Raises SourceProtectedError when the path is one of these files (see `is_opened`), `named` as the user did."""
    if is_opened(opened, path):
        raise SourceProtectedError(
            f"{path if named is None else named} is one of the opened files; choose another name"
        )


def is_opened(opened: Iterable[str | Path], path: str | Path) -> bool:
    """Whether the path is one of these files, by whatever name: a link, or another spelling where case is the same.

    An archive around one of them is one, too, and so is the log that SQLite keeps beside a database.
    """
    text, sources = os.fspath(path), list(opened)
    names = (text, *(text.removesuffix(ending) for ending in _LOGS if text.endswith(ending)))
    return any(_is_among(sources, name) for name in names)


def is_identity_opened(opened: Iterable[str | Path], found: os.stat_result) -> bool:
    """Whether a file that was found at a place is one of these, or an archive around one."""
    return any(_identity_around(source) == (found.st_dev, found.st_ino) for source in opened)


def _is_among(sources: Iterable[str | Path], name: str) -> bool:
    found = _identity(name)
    if found is not None:
        return any(_identity_around(source) == found for source in sources)
    target = os.path.realpath(name)
    return any(os.path.realpath(source) == target for source in sources)


def _identity(path: str | Path) -> tuple[int, int] | None:
    """What is the same for all names of one file; None where there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _identity_around(path: str | Path) -> tuple[int, int] | None:
    """The identity of an opened file, or of the archive that it is in."""
    place = Path(path)
    return next((found for around in (place, *place.parents) if (found := _identity(around))), None)

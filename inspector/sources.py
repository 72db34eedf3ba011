"""The opened files: they are sources, and must never be overwritten, by whatever name."""

import os
from collections.abc import Iterable
from pathlib import Path

from inspector.model import Workspace

_LOGS = ("-wal", "-shm", "-journal")  # files that SQLite reads beside a database


class SourceProtectedError(OSError):
    """The file to be written is an opened file; sources are never written to."""


def files_of(workspace: Workspace) -> list[str]:
    """Return the files from which a workspace was opened, each once, including unreadable ones."""
    read = (source.path for source in workspace.sources)
    return list(dict.fromkeys((*read, *(held.file for held in workspace.problems if held.file))))


def refuse_opened(opened: Iterable[str | Path], path: str | Path, named: str | Path | None = None) -> None:
    """Raise SourceProtectedError if the path is any of these files (see `is_opened`); the message has it as `named`."""
    if is_opened(opened, path):
        raise SourceProtectedError(
            f"{path if named is None else named} is one of the opened files; choose another name"
        )


def is_opened(opened: Iterable[str | Path], path: str | Path) -> bool:
    """Return whether the path is any of these files, by whatever name.

    This includes links, other spellings on a file system that ignores case, the archive around such a file, and the log
    that SQLite keeps beside a database.
    """
    text, sources = os.fspath(path), list(opened)
    names = (text, *(text.removesuffix(ending) for ending in _LOGS if text.endswith(ending)))
    return any(_is_among(sources, name) for name in names)


def is_identity_opened(opened: Iterable[str | Path], found: os.stat_result) -> bool:
    """Return whether a file found at a place is any of these, or an archive around one."""
    return any(_identity_around(source) == (found.st_dev, found.st_ino) for source in opened)


def _is_among(sources: Iterable[str | Path], name: str) -> bool:
    found = _identity(name)
    if found is not None:
        return any(_identity_around(source) == found for source in sources)
    target = os.path.realpath(name)
    return any(os.path.realpath(source) == target for source in sources)


def _identity(path: str | Path) -> tuple[int, int] | None:
    """Return the identity shared by all names of a file; None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _identity_around(path: str | Path) -> tuple[int, int] | None:
    """Return the identity of an opened file, or of the archive around it."""
    place = Path(path)
    return next((found for around in (place, *place.parents) if (found := _identity(around))), None)

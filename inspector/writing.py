"""Writing any file of a person: never over one that was opened, and so that a crash leaves the old one whole."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from inspector.model import Workspace


class SourceProtectedError(OSError):
    """The file to be written is one of those that the workspace was opened from; sources are never written to."""


def refuse_sources(workspace: Workspace, path: str | Path) -> None:
    """Raises SourceProtectedError when the path is a file that the workspace was opened from, or an archive of one.

    That includes files that could not be read, and every other name (link) of an opened file.
    """
    refuse_opened([*(source.path for source in workspace.sources), *(held.file for held in workspace.problems)], path)


def refuse_opened(opened: Iterable[str | Path], path: str | Path) -> None:
    """Raises SourceProtectedError when the path is one of these files, by whatever name, or an archive around one."""
    target = Path(path).resolve()
    same = _identity(target)
    for source in opened:
        place = Path(source).resolve()
        if target in (place, *place.parents) or (same is not None and _identity(place) == same):
            raise SourceProtectedError(f"{path} is one of the opened files; choose another name")


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Writes a file beside its place and moves it there, so that the old one is whole until the new one is.

    Of a symbolic link it writes the file that the link stands for. Raises OSError where the folder cannot be
    written to.
    """
    target = Path(path).resolve()
    data = content.encode() if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _permissions(target))
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _identity(path: Path) -> tuple[int, int] | None:
    """What is the same for all names of one file; None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _permissions(target: Path) -> int:
    """Those of the file that is replaced, else what a new file gets (mkstemp alone would make it private)."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

"""The text of a large file, read from it where it is asked for: what is not held takes no memory, and no time."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.reading.files import open_file
from inspector.reading.unreadable import UnreadableError


class ChangedFileError(Exception):
    """A file is not what it was when its text was first looked at: what is known of it does not hold any more."""


class FileText:
    """The bytes of a regular file, as long as it stays as it was first seen. Raises UnreadableError, when made only."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._kept: bytes | None = None
        with open_file(path) as file:
            self._seen = _state(file.fileno())
            self.size = os.fstat(file.fileno()).st_size

    @contextmanager
    def opened(self) -> Iterator[Callable[[int, int], bytes]]:
        """A function that reads bytes, from one place to another, for whoever reads many. Raises ChangedFileError."""
        if (kept := self._kept) is not None:
            yield lambda start, stop: kept[start:stop]
            return
        try:
            file = open_file(self._path)
        except UnreadableError:
            raise ChangedFileError from None
        with file:

            def read(start: int, stop: int) -> bytes:
                try:
                    file.seek(start)
                    data = file.read(min(stop, self.size) - start)
                    is_same = _state(file.fileno()) == self._seen
                except OSError:
                    raise ChangedFileError from None
                if not is_same or len(data) != min(stop, self.size) - start:
                    raise ChangedFileError
                return data

            yield read

    def read(self, start: int, stop: int) -> bytes:
        """The bytes from one place to another. Raises ChangedFileError."""
        with self.opened() as read:
            return read(start, stop)

    def keep(self) -> None:
        """Holds all of it from now on, whatever becomes of the file. Raises ChangedFileError."""
        self._kept = self.read(0, self.size)


def _state(file: int) -> tuple[int, ...]:
    """What changes where a file is written to, or another takes its place."""
    found = os.fstat(file)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns

"""The only way in which the program opens a file named by a user or another file.

Such a name may lead to anything: a pipe without a writer, a device without end, a link to either, a file that grows
while it is read. Only regular files are opened, nothing is waited for, and no more is read than was asked for.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from inspector.model import Problem
from inspector.reading.values import UnreadableError
from inspector.resources import samples_elsewhere

MAX_FILE_BYTES = 1_000_000_000
_BLOCK = 1 << 20
# O_NONBLOCK: a pipe is opened without its writer. O_NOCTTY: a terminal does not become that of the program.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"))
_OTHER_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_ABSENT = "there is no such file or folder"
_REASONS = {
    errno.ENOENT: _ABSENT,
    errno.ENOTDIR: _ABSENT,
    errno.ENAMETOOLONG: "its name is too long",
    errno.ELOOP: "it is a link that leads back to itself",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
}


def read_file(path: str | Path, most_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a regular file.

    Raise UnreadableError for anything else at the path, for a file that holds more than `most_bytes` (or comes to hold
    more while it is read), and if the system refuses.
    """
    with open_file(path) as file:
        try:
            size = os.fstat(file.fileno()).st_size
            if size > most_bytes:
                raise _unreadable(path, f"is {size:,} bytes long; at most {most_bytes:,} are read")
            parts = [file.read(size + 1) or b""]
            read = len(parts[0])
            # Files of the kernel claim to be empty, and a file may grow: it is read to its end.
            while parts[-1] and size < read <= most_bytes:
                parts.append(file.read(_BLOCK) or b"")
                read += len(parts[-1])
        except OSError as error:
            raise unreadable(path, error) from None
    if read > most_bytes:
        raise _unreadable(path, f"holds more than the {most_bytes:,} bytes that are read at most")
    return b"".join(parts)


def read_text(path: str | Path, most_bytes: int = MAX_FILE_BYTES) -> str:
    """Return the text of a file in UTF-8, each line ended by a line feed.

    Raise UnreadableError as `read_file` does, and with the first bad byte if it is not UTF-8.
    """
    try:
        text = read_file(path, most_bytes).decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(Problem(str(path), f"byte {error.start}", "expected UTF-8 text")) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_head(path: str | Path, size: int) -> bytes:
    """Return the first bytes of a regular file, at most `size`. Raise UnreadableError."""
    with open_file(path) as file:
        try:
            return file.read(size) or b""
        except OSError as error:
            raise unreadable(path, error) from None


def open_file(path: str | Path) -> BinaryIO:
    """Open a regular file for reading piece by piece. Raise UnreadableError for anything else."""
    try:
        _refuse_other_kinds(path, status(path))  # opening alone may do something to a device or a pipe
        file = os.fdopen(os.open(path, _FLAGS), "rb")
    except OSError as error:
        raise unreadable(path, error) from None
    try:
        _refuse_other_kinds(path, os.fstat(file.fileno()))  # the path may lead to another file by now
    except BaseException:
        file.close()
        raise
    return file


def status(path: str | Path) -> os.stat_result:
    """Return the system's status of a path. Raise UnreadableError if it cannot be reached."""
    try:
        return os.stat(path)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def unreadable(path: str | Path, error: OSError | ValueError) -> UnreadableError:
    """Return the error for a path that the system refused; ValueError means a name that no file can have."""
    if isinstance(error, OSError):
        reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        reason += samples_elsewhere(path) if reason is _ABSENT else ""
    else:
        reason = "its name has a character that no name can have"
    return _unreadable(path, f"cannot be read: {reason}")


def _refuse_other_kinds(path: str | Path, found: os.stat_result) -> None:
    kind = next((name for is_kind, name in _OTHER_KINDS if is_kind(found.st_mode)), "")
    if kind or not stat.S_ISREG(found.st_mode):
        raise _unreadable(path, f"is {kind or 'something else'}; expected a file")


def _unreadable(path: str | Path, message: str) -> UnreadableError:
    return UnreadableError(Problem(str(path), "", message))


def file_state(path: str | Path) -> tuple[int, ...] | None:
    """Return a state that changes if a file is written to or replaced; None if the path cannot be reached."""
    try:
        return _state(os.stat(path))
    except (OSError, ValueError):
        return None


class ChangedFileError(Exception):
    """A file has changed since its text was first looked at: everything known of it is obsolete."""


class FileText:
    """The bytes of a regular file, as long as it stays as first seen. Only the constructor raises UnreadableError."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._kept: bytes | None = None
        with open_file(path) as file:
            self._seen = _state(os.fstat(file.fileno()))
            self.size = os.fstat(file.fileno()).st_size

    @contextmanager
    def opened(self) -> Iterator[Callable[[int, int], bytes]]:
        """Give a function that reads bytes from a start to an end, for many reads. Raise ChangedFileError."""
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
                    is_same = _state(os.fstat(file.fileno())) == self._seen
                except OSError:
                    raise ChangedFileError from None
                if not is_same or len(data) != min(stop, self.size) - start:
                    raise ChangedFileError
                return data

            yield read

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from a start to an end. Raise ChangedFileError."""
        with self.opened() as read:
            return read(start, stop)

    def keep(self) -> None:
        """Hold all of it from now on, even if the file changes. Raise ChangedFileError."""
        self._kept = self.read(0, self.size)


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns

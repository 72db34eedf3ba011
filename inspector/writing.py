"""Writing the user's files: the only way in which the program does it.

Opened files are never overwritten, by whatever name. A file is replaced atomically: it is the old file, whole, until it
is the new file, whole, even if the disk is full, the program is killed or the power fails. Where the system allows it
(Linux), the new file has no name before it is whole, so nothing of it is left; elsewhere, and if the program is killed
between naming the file and moving it to its place, the next write into the same folder removes the rest. A name of a
stream (/dev/stdout, /dev/null, a pipe with a reader) gets the content as it comes; folders, disks and sockets are
refused.
"""

import errno
import io
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

from inspector.sources import SourceProtectedError, is_identity_opened, refuse_opened

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LONGEST_WAIT = 5.0
"""The most seconds to wait for another change of the same file; a change takes some hundredths of a second."""
_PAUSE_SECONDS = 0.01
_BEGINNING, _ENDING = ".prompt-inspector-", ".part"
_NUMBERS = "/proc/self/fd/"
_OWN_DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2}
_OWN_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_FOLDERS_CANNOT_BE_SYNCED = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)


def write_file(path: str | Path, content: str | bytes, opened: Iterable[str | Path]) -> None:
    """Write a file, whole or not at all. For a symbolic link, write the file it points to.

    `opened` are the protected files. Raise SourceProtectedError for any of them, and OSError, which names the path, if
    it cannot be written.
    """
    with new_file(path, opened) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def new_file(path: str | Path, opened: Iterable[str | Path], aside: str | Path | None = None) -> Iterator[IO[bytes]]:
    """Open a file to write into, which takes its place, or that of the old file, at the end of the block.

    If the block raises, nothing is left of it; with `aside`, a name in the same folder, the part flushed by then is
    kept under this name. Raise the errors of `write_file`.
    """
    opened = list(opened)
    with _named(path):
        stream = _own_stream(path)
        # A link is followed once: later it may lead elsewhere, unchecked.
        target = Path(os.path.realpath(path))
        refuse_opened(opened, path if stream else target, named=path)
        place = None if aside is None else Path(os.path.realpath(aside))
        if place is not None:
            refuse_opened(opened, place, named=aside)
        stream = stream or _stream(target)
        if stream is not None:
            with stream:
                yield stream
            return
        with _held_folder(target.parent) as folder:
            draft = _Draft(target, folder, opened)
            try:
                yield draft.file
                draft.take_place()
            except BaseException:
                if place is not None:
                    draft.step_aside(place)
                raise
            finally:
                draft.close()


class Lines:
    """A file that only grows, a line at a time, each whole or not at all; made if there is none, readable by its owner.

    Raise OSError, which names the path, if it cannot be opened, is no file, or another program adds lines to it.
    """

    def __init__(self, path: str | Path) -> None:
        self._raw = io.FileIO(str(path), "ab+", opener=_open_private)
        with ExitStack() as opened:
            opened.callback(self._raw.close)
            if not stat.S_ISREG(os.fstat(self._raw.fileno()).st_mode):
                raise OSError(errno.EINVAL, "Is no file", str(path))
            if not _lock(self._raw.fileno()):
                raise OSError(errno.EBUSY, "Another program is writing to it", str(path))
            self._is_torn = self._ends_within_a_line()
            opened.pop_all()

    def append(self, line: bytes) -> None:
        """Add a line, which has its newline. Raise OSError if that fails; then nothing of it is left."""
        before = self._raw.seek(0, os.SEEK_END)
        rest = memoryview(b"\n" + line if self._is_torn else line)
        try:
            while rest:
                rest = rest[self._raw.write(rest) or 0 :]
        except OSError:
            self._is_torn = self._is_torn or not self._cut(before)
            raise
        self._is_torn = False

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _ends_within_a_line(self) -> bool:
        if not self._raw.seek(0, os.SEEK_END):
            return False
        self._raw.seek(-1, os.SEEK_END)
        return self._raw.read(1) != b"\n"

    def _cut(self, size: int) -> bool:
        """Take a piece of a line off again; return whether that was possible."""
        with suppress(OSError):
            self._raw.truncate(size)
            return True
        return False


@contextmanager
def only_writer(folder: Path, seconds: float = LONGEST_WAIT) -> Iterator[None]:
    """Wait until no other program is in such a block for this folder; for reading, changing and rewriting a file.

    The lock is that of the folder and ends with its process. If the file system has no locks, there is no wait. Raise
    TimeoutError if another program holds it for `seconds`; 0 does not wait.
    """
    end = time.monotonic() + seconds
    with _lockable(folder) as descriptor:
        while not _lock(descriptor):
            if time.monotonic() >= end:
                raise TimeoutError(errno.ETIMEDOUT, "Another program is writing there and does not end", str(folder))
            time.sleep(_PAUSE_SECONDS)
        yield


def free_name(path: Path, may_go: Callable[[Path], bool] = lambda _: False) -> Path:
    """Return the path, or the first of NAME-2, NAME-3, … that does not exist, or that `may_go`."""
    names = (path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name) or may_go(name))


class _Content(io.BufferedWriter):
    """A buffered writer that counts the bytes flushed on purpose, which are never a torn piece."""

    flushed = 0

    def flush(self) -> None:
        super().flush()
        self.flushed = self.tell()


class _Draft:
    """A file beside its place: without a name, or with a name by which the next writer knows if it is being written.

    Its folder is held open: another folder that takes its place meanwhile is not written to.
    """

    def __init__(self, target: Path, folder: int | None, opened: Sequence[str | Path]) -> None:
        self._target, self._folder, self._opened = target, folder, opened
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
        _remove_left_overs(target.parent)
        # The replacement of a private file is private from its first byte.
        mode = 0o600 if target.exists() else 0o666
        descriptor = None if folder is None else _without_name(folder, mode)
        self._name: str | None = None
        if descriptor is None:
            descriptor, self._name = _with_name(target.parent, folder, mode)
        else:
            _lock(descriptor)
        self._raw = io.FileIO(descriptor, "wb")
        self.file = _Content(self._raw)

    def take_place(self) -> None:
        """Move the file to its place. Raise SourceProtectedError if it is an opened file by now."""
        self.file.flush()
        self._become(self._target.name)

    def step_aside(self, place: Path) -> None:
        """Move the file to this name with the flushed content, if there is any; errors are ignored."""
        if self.file.flushed:
            with suppress(OSError):
                self._raw.truncate(self.file.flushed)
                self._become(place.name)

    def close(self) -> None:
        """Close the file without writing the rest; a file without a place is removed."""
        with suppress(OSError):
            self._raw.close()
        if self._name is not None:
            with suppress(FileNotFoundError):
                os.unlink(self._at(self._name), dir_fd=self._folder)

    def _become(self, name: str) -> None:
        old = _found(self._at(name), self._folder)
        if old is not None and is_identity_opened(self._opened, old):
            raise SourceProtectedError(f"{self._target} is one of the opened files by now; choose another name")
        _take_owner_and_permissions(self._raw.fileno(), old)
        os.fsync(self._raw.fileno())
        if self._name is None:
            self._name = _give_name(self._raw.fileno(), self._folder)
        if sys.platform == "win32":
            self._raw.close()  # the file keeps its lock until it is in place, but Windows moves no open file
        os.replace(self._at(self._name), self._at(name), src_dir_fd=self._folder, dst_dir_fd=self._folder)
        self._name = None
        _sync_folder(self._folder)

    def _at(self, name: str) -> str:
        return _place(self._target.parent, self._folder, name)


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Make errors name the file requested by the user, not the file beside it."""
    try:
        yield
    except OSError as error:
        names_ours = not error.filename or _BEGINNING in str(error.filename) or str(error.filename).startswith(_NUMBERS)
        if not names_ours or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _open_private(path: str, flags: int) -> int:
    """Open a file that only its owner can read, without waiting for the reader of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o600)


def _own_stream(path: str | Path) -> IO[bytes] | None:
    """Return a stream with which this program was started, None if the path names none."""
    own = _own_descriptor(path)
    return None if own is None else os.fdopen(os.dup(own), "wb")


def _stream(path: Path) -> IO[bytes] | None:
    """Return a stream to write to; None for a file, or a path where a file can be made. Raise OSError for all else."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        raise OSError(errno.EINVAL, "Is neither a file nor a stream", str(path))
    try:
        # Without waiting: a pipe without a reader is an error, not a standstill.
        descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise OSError(errno.ENXIO, "Is a pipe that nobody reads", str(path)) from None
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb")


def _own_descriptor(path: str | Path) -> int | None:
    """Return the number of a stream with which this program was started. It may lead to a file with other text."""
    name = os.path.abspath(path)
    found = _OWN_DESCRIPTOR.fullmatch(name)
    return int(found[1]) if found else _OWN_DESCRIPTORS.get(name)


def _place(parent: Path, folder: int | None, name: str) -> str:
    """Return a file of a folder as a system argument: relative to the open folder, if there is one."""
    return str(parent / name) if folder is None else name


def _found(place: str, folder: int | None) -> os.stat_result | None:
    """Return the file at a place itself, without following links; None if there is none."""
    try:
        return os.stat(place, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _without_name(folder: int, mode: int) -> int | None:
    """Return a new file without a name; None if the system has no such files."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None:
        return None
    try:
        descriptor = os.open(".", flag | os.O_RDWR, mode, dir_fd=folder)
    except OSError:
        return None  # if a file with a name cannot be made either, that attempt reports why
    if os.path.exists(_by_number(descriptor)):
        return descriptor
    os.close(descriptor)
    return None


def _with_name(parent: Path, folder: int | None, mode: int) -> tuple[int, str]:
    """Return a new file, removed by the next writer unless it is still locked."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        name = _new_name()
        place = _place(parent, folder, name)
        descriptor = os.open(place, flags, mode, dir_fd=folder)
        if sys.platform == "win32" or (_lock(descriptor) and _found(place, folder) is not None):
            return descriptor, name  # Windows removes no open file, and locked content is unreadable
        os.close(descriptor)  # between the name and its lock, another writer took it for left over


def _give_name(descriptor: int, folder: int | None) -> str:
    name = _new_name()
    # Python follows the link in /proc, which gives the file its name, only with a descriptor of a folder.
    os.link(_by_number(descriptor), name, dst_dir_fd=folder, follow_symlinks=True)
    return name


def _new_name() -> str:
    return f"{_BEGINNING}{secrets.token_hex(8)}{_ENDING}"


def _by_number(descriptor: int) -> str:
    return f"{_NUMBERS}{descriptor}"


def _lock(descriptor: int) -> bool:
    """Lock a file or a folder until it is closed, or its process ends; return False if it is locked already."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # this file system has no locks, so no writer takes the file for left over either
    return True


def is_left_over(name: str) -> bool:
    """Return whether a file has the name of a file in progress, or of one left by a killed writer."""
    return name.startswith(_BEGINNING) and name.endswith(_ENDING)


def _remove_left_overs(folder: Path) -> None:
    """Remove files left in this folder by killed writers."""
    with suppress(OSError):  # no folder, or not readable by us
        for name in os.listdir(folder):
            if is_left_over(name):
                with suppress(OSError):
                    _remove_left_over(folder / name)


def _remove_left_over(file: Path) -> None:
    if sys.platform == "win32":
        file.unlink()  # fails while it is open elsewhere
        return
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.unlink()
    finally:
        os.close(descriptor)


def _take_owner_and_permissions(descriptor: int, old: os.stat_result | None) -> None:
    """Copy owner and permissions of the replaced file. A new file has its own already."""
    if sys.platform == "win32" or old is None or not stat.S_ISREG(old.st_mode):
        return
    with suppress(PermissionError):  # only an administrator can change the owner
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, old.st_mode & 0o777)


@contextmanager
def _lockable(folder: Path) -> Iterator[int]:
    """Open the lock of a folder: the folder itself, on Windows a file in it, which is removed like a left-over."""
    if sys.platform == "win32":
        descriptor = os.open(folder / f"{_BEGINNING}lock{_ENDING}", os.O_RDWR | os.O_CREAT)
    else:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _open_folder(folder: Path) -> Iterator[int | None]:
    if sys.platform == "win32":
        yield None
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _held_folder(folder: Path) -> Iterator[int | None]:
    """Open the folder for a new file; if there is none, the error names no file yet."""
    with ExitStack() as held:
        try:
            descriptor = held.enter_context(_open_folder(folder))
        except OSError as error:
            raise OSError(error.errno, error.strerror) from None
        yield descriptor


def _sync_folder(descriptor: int | None) -> None:
    try:
        if descriptor is not None:
            os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _FOLDERS_CANNOT_BE_SYNCED:
            raise

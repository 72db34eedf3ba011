"""Unsaved work: windows keep it by themselves, each in a file of its own in a common folder.

A file is an inspection in the usual format. Beside it are the previous version, and the lock held by its window.
Unlocked work was left by a window that was closed or killed. Everything here touches files; independent of Qt.
"""

import os
import secrets
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.gui.inspection import Inspection, inspection_text, read_inspection
from inspector.model import Problem
from inspector.reading.values import UnreadableError
from inspector.settings import unsaved_folder
from inspector.writing import write_file

if sys.platform != "win32":
    import fcntl

MOST_KEPT = 20
KEPT_SECONDS = 30 * 24 * 3600
_TRIES, _PAUSE_SECONDS = 100, 0.005
_FILE, _BEFORE, _DAMAGED, _LOCK = ".inspection.yaml", ".before.yaml", ".damaged.yaml", ".lock"


class UnsavedFile:
    """The file for the open state of a window. It is locked when first written."""

    def __init__(self, taken_over: str = "") -> None:
        """`taken_over`: the file of unsaved work to continue, unless another window holds it."""
        self._folder, self._taken_over = unsaved_folder(), Path(taken_over)
        self._name = _name_of(self._taken_over)
        self._is_held, self._lock = False, -1

    @property
    def path(self) -> Path:
        """The path of the file, which may not exist yet."""
        return self._folder / f"{self._name}{_FILE}"

    def write(self, inspection: Inspection) -> None:
        """Write the open state, and keep the previous version. The paths of the inspection are absolute.

        Raises OSError on failure; the previous version is then still there.
        """
        self._take_hold()
        content = inspection_text(inspection, self.path, inspection.stamps)
        if self.path.is_file():
            os.replace(self.path, self.path.with_name(f"{self._name}{_BEFORE}"))
        write_file(self.path, content, ())

    def let_go(self) -> None:
        """Release the lock, so that another window can continue the work."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _take_hold(self) -> None:
        if self._is_held:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _locked_soon(self._folder, self._name)
        if lock is None and self._taken_over.name:
            self._name = _name_of(Path())
            lock = _locked(self._folder, self._name)
        elif self._taken_over.name.endswith(_BEFORE) and self.path.exists():
            os.replace(self.path, self.path.with_name(f"{self._name}{_DAMAGED}"))  # the unreadable file
        # Without a lock, the file system supports none, so no other window can lock it either.
        self._is_held, self._lock = True, -1 if lock is None else lock


@dataclass(frozen=True)
class UnsavedWork:
    """Unsaved work not open in any window: its file, its inspection, and the time of writing in seconds."""

    file: Path
    inspection: Inspection
    time: float

    @property
    def is_modified(self) -> bool:
        """Whether it has contents that are in no file of the user."""
        return self.inspection.unsaved is None or self.inspection.unsaved.modified

    @property
    def title(self) -> str:
        """The name for the user: the inspection file, or the names of the opened files."""
        named = self.inspection.unsaved.file if self.inspection.unsaved else ""
        return ", ".join(Path(path).name for path in ([named] if named else self.inspection.paths))

    @property
    def folder(self) -> str:
        """The folder of the opened files."""
        return os.path.dirname(self.inspection.paths[0]) if self.inspection.paths else ""


def unsaved_work(docks: Collection[str]) -> tuple[tuple[UnsavedWork, ...], tuple[Problem, ...]]:
    """Return all unsaved work not open in any window, newest first, and the problems of unreadable work.

    Unreadable work stays where it is.
    """
    found: list[UnsavedWork] = []
    problems: list[Problem] = []
    for name in _names():
        with _held(name, alone=False) as is_free:
            if is_free:
                work = _read(name, docks)
                found += [work] if isinstance(work, UnsavedWork) else []
                problems += [work] if isinstance(work, Problem) else []
    return tuple(sorted(found, key=lambda work: -work.time)), tuple(problems)


def remove_unsaved(file: Path) -> None:
    """Remove unsaved work and its previous version, unless a window has it open."""
    with _held(_name_of(file)) as is_free:
        if is_free:
            _remove(_name_of(file))


def tidy_up(docks: Collection[str]) -> None:
    """Remove work not open in any window if everything in it is in other files, and old work beyond the newest."""
    works, _ = unsaved_work(docks)
    modified = [work for work in works if work.is_modified]
    old = [work for work in modified[MOST_KEPT:] if time.time() - work.time > KEPT_SECONDS]
    for work in (*(work for work in works if not work.is_modified), *old):
        remove_unsaved(work.file)


def _read(name: str, docks: Collection[str]) -> UnsavedWork | Problem | None:
    """Return the work of that name, or its previous version if only that is readable, or None if both are missing."""
    problem: Problem | None = None
    for file in (unsaved_folder() / f"{name}{ending}" for ending in (_FILE, _BEFORE)):
        try:
            written = file.stat().st_mtime
            inspection, _ = read_inspection(file, docks)
            return UnsavedWork(file, replace(inspection, paths=inspection.absolute_paths(file)), written)
        except FileNotFoundError:
            continue
        except UnreadableError as error:
            problem = problem or error.problem
        except OSError as error:
            problem = problem or Problem(str(file), "", f"cannot be read: {error.strerror or error}")
    return problem


def _names() -> list[str]:
    try:
        files = os.listdir(unsaved_folder())
    except OSError:
        return []
    return sorted({_name_of(Path(file)) for file in files if file.endswith((_FILE, _BEFORE))})


def _name_of(file: Path) -> str:
    """Return the name of the work to which a file belongs, or a new name for a file without a name."""
    return file.name.partition(".")[0] or secrets.token_hex(8)


def _remove(name: str) -> None:
    for ending in (_BEFORE, _FILE, _LOCK):
        (unsaved_folder() / f"{name}{ending}").unlink(missing_ok=True)


@contextmanager
def _held(name: str, alone: bool = True) -> Iterator[bool]:
    """Yield whether no window has the work open, and keep it locked meanwhile. Several readers may share the lock."""
    lock = _locked(unsaved_folder(), name, alone)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _locked_soon(folder: Path, name: str) -> int | None:
    """Return the lock for a window, once no reader looks at the work, or None if another window has it."""
    for _ in range(_TRIES):
        lock = _locked(folder, name)
        others = None if lock is not None else _locked(folder, name, alone=False)
        if others is None:
            return lock
        os.close(others)
        time.sleep(_PAUSE_SECONDS)
    return None


def _locked(folder: Path, name: str, alone: bool = True) -> int | None:
    """Return the descriptor of a lock held until it is closed or the process ends, or None if it is taken."""
    file = folder / f"{name}{_LOCK}"
    try:
        if sys.platform == "win32":
            file.unlink(missing_ok=True)  # fails while another window has it open
            return os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(file)):
            return descriptor
    except OSError:
        pass  # locked, on a file system without locks, or removed in between
    os.close(descriptor)
    return None

"""Autosaving: the contents of a window are kept as they change, and unsaved work stays when other files are opened."""

import os
import secrets
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.gui.commands.file_commands import FileCommands
from inspector.gui.files.inspection import Inspection, SavedInspection, Unsaved, inspection_text, read_inspection
from inspector.gui.files.opening import Opening, Tell, find_opening
from inspector.gui.parts.new_file import reason_of
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Host
from inspector.gui.tasks import FrameTimer
from inspector.gui.window.arrangement import Arrangement
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


def unsaved_work(screens: Collection[str]) -> tuple[tuple[UnsavedWork, ...], tuple[Problem, ...]]:
    """Return all unsaved work not open in any window, newest first, and the problems of unreadable work.

    Unreadable work stays where it is.
    """
    found: list[UnsavedWork] = []
    problems: list[Problem] = []
    for name in _names():
        with _held(name, alone=False) as is_free:
            if is_free:
                work = _read(name, screens)
                found += [work] if isinstance(work, UnsavedWork) else []
                problems += [work] if isinstance(work, Problem) else []
    return tuple(sorted(found, key=lambda work: -work.time)), tuple(problems)


def remove_unsaved(file: Path) -> None:
    """Remove unsaved work and its previous version, unless a window has it open."""
    with _held(_name_of(file)) as is_free:
        if is_free:
            _remove(_name_of(file))


def tidy_up(screens: Collection[str]) -> None:
    """Remove work not open in any window if everything in it is in other files, and old work beyond the newest."""
    works, _ = unsaved_work(screens)
    modified = [work for work in works if work.is_modified]
    old = [work for work in modified[MOST_KEPT:] if time.time() - work.time > KEPT_SECONDS]
    for work in (*(work for work in works if not work.is_modified), *old):
        remove_unsaved(work.file)


def _read(name: str, screens: Collection[str]) -> UnsavedWork | Problem | None:
    """Return the work of that name, or its previous version if only that is readable, or None if both are missing."""
    problem: Problem | None = None
    for file in (unsaved_folder() / f"{name}{ending}" for ending in (_FILE, _BEFORE)):
        try:
            written = file.stat().st_mtime
            inspection, _ = read_inspection(file, screens)
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


def find_last(screens: Collection[str], tell: Tell) -> Opening:
    """Return the opening of the last work, in a window with these screens; an empty opening if there is none."""
    works, problems = unsaved_work(screens)
    damaged = tuple(Problem(problem.file, problem.place, problem.message, "warning") for problem in problems)
    if not works:
        return Opening(problems=damaged)
    opening = find_recovered(works[0].file, screens, tell)
    return replace(opening, problems=(*damaged, *opening.problems))


def find_recovered(file: Path, screens: Collection[str], tell: Tell) -> Opening:
    """Return the opening of unsaved work, with the inspection file that it changes, if that is still the same.

    Raises UnreadableError if the file of the unsaved work cannot be read.
    """
    opening = find_opening([str(file)], None, screens, tell)
    found = opening.saved.inspection if opening.saved else Inspection()
    unsaved = found.unsaved or Unsaved()
    recovered = replace(
        opening,
        saved=None,
        modified=unsaved.modified,
        named=(),
        scenario_file=unsaved.scenario_file,
        recovered=str(file),
    )
    return _with_file(recovered, found, unsaved, screens, tell) if unsaved.file else recovered


def _with_file(opening: Opening, found: Inspection, unsaved: Unsaved, screens: Collection[str], tell: Tell) -> Opening:
    """Return the opening as changes to its inspection file."""
    file = Path(unsaved.file)
    if not os.path.lexists(file):
        problem = Problem(unsaved.file, "", "is no longer there; saving creates it again", "warning")
        saved = SavedInspection(file, found)
        return replace(opening, saved=saved, modified=True, problems=(*opening.problems, problem))
    try:
        whole = find_opening([unsaved.file], None, screens, tell)
    except UnreadableError as error:
        whole = Opening(problems=(error.problem,))
    if whole.saved is None:
        saved = SavedInspection(file, found, is_whole=False)
        return replace(opening, saved=saved, modified=True, problems=(*opening.problems, *whole.problems))
    if not unsaved.modified:
        return replace(whole, layout=opening.layout, filter=opening.filter, named=(), recovered=opening.recovered)
    problems, seen = opening.problems, unsaved.sha256
    if whole.saved.sha256 == unsaved.writing:
        seen = unsaved.writing  # the file was written, but the program ended before recording it
    if whole.saved.sha256 != seen:
        message = "has changed since; your changes to the earlier version are here, and are saved under another name"
        problems = (*problems, Problem(unsaved.file, "", message, "warning"))
    return replace(opening, saved=SavedInspection(file, found, whole.saved.is_whole, seen), problems=problems)


INTERVAL_MILLISECONDS = 2_000


class Autosaving(QObject):
    """Keeps the contents of a window in a file of its own: the first change at once, further ones after a while.

    `works` lists unsaved work not open in any window, newest first. `changed` reports a new list, and `solved` a
    reported problem that is over.
    """

    changed = Signal()
    solved = Signal(object)

    def __init__(self, host: Host, files: FileCommands, arrangement: Arrangement, parent: QObject) -> None:
        super().__init__(parent)
        self.works: tuple[UnsavedWork, ...] = ()
        session = host.session
        self._host, self._session, self._files, self._pages = host, session, files, arrangement.names
        self._file = UnsavedFile()
        self._kept: Inspection | None = None
        self._unwritten: dict[UnsavedFile, Inspection] = {}
        self._left = ""
        self._is_still = self._told_at_end = False
        self._told: list[Problem] = []
        self._timer = FrameTimer(self._keep, self, INTERVAL_MILLISECONDS)
        session.leaving.connect(self._leave)
        session.opened.connect(self._take_opened)
        session.renewed.connect(lambda _: self._keep_at_once())
        session.ready_changed.connect(self._tell_left)
        session.undo_stack.indexChanged.connect(lambda _: self.request())
        session.saved_changed.connect(self.request)
        session.filter_changed.connect(self.request)
        files.saved.connect(self._keep_at_once)
        files.about_to_write = self._about_to_write
        arrangement.changed.connect(self.request)

    def start(self, restore: bool) -> None:
        """Open the last work if `restore`. Unsaved work is looked for in any case."""
        if restore:
            self._session.open(partial(find_last, self._pages))
        else:
            self.look()

    def recover(self, work: UnsavedWork) -> None:
        """Open unsaved work in place of the open files."""
        self._session.open(partial(find_recovered, work.file, self._pages))

    def remove(self, work: UnsavedWork) -> None:
        """Delete unsaved work permanently."""
        self._session.tasks.write(partial(remove_unsaved, work.file), self.look, self._session.fail_work)

    def look(self) -> None:
        """Look for unsaved work again."""
        found: list[UnsavedWork] = []

        def take() -> None:
            self.works = tuple(found)
            self.changed.emit()

        def find() -> None:
            found.extend(work for work in unsaved_work(self._pages)[0] if work.is_modified)

        self._session.tasks.write(find, take, self._session.fail_work)

    def request(self) -> None:
        """Schedule keeping a change."""
        if not self._is_still:
            self._timer.request()

    def finish(self) -> bool:
        """Keep everything now. Returns whether the window may close; changes that cannot be kept hold it back once."""
        self._timer.stop()
        self._keep()
        self._session.tasks.finish_writing()
        lost = [kept for kept in self._unwritten.values() if kept.unsaved is None or kept.unsaved.modified]
        if lost and not self._told_at_end:
            self._told_at_end = True
            self._report("; save them elsewhere, or close again to go without them")
            return False
        self._is_still = True
        self._file.let_go()
        return True

    def _leave(self, _: Opening) -> None:
        """Before other files replace the open ones, leave changes that are in no other file where they are kept."""
        self._timer.flush()
        self._is_still, self._left = True, ""
        session, unsaved = self._session, self._files.unsaved
        if session.paths and unsaved.unsaved is not None and unsaved.unsaved.modified:
            self._left = Path(unsaved.unsaved.file or session.paths[0]).name
            self._leave_file()

    def _leave_file(self) -> None:
        if self._file not in self._unwritten:
            self._session.tasks.write(self._file.let_go, self._do_nothing, self._session.fail_work)
        self._file, self._kept = UnsavedFile(), None

    def _take_opened(self, opening: Opening) -> None:
        if opening.recovered:
            self._leave_file()
            self._file = UnsavedFile(opening.recovered)
        self._is_still = False
        self._keep_at_once()
        self._session.tasks.write(partial(tidy_up, self._pages), self.look, self._session.fail_work)

    def _tell_left(self, ready: bool) -> None:
        """Report the work left behind, once the status line is free."""
        if ready and self._left:
            self._host.say(f"Unsaved changes of {one_line(self._left)} are kept: File ▸ Recover")
            self._left = ""

    def _do_nothing(self) -> None:
        """Ignore the end of writing."""

    def _keep_at_once(self) -> None:
        self.request()
        self._timer.flush()

    def _keep(self) -> None:
        """Write the open state if it differs from the last written state."""
        if not self._session.paths or self._is_still:
            return
        inspection = self._files.unsaved
        if inspection != self._kept or self._unwritten:
            self._kept = self._unwritten[self._file] = inspection
            for file, held in list(self._unwritten.items()):
                self._write(file, held)

    def _about_to_write(self) -> Callable[[str], None]:
        """Return a function for the writing thread that keeps the hash of the inspection file about to be written.

        If the program is killed in between, the next run recognizes the file as its own.
        """
        file, inspection = self._file, self._files.unsaved
        unsaved, self._kept = inspection.unsaved, None  # keep the next state even if nothing was written

        def note(sha256: str) -> None:
            if unsaved is not None and not self._is_still:
                with suppress(OSError):  # the inspection file is written all the same
                    file.write(replace(inspection, unsaved=replace(unsaved, writing=sha256)))

        return note

    def _write(self, file: UnsavedFile, inspection: Inspection) -> None:
        def end() -> None:
            if self._unwritten.get(file) is inspection:
                del self._unwritten[file]
                self._tell_solved()
                if file is not self._file:
                    self._session.tasks.write(file.let_go, self.look, self._session.fail_work)

        def fail(error: Exception) -> None:
            if not self._told:
                self._report(f": {reason_of(error)}")

        self._session.tasks.write(partial(file.write, inspection), end, fail)

    def _report(self, more: str) -> None:
        self._told.append(Problem("", "", f"Unsaved changes cannot be kept in {unsaved_folder()}{more}"))
        self._session.problem_reported.emit(self._told[-1])

    def _tell_solved(self) -> None:
        """Once everything is kept, withdraw the reported problems; if they come back, they are reported again."""
        if self._unwritten:
            return
        for problem in self._told:
            self.solved.emit(problem)
        self._told.clear()
        self._told_at_end = False

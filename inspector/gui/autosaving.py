"""Autosaving: the contents of a window are kept as they change, and unsaved work stays when other files are opened."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDockWidget

from inspector.gui.file_commands import FileCommands
from inspector.gui.frame import FrameTimer
from inspector.gui.inspection import Inspection
from inspector.gui.opening import Opening
from inspector.gui.parts.new_file import reason_of
from inspector.gui.parts.visible_text import one_line
from inspector.gui.recovery import find_last, find_recovered
from inspector.gui.screens.screen import Host
from inspector.gui.unsaved import UnsavedFile, UnsavedWork, remove_unsaved, tidy_up, unsaved_work
from inspector.model import Problem
from inspector.settings import unsaved_folder

INTERVAL_MILLISECONDS = 2_000


class Autosaving(QObject):
    """Keeps the contents of a window in a file of its own: the first change at once, further ones after a while.

    `works` lists unsaved work not open in any window, newest first. `changed` reports a new list, and `solved` a
    reported problem that is over.
    """

    changed = Signal()
    solved = Signal(object)

    def __init__(self, host: Host, files: FileCommands, docks: Mapping[str, QDockWidget], parent: QObject) -> None:
        super().__init__(parent)
        self.works: tuple[UnsavedWork, ...] = ()
        session = host.session
        self._host, self._session, self._files, self._docks = host, session, files, docks
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
        for dock in docks.values():
            for moved in (dock.visibilityChanged, dock.dockLocationChanged, dock.topLevelChanged):
                moved.connect(lambda _: self.request())

    def start(self, restore: bool) -> None:
        """Open the last work if `restore`. Unsaved work is looked for in any case."""
        if restore:
            self._session.open(partial(find_last, tuple(self._docks)))
        else:
            self.look()

    def recover(self, work: UnsavedWork) -> None:
        """Open unsaved work in place of the open files."""
        self._session.open(partial(find_recovered, work.file, tuple(self._docks)))

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
            found.extend(work for work in unsaved_work(tuple(self._docks))[0] if work.is_modified)

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
        self._session.tasks.write(partial(tidy_up, tuple(self._docks)), self.look, self._session.fail_work)

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

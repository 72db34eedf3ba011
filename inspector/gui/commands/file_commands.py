"""Opening and saving: the commands of the File menu. Files are read and written on workers, never on this thread."""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QStandardPaths, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMainWindow, QPlainTextEdit

import inspector
from inspector.assembly.scenario_file import write_scenario
from inspector.assembly.scenario_records import record
from inspector.assembly.tidying import moved
from inspector.formats import FileSource, UnreadableError
from inspector.formats.native.write import save_workspace
from inspector.formats.tables.layout import TableLayout
from inspector.formats.unnamed import keep, named_content
from inspector.gui.files.inspection import Inspection, SavedInspection, Unsaved, write_inspection
from inspector.gui.files.opening import Opening, Tell, find_opening, find_tour
from inspector.gui.files.versions import ChangedOnDiskError, Versions, keep_before
from inspector.gui.parts.new_file import ask_new_file, reason_of
from inspector.gui.parts.texts import one_line
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens.screen import Host
from inspector.gui.session.recent import RecentFiles
from inspector.gui.session.session import LOADING
from inspector.gui.window.arrangement import Arrangement
from inspector.model import Problem, changed
from inspector.plugins import formats, kinds_known
from inspector.resources import samples_folder
from inspector.settings import pasted_folder
from inspector.sources import refuse_opened


class FileCommands(QObject):
    """Opening and saving for a window.

    `saved` reports that an inspection has been written. `solved` withdraws the problem of a file that could not be
    written, once another could.
    """

    saved = Signal()
    solved = Signal(object)

    def __init__(self, window: QMainWindow, host: Host, arrangement: Arrangement, state: WindowState | None) -> None:
        super().__init__(window)
        self._window, self._host, self._session = window, host, host.session
        self._arrangement = arrangement
        self.recent = RecentFiles(self._session, state, self)
        self.recent.chosen.connect(self.open_paths)
        self._versions, self._saving = Versions(), 0
        self.about_to_write: Callable[[], Callable[[str], None]] = lambda: lambda sha256: None
        self._unwritten: dict[Path, Problem] = {}
        self._waiting: list[Callable[[Tell], Opening]] = []
        self._settings_from = ""
        self._session.opened.connect(self._take_opened)
        self._session.ready_changed.connect(self._tell_settings)
        self._session.tasks.changed.connect(self._add_next)

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the declared File actions, by name."""
        return {
            "open": self.open_files,
            "add": self.add_files,
            "paste": self.paste,
            "open_folder": self.open_folder,
            "open_sample": self.open_samples,
            "reload": self.reload,
            "repair": self.repair,
            "columns": self.explain_columns,
            "save": self.save_inspection,
            "save_as": self.save_inspection_as,
            "save_workspace": self.save_workspace,
            "save_scenario": self.save_scenario,
            **self.recent.slots(),
        }

    def open_paths(
        self, paths: Sequence[str], scenario_file: str | None = None, repairs: frozenset[str] = frozenset()
    ) -> None:
        """Open files and folders; a scenario file among them, or in a folder among them, is the starting scenario."""
        if paths:
            self._waiting.clear()
            self._session.open(self._finder(tuple(map(str, paths)), scenario_file, repairs))

    def open_tour(self, path: str) -> None:
        """Open the files of a tour; its screen then presents it."""
        self._waiting.clear()
        self._session.open(lambda _: find_tour(path))

    def add_paths(self, paths: Sequence[str]) -> None:
        """Open files and folders beside the open ones."""
        if paths:
            self._add(partial(find_opening, tuple(map(str, paths)), None, self._screens))

    def paste(self) -> None:
        """Paste into the focused field, else add the files or the text on the clipboard."""
        field = self._window.focusWidget()
        if isinstance(field, QLineEdit | QPlainTextEdit) and not field.isReadOnly():
            field.paste()
            return
        data = QGuiApplication.clipboard().mimeData()
        paths = local_paths(data)
        if paths or not data.hasText():
            self.add_paths(paths)
        else:
            self._add(partial(find_pasted, data.text(), self._screens))

    def add_files(self) -> None:
        """Ask for files to add."""
        files, _ = QFileDialog.getOpenFileNames(self._window, "Add", self._last_folder())
        self.add_paths(files)

    def open_files(self) -> None:
        """Ask for files to open."""
        files, _ = QFileDialog.getOpenFileNames(self._window, "Open", self._last_folder())
        self.open_paths(files)

    def open_folder(self) -> None:
        """Ask for a folder to open."""
        folder = QFileDialog.getExistingDirectory(self._window, "Open folder", self._last_folder())
        self.open_paths([folder] if folder else [])

    def open_samples(self) -> None:
        """Open the shipped samples."""
        self.open_paths([str(samples_folder())])

    def reload(self) -> None:
        """Read the opened files again and keep the scenario."""
        self._session.reload()

    def repair(self) -> None:
        """Add repaired versions of the broken files in the last request. The files on disk stay as they are."""
        files = tuple(problem.file for problem in self._session.unread if problem.repairable)
        if not files:
            self._host.say("None of the files you asked for can be repaired.")
            return

        self._add(self._finder(files, None, frozenset(files)))

    def explain_columns(self) -> None:
        """Ask for the meaning of a message table's columns, and open the table beside the open files."""
        from inspector.gui.columns.asking import explain_columns

        def reopen(path: str, layout: TableLayout) -> None:
            screens = self._screens
            self._add(lambda tell: replace(find_opening([path], None, screens, tell), columns=(layout,)))

        explain_columns(self._window, self._host, reopen)

    def save_inspection(self) -> None:
        """Save the open files, the scenario and the baseline's scenario, with everything else in the inspection.

        Asks for a name the first time, and if the opened file has contents that would be lost.
        """
        saved = self._session.saved
        if saved is None and not self._session.paths:
            self._host.say("Nothing is open that could be saved.")
        elif saved and saved.is_whole:
            self._save(saved.file, partial(self._versions.check, saved.file))
        else:
            self._save_as(saved)

    def save_inspection_as(self) -> None:
        """Save the inspection under another name, which it then keeps."""
        if self._session.saved is None and not self._session.paths:
            self._host.say("Nothing is open that could be saved.")
        else:
            self._save_as(None)

    @property
    def unsaved(self) -> Inspection:
        """The open state as an inspection for autosaving, with absolute paths."""
        session, inspection = self._session, self._inspection()
        file = str(session.saved.file.absolute()) if session.saved else ""
        unsaved = Unsaved(
            session.is_modified or self._saving > 0,
            file,
            self._versions.last(file) if file else "",
            session.scenario_file and os.path.abspath(session.scenario_file),
        )
        removed = moved(inspection.removed, os.path.abspath)
        return replace(inspection, paths=tuple(map(os.path.abspath, session.paths)), removed=removed, unsaved=unsaved)

    def save_workspace(self) -> None:
        """Save the whole workspace as one native file."""
        file = self._ask_name("Save workspace", "workspace.yaml", "Workspace (*.workspace.yaml *.workspace.json)")
        if file is not None:
            self._write(file, partial(save_workspace, self._session.workspace, file, self._opened_but()))

    def save_scenario(self) -> None:
        """Save the scenario for the command line."""
        file = self._ask_name("Save scenario", "scenario.yaml", "Scenario (*.scenario.yaml)")
        if file is not None:
            opened = self._opened_but(self._session.scenario_file)
            self._write(file, partial(write_scenario, self._session.scenario, file, opened, kinds_known()))

    def write_as(
        self, title: str, suffix: str, filters: str, write: Callable[[Path, Sequence[str]], Sequence[str]]
    ) -> None:
        """Ask for a name, and call `write` on a worker with it and the files that must not be overwritten.

        `write` returns descriptions of everything the file format cannot hold, which are reported.
        """
        file = self._ask_name(title, suffix, filters)
        if file is None:
            return
        opened, lost = self._opened_but(), list[str]()

        def finish() -> None:
            if lost:
                self._report(Problem(str(file), "", f"{', '.join(lost)} could not be written", "warning"))

        self._write(file, lambda: lost.extend(write(file, opened)), finish)

    # Inside

    def _finder(
        self, paths: tuple[str, ...], scenario_file: str | None, repairs: frozenset[str]
    ) -> Callable[[Tell], Opening]:
        """Return a function that finds the opening, with these files repaired if broken."""
        screens = self._screens
        return lambda tell: replace(find_opening(paths, scenario_file, screens, tell), repairs=repairs)

    @property
    def _screens(self) -> tuple[str, ...]:
        return self._arrangement.names

    def _add(self, find: Callable[[Tell], Opening]) -> None:
        """Add the opening that `find` returns, after all opening and adding under way."""
        self._waiting.append(find)
        self._add_next()

    def _add_next(self) -> None:
        if self._waiting and not self._session.tasks.is_running(LOADING):
            self._session.add(self._waiting.pop(0))

    def _tell_settings(self, ready: bool) -> None:
        """Report the file of the settings, once the status line is free."""
        if ready and self._settings_from:
            self._host.say(f"Settings from {one_line(self._settings_from)}")
            self._settings_from = ""

    def _take_opened(self, opening: Opening) -> None:
        """Apply the layout of an opened inspection, and remember its version."""
        self._settings_from = Path(opening.scenario_file).name
        if opening.saved is not None:
            self._versions.take(opening.saved.file, opening.saved.sha256)
        if opening.layout is not None:
            self._arrangement.apply(opening.layout)

    def _inspection(self) -> Inspection:
        """Return the open state as an inspection to save, with contents of the previous inspection not shown here."""
        session = self._session
        before = session.saved.inspection if session.saved else Inspection()
        return replace(
            before,
            scenario=record(session.pipeline, session.scenario),
            baseline=session.baseline_scenario,
            snapshots=session.snapshots,
            marks=session.marks,
            chats=session.chats,
            layout=self._arrangement.layout,
            filter=session.filter,
            unsaved=None,
            removed=session.now.tidying.removed,
            titles=session.now.tidying.titles,
            columns=session.now.columns,
        )

    def _save_as(self, saved: SavedInspection | None) -> None:
        """Ask for a name and save. Unknown entries in the previous file stay there."""
        if saved is not None and not saved.is_whole:
            message = "holds entries that are not understood here and would be lost; choose another name to keep them"
            self._report(Problem(str(saved.file), "", message, "warning"))
        file = self._ask_name("Save inspection", "inspection.yaml", "Inspection (*.inspection.yaml)")
        if file is not None:
            self._save(file)

    def _save(self, file: Path, check: Callable[[], None] = lambda: None) -> None:
        """Write the open state to a file, unless `check` raises. The previous version is kept elsewhere."""
        session, versions, saved = self._session, self._versions, self._session.saved
        others = self._opened_but(saved.file if saved else None)
        inspection, opened = self._inspection(), session.paths
        self._saving += 1
        tell = session.take_saved(SavedInspection(file, inspection))
        note = self.about_to_write()

        def write() -> None:
            check()
            refuse_opened(others, file)
            keep_before(file)
            versions.take(file, write_inspection(inspection.with_opened(opened, file), file, others, note))

        def end() -> None:
            self._saving -= 1
            self.saved.emit()

        def finish() -> None:
            tell(True)
            end()
            self.recent.add([os.path.realpath(file)], "inspection")

        def fail(error: Exception) -> None:
            tell(False)  # before autosaving records it as saved
            end()
            if isinstance(error, ChangedOnDiskError):
                # Ask only after those waiting for the end of writing, such as a closing window.
                QTimer.singleShot(0, self, lambda: self._save_as(session.saved))

        self._write(file, write, finish, fail)

    def _write(
        self,
        file: Path,
        write: Callable[[], None],
        on_done: Callable[[], None] = lambda: None,
        on_failure: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        """Write the current values to a file."""

        def end() -> None:
            self._host.say(f"Saved {file}")
            for failed in [*self._unwritten]:
                self.solved.emit(self._unwritten.pop(failed))
            on_done()

        def fail(error: Exception) -> None:
            if file in self._unwritten:
                self.solved.emit(self._unwritten.pop(file))
            self._unwritten[file] = Problem(str(file), "", f"cannot be written: {reason_of(error)}")
            self._report(self._unwritten[file])
            on_failure(error)

        self._session.tasks.write(write, end, fail)

    def _report(self, problem: Problem) -> None:
        self._session.problem_reported.emit(problem)

    def _opened_but(self, own: str | Path | None = None) -> list[str]:
        """Return the files never to be overwritten, except the one being saved again."""
        return [file for file in self._session.opened_files if file != str(own)]

    def _ask_name(self, title: str, suffix: str, filters: str) -> Path | None:
        saved = self._session.saved
        folder = str(saved.file.absolute().parent) if saved else self._last_folder()
        paths = [str(saved.file)] if saved else self._session.paths
        first = Path(paths[0]).stem.split(".")[0] if paths else "prompt"
        start = free_name(Path(folder), first, suffix, self._opened_but())
        return ask_new_file(self._window, title, start, filters)

    def _last_folder(self) -> str:
        if self._session.paths:
            return os.path.dirname(os.path.abspath(self._session.paths[0]))
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)


def local_paths(data: QMimeData) -> list[str]:
    """Return the local files and folders being dragged or on the clipboard."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def free_name(folder: Path, first: str, suffix: str, opened: Collection[str]) -> Path:
    """Return a new name to save under, numbered if an opened file has it; those are never overwritten."""
    names = (folder / f"{first}{number}.{suffix}" for number in ("", *(f" {place}" for place in range(2, 100))))
    taken = {os.path.abspath(file) for file in opened}
    return next((name for name in names if os.path.abspath(name) not in taken), folder / f"{first} copy.{suffix}")


CLIPBOARD = "the clipboard"


def find_pasted(text: str, screens: Collection[str], tell: Tell) -> Opening:
    """Return the opening of a text from the clipboard, in a window with these screens, as for a file with that text.

    Text in no known format becomes a single user message. Raises UnreadableError for JSON that cannot be opened or is
    cut off, and OSError if the file cannot be kept.
    """
    file = keep(_source_of(text), formats()[0], pasted_folder(), "Pasted")
    tell(None)
    parts = inspector.load_parts(file)
    if not any(part.is_read for part in parts):
        file.unlink()
        found = [problem for part in parts for problem in part.workspace.problems if problem.severity != "info"]
        said = [changed(problem, file=CLIPBOARD, repairable=False) for problem in found]
        said = said or [Problem(CLIPBOARD, "", "holds nothing to open")]
        raise UnreadableError(said[0], said[1:])
    return find_opening([str(file)], None, screens, tell)


def pasted_content(text: str) -> tuple[bytes, str]:
    """Return the content and the suffix of a file for a text. Raises UnreadableError if there is no text."""
    return named_content(_source_of(text), formats()[0])


def _source_of(text: str) -> FileSource:
    source = FileSource(CLIPBOARD, text.encode(errors="replace"))
    if source.shape == "empty":
        raise UnreadableError(Problem(CLIPBOARD, "", "holds no text; expected a chat, or files"))
    return source

"""Reloading: files that change on disk are read again, and the selection is kept."""

import os
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QFileSystemWatcher, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from inspector.figures import counted
from inspector.formats import Part
from inspector.formats.traces.reading_on import is_recorded
from inspector.gui.files.opening import Opening
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Host
from inspector.gui.session.session import LOADING
from inspector.reading.files import file_state

REST_MILLISECONDS = 300
"""How long a file must rest before it is read, so that replacing it by renaming or writing it in pieces is finished."""
LONGEST_REST_MILLISECONDS = 1_500
"""A file of recorded requests, which need not rest, is read after this time."""
MOST_WATCHED = 1_000


class Reloading(QObject):
    """Watches the open files of a window. It waits during loading, or while a mouse button is down."""

    def __init__(self, host: Host, parent: QObject) -> None:
        super().__init__(parent)
        self._host, self._session = host, host.session
        self._watcher: QFileSystemWatcher | None = None
        self._files: frozenset[str] = frozenset()
        self._growing: frozenset[str] = frozenset()
        self._folders: dict[str, str] = {}
        self._changed: dict[str, None] = {}
        self._selected: tuple[str, str] | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._reload)
        self._since = QElapsedTimer()
        self._session.opened.connect(self._watch)
        self._session.renewing.connect(self._remember_selection)
        self._session.renewed.connect(self._watch)
        self._session.renewed.connect(self._select_again)

    def _watch(self, opening: Opening) -> None:
        """Watch the open files and folders; a file that changed while it was read, or since, is read again."""
        read = [part for part in opening.tidying.parts(opening.parts) if part.is_read and part.file][:MOST_WATCHED]
        self._files = frozenset(part.file for part in read)
        self._growing = frozenset(part.file for part in opening.parts if part.file and is_recorded(part))
        self._folders = _folders(opening.paths, self._files)
        open_now = {*self._files, *self._folders.values()}
        self._changed = {path: None for path in self._changed if path in open_now}
        self._watch_open()
        for part in filter(_has_changed, read):  # nothing else reports a change between reading and watching
            self._take_change(part.file)

    def _watch_open(self) -> None:
        """Let the system report changes of the open files and folders, and of nothing else."""
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._take_change)
            self._watcher.directoryChanged.connect(self._look_into)
        watched = {*self._watcher.files(), *self._watcher.directories()}
        # For a missing file, its folder reports its return.
        places = (file if os.path.exists(file) else os.path.dirname(file) for file in self._files)
        wanted = {path for path in (*places, *self._folders) if os.path.exists(path)}
        if watched - wanted:
            self._watcher.removePaths([*(watched - wanted)])
        if wanted - watched:
            self._watcher.addPaths([*(wanted - watched)])

    def _take_change(self, file: str) -> None:
        """Take the change of a file that was written, or replaced by an unwatched file of the same name."""
        if file in self._files:
            self._changed[file] = None
            self._wait(file in self._growing)

    def _look_into(self, folder: str) -> None:
        """Check a folder with new or removed files: an opened folder, or the former folder of a missing file."""
        gone = [file for file in self._files if os.path.dirname(file) == folder and file not in self._watched]
        opened = self._folders.get(folder)
        changed = [opened] if opened is not None else [file for file in gone if os.path.exists(file)]
        if changed:
            self._changed.update(dict.fromkeys(changed))
            self._wait(False)

    def _wait(self, grows: bool) -> None:
        """Wait until the file rests; a file that only grows is whole at any time, and is not waited for so long."""
        if not self._rest.isActive():
            self._since.start()
        left = max(LONGEST_REST_MILLISECONDS - self._since.elapsed(), 0)
        self._rest.start(min(REST_MILLISECONDS, left) if grows else REST_MILLISECONDS)

    @property
    def _watched(self) -> list[str]:
        return self._watcher.files() if self._watcher is not None else []

    def _reload(self) -> None:
        """Read the changed files again, once the user is not busy."""
        if not self._changed:  # other files were opened meanwhile
            return
        busy = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton or self._session.tasks.is_running(LOADING)
        if busy:
            self._rest.start(REST_MILLISECONDS)
            return
        # For a file removed from an opened folder, the folder is read again.
        changed = list(dict.fromkeys(self._folders.get(os.path.dirname(file), file) for file in self._changed))
        self._changed = {}
        self._session.reload(changed)
        name = one_line(os.path.basename(changed[0]))
        self._host.say(f"Read again: {name}" if len(changed) == 1 else f"Read again: {counted(len(changed), 'file')}")

    def _remember_selection(self) -> None:
        answer, row = self._session.answer, self._host.row
        self._selected = None
        if answer is not None and row is not None:
            self._selected = (self._conversation, answer.assembly.candidates.ids[row])

    def _select_again(self) -> None:
        """Restore the selection if the same conversation is shown and still has the item."""
        answer = self._session.answer
        if self._selected is None or answer is None or self._selected[0] != self._conversation:
            return
        ids = list(answer.assembly.candidates.ids)
        if self._selected[1] in ids:
            self._host.select(ids.index(self._selected[1]))

    @property
    def _conversation(self) -> str:
        """The id of the answer's conversation."""
        answer = self._session.answer
        conversation = answer.case.chosen.conversation if answer is not None else None
        return conversation.id if conversation is not None else ""


def _has_changed(part: Part) -> bool:
    """Return whether a file was written or replaced since it was read; the folder of a missing file is watched."""
    now = file_state(part.file)
    return None not in (part.state, now) and part.state != now


def _folders(paths: Iterable[str], files: Iterable[str]) -> dict[str, str]:
    """Return the opened folders, and their subfolders with files, each with its opened folder."""
    opened = [path for path in paths if os.path.isdir(path)]
    found = dict.fromkeys((os.path.dirname(file) for file in files), "")
    for folder in found:
        found[folder] = next((path for path in opened if Path(folder).is_relative_to(path)), "")
    return {**dict(zip(opened, opened, strict=True)), **{folder: path for folder, path in found.items() if path}}

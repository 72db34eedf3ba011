"""Recent files in the File menu: an entry for each opening, by name and folder, except failed ones."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from inspector.figures import counted
from inspector.formats.registry import built_in_formats
from inspector.gui.files.opening import Opening
from inspector.gui.parts.texts import control_text, one_line, tooltip
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.session.session import Session
from inspector.model import Problem, Workspace

WIDEST = 460
"""The width of an entry in pixels; longer text is elided in the middle."""
NAMED = 3


class RecentFiles(QObject):
    """The recent files of a window. `chosen` carries the paths of an entry, in the order of their opening.

    `changed` follows every change of the list.
    """

    chosen = Signal(list)
    changed = Signal()

    def __init__(self, session: Session, state: WindowState | None, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._state = session, state
        self._actions: Mapping[str, QAction] = {}
        session.opened.connect(self._add_opened)
        session.renewed.connect(self._add_opened)
        session.unread_changed.connect(self._drop_failed)

    def add(self, paths: Sequence[str], words: str) -> None:
        """Remember paths opened or saved together, with their contents in a few words."""
        self._change(lambda state: state.add_recent(paths, words))

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the declared actions, by name."""
        return {"clear_recent": self._clear}

    def fill(self, actions: Mapping[str, QAction]) -> None:
        """Insert the entries into the File menu with these actions."""
        self._actions = actions
        menu = next((other for other in actions["open"].associatedObjects() if isinstance(other, QMenu)), None)
        actions["clear_recent"].setVisible(self._state is not None and bool(self._state.recent))
        if menu is None or self._state is None:
            return
        for action in menu.actions():
            if action.property("recent"):
                menu.removeAction(action)
                action.deleteLater()
        for paths in self._state.recent:
            words = menu.fontMetrics().elidedText(entry_text(paths), Qt.TextElideMode.ElideMiddle, WIDEST)
            action = self._insert(menu, words, "\n".join(paths))
            action.setData(list(paths))
            action.triggered.connect(lambda _=False, paths=paths: self.chosen.emit(list(paths)))
        self.changed.emit()

    def _insert(self, menu: QMenu, words: str, tip: str) -> QAction:
        action = QAction(control_text(words), menu)
        action.setToolTip(tooltip(tip))  # otherwise Qt derives one from the text
        action.setProperty("recent", True)
        menu.insertAction(self._actions["clear_recent"], action)
        return action

    def _clear(self) -> None:
        self._change(lambda state: state.clear_recent())

    def _add_opened(self, opening: Opening) -> None:
        """Remember the paths given by the user, except unreadable ones."""
        failed = _failed(self._session.unread)
        paths = [path for path in opening.named if path not in failed]
        if paths:
            self._change(partial(_remember, paths, opening, self._session.workspace))

    def _drop_failed(self) -> None:
        failed = _failed(self._session.unread)
        if failed:
            self._change(lambda state: state.drop_recent(failed))

    def _change(self, change: Callable[[WindowState], None]) -> None:
        """Change the list and show it. Writing it to disk is left to another thread."""
        state = self._state
        if state is not None:
            fill = partial(self.fill, self._actions)
            self._session.tasks.write(partial(change, state), fill, self._session.fail_work)


def entry_text(paths: Sequence[str]) -> str:
    """Return the names of files opened together, and the folder of the first."""
    names = ", ".join(one_line(Path(path).name or path, 80) for path in paths[:NAMED])
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return f"{names}{more} — {one_line(_short(os.path.dirname(paths[0])))}"


def contents(opening: Opening, workspace: Workspace) -> str:
    """Return what was opened in a few words, such as `1,204 chats, ChatGPT export`."""
    if opening.saved is not None:
        return "inspection"
    if opening.tour is not None:
        return "tour"
    chats = workspace.conversations
    is_one = len(chats) == 1 and chats[0].is_read
    amount = counted(len(chats[0].messages), "message") if is_one else counted(len(chats), "chat") if chats else ""
    names = {source.format for source in workspace.sources}
    return ", ".join(filter(None, (amount, _title(*names) if len(names) == 1 else "")))


def _title(name: str) -> str:
    """Return the title of a format, "" for our own. Formats that were not needed for reading stay unloaded."""
    if name == "native":
        return ""
    return next((one.title for one in built_in_formats() if one.name == name), name)


def _short(folder: str) -> str:
    """Return a folder with ~ for the user's home."""
    home = str(Path.home())
    return f"~{folder[len(home) :]}" if folder == home or folder.startswith(f"{home}{os.sep}") else folder


def _remember(paths: Sequence[str], opening: Opening, workspace: Workspace, state: WindowState) -> None:
    state.add_recent(paths, contents(opening, workspace))


def _failed(problems: Sequence[Problem]) -> set[str]:
    """Return the unreadable paths, in the form in which they are remembered."""
    return {os.path.realpath(problem.file) for problem in problems if problem.file and "\0" not in problem.file}

"""A window that tests share one after the other: each gets it as if it had been opened for it.

For every test it is brought back to its start, and it is looked at whether it is there. Where anything differs from the
window that was opened, it is closed and a new one is opened: no test depends on what those before it did.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QHeaderView, QTabBar, QTextEdit, QWidget

from inspector.gui.app import open_window
from inspector.gui.layout import PERSPECTIVES
from inspector.gui.main_window import MainWindow
from inspector.gui.opening import Opening, opened_workspace, prepared
from inspector.gui.session import Session
from inspector.gui.tasks import Task

_PASSING = {
    *(("Indexing", "share"), ("Tasks", "_running"), ("DraftBox", "_gesture"), ("Steps", "_first")),
    *(("ShareGroup", "_before"), ("DecisionsScreen", "_is_telling"), ("Preparation", "_rest")),
}
"""Attributes that count, that say how far some work in the background is, or that the next gesture begins anew."""
SIZE = 1600, 1000
_PLAIN = (bool, int, float, str, bytes, type(None), Enum, Path)
Looks = Counter[tuple[object, ...]]


def looks(window: MainWindow) -> Looks:
    """What can be seen of a window and what its parts remember, each part by its kind and name."""
    found: Looks = Counter()
    for part in (window, *window.findChildren(QObject)):
        if isinstance(part, QWidget):
            in_sight = not part.visibleRegion().isEmpty()
            if in_sight or part.objectName():
                found[type(part).__name__, part.objectName(), *_state(part, in_sight)] += 1
        elif isinstance(part, QAction):
            found["action", part.objectName(), part.text(), part.isEnabled(), part.isChecked(), part.isVisible()] += 1
    found.update(_remembered(window))
    return found


def _state(part: QWidget, in_sight: bool) -> Iterator[object]:
    """What a widget says, and what it lets one do; of one in sight also its place and what is chosen in it."""
    yield from (in_sight, part.isEnabled(), part.toolTip(), part.accessibleDescription())
    if in_sight or not isinstance(part, QTextEdit):  # Qt writes the fonts of one that was never shown otherwise
        yield repr(part.metaObject().userProperty().read(part))
    if in_sight:
        yield from (part.geometry().getRect(), part.cursor().shape(), part.hasFocus(), part.windowTitle())
        yield from _state_of_view(part)


def _state_of_view(part: QWidget) -> Iterator[object]:
    if isinstance(part, QHeaderView):
        yield bytes(part.saveState().data())
    elif isinstance(part, QAbstractItemView):
        selection = part.selectionModel()
        yield from (part.currentIndex().row(), part.currentIndex().column())
        yield len(selection.selectedIndexes()) if selection else None
    elif isinstance(part, QTabBar):
        yield from (part.currentIndex(), *(part.tabText(number) for number in range(part.count())))


def _remembered(window: MainWindow) -> Iterator[tuple[object, ...]]:
    """The plain values of the objects that make the window; what a session holds is put back, not compared."""
    seen, waiting = set[int](), [window, *window.findChildren(QObject)]
    while waiting:
        owner = waiting.pop()
        if id(owner) in seen or isinstance(owner, Session | Task) or not _is_ours(owner):
            continue
        seen.add(id(owner))
        for name, value in vars(owner).items() if hasattr(owner, "__dict__") else ():
            if not _is_plain(value):
                waiting.extend(_held(value))
            elif (type(owner).__name__, name) not in _PASSING:
                yield "remembered", type(owner).__name__, name, repr(value)


def _is_ours(owner: object) -> bool:
    return type(owner).__module__.startswith("inspector.gui")


def _held(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple | set | frozenset) else (value,)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(one) for key, one in value.items())
    return isinstance(value, _PLAIN)


@dataclass(frozen=True)
class Start:
    """What a shared window begins with: files that no test changes, and the screens that were seen already."""

    paths: tuple[Path, ...]
    scenario: Path | None = None
    screens: tuple[str, ...] = ()


class SharedWindow:
    """The window that is shared, if one is open, with how it was at its start."""

    def __init__(self) -> None:
        self.window: MainWindow | None = None
        self.is_wanted_next = False
        self._start = Start(())
        self._opening = Opening()
        self._looks: Looks = Counter()

    def given(self, start: Start, size: tuple[int, int], wait: Callable[[MainWindow], None]) -> MainWindow:
        """The window with this start, in this size: the one that is open, or a new one."""
        if self.window is not None and not (start == self._start and self._is_back(self.window, wait)):
            self.close()
        window = self._opened(start, wait) if self.window is None else self.window
        if size != SIZE:
            window.resize(*size)
            window._arrangement._lay(PERSPECTIVES[0])
            wait(window)
        return window

    def close(self) -> None:
        """Close the window, if one is open; no task may outlive it."""
        window, self.window = self.window, None
        if window is not None and shiboken6.isValid(window):
            session = window.session
            window.close()
            assert not session.tasks.is_running(), "a task outlived its window"

    def _opened(self, start: Start, wait: Callable[[MainWindow], None]) -> MainWindow:
        window = open_window([str(path) for path in start.paths], str(start.scenario) if start.scenario else None)
        self.window, self._start = window, start
        window.resize(*SIZE)
        window.show()
        wait(window)
        for name in start.screens:
            window.go_to_screen(name)
            wait(window)
        self._opening = replace(window.session.now, filter="")
        _go_back(window, self._opening)
        wait(window)
        self._looks = looks(window)
        return window

    def _is_back(self, window: MainWindow, wait: Callable[[MainWindow], None]) -> bool:
        """Whether the window is as at its start, once it was brought back there."""
        if not shiboken6.isValid(window) or not window.isVisible():
            return False
        _go_back(window, self._opening)
        wait(window)
        now = looks(window)
        if log := os.environ.get("SHARED_LOG"):
            with open(log, "a") as file:
                file.write(f"{os.environ.get('PYTEST_CURRENT_TEST')} {now == self._looks}\n")
                for sign, some in (("-", self._looks - now), ("+", now - self._looks)):
                    for one in [*some][:12]:
                        file.write(f"   {sign} {str(one)[:300]}\n")
        return now == self._looks


def _go_back(window: MainWindow, opening: Opening) -> None:
    """Close what is open above the window, lay it as at first, and show these files as if they were read now."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for dialog in window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(*SIZE)
    QApplication.processEvents()  # the docks are held in another size a moment later
    session, arrangement = window.session, window._arrangement
    for each in (Opening(filter=""), opening):
        session._show(prepared(each, session._pipelines.make(opened_workspace(each), session.presets)))
    for memory in (arrangement._made, arrangement._scrolled, arrangement._keyboard, *arrangement._opened.values()):
        memory.clear()
    arrangement._was_seen.update(dict.fromkeys(arrangement.docks, False))
    arrangement._lay(PERSPECTIVES[0])
    window._status._counts.setMinimumSize(0, 0)  # it only ever grows
    window.activateWindow()
    window.setFocus(Qt.FocusReason.OtherFocusReason)

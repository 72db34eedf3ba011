"""A window that the tests of one module share: each finds it empty, as it was at first.

Making a window takes longer than most of what is looked at in it, and a panel that was made once is there at once. For
what is opened, saved, killed or laid out every test has a window of its own.
"""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QScrollBar,
    QWidget,
)

from inspector.assembly.scenario import Scenario
from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.model import Workspace
from inspector.resources import samples_folder

KEPT = "kept"
"""The property of a window that outlives a test."""
_SIZE = 1600, 1000
_FILLING = "companion.workspace.yaml", "companion.probes.yaml"
"""What is open before the window is emptied, so that every list of choices has its entries."""
_FIELDS = (QLineEdit, QAbstractSpinBox, QComboBox, QAbstractButton, QAbstractSlider)
Wait = Callable[[MainWindow], None]


class KeptWindow:
    """The window, made when it is first asked for, and what its fields held then."""

    def __init__(self) -> None:
        self._window: MainWindow | None = None
        self._filling = Workspace()
        self._fields: dict[QWidget, object] = {}

    def empty(self, wait: Wait, *screens: str) -> MainWindow:
        """The window as at first, with nothing open; these screens were seen before."""
        if self._window is None:
            self._window = _opened(wait)
            self._filling = self._window.session.workspace
            _look_at(self._window, screens, wait)
            self._fields = _fields_of(self._window, screens)
        window = self._window
        _close_what_is_above(window)
        self._put_back()
        if self._others():  # choices of another policy, for an example
            window.session.show_workspace(self._filling)
            _look_at(window, screens, wait)
            self._put_back()
        _leave(window)
        wait(window)
        assert self._others() == [], self._others()
        assert _is_as_at_first(window)
        return window

    def _put_back(self) -> None:
        for field, value in self._others():
            field.metaObject().userProperty().write(field, value)

    def _others(self) -> list[tuple[QWidget, object]]:
        """The fields that hold something else than at first, with what they held; some are gone with their row."""
        return [(field, value) for field, value in self._fields.items() if not _holds(field, value)]

    def close(self) -> None:
        """Close the window, if there is one; no task may outlive it."""
        if self._window is not None:
            session = self._window.session
            self._window.close()
            assert not session.tasks.is_running(), "a task outlived its window"


def _opened(wait: Wait) -> MainWindow:
    window = open_window([str(samples_folder() / name) for name in _FILLING])
    window.setProperty(KEPT, True)
    window.resize(*_SIZE)
    window.show()
    wait(window)
    return window


def _look_at(window: MainWindow, screens: tuple[str, ...], wait: Wait) -> None:
    for name in screens:
        window.show_screen(name)
        wait(window)


def _close_what_is_above(window: MainWindow) -> None:
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for dialog in window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _leave(window: MainWindow) -> None:
    """End what is being worked on, show nothing, and lay the window as at first."""
    window.session.cancel_work()
    window.session.show_workspace(Workspace())
    window.session.choose_items("")
    window.resize(*_SIZE)
    QApplication.processEvents()
    arrangement = window._arrangement
    for name in tuple(arrangement._windows):
        arrangement._put_back(name)
    arrangement._layouts.clear()
    arrangement._keyboard.clear()
    arrangement._lay(PERSPECTIVES[0])
    window.activateWindow()
    window.setFocus()


def _is_as_at_first(window: MainWindow) -> bool:
    session = window.session
    made = (session.marks.must_survive, session.snapshots, session.locks, session.filter, session.baseline_answer)
    is_open = session.workspace != Workspace() or session.undo_stack.count() or session.is_modified
    return session.scenario == Scenario() and not any(made) and not is_open


def _fields_of(window: MainWindow, screens: tuple[str, ...]) -> dict[QWidget, object]:
    """What the fields of these screens hold."""
    parts = [part for name in screens for part in window.screens[name].view.findChildren(QWidget)]
    fields = [part for part in parts if isinstance(part, _FIELDS) and not isinstance(part, QScrollBar)]
    return {field: field.metaObject().userProperty().read(field) for field in fields}


def _holds(field: QWidget, value: object) -> bool:
    return not shiboken6.isValid(field) or field.metaObject().userProperty().read(field) == value

"""Wrappers: none of what Qt made is kept, and none is taken for dead while the widget behind it lives."""

import gc
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.focus_ring import FocusRing

TAKE = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
LEAVE = Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier


def note_on(window: MainWindow, qtbot: QtBot, row: int, end: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    """Select a row, write a note and end its dialog, by mouse and keys as the window system sends them."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    table = window.screens["decisions"].view.table  # PySide would take one that findChild gives for the window's own
    place = table.visualRect(table.model().index(row, 1)).center()
    handle = window.windowHandle()
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, pos=table.viewport().mapTo(window, place))
    QTest.keyClick(handle, Qt.Key.Key_N)
    dialog = window.findChild(QDialog, "text_dialog")
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_A)
    qtbot.waitUntil(lambda: dialog.findChild(FocusRing) is not None)
    QTest.keyClick(dialog.windowHandle(), *end)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    window.activateWindow()
    qtbot.waitUntil(lambda: window.keyboard.ringed is table)


@pytest.mark.parametrize("end", [TAKE, LEAVE], ids=["taken", "left"])
def test_a_slider_still_moves_everything_after_several_notes(
    companion: MainWindow, qtbot: QtBot, end: tuple[Qt.Key, Qt.KeyboardModifier]
) -> None:
    viewport = companion.screens["decisions"].view.table.viewport()
    for row in (2, 4, 6):
        note_on(companion, qtbot, row, end)
        assert shiboken6.isValid(viewport), "it was taken for a part of the dialog"
    companion.session.edit(use_window, 3_000)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert len(companion.session.marks.notes) == (3 if end == TAKE else 0)
    assert not [screen.name for screen in companion.screens.values() if screen.has_failed]


def test_the_ring_owns_nothing_that_it_was_around(companion: MainWindow, qtbot: QtBot) -> None:
    note_on(companion, qtbot, 2, LEAVE)
    for _ in range(12):
        QTest.keyClick(companion.windowHandle(), Qt.Key.Key_Tab)
        QApplication.processEvents()
    ring = companion.findChild(FocusRing)
    assert ring is not None
    assert "children" not in shiboken6.dump(ring)


def kept_of_qt() -> Iterator[str]:
    """Attributes of the window's objects that keep a wrapper of a widget that Qt made, or of one that is gone."""
    for thing in gc.get_objects():
        if not type(thing).__module__.startswith("inspector.gui.") or not hasattr(thing, "__dict__"):
            continue
        for name, value in vars(thing).items():
            several = (
                value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
            )
            for one in several:
                if isinstance(one, QObject) and not shiboken6.isValid(one):
                    yield f"{type(thing).__name__}.{name}, which is gone"
                elif isinstance(one, QWidget) and not shiboken6.createdByPython(one):
                    yield f"{type(thing).__name__}.{name}"


def test_nothing_of_qt_is_kept(companion: MainWindow, qtbot: QtBot) -> None:
    for name in companion.screens:
        companion.show_screen(name)
        QApplication.processEvents()
    companion.show_screen("decisions")
    note_on(companion, qtbot, 2, LEAVE)
    companion.session.edit(use_window, 3_000)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert set(kept_of_qt()) == set()

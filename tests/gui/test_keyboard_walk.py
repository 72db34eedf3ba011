"""A walk through every screen with the keyboard alone: whatever takes the focus can be seen, and says what it is.

Tab goes round the window and comes back to where it began, Shift+Tab goes the same way back, and nothing on the way
keeps the focus for itself.
"""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QScrollArea, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.parts.focus_ring import FocusRing
from inspector.gui.remembered.layout import PERSPECTIVES

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

MOST_STOPS = 400
NO_ROLE = (QAccessible.Role.NoRole, QAccessible.Role.Client, QAccessible.Role.Window)
KEYS = {name: getattr(Qt.Key, f"Key_{number}") for number, name in enumerate(PERSPECTIVES, 1)}


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None, "the focus is lost"
    return widget


def named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()!r}"


def walk(
    key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> tuple[list[QWidget], list[str]]:
    """Every widget that a key leads to, from the one that has the focus until it is that again, and what is wrong."""
    start, stops, wrong = focused(), [focused()], list[str]()
    for _ in range(MOST_STOPS):
        QTest.keyClick(focused(), key, modifier)
        QApplication.processEvents()
        wrong += faults(focused())
        if focused() is start:
            return stops, wrong
        if focused() is stops[-1] and isinstance(focused(), QTextBrowser):
            continue  # on the way from link to link
        assert focused() not in stops, f"{named(focused())} comes back before the first one: {list(map(named, stops))}"
        stops.append(focused())
    raise AssertionError(f"the focus never comes back to {named(start)}")


def part_in_sight(widget: QWidget) -> QRect:
    """What is left of a widget inside all that holds it."""
    place: QRect = QRect(QPoint(), widget.size())
    inside: QWidget | None = widget
    while inside is not None and not inside.isWindow():
        place = place.translated(inside.pos())
        inside = inside.parentWidget()
        place &= inside.rect() if inside is not None else QRect()
    return place


def is_marked(widget: QWidget) -> bool:
    """Whether a ring is around a widget, or a cursor in it."""
    ring = widget.window().findChild(FocusRing)
    has_ring = ring is not None and ring.isVisible() and ring.widget() is widget and not part_in_sight(ring).isEmpty()
    return has_ring or isinstance(widget, QLineEdit | QAbstractSpinBox | QComboBox)


def faults(widget: QWidget) -> Iterator[str]:
    """What is wrong with what has taken the focus."""
    if not widget.isVisible() or part_in_sight(widget).isEmpty():
        yield f"{named(widget)} cannot be seen"
    if not is_marked(widget):
        yield f"{named(widget)} does not look as if it had the focus"
    told = QAccessible.queryAccessibleInterface(widget)
    if told is None or (told.role() in NO_ROLE and not isinstance(widget, QScrollArea)):
        yield f"{named(widget)} has no role"
    elif not told.text(QAccessible.Text.Name).strip():
        yield f"{named(widget)} has no name"


def screens_of(window: MainWindow, perspective: str) -> list[str]:
    """What is at hand in a perspective, the docks with tabs one after the other."""
    found = [name for name, screen in window.screens.items() if perspective in screen.perspectives]
    return [name for name in found if window.screens[name].area not in ("centre", "top bar", "bottom bar")] or [""]


def outside_details(window: MainWindow, stops: list[QWidget]) -> list[QWidget]:
    """The stops but those in the details, which change with the item that is selected where the focus comes by."""
    details = window.screens["details"].view
    return [stop for stop in stops if not details.isAncestorOf(stop)]


@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_the_keyboard_alone_goes_round_every_screen(companion: MainWindow, qtbot: QtBot, perspective: str) -> None:
    window = companion
    window.activateWindow()
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(window, KEYS[perspective], modifiers)
    wrong: list[str] = []
    for name in screens_of(window, perspective):
        if name:
            window.show_screen(name)
        qtbot.waitUntil(lambda: window.session.is_ready and not window.session.tasks.is_running())
        QApplication.processEvents()
        if QApplication.focusWidget() in (None, window):
            QTest.keyClick(window, Qt.Key.Key_Tab)
        there, seen = walk(Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
        back, _ = walk(Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        wrong += [f"{perspective}, {name}: {fault}" for fault in seen]
        if outside_details(window, back)[1:] != outside_details(window, there)[:0:-1]:
            wrong.append(f"{perspective}, {name}: back {list(map(named, back))}, there {list(map(named, there))}")
        if name and not any(window.screens[name].view.isAncestorOf(stop) for stop in there):
            wrong.append(f"{perspective}: nothing of {name} is reached")
    assert wrong == []

"""A dock that the mouse drags out of its tabs lies where it was let go, in whatever perspective one was meanwhile."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.docking import is_seen
from inspector.gui.main_window import MainWindow
from tests.examples import cases

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def dock(window: MainWindow, name: str) -> QDockWidget:
    found = window.findChild(QDockWidget, f"{name}_dock")
    assert isinstance(found, QDockWidget)
    return found


def mates(window: MainWindow, name: str) -> set[str]:
    return {mate.objectName().removesuffix("_dock") for mate in window.tabifiedDockWidgets(dock(window, name))}


def go(window: MainWindow, perspective: str) -> None:
    switch = window.findChild(QWidget, "perspective_switch")
    assert isinstance(switch, QWidget)
    button = next(one for one in switch.findChildren(QToolButton) if one.text().lower() == perspective)
    QTest.mouseClick(button, LEFT)
    QApplication.processEvents()
    assert window._arrangement.perspective == perspective


@pytest.mark.parametrize("is_kept_meanwhile", [False, True])
@pytest.mark.parametrize("size", cases([(1280, 720), (1600, 1000)], [(1280, 720)]))
def test_a_dock_dragged_beside_other_tabs_stays_there(
    companion: MainWindow, qtbot: QtBot, size: tuple[int, int], is_kept_meanwhile: bool
) -> None:
    window = companion
    window.resize(*size)
    go(window, "tune")
    dragged = dock(window, "shootout")
    dragged.raise_()
    QApplication.processEvents()
    assert mates(window, "shootout")
    QTest.mousePress(dragged, LEFT, NO_KEY, QPoint(40, 8))
    corner = dragged.mapTo(window, QPoint())
    beside = QPoint(corner.x() + dragged.width() - 20, corner.y() + dragged.height() // 2)
    for step in range(1, 11):
        target = dragged.mapFromGlobal(window.mapToGlobal(corner + (beside - corner) * step / 10))
        QTest.mouseMove(dragged, target)
        QApplication.processEvents()
    if is_kept_meanwhile:
        assert window._arrangement.layout.perspective == "tune"
    QTest.mouseRelease(dragged, LEFT, NO_KEY, dragged.mapFromGlobal(window.mapToGlobal(beside)))
    qtbot.waitUntil(lambda: not dragged.isFloating())
    assert mates(window, "shootout") == set()
    for perspective in ("inspect", "tune"):
        go(window, perspective)
    assert mates(window, "shootout") == set()
    assert not dragged.isFloating()
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_a_dock_that_is_put_back_is_in_front_of_its_tabs(companion: MainWindow, qtbot: QtBot) -> None:
    window, floated = companion, dock(companion, "explanation")
    assert is_seen(floated)
    button = floated.findChild(QAbstractButton, "qt_dockwidget_floatbutton")
    assert isinstance(button, QAbstractButton)
    QTest.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: floated.isFloating() and is_seen(dock(window, "text")))
    QTest.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: not floated.isFloating() and is_seen(floated))
    assert not is_seen(dock(window, "text"))

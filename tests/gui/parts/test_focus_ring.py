"""The ring around what has the keyboard: seen in both themes, after keys only, and gone with what it was around."""

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.palettes import contrast
from inspector.gui.parts.focus_ring import FocusRing
from inspector.gui.theme import UNIT, ThemeName, apply_theme


def ringed(window: QWidget) -> QWidget | None:
    """What the ring in a window is around, if it is seen."""
    QApplication.processEvents()
    ring = window.findChild(FocusRing)
    return ring.around if ring is not None and ring.isVisible() else None


def bar_button(window: MainWindow) -> QToolButton:
    button = window.findChild(QToolButton, "tool:open")
    assert isinstance(button, QToolButton)
    return button


def tab_to(widget: QWidget) -> None:
    """Come to a widget by a key, from the one before it."""
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_Backtab)
    before = QApplication.focusWidget()
    assert before is not None
    assert before is not widget
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert widget.hasFocus()


def colors_above(window: QWidget, widget: QWidget) -> list[QColor]:
    """The pixels in the middle above a widget, as far as a ring would be there."""
    QApplication.processEvents()
    picture, place = window.grab().toImage(), widget.mapTo(window, QPoint(widget.width() // 2, 0))
    return [picture.pixelColor(place.x(), place.y() - above) for above in (1, 2, 3)]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_it_stands_out_in_both_themes(
    companion: MainWindow, qapp: QApplication, request: pytest.FixtureRequest, name: ThemeName
) -> None:
    request.addfinalizer(lambda: apply_theme(qapp, "light"))
    apply_theme(qapp, name)
    companion.activateWindow()
    button = bar_button(companion)
    without = colors_above(companion, button)
    tab_to(button)
    pairs = zip(without, colors_above(companion, button), strict=True)
    assert max(contrast(one, other) for one, other in pairs) >= 3


def test_it_comes_with_keys_and_goes_with_the_mouse(companion: MainWindow, qtbot: QtBot) -> None:
    companion.activateWindow()
    button, table = bar_button(companion), companion.screens["decisions"].view.findChild(QWidget, "decision_table")
    assert isinstance(table, QWidget)
    assert ringed(companion) is None, "nobody has used a key yet"
    tab_to(button)
    assert ringed(companion) is button
    viewport = table.findChild(QWidget, "qt_scrollarea_viewport")
    assert viewport is not None
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=QPoint(40, 10))
    assert table.hasFocus()
    assert ringed(companion) is None
    tab_to(button)
    companion.clearFocus()
    button.clearFocus()
    assert ringed(companion) is None


def test_a_field_has_its_cursor(companion: MainWindow) -> None:
    companion.activateWindow()
    field = companion.findChild(QLineEdit, "filter_edit")
    assert field is not None
    tab_to(field)
    assert ringed(companion) is None


def test_what_is_scrolled_into_sight_has_it(companion: MainWindow) -> None:
    companion.activateWindow()
    last = companion.screens["settings"].view.findChild(QWidget, "parameter:recent_messages")
    assert isinstance(last, QWidget)
    tab_to(last)
    assert ringed(companion) is last
    ring = companion.findChild(FocusRing)
    assert ring is not None
    assert ring.mapTo(companion, ring.rect().center()) == last.mapTo(companion, last.rect().center())


def test_a_dialog_has_one_and_takes_it_along(companion: MainWindow, qtbot: QtBot) -> None:
    companion.activateWindow()
    tab_to(bar_button(companion))
    dialog = QDialog(companion)
    layout, buttons = QVBoxLayout(dialog), [QPushButton("One"), QPushButton("Two")]
    for button in buttons:
        layout.addWidget(button)
    dialog.open()
    qtbot.waitUntil(dialog.isActiveWindow)
    tab_to(buttons[1])
    assert ringed(dialog) is buttons[1]
    dialog.done(0)
    dialog.deleteLater()
    QApplication.sendPostedEvents(dialog, 0)
    companion.activateWindow()
    qtbot.waitUntil(companion.isActiveWindow)
    tab_to(bar_button(companion))
    assert ringed(companion) is bar_button(companion)


def test_only_the_ring_itself_is_painted(companion: MainWindow) -> None:
    companion.activateWindow()
    tree = companion.screens["sources"].view.findChild(QWidget, "workspace_tree")
    assert isinstance(tree, QWidget)
    tab_to(tree)
    assert ringed(companion) is tree
    ring = companion.findChild(FocusRing)
    assert ring is not None
    assert ring.size() == tree.size()
    assert ring.mask().contains(QPoint(1, 1)), "one without a mask covers all of what it is around"
    assert not ring.mask().contains(ring.rect().center())


def test_what_lies_in_the_ring_is_seen(companion: MainWindow) -> None:
    companion.activateWindow()
    draft = companion.screens["next_message"].view.findChild(QWidget, "draft_edit")
    assert isinstance(draft, QWidget)
    tab_to(draft)
    QTest.keyClicks(draft, "What about the ferry?")
    for _ in range(3):
        QApplication.processEvents()  # it grows with its text
    assert ringed(companion) is draft
    inside = draft.rect().adjusted(UNIT, UNIT, -UNIT, -UNIT)
    alone = draft.grab(inside).toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert companion.grab(inside.translated(draft.mapTo(companion, QPoint()))).toImage() == alone


@pytest.mark.parametrize("by_key", [True, False])
def test_who_ends_a_dialog_by_a_key_sees_where_the_keyboard_is(
    companion: MainWindow, qtbot: QtBot, by_key: bool
) -> None:
    companion.activateWindow()
    qtbot.waitUntil(companion.isActiveWindow)
    table = companion.findChild(QWidget, "decision_table")
    assert isinstance(table, QWidget)
    viewport = table.findChild(QWidget, "qt_scrollarea_viewport")
    assert isinstance(viewport, QWidget)
    handle = companion.windowHandle()
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, pos=viewport.mapTo(companion, QPoint(40, 10)))
    assert table.hasFocus()
    QTest.keyClick(handle, Qt.Key.Key_N)
    dialog = companion.findChild(QDialog, "text_dialog")
    assert isinstance(dialog, QDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    if by_key:
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Escape)
    else:
        button = dialog.findChildren(QPushButton)[-1]
        place = button.mapTo(dialog, button.rect().center())
        QTest.mouseClick(dialog.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    companion.activateWindow()
    qtbot.waitUntil(companion.isActiveWindow)
    assert table.hasFocus()
    qtbot.waitUntil(lambda: (ringed(companion) is table) == by_key)
    QApplication.processEvents()
    assert (ringed(companion) is table) == by_key

"""The box of a choice stays narrow, and its open list is as wide as its entries."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.gui.parts.choice_box import choice_box

LONG = "a policy with a long name (and a long preset)"


def test_the_open_list_shows_entries_whole_and_the_box_stays_narrow(qtbot: QtBot) -> None:
    box = choice_box("policies", "A second policy", 10)
    qtbot.addWidget(box)
    box.addItems(["none", LONG])
    assert box.sizeHint().width() < box.fontMetrics().horizontalAdvance(LONG)
    box.show()
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(box.view().isVisible)
    assert box.view().viewport().width() > box.fontMetrics().horizontalAdvance(LONG)
    assert box.accessibleName() == "A second policy"
    box.hidePopup()

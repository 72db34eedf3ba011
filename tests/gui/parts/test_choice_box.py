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


def test_an_entry_without_room_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    box = choice_box("policies", "A second policy", 10)
    qtbot.addWidget(box)
    box.addItems(["none", LONG])
    box.resize(box.minimumSizeHint())
    with qtbot.waitExposed(box):
        box.show()
    painted: list[str] = []
    for place in range(box.count()):
        box.setCurrentIndex(place)
        painted.append(box.shown_text)
    assert painted[0] == "none"
    assert painted[1].endswith("…")
    assert LONG.startswith(painted[1].removesuffix("…"))
    assert box.currentText() == LONG

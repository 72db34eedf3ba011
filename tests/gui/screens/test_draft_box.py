"""The box of the next message shows whole lines, whatever the size of the text."""

import pytest
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from inspector.gui.screens.policy.policy_box import DraftBox


@pytest.mark.parametrize("points", [8, 9, 11, 14])
def test_it_shows_three_lines_and_nothing_of_a_fourth(qtbot: QtBot, points: int) -> None:
    box = DraftBox()
    qtbot.addWidget(box)
    with qtbot.waitExposed(box):
        box.show()
    box.edit.setFont(QFont(box.edit.font().family(), points))
    box.edit.setPlainText("\n".join("word" for _ in range(8)))
    blocks = [box.edit.firstVisibleBlock()]
    for _ in range(3):
        blocks.append(blocks[-1].next())
    third, fourth = (box.edit.blockBoundingGeometry(block).translated(box.edit.contentOffset()) for block in blocks[2:])
    room = box.edit.viewport().height()
    assert third.bottom() <= room + 1
    assert fourth.top() >= room - 1

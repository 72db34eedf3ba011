"""A splitter that turns: side by side where there is room, else below each other, each way with its own sizes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.parts.turning_splitter import TurningSplitter

WIDTHS = (200, 120)


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(700, 400)
    holder.show()
    return holder


@pytest.fixture
def splitter(holder: QWidget) -> TurningSplitter:
    splitter = TurningSplitter(holder)
    for width in WIDTHS:
        part = QWidget()
        part.setMinimumSize(width, 30)
        splitter.addWidget(part)
    splitter.resize(600, 300)
    splitter.show()
    return splitter


def test_it_turns_where_its_parts_have_no_room_and_back(splitter: TurningSplitter) -> None:
    whole = sum(WIDTHS) + splitter.handleWidth()
    for width in (600, whole, whole - 1, max(WIDTHS), whole):
        splitter.resize(width, 300)
        is_wide = width >= whole
        assert splitter.orientation() == (Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
    assert splitter.minimumSizeHint().width() == max(WIDTHS)


def test_either_way_keeps_the_sizes_that_a_person_gave_it(splitter: TurningSplitter) -> None:
    splitter.setSizes([400, 200 - splitter.handleWidth()])
    wide = splitter.sizes()
    splitter.resize(250, 300)
    splitter.setSizes([100, 200 - splitter.handleWidth()])
    high = splitter.sizes()
    splitter.resize(600, 300)
    assert splitter.sizes() == wide
    splitter.resize(250, 300)
    assert splitter.sizes() == high


def test_a_hidden_part_needs_no_room(splitter: TurningSplitter) -> None:
    hidden = splitter.widget(1)
    assert hidden is not None
    hidden.hide()
    splitter.resize(250, 300)
    assert splitter.orientation() == Qt.Orientation.Horizontal

"""A row that wraps: one line where there is room, more where there is not, and nothing is cut off."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.theme import GAP, UNIT

WIDTH = 100


@pytest.fixture
def row(qtbot: QtBot) -> tuple[QWidget, list[QPushButton]]:
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = WrappingRow()
    buttons = [QPushButton(str(number)) for number in range(3)]
    for button in buttons:
        button.setFixedSize(WIDTH, 20)
        layout.addWidget(button)
    holder.setLayout(layout)
    return holder, buttons


@pytest.mark.parametrize(
    ("width", "lines"), [(3 * WIDTH + 2 * GAP, 1), (3 * WIDTH + 2 * GAP - 1, 2), (2 * WIDTH, 3), (WIDTH, 3)]
)
def test_a_row_has_as_many_lines_as_it_needs(
    row: tuple[QWidget, list[QPushButton]], qtbot: QtBot, width: int, lines: int
) -> None:
    holder, buttons = row
    height = 20 * lines + UNIT * (lines - 1)
    assert holder.heightForWidth(width) == height
    holder.resize(width, height)
    holder.show()
    qtbot.waitUntil(lambda: len({button.y() for button in buttons}) == lines)
    assert all(holder.rect().contains(button.geometry()) for button in buttons)
    assert all(button.width() == WIDTH for button in buttons)


def test_it_is_as_narrow_as_its_widest_item_and_would_like_one_line(row: tuple[QWidget, list[QPushButton]]) -> None:
    holder, _ = row
    assert holder.minimumSizeHint().width() == WIDTH
    assert holder.sizeHint().width() == 3 * WIDTH + 2 * GAP


def test_what_is_hidden_takes_no_room(row: tuple[QWidget, list[QPushButton]]) -> None:
    holder, buttons = row
    buttons[1].hide()
    assert holder.heightForWidth(2 * WIDTH + GAP) == 20


def test_words_have_the_room_that_is_left_and_what_follows_stands_at_the_right(
    row: tuple[QWidget, list[QPushButton]], qtbot: QtBot
) -> None:
    holder, _ = row
    layout, words, last = holder.layout(), ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft), QPushButton("last")
    assert isinstance(layout, WrappingRow)
    last.setFixedSize(WIDTH, 20)
    words.say("a sentence that is longer than the room that there is for it, " * 3)
    layout.addWidget(words)
    layout.addWidget(last)
    holder.resize(5 * WIDTH + 4 * GAP, 20)
    holder.show()
    qtbot.waitUntil(lambda: last.geometry() == QRect(4 * WIDTH + 4 * GAP, 0, WIDTH, 20))
    assert words.width() == WIDTH


@pytest.mark.parametrize("width", [2 * WIDTH + 2 * GAP + 39, WIDTH + GAP + 50])
def test_a_label_goes_to_another_line_with_its_buddy(qtbot: QtBot, width: int) -> None:
    holder, layout = QWidget(), WrappingRow()
    qtbot.addWidget(holder)
    before, label, field = QPushButton("before"), PlainLabel("Reply"), QPushButton("field")
    for button in (before, field):
        button.setFixedSize(WIDTH, 20)
    label.setFixedSize(40, 20)
    label.setBuddy(field)
    for widget in (before, label, field):
        layout.addWidget(widget)
    holder.setLayout(layout)
    holder.resize(width, 100)
    holder.show()
    qtbot.waitUntil(lambda: field.y() == 20 + UNIT)
    assert label.y() == field.y()
    assert field.x() == 40 + GAP


def test_a_field_of_fixed_width_takes_no_more_room(qtbot: QtBot) -> None:
    holder, layout = QWidget(), WrappingRow()
    qtbot.addWidget(holder)
    field, button = QLineEdit(), QPushButton("next")
    for widget in (field, button):
        widget.setFixedSize(WIDTH, 20)
        layout.addWidget(widget)
    holder.setLayout(layout)
    holder.resize(4 * WIDTH, 20)
    holder.show()
    qtbot.waitUntil(lambda: button.x() == WIDTH + GAP)


def test_a_row_without_items_needs_no_room(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.setLayout(WrappingRow())
    assert holder.minimumSizeHint().isEmpty()
    assert holder.heightForWidth(WIDTH) == 0

"""The text of tokens: told apart, reached by mouse and keys, copied as it is, wrapped where a reader expects it."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from word_tokens import WordTokenizer

from inspector.gui.palettes import DARK, LIGHT, Theme, blended, contrast
from inspector.gui.theme import ThemeName, apply_theme, theme
from inspector.gui.token_text.text import TokenText
from inspector.tokens.shown.tokens import Stretch, shown_tokens

READABLE = 4.5
Key = Qt.Key


@pytest.fixture
def text(qtbot: QtBot, qapp: QApplication) -> Iterator[TokenText]:
    apply_theme(qapp, "light")
    made = TokenText()
    qtbot.addWidget(made)
    made.resize(600, 280)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    apply_theme(qapp, "light")


def show(text: TokenText, *stretches: Stretch) -> None:
    text.show_tokens(shown_tokens(stretches, WordTokenizer()))


def click(qtbot: QtBot, text: TokenText, cell: int) -> None:
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=text.cell_rect(cell).center())


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_keys_go_through_the_tokens(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("\n".join("one two three four" for _ in range(50))))
    cells = []
    keys = (Key.Key_Right, Key.Key_Right, Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_Up, Key.Key_Left)
    for key in keys:
        qtbot.keyClick(text, key)
        cells.append(text.current_cell)
    assert cells == [0, 1, 5, 4, 7, 3, 2]
    qtbot.keyClick(text, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert text.current_cell == len(text.shown.cells) - 1
    assert text.viewport().rect().contains(text.cell_rect(199))
    qtbot.keyClick(text, Key.Key_PageUp)
    above = text.current_cell
    assert above is not None
    assert above < 180
    qtbot.keyClick(text, Key.Key_PageDown)
    assert text.current_cell is not None
    assert text.current_cell > above


def test_down_passes_a_token_that_takes_several_rows(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("one"), Stretch("\r\r\r", True), Stretch("two"))
    click(qtbot, text, 0)
    reached = []
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Up):
        qtbot.keyClick(text, key)
        reached.append(text.current_cell)
    assert reached == [1, 2, 2, 1]


def test_selected_text_is_copied_as_it_is(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("one\ttwo three\nfour\u202e"))
    text.set_white_space(True)
    qtbot.keyClick(text, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(text, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == "one\ttwo three\nfour\u202e"
    qtbot.keyClick(text, Key.Key_Escape)
    assert text.selected_text == ""
    click(qtbot, text, 1)
    qtbot.keyClick(text, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == " three"
    qtbot.keyClick(text, Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert text.selected_text == "one\ttwo three"
    text.copy_ids()
    assert clipboard() == "7 6"


def test_dragging_selects(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("one two three"))
    viewport, boxes = text.viewport(), [text.cell_rect(cell) for cell in range(3)]
    middle = boxes[0].center().y()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(boxes[0].left(), middle))
    qtbot.mouseMove(viewport, QPoint(boxes[2].left(), middle))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(boxes[2].left(), middle))
    assert text.selected_text == "one two"
    qtbot.mouseClick(
        viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(boxes[1].left(), middle)
    )
    assert text.selected_text == "one"
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=boxes[1].center())
    assert text.selected_text == " two"


def image_of(text: TokenText) -> QImage:
    return text.viewport().grab().toImage()


def colors_at(text: TokenText, cell: int) -> QColor:
    """The ground of a cell, at its upper edge where no letter reaches."""
    box = text.cell_rect(cell)
    return image_of(text).pixelColor(box.center().x(), box.top() + 2)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_neighbours_differ_and_specials_stand_out(text: TokenText, qapp: QApplication, name: ThemeName) -> None:
    show(text, Stretch("one two three four five six"), Stretch("<s>", True))
    apply_theme(qapp, name)
    grounds = [colors_at(text, cell) for cell in range(7)]
    assert all(before != after for before, after in pairwise(grounds))
    assert {ground.name() for ground in grounds[:6]} == {tint.name() for tint in theme().tokens}
    assert grounds[6].name() == theme().base.name()


def test_rows_with_special_tokens_show_their_text(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("one two"), Stretch("<s>", True))
    image = image_of(text)
    for cell, ink in ((0, theme().text), (2, theme().accent)):
        box = text.cell_rect(cell).adjusted(3, 3, -3, -3)
        pixels = [
            image.pixelColor(x, y) for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom())
        ]
        assert any(contrast(pixel, ink) < 1.6 for pixel in pixels), cell


def test_white_space_is_drawn_on_demand(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("a\n"), Stretch("\tb"))
    before = image_of(text)
    text.set_white_space(True)
    assert image_of(text) != before
    text.set_white_space(False)
    assert image_of(text) == before


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_tint(colors: Theme) -> None:
    assert len({tint.name() for tint in colors.tokens}) >= 4
    for tint in (*colors.tokens, blended(colors.accent, colors.base, 0.28)):
        assert contrast(colors.text, tint) >= READABLE, tint.name()
    for tint in colors.tokens:
        assert contrast(colors.muted_text, tint) >= READABLE, tint.name()


def test_another_text_with_the_same_beginning_stays_in_place(text: TokenText, qtbot: QtBot) -> None:
    lines = "\n".join(f"line {number}" for number in range(300))
    show(text, Stretch(lines))
    bar = text.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value() // bar.singleStep() * bar.singleStep()
    show(text, Stretch(f"{lines}\nand more"))
    assert bar.value() == place
    show(text, Stretch(f"other {lines}"))
    assert bar.value() == 0


def test_wrapping_follows_the_width_and_keeps_the_top(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch(" ".join(f"word{number}" for number in range(3000))))
    bar = text.verticalScrollBar()
    tall = bar.maximum()
    bar.setValue(bar.maximum() // 2)
    top = text.cell_at(QPoint(20, 12))
    assert top is not None
    text.resize(300, 280)
    assert bar.maximum() > tall
    box = text.cell_rect(top)
    assert 0 <= box.top() < 4 * box.height()


def test_right_to_left_lines_are_pointed_at_where_they_stand(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("مرحبا يا صديقي"))
    boxes = [text.cell_rect(cell) for cell in range(3)]
    assert boxes[0].left() > boxes[1].left() > boxes[2].left()
    assert boxes[0].right() > text.viewport().width() // 2
    assert [text.cell_at(box.center()) for box in boxes] == [0, 1, 2]
    show(text, Stretch("مرحبا يا"), Stretch("<s>", True))
    assert text.cell_rect(1).right() <= text.cell_rect(2).left() + 1


def test_screen_readers_hear_the_current_token(text: TokenText, qtbot: QtBot) -> None:
    show(text, Stretch("one two"))
    reader = QAccessible.queryAccessibleInterface(text)
    assert reader is not None
    assert reader.role() == QAccessible.Role.Document
    assert reader.text(QAccessible.Text.Name) == "Text by token"
    assert reader.text(QAccessible.Text.Value).startswith("2 tokens")
    text.show_cell(1)
    assert reader.text(QAccessible.Text.Value) == "token 2 of 2  ·  id 4  ·  “ two”"

"""A text with marks on one line: what has no room ends with an ellipsis, in any script."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter
from pytestqt.qtbot import QtBot

from inspector.gui.parts.marked_text import paint_marked

WIDTH, HEIGHT, WHITE = 120, 24, 0xFFFFFFFF


def painted(text: str, *marks: tuple[int, int], place: QRect | None = None) -> QImage:
    image = QImage(2 * WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    paint_marked(painter, place or QRect(0, 0, WIDTH, HEIGHT), text, marks, QFont())
    painter.end()
    return image


def ink(image: QImage, left: int, right: int) -> int:
    places = ((x, y) for x in range(left, right) for y in range(image.height()))
    return sum(image.pixel(x, y) != WHITE for x, y in places)


@pytest.mark.parametrize("letter", ["W", "长", "😀"])
def test_a_text_without_room_ends_with_an_ellipsis(qtbot: QtBot, letter: str) -> None:
    dots, start = QFontMetrics(QFont()).horizontalAdvance("…"), letter * 3
    assert painted(letter * 40) == painted(letter * 80)
    whole = painted(f"{start}…", place=QRect(0, 0, QFontMetrics(QFont()).horizontalAdvance(start) + dots + 2, HEIGHT))
    cut = painted(letter * 40, place=QRect(0, 0, QFontMetrics(QFont()).horizontalAdvance(start) + dots + 2, HEIGHT))
    assert cut == whole
    assert ink(painted(letter * 40), WIDTH, 2 * WIDTH) == 0


def test_a_text_with_room_is_as_it_is(qtbot: QtBot) -> None:
    assert painted("short", place=QRect(0, 0, 2 * WIDTH, HEIGHT)) == painted("short")
    assert painted("short", (0, 5)) != painted("short")


@pytest.mark.parametrize("before", ["x" * 60, "…about it. Some more of "])
def test_a_mark_that_there_is_no_room_for_begins_the_text(qtbot: QtBot, before: str) -> None:
    start = len(before)
    found = painted(f"{before}coral reef and a long way", (start, start + 5), (start + 6, start + 10))
    assert found == painted("…coral reef and a long way", (1, 6), (7, 11))
    assert ink(found, WIDTH, 2 * WIDTH) == 0

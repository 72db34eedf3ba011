"""Panes: a text of any length is read as it is, and no word without end stops the window."""

import pytest
from PySide6.QtGui import QTextOption
from pytestqt.qtbot import QtBot

from inspector.gui.parts.reading_pane import LONGEST_WORD, MOST_CODE_POINTS, ReadingPane

USUAL, ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere


@pytest.fixture
def pane(qtbot: QtBot) -> ReadingPane:
    made = ReadingPane("Text")
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


def test_a_text_is_shown_as_it_is(pane: ReadingPane) -> None:
    assert pane.show_text("<b>x</b> &amp;\r\n\u202eb")
    assert pane.toPlainText() == "<b>x</b> &amp;\n⟦RLO⟧b"


def test_the_same_text_again_stays_as_it_was_selected(pane: ReadingPane) -> None:
    pane.show_text("one two")
    pane.selectAll()
    assert not pane.show_text("one two")
    assert pane.textCursor().selectedText() == "one two"
    assert pane.show_text("")
    assert pane.toPlainText() == ""


def test_of_a_very_long_text_the_beginning_is_shown(pane: ReadingPane) -> None:
    pane.show_text("word " * MOST_CODE_POINTS)
    shown = pane.toPlainText()
    assert len(shown) < MOST_CODE_POINTS + 100
    assert shown.endswith(f"{4 * MOST_CODE_POINTS:,} more characters are not shown.")


def test_words_stay_whole_unless_one_is_without_end(pane: ReadingPane) -> None:
    """A word of two directions of 200,000 code points took Qt a minute and a half."""
    for text, mode in (
        ("word " * 1_000, USUAL),
        ("漢" * 10_000, USUAL),
        ("x" * LONGEST_WORD, USUAL),
        ("אa" * 100_000, ANYWHERE),
        ("word", USUAL),
    ):
        pane.show_text(text)
        assert pane.wordWrapMode() == mode


def test_a_cursor_selects_code_points_of_the_text(pane: ReadingPane) -> None:
    pane.show_text("😀\u202eone two")
    assert pane.cursor_over(2, 5).selectedText() == "one"
    assert pane.cursor_over(1, 5).selectedText() == "⟦RLO⟧one"


def test_a_cursor_ends_where_the_shown_text_does(pane: ReadingPane) -> None:
    pane.show_text("ab" * MOST_CODE_POINTS)
    cursor = pane.cursor_over(MOST_CODE_POINTS - 1, 2 * MOST_CODE_POINTS)
    assert cursor.selectedText() == "b"
    assert not pane.cursor_over(2 * MOST_CODE_POINTS, 2 * MOST_CODE_POINTS).hasSelection()

"""Texts on their way to places where Qt reads more than text: they come out as they went in, up to a length."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from tips import tip_text
from walking import without_keys

from inspector.gui.parts.texts import control_text, excerpt, first_line, one_line, tooltip, window_title
from inspector.visible_text import made_visible

HOSTILE = '<img src="file:///nowhere/x.png"><b>x</b> &amp; &x'
MILLION = 1_000_000
PIECES = [*"<>&;\"'=/ab\n\t \r\u202e\x00\x1b😀漢", "<b>", "&lt;", "&amp;", "<img src=x>", "<!-- ", "</div>"]
TEXTS = st.lists(st.sampled_from(PIECES)).map("".join)


@given(text=TEXTS)
def test_a_tooltip_shows_the_text_itself(text: str) -> None:
    for wraps in (False, True):
        shown = tooltip(f"-{text}-", wraps)  # line breaks at its very ends are lost
        assert tip_text(shown) == made_visible(f"-{text}-")
        document = QTextDocument()
        document.setHtml(shown)
        assert not any(look.isImageFormat() or look.toCharFormat().isAnchor() for look in document.allFormats())


def test_nothing_said_is_no_tooltip() -> None:
    assert tooltip("") == ""


def test_only_very_long_lines_of_a_tooltip_are_broken(qtbot: QtBot) -> None:
    label = QLabel(wordWrap=True)
    qtbot.addWidget(label)
    sizes = []
    for text in ("one line of some words, as most tooltips have it", "a word " * 100):
        label.setText(tooltip(text))
        sizes.append(label.sizeHint())
    line = label.fontMetrics().height()
    assert sizes[0].height() < 2 * line < sizes[1].height()
    assert sizes[1].width() < label.fontMetrics().horizontalAdvance("a word " * 40)


def test_a_tooltip_of_an_item_is_a_block(qtbot: QtBot) -> None:
    label = QLabel(tooltip("one line of some words, as most tooltips have it", wraps=True), wordWrap=True)
    qtbot.addWidget(label)
    assert label.sizeHint().height() > 2 * label.fontMetrics().height()


@given(text=TEXTS)
def test_a_control_shows_every_sign(text: str) -> None:
    shown = control_text(text)
    assert without_keys(shown) == one_line(text)
    assert not re.search("(?<!&)(&&)*&(?!&)", shown)


def test_a_text_of_a_file_gives_a_button_no_key(qtbot: QtBot) -> None:
    button = QPushButton(control_text("R&D"))
    qtbot.addWidget(button)
    assert button.shortcut().isEmpty()


def test_what_follows_a_tab_is_no_shortcut() -> None:
    assert control_text("Open\tCtrl+Q") == "Open Ctrl+Q"


def test_the_mark_of_a_changed_window_is_text_in_a_name() -> None:
    assert window_title("a[*]b") == "a[*][*]b"
    assert len(window_title("x" * MILLION)) < 300


@pytest.mark.parametrize("cut", [one_line, excerpt, first_line, tooltip, control_text])
@pytest.mark.parametrize("text", ["x" * MILLION, "\n" * MILLION, "\u202e" * MILLION, "&" * MILLION, "<" * MILLION])
def test_a_text_of_a_million_signs_is_cut_off(cut, text: str) -> None:
    shown = cut(text)
    assert len(shown) < 20_000
    assert shown.count("\n") < 60


def test_one_line_keeps_spaces_and_has_no_other_line() -> None:
    assert one_line("a  b\u2007c") == "a  b\u2007c"
    assert one_line("a\nb\tc\r\nd\u2028e") == "a b c d e"
    assert one_line("abc", 2) == "ab…"
    assert one_line("\u202eabc") == "⟦RLO⟧abc"


def test_an_excerpt_has_so_many_lines_and_says_what_is_missing() -> None:
    assert excerpt("a\nb", 10, 2) == "a\nb"
    assert excerpt("a\nb\nc", 10, 2) == "a\nb…"
    assert excerpt("abcdef", 3) == "abc…"
    assert excerpt(HOSTILE) == HOSTILE


def test_no_tooltip_ends_in_a_blank_line() -> None:
    for text in ("a sentence\n", "meaning\n\n", "text \n \t\n"):
        for wraps in (False, True):
            assert tip_text(tooltip(text, wraps)) == text.rstrip()
    assert tooltip("") == ""

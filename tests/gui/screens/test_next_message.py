"""The next message: whole lines whatever the size of the text, its tokens, and what is written as one gesture."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.screens.next_message.view import KEPT, LATER, WRITE, NextMessageView


@pytest.fixture
def view(qtbot: QtBot) -> NextMessageView:
    made = NextMessageView()
    qtbot.addWidget(made)
    made.resize(320, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.edit.clearFocus()  # alone in its window, it is given the focus
    qtbot.waitUntil(lambda: not made.edit.hasFocus())
    return made


def lines_in_sight(view: NextMessageView) -> int:
    """How many lines of a text of one word each are wholly in sight; the next one must not show at all."""
    block, room, seen = view.edit.firstVisibleBlock(), view.edit.viewport().height(), 0
    while block.isValid():
        place = view.edit.blockBoundingGeometry(block).translated(view.edit.contentOffset())
        if place.bottom() > room + 1:
            assert place.top() >= room - 1, "a part of a line shows"
            break
        seen, block = seen + 1, block.next()
    return seen


@pytest.mark.parametrize("points", [8, 9, 11, 14])
def test_it_shows_three_lines_and_nothing_of_a_fourth(view: NextMessageView, points: int) -> None:
    view.edit.setFont(QFont(view.edit.font().family(), points))
    view.edit.setPlainText("\n".join("word" for _ in range(8)))
    assert lines_in_sight(view) == 3


def test_it_grows_with_its_text_while_it_has_the_focus(view: NextMessageView, qtbot: QtBot) -> None:
    view.show_draft("\n".join("word" for _ in range(8)))
    assert lines_in_sight(view) == 3
    view.activateWindow()
    view.edit.setFocus()
    qtbot.waitUntil(lambda: lines_in_sight(view) == 6)
    view.edit.setPlainText("one line")
    qtbot.waitUntil(lambda: view.edit.height() < 70)
    view.edit.setPlainText("\n".join("word" for _ in range(8)))
    view.edit.clearFocus()
    qtbot.waitUntil(lambda: lines_in_sight(view) == 3)


def test_in_a_low_window_it_is_one_line(view: NextMessageView, qtbot: QtBot) -> None:
    view.edit.setPlainText("\n".join("word" for _ in range(8)))
    view.resize(288, 720)
    qtbot.waitUntil(lambda: lines_in_sight(view) == 1)


def test_it_comes_after_a_pause_as_one_gesture(view: NextMessageView, qtbot: QtBot) -> None:
    told = QSignalSpy(view.written)
    qtbot.keyClicks(view.edit, "What did she say")
    assert told.count() == 0
    with qtbot.waitSignal(view.written):
        qtbot.keyClicks(view.edit, "?")
    with qtbot.waitSignal(view.written):
        qtbot.keyClicks(view.edit, "!")
    assert [told.at(place)[0] for place in range(told.count())] == ["What did she say?", "What did she say?!"]
    gestures = {told.at(place)[1] for place in range(told.count())}
    assert len(gestures) == 1
    assert gestures != {""}
    with qtbot.assertNotEmitted(view.written):
        view.show_draft("")
    assert view.edit.toPlainText() == ""


def test_at_an_earlier_turn_it_says_that_it_does_not_exist_yet(view: NextMessageView) -> None:
    view.show_draft("later", exists=False)
    assert (view.edit.isEnabled(), view.edit.toPlainText(), view.edit.placeholderText()) == (False, "", KEPT)
    view.show_draft("", exists=False)
    assert view.edit.placeholderText() == LATER
    view.show_draft("later")
    assert (view.edit.isEnabled(), view.edit.toPlainText(), view.edit.placeholderText()) == (True, "later", WRITE)


def test_its_tokens_stand_beside_the_title_while_there_is_a_text(companion: MainWindow, qtbot: QtBot) -> None:
    tokens = companion.findChild(QLabel, "next_message_tokens")
    assert isinstance(tokens, QLabel)
    answer = companion.session.answer
    assert answer is not None
    assert tokens.text() == f"{int(answer.assembly.candidates.tokens[-1])} tokens"
    view = companion.screens["next_message"].view
    assert isinstance(view, NextMessageView)
    view.edit.setFocus()
    qtbot.keyClick(view.edit, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view.edit, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: tokens.text() == "")

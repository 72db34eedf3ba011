"""The token view: tokens told apart, text and list leading to each other, copies of what is there."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QToolTip
from pytestqt.qtbot import QtBot
from word_tokens import WordTokenizer

from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import apply_theme
from inspector.gui.token_text import view as token_view_module
from inspector.gui.token_text.text import TokenText
from inspector.gui.token_text.view import READING, TokenView
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.shown.tokens import Stretch
from inspector.tokens.tokenizer import TokenSpans

READABLE = 4.5
Key = Qt.Key


class Parts(NamedTuple):
    """The parts of a view that a person sees."""

    text: TokenText
    table: ArrayTableView
    summary: QLabel
    current: QLabel
    white_space: QCheckBox


@pytest.fixture
def tokenizer() -> WordTokenizer:
    return WordTokenizer()


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[TokenView]:
    apply_theme(qapp, "light")
    made = TokenView()
    qtbot.addWidget(made)
    made.resize(900, 300)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    apply_theme(qapp, "light")


def parts(view: TokenView) -> Parts:
    labels = {label.objectName(): label for label in view.findChildren(QLabel)}
    (text,), (table,) = view.findChildren(TokenText), view.findChildren(ArrayTableView)
    (marks,) = view.findChildren(QCheckBox)
    return Parts(text, table, labels["token_summary"], labels["token_current"], marks)


def show(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer, *stretches: Stretch) -> Parts:
    """Show stretches and wait until their tokens are there."""
    wanted = "".join(stretch.text for stretch in stretches)
    view.show_stretches(stretches, tokenizer)
    shown = parts(view)
    qtbot.waitUntil(lambda: shown.text.shown.text == wanted)
    return shown


def words(view: TokenView) -> str:
    return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def click(qtbot: QtBot, text: TokenText, cell: int) -> None:
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=text.cell_rect(cell).center())


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_the_foot_says_how_many_tokens_there_are(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    shown = show(view, qtbot, tokenizer, Stretch("<s>", True), Stretch("one two"), Stretch(" three"))
    assert shown.summary.text() == "4 tokens  ·  16 characters  ·  4.0 characters per token"
    assert tokenizer.asked == ["one two three"]
    assert shown.table.model().rowCount() == 4


def test_a_click_chooses_token_and_row(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    shown = show(view, qtbot, tokenizer, Stretch("one two three"))
    with qtbot.waitSignal(view.token_chosen) as told:
        click(qtbot, shown.text, 1)
    assert told.args == [1]
    assert shown.table.current_row == 1
    assert shown.text.current_cell == 1
    assert shown.current.text() == "token 2 of 3  ·  id 4  ·  “ two”"


def test_a_row_leads_to_its_token(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    shown = show(view, qtbot, tokenizer, Stretch(" ".join(f"word{number}" for number in range(3000))))
    with qtbot.waitSignal(view.token_chosen) as told:
        shown.table.select_row(2500)
    assert told.args == [2500]
    assert shown.text.current_cell == 2500
    assert shown.text.viewport().rect().contains(shown.text.cell_rect(2500))


def test_the_list_follows_the_mouse_and_comes_back(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    shown = show(view, qtbot, tokenizer, Stretch("one two three"))
    click(qtbot, shown.text, 0)
    with qtbot.assertNotEmitted(view.token_chosen), qtbot.waitSignal(view.token_hovered) as told:
        qtbot.mouseMove(shown.text.viewport(), shown.text.cell_rect(2).center())
    assert told.args == [2]
    assert shown.table.selected_rows() == [2]
    assert "token 3 of 3" in shown.current.text()
    with qtbot.waitSignal(view.token_hovered) as told:
        QApplication.sendEvent(shown.text.viewport(), QEvent(QEvent.Type.Leave))
    assert told.args == [-1]
    assert shown.table.selected_rows() == [0]
    assert "token 1 of 3" in shown.current.text()


def test_showing_a_token_tells_nobody(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    shown = show(view, qtbot, tokenizer, Stretch("one two three"))
    with qtbot.assertNotEmitted(view.token_chosen):
        view.show_token(2)
        view.show_token(99)
    assert (shown.text.current_cell, shown.table.selected_rows()) == (2, [2])


def test_a_place_is_shown_as_soon_as_its_token_is_known(
    view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer
) -> None:
    view.show_stretches([Stretch("one two three")], tokenizer)
    view.show_place(9)
    qtbot.waitUntil(lambda: parts(view).text.current_cell == 2)
    view.show_place(0)
    assert parts(view).text.current_cell == 0


def test_the_tooltip_has_text_id_and_number(
    view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = show(view, qtbot, tokenizer, Stretch("<s>", True), Stretch("one\ttwo three"))
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, *_: told.append(text))
    for place in (shown.text.cell_rect(0).center(), shown.text.cell_rect(1).center(), QPoint(5, 200)):
        QApplication.sendEvent(shown.text.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, place))
    assert "&lt;s&gt;" in told[0]
    assert "special token\ntoken 1 of 3" in told[0]
    assert "“one\\ttwo”\nid 7\ntoken 2 of 3" in told[1]
    assert told[2] == ""


def test_an_estimator_shows_the_text_and_says_why(view: TokenView, qtbot: QtBot) -> None:
    estimator = ESTIMATORS["estimate:chorus"]
    view.show_stretches([Stretch("one two")], estimator)
    shown = parts(view)
    qtbot.waitUntil(lambda: shown.text.shown.text == "one two")
    assert "estimate:chorus estimates: it has no tokens to show. Choose an exact tokenizer." in words(view)
    assert not shown.table.isVisible()
    qtbot.keyClick(shown.text, Key.Key_Right)
    qtbot.keyClick(shown.text, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert shown.text.selected_text == "one two"


def test_nothing_is_read_while_it_is_hidden(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    view.hide()
    view.show_stretches([Stretch("one")], tokenizer)
    assert tokenizer.asked == []
    view.show_stretches([Stretch("two")], tokenizer)
    view.show()
    qtbot.waitUntil(lambda: parts(view).text.shown.text == "two")
    assert tokenizer.asked == ["two"]


def test_the_latest_text_wins_and_the_wait_is_told(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    slow = WordTokenizer()
    slow.go.clear()
    view.show_stretches([Stretch("early")], slow)
    qtbot.waitUntil(slow.begun.is_set)
    qtbot.waitUntil(lambda: READING in words(view))
    shown = show(view, qtbot, tokenizer, Stretch("late"))
    slow.go.set()
    qtbot.waitUntil(lambda: slow.asked == ["early"])
    qtbot.wait(50)
    assert shown.text.shown.text == "late"
    assert READING not in words(view)


def test_a_place_is_not_looked_for_in_the_text_before(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    slow = WordTokenizer()
    slow.go.clear()
    view.show_stretches([Stretch("an early text")], slow)
    qtbot.waitUntil(slow.begun.is_set)
    view.hide()
    view.show_stretches([Stretch("one two three")], tokenizer)
    view.show_place(9)
    slow.go.set()
    qtbot.waitUntil(lambda: slow.asked == ["an early text"])
    qtbot.wait(50)
    view.show()
    qtbot.waitUntil(lambda: parts(view).text.shown.text == "one two three")
    assert parts(view).text.current_cell == 2


def test_a_tokenizer_that_fails_is_told_of(
    view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> TokenSpans:
        raise OSError("the vocabulary is gone")

    monkeypatch.setattr(tokenizer, "spans", fail)
    view.show_stretches([Stretch("one")], tokenizer)
    qtbot.waitUntil(lambda: "the vocabulary is gone" in words(view))


def test_clearing_says_what_would_stand_here(view: TokenView, qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    assert token_view_module.NOTHING in words(view)
    show(view, qtbot, tokenizer, Stretch("one"))
    view.clear("Nothing here.")
    assert "Nothing here." in words(view)
    view.show_stretches([], tokenizer)
    qtbot.waitUntil(lambda: token_view_module.EMPTY_TEXT in words(view))


def test_it_may_be_closed_while_a_worker_reads(qtbot: QtBot, tokenizer: WordTokenizer) -> None:
    made = TokenView()
    made.show()
    tokenizer.go.clear()
    made.show_stretches([Stretch("one")], tokenizer)
    qtbot.wait(20)
    tokenizer.go.set()
    made.close()
    made.deleteLater()
    qtbot.wait(50)
    assert tokenizer.asked == ["one"]

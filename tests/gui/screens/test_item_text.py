"""The text of an item: the original beside what is in the prompt, its tokens, and nothing that hides."""

import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.gui.parts.texts import first_line, shown_length
from inspector.gui.screens.text.view import ItemText
from inspector.gui.token_text.text import TokenText
from inspector.model import ToolCall
from inspector.visible_text import made_visible

LONG = " ".join(f"word{number}" for number in range(30))


@pytest.fixture
def answer() -> Answer:
    """m0 summarized, m2 cut, m4 with a tool call and a bidirectional override, the rest as it is."""
    messages = timed_messages(8)
    messages[0] = message(0, LONG, summary="a short one", name="Mara")
    messages[2] = message(2, LONG, key_moment=True)
    messages[4] = message(4, "pay \u202e001$", tool_calls=(ToolCall("t1", "search", '{"query": "tides"}'),))
    parameters = {"selective": True, "recent_messages": 5, "message_cap": 10, "min_exchanges": 1}
    return answer_of(pipeline_for(messages), 400, parameters=parameters)


@pytest.fixture
def shown(qtbot: QtBot) -> ItemText:
    made = ItemText()
    qtbot.addWidget(made)
    made.resize(700, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def texts(shown: ItemText) -> dict[str, str]:
    """The visible panes by their names."""
    return {
        pane.accessibleName(): pane.toPlainText() for pane in shown.findChildren(QPlainTextEdit) if pane.isVisible()
    }


def words(shown: ItemText) -> str:
    return " ".join(label.text() for label in shown.findChildren(QLabel) if label.isVisible())


def test_a_summary_stands_beside_its_original(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 0)
    assert texts(shown) == {"Original text": LONG, "Text in the prompt": "[Earlier: a short one]"}
    assert "Mara" in words(shown)


def test_what_is_cut_off_is_marked(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 2)
    kept = texts(shown)["Text in the prompt"]
    assert LONG.startswith(kept)
    assert kept != LONG
    pane = next(pane for pane in shown.findChildren(QPlainTextEdit) if pane.accessibleName() == "Original text")
    (marked,) = pane.extraSelections()
    assert marked.cursor.selectedText() == LONG[len(kept) :]


def test_a_text_that_stays_as_it_is_stands_once(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 7)
    assert list(texts(shown)) == ["Original text"]
    assert "In the prompt as it is" in words(shown)


def test_tool_calls_are_readable_and_overrides_visible(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 4)
    panes = texts(shown)
    assert "pay ⟦RLO⟧001$" in panes["Original text"]
    assert '"query": "tides"' in panes["Tool calls and what else the file says"]


def test_nothing_is_made_while_it_is_hidden(shown: ItemText, answer: Answer, qtbot: QtBot) -> None:
    shown.hide()
    shown.show_item(answer, 0)
    shown.show()
    assert texts(shown)["Original text"] == LONG
    shown.show_item(None, None)
    assert texts(shown) == {}
    assert "Select an item" in words(shown)


def tokens_of(shown: ItemText, qtbot: QtBot) -> TokenText:
    """The page of tokens, brought to the front."""
    button = next(button for button in shown.findChildren(QToolButton) if button.text() == "Tokens")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    return shown.findChildren(TokenText)[0]


def test_the_tokens_are_those_of_what_is_in_the_prompt(shown: ItemText, qtbot: QtBot) -> None:
    messages = [message(0, LONG, summary="a short one"), *timed_messages(8)[1:]]
    parameters = {"selective": True, "recent_messages": 5, "min_exchanges": 1}
    pipeline = pipeline_for(messages)
    answer = answer_of(pipeline, 400, tokenizer="embedded:o200k_base", parameters=parameters)
    shown.show_item(answer, 0)
    tokens = tokens_of(shown, qtbot)
    qtbot.waitUntil(lambda: tokens.shown.text == answer.assembly.text(0) != LONG)
    assert len(tokens.shown) == int(answer.assembly.spent[0])
    assert "Tokens of what is in the prompt for it" in words(shown)
    tiny = answer_of(pipeline, 60, tokenizer="embedded:o200k_base")
    shown.show_item(tiny, 0)
    qtbot.waitUntil(lambda: tokens.shown.text == LONG)
    assert "Tokens of the original, which is not in the prompt" in words(shown)


def test_the_same_text_keeps_its_token(shown: ItemText, answer: Answer, qtbot: QtBot) -> None:
    exact = answer_of(pipeline_for(timed_messages(8)), 400, tokenizer="embedded:o200k_base")
    shown.show_item(exact, 7)
    tokens = tokens_of(shown, qtbot)
    qtbot.waitUntil(lambda: len(tokens.shown) > 0)
    qtbot.keyClick(tokens, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    shown.show_item(answer_of(pipeline_for(timed_messages(8)), 300, tokenizer="embedded:o200k_base"), 7)
    qtbot.wait(50)
    assert tokens.current_cell == len(tokens.shown.cells) - 1
    shown.show_item(answer, 7)
    qtbot.waitUntil(lambda: "estimate:words estimates" in words(shown))
    shown.show_item(None, None)
    assert not tokens.isVisible()


def test_unseen_characters_are_written_out() -> None:
    assert made_visible("a\u202eb\u2066c\u200bd\ufeff\x00\U000e0041") == "a⟦RLO⟧b⟦LRI⟧c⟦ZWSP⟧d⟦BOM⟧⟦U+0000⟧⟦TAG A⟧"
    england = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert made_visible(f"a {england}!") == f"a {england}!"
    assert made_visible(england[:-1]).endswith("⟦TAG g⟧")
    assert made_visible("one\r\ntwo\rthree\tfour") == "one\ntwo\nthree\tfour"
    assert first_line("  a\n\nb\t c ") == "a b c"
    assert first_line("x" * 400, 10) == "x" * 10 + "…"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_shown_hides_nothing_and_has_qts_length(text: str) -> None:
    seen = made_visible(text)
    assert not set(seen) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\r\x00")
    assert shown_length(seen) == len(seen.encode("utf-16-le")) // 2
    assert made_visible(seen) == seen

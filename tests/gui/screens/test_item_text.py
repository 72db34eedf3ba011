"""The text of an item: what is in the prompt or the original, its tokens, its fields, and nothing that hides."""

import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTextEdit
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.gui.parts.reading_pane import LONGEST_SPACED
from inspector.gui.parts.texts import first_line, shown_length
from inspector.gui.screens.details.controls import Switch
from inspector.gui.screens.details.item_text import ItemText
from inspector.gui.token_text.text import TokenText
from inspector.model import Call, Text, with_parts
from inspector.visible_text import made_visible

LONG = " ".join(f"word{number}" for number in range(30))


@pytest.fixture
def answer() -> Answer:
    """m0 summarized, m2 cut, m4 with a tool call and a bidirectional override, the rest as it is."""
    messages = timed_messages(8)
    messages[0] = message(0, LONG, summary="a short one", name="Mara")
    messages[2] = message(2, LONG, key_moment=True)
    messages[4] = with_parts(message(4, ""), [Text("pay \u202e001$"), Call("t1", "search", '{"query": "tides"}')])
    parameters = {"selective": True, "recent_messages": 5, "message_cap": 10, "min_exchanges": 1}
    return answer_of(pipeline_for(messages), 400, parameters=parameters)


@pytest.fixture
def shown(qtbot: QtBot) -> ItemText:
    made = ItemText()
    qtbot.addWidget(made)
    made.resize(400, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def pane(shown: ItemText) -> QTextEdit | QPlainTextEdit:
    """The one text that is seen."""
    panes = [*shown.findChildren(QTextEdit), *shown.findChildren(QPlainTextEdit)]
    (seen,) = (one for one in panes if one.isVisible())
    return seen


def words(shown: ItemText) -> str:
    return " ".join(label.text() for label in shown.findChildren(QLabel) if label.isVisible())


def switch(shown: ItemText, text: str) -> QAbstractButton:
    return next(one for one in shown.findChildren(Switch) if one.text() == text)


def press(shown: ItemText, text: str, qtbot: QtBot) -> None:
    qtbot.mouseClick(switch(shown, text), Qt.MouseButton.LeftButton)


def test_a_summary_is_shown_as_in_the_prompt_and_its_original_by_a_switch(
    shown: ItemText, answer: Answer, qtbot: QtBot
) -> None:
    shown.show_item(answer, 0)
    assert pane(shown).toPlainText() == "[Earlier: a short one]"
    assert "As in the prompt: ≈ 4 tokens" in words(shown)
    press(shown, "Original", qtbot)
    assert pane(shown).toPlainText() == LONG
    assert "Original: ≈ 30 tokens" in words(shown)
    shown.show_item(answer, 2)
    assert not switch(shown, "Original").isChecked(), "another item begins with its text in the prompt"


def test_what_is_cut_off_is_muted_in_the_original(shown: ItemText, answer: Answer, qtbot: QtBot) -> None:
    shown.show_item(answer, 2)
    kept = pane(shown).toPlainText()
    assert LONG.startswith(kept)
    assert kept != LONG
    press(shown, "Original", qtbot)
    (marked,) = pane(shown).extraSelections()
    assert marked.cursor.selectedText() == LONG[len(kept) :]


def test_a_text_that_stays_as_it_is_has_no_original(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 7)
    assert not switch(shown, "Original").isVisible()
    assert not switch(shown, "Fields").isVisible()
    assert words(shown) == ""


def test_tool_calls_are_readable_and_overrides_visible(shown: ItemText, answer: Answer, qtbot: QtBot) -> None:
    shown.show_item(answer, 4)
    assert "pay ⟦RLO⟧001$" in pane(shown).toPlainText()
    press(shown, "Fields", qtbot)
    assert '"query": "tides"' in pane(shown).toPlainText()
    press(shown, "Tokens", qtbot)
    assert not switch(shown, "Fields").isChecked()


def test_a_message_without_a_text_shows_its_calls_at_once(shown: ItemText) -> None:
    messages = [*timed_messages(2), with_parts(message(2, ""), [Text(" "), Call("t1", "search", '{"query": "tides"}')])]
    shown.show_item(answer_of(pipeline_for(messages), 400), 2)
    assert '"query": "tides"' in pane(shown).toPlainText()


def test_a_very_long_text_is_shown_by_a_pane_that_lays_it_out_as_it_is_read(shown: ItemText) -> None:
    whole = "a word and " * (LONGEST_SPACED // 10)
    answer = answer_of(pipeline_for([message(0, whole), message(1)]), 90_000)
    shown.show_item(answer, 0)
    assert isinstance(pane(shown), QPlainTextEdit)
    assert pane(shown).toPlainText() == whole
    shown.show_item(answer, 1)
    assert isinstance(pane(shown), QTextEdit)


def test_its_height_is_that_of_its_text(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 7)
    low = shown.height_wanted(400)
    shown.show_item(answer_of(pipeline_for([message(0, LONG), message(1)]), 400), 0)
    assert shown.height_wanted(400) > low + 50
    assert shown.height_wanted(200) > shown.height_wanted(400), "a narrower text has more lines"


def test_words_that_only_the_original_has_turn_to_it(shown: ItemText, answer: Answer) -> None:
    shown.show_item(answer, 0)
    shown.mark_words(("word17",))
    assert pane(shown).toPlainText() == LONG
    (marked,) = pane(shown).extraSelections()
    assert marked.cursor.selectedText() == "word17"


def test_nothing_is_made_while_it_is_hidden(shown: ItemText, answer: Answer) -> None:
    shown.hide()
    shown.show_item(answer, 7)
    assert shown.plain_text() == ""
    shown.show()
    assert pane(shown).toPlainText() == answer.assembly.candidates.texts[7]


def tokens_of(shown: ItemText, qtbot: QtBot) -> TokenText:
    """The page of tokens, brought to the front."""
    press(shown, "Tokens", qtbot)
    return shown.findChildren(TokenText)[0]


def test_the_tokens_are_those_of_the_text_that_is_shown(shown: ItemText, qtbot: QtBot) -> None:
    messages = [message(0, LONG, summary="a short one"), *timed_messages(8)[1:]]
    parameters = {"selective": True, "recent_messages": 5, "min_exchanges": 1}
    pipeline = pipeline_for(messages)
    answer = answer_of(pipeline, 400, tokenizer="embedded:o200k_base", parameters=parameters)
    shown.show_item(answer, 0)
    tokens = tokens_of(shown, qtbot)
    qtbot.waitUntil(lambda: tokens.shown.text == answer.assembly.text(0) != LONG)
    assert len(tokens.shown) == int(answer.assembly.spent[0])
    press(shown, "Original", qtbot)
    qtbot.waitUntil(lambda: tokens.shown.text == LONG)
    assert shown.plain_text() == LONG


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

"""The prompt: pieces that are the prompt's texts, one rendered text, its tokens, marks where an item stands."""

import json
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QTableView, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer, measured
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly, Composed, Run
from inspector.assembly.edits import use_window
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.rendered_prompt import prompt_messages, render_prompt
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.texts import shown_length
from inspector.gui.screens.prompt.model import PromptModel, PromptText
from inspector.gui.screens.prompt.sent_text import CHARACTERS_AT_ONCE, SpanText
from inspector.gui.screens.prompt.view import PromptPreview
from inspector.gui.theme import theme
from inspector.gui.token_text.text import TokenText
from inspector.tokens.chat.format import ChatFormat


@pytest.fixture
def pipeline() -> Pipeline:
    return pipeline_for(timed_messages(30), ["Same \U0001f6a2", "Same \U0001f6a2", "me", "mem"])


@pytest.fixture
def answer(pipeline: Pipeline) -> Answer:
    return measured(pipeline, answer_of(pipeline, 200))


@pytest.fixture
def chat_format(answer: Answer) -> ChatFormat:
    return answer.model.chat_format


@pytest.fixture
def preview(qtbot: QtBot) -> PromptPreview:
    made = PromptPreview()
    qtbot.addWidget(made)
    made.resize(800, 400)
    with qtbot.waitExposed(made):
        made.show()
    return made


def list_of(preview: PromptPreview) -> QTableView:
    return next(view for view in preview.findChildren(QTableView) if view.accessibleName() == "Messages of the prompt")


def raw_of(preview: PromptPreview) -> QPlainTextEdit:
    return next(
        text for text in preview.findChildren(QPlainTextEdit) if text.accessibleName() == "The prompt as one text"
    )


def text_of(answer: Answer) -> str:
    assert answer.ledger.prompt is not None
    return answer.ledger.prompt.chat.text


def press(preview: PromptPreview, kind: type, text: str, qtbot: QtBot) -> None:
    button = next(button for button in preview.findChildren(kind) if button.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def last_row(assembly: Assembly) -> int:
    return len(assembly.candidates) - 1


def test_the_pieces_are_the_prompts_messages(answer: Answer) -> None:
    model = PromptModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(answer.assembly)
    messages = list(prompt_messages(answer.assembly))
    pieces = [model.piece(number) for number in range(model.rowCount())]
    assert model.message_count == len(messages)
    assert [piece.row for piece in pieces if piece.row is not None] == [row for found in messages for row in found.rows]
    for number, piece in enumerate(pieces):
        assert piece.role == messages[piece.message].role
        if not piece.is_part:
            assert model.whole_text(number) == messages[piece.message].content
        if piece.row is not None:
            assert model.place_of(piece.row) == number
    assert pieces[0].row is None
    assert pieces[0].tokens == sum(piece.tokens for piece in pieces if piece.is_part)
    model.show(None)
    assert model.rowCount() == 0
    assert tester.model() is model


def composed(answer: Answer) -> Assembly:
    """The same decisions with a layout that writes memories and a message into one text."""
    memories = answer.assembly.candidates.rows(Kind.MEMORY).tolist()
    messages = answer.assembly.candidates.rows(Kind.MESSAGE)
    first, *others = messages[answer.assembly.in_prompt[messages]].tolist()
    pieces = ("# Facts\n", memories[0], " and ", memories[1], "\n# Said\n", first)
    blocks = (Composed("system", ("Only words.",)), Composed("user", pieces), Run(np.array(others)))
    return replace(answer.assembly, layout=lambda _: blocks)


def test_a_composed_message_is_listed_with_its_items(answer: Answer, chat_format: ChatFormat) -> None:
    assembly = composed(answer)
    model = PromptModel()
    model.show(assembly)
    messages = list(prompt_messages(assembly))
    assert model.message_count == len(messages)
    assert [model.piece(number).text for number in range(2)] == ["Only words.", "# Facts\n"]
    assert [model.whole_text(number) for number in range(2)] == [found.content for found in messages[:2]]
    prompt = PromptText(assembly, render_prompt(assembly, chat_format))
    for row in messages[1].rows:
        span = prompt.span(row)
        assert span is not None
        assert prompt.text[span[0] : span[1]] == assembly.text(row)
        assert model.piece(model.place_of(row) or 0).row == row


def test_a_dropped_item_has_no_place(pipeline: Pipeline, chat_format: ChatFormat) -> None:
    answer = answer_of(pipeline, 100)
    model = PromptModel()
    model.show(answer.assembly)
    dropped = next(row for row in range(len(answer.assembly.candidates)) if not answer.assembly.in_prompt[row])
    assert model.place_of(dropped) is None
    assert PromptText(answer.assembly, render_prompt(answer.assembly, chat_format)).span(dropped) is None


def test_spans_are_where_the_texts_stand(answer: Answer, chat_format: ChatFormat) -> None:
    prompt = PromptText(answer.assembly, render_prompt(answer.assembly, chat_format))
    ends = [0]
    for message_rows in (found.rows for found in prompt_messages(answer.assembly)):
        for row in message_rows:
            span = prompt.span(row)
            assert span is not None
            assert prompt.text[span[0] : span[1]] == answer.assembly.text(row)
            assert span[0] >= ends[-1]
            ends.append(span[1])
    assert len(ends) > 10


def test_a_click_selects_the_item_and_shows_its_text(preview: PromptPreview, answer: Answer, qtbot: QtBot) -> None:
    preview.show_answer(answer)
    press(preview, QToolButton, "Messages", qtbot)
    listed = list_of(preview)
    index = listed.model().index(3, 0)
    piece = index.data(Qt.ItemDataRole.UserRole)
    with qtbot.waitSignal(preview.row_selected) as told:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(index).center())
    assert told.args == [piece.row]
    reading = next(text for text in preview.findChildren(QPlainTextEdit) if "selected" in text.accessibleName())
    assert reading.toPlainText() == piece.text
    with qtbot.waitSignal(preview.row_selected) as told:
        qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert told.args == [listed.model().index(4, 0).data(Qt.ItemDataRole.UserRole).row]


def test_showing_a_row_scrolls_to_it_and_tells_nobody(preview: PromptPreview, answer: Answer, qtbot: QtBot) -> None:
    preview.show_answer(answer)
    press(preview, QToolButton, "Messages", qtbot)
    row = last_row(answer.assembly)
    with qtbot.assertNotEmitted(preview.row_selected):
        preview.show_row(row)
    listed = list_of(preview)
    assert listed.currentIndex().data(Qt.ItemDataRole.UserRole).row == row
    assert listed.viewport().rect().intersects(listed.visualRect(listed.currentIndex()))


def test_the_raw_text_is_whole_and_marks_the_item(preview: PromptPreview, answer: Answer, qtbot: QtBot) -> None:
    preview.show_answer(answer)
    press(preview, QToolButton, "One text", qtbot)
    assert raw_of(preview).toPlainText() == text_of(answer)
    row = last_row(answer.assembly)
    preview.show_row(row)
    (marked,) = raw_of(preview).extraSelections()
    assert marked.cursor.selectedText() == answer.assembly.text(row)


def test_a_click_into_the_text_selects_the_item_there(preview: PromptPreview, answer: Answer, qtbot: QtBot) -> None:
    preview.show_answer(answer)
    text = raw_of(preview)
    assert isinstance(text, SpanText)
    assert answer.ledger.prompt is not None
    span = PromptText(answer.assembly, answer.ledger.prompt).span(first := answer.ledger.prompt.messages[1].rows[0])
    assert span is not None
    cursor = text.textCursor()
    cursor.setPosition(shown_length(text_of(answer)[: span[0] + 1]))
    with qtbot.waitSignal(preview.row_selected) as told:
        qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=text.cursorRect(cursor).center())
    assert told.args == [first]
    (marked,) = text.extraSelections()
    assert marked.cursor.selectedText() == answer.assembly.text(first)
    text.setTextCursor(cursor)
    with qtbot.waitSignal(preview.row_selected) as told:
        qtbot.keyClick(text, Qt.Key.Key_Return)
    assert told.args == [first]


def test_each_item_of_the_text_has_the_colour_of_its_section_and_its_tokens(
    preview: PromptPreview, answer: Answer
) -> None:
    preview.show_answer(answer)
    text = raw_of(preview)
    assert isinstance(text, SpanText)
    shown = list(text._in_sight())
    row = shown[0][0].row
    edge = text._edges.grab().toImage().pixelColor(1, shown[0][1] + 3)
    assert edge == theme().section_color(Section(int(answer.assembly.section[row])))
    blank = text._edges.grab().toImage().pixelColor(text._edges.width() - 1, shown[0][1] + 3)
    assert blank == theme().base
    figures = text._figures.grab().toImage()
    inks = {figures.pixelColor(x, y).name() for x in range(figures.width()) for y in range(0, figures.height(), 2)}
    assert len(inks) > 2, "the tokens are written there"


def test_the_raw_text_follows_once_the_prompt_is_measured(
    preview: PromptPreview, pipeline: Pipeline, answer: Answer, qtbot: QtBot
) -> None:
    preview.show_answer(answer)
    press(preview, QToolButton, "One text", qtbot)
    planned = answer_of(pipeline, 120)
    preview.show_answer(planned)
    assert raw_of(preview).toPlainText() == text_of(answer)
    other = measured(pipeline, planned)
    preview.show_answer(other)
    assert raw_of(preview).toPlainText() == text_of(other) != text_of(answer)


def tokens_of(preview: PromptPreview) -> TokenText:
    return preview.findChildren(TokenText)[0]


def test_the_tokens_are_those_of_the_prompt(preview: PromptPreview, pipeline: Pipeline, qtbot: QtBot) -> None:
    exact = measured(pipeline, answer_of(pipeline, 400, tokenizer="embedded:o200k_base"))
    preview.show_answer(exact)
    qtbot.wait(20)
    assert tokens_of(preview).shown.text == ""
    press(preview, QToolButton, "Tokens", qtbot)
    qtbot.waitUntil(lambda: tokens_of(preview).shown.text == text_of(exact))
    assert len(tokens_of(preview).shown) == exact.ledger.rendered
    assert tokens_of(preview).shown.special.any()
    row = last_row(exact.assembly)
    preview.show_row(row)
    cell = tokens_of(preview).current_cell
    assert cell is not None
    begin = tokens_of(preview).shown.cells.span(cell)[0]
    assert text_of(exact)[begin:].startswith(exact.assembly.text(row))
    press(preview, QPushButton, "Copy text", qtbot)
    assert QGuiApplication.clipboard().text() == text_of(exact)


def test_a_token_that_was_chosen_stays_while_the_same_prompt_is_shown(
    preview: PromptPreview, pipeline: Pipeline, qtbot: QtBot
) -> None:
    exact = measured(pipeline, answer_of(pipeline, 400, tokenizer="embedded:o200k_base"))
    preview.show_answer(exact)
    press(preview, QToolButton, "Tokens", qtbot)
    preview.show_row(last_row(exact.assembly))
    qtbot.waitUntil(lambda: tokens_of(preview).current_cell is not None)
    qtbot.keyClick(tokens_of(preview), Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    preview.show_answer(exact)
    preview.show_row(last_row(exact.assembly))
    assert tokens_of(preview).current_cell == 0


def test_copies_are_json_messages_or_the_raw_text(preview: PromptPreview, answer: Answer, qtbot: QtBot) -> None:
    preview.show_answer(answer)
    press(preview, QToolButton, "Messages", qtbot)
    press(preview, QPushButton, "Copy messages", qtbot)
    copied = json.loads(QGuiApplication.clipboard().text())
    assert [found["content"] for found in copied] == [found.content for found in prompt_messages(answer.assembly)]
    press(preview, QToolButton, "One text", qtbot)
    press(preview, QPushButton, "Copy text", qtbot)
    assert QGuiApplication.clipboard().text() == text_of(answer)


def test_a_huge_prompt_is_cut_and_shows_more(preview: PromptPreview, qtbot: QtBot) -> None:
    pipeline = pipeline_for([message(number, "tide " * 60_000) for number in range(4)])
    answer = measured(pipeline, answer_of(pipeline, 1_000_000))
    preview.show_answer(answer)
    press(preview, QToolButton, "One text", qtbot)
    assert len(raw_of(preview).toPlainText()) == CHARACTERS_AT_ONCE
    press(preview, QPushButton, "Show more", qtbot)
    assert len(raw_of(preview).toPlainText()) > CHARACTERS_AT_ONCE
    preview.show_row(3)
    (marked,) = raw_of(preview).extraSelections()
    assert len(marked.cursor.selectedText()) == len(answer.assembly.text(3))


def test_texts_are_made_for_the_rows_that_are_seen(
    preview: PromptPreview, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = answer_of(pipeline_for(timed_messages(3000)), 1_000_000)
    asked: list[int] = []
    text = Assembly.text
    monkeypatch.setattr(Assembly, "text", lambda self, row: asked.append(row) or text(self, row))
    press(preview, QToolButton, "Messages", qtbot)
    preview.show_answer(answer)
    list_of(preview).grab()
    assert 0 < len(asked) < 300
    preview.hide()
    asked.clear()
    preview.show_answer(answer_of(pipeline_for(timed_messages(3000)), 1_000_000))
    assert asked == []


def test_an_error_and_nothing_at_all_say_so(preview: PromptPreview, pipeline: Pipeline) -> None:
    failed = answer_of(pipeline, 200, parameters={"memory_share": 0.9})
    preview.show_answer(failed)
    assert not list_of(preview).isVisible()
    preview.show_answer(None)
    assert not list_of(preview).isVisible()


def test_the_text_stays_where_it_is_read_until_another_item_is_selected(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    companion.show_screen("prompt")
    companion.select(assembly.candidates.ids.index("m330"))
    raw = companion.screens["prompt"].view._raw
    bar = raw.text.verticalScrollBar()
    qtbot.waitUntil(lambda: companion.session.is_ready and bar.value() > 0)
    bar.setValue(3)
    before, top = raw._prompt, raw.text.firstVisibleBlock().blockNumber()
    companion.session.edit(use_window, 12_000)
    qtbot.waitUntil(lambda: companion.session.is_ready and raw._prompt is not before)
    assert raw.text.firstVisibleBlock().blockNumber() == top
    companion.select(assembly.candidates.ids.index("m331"))
    assert bar.value() > 3
    bar.setValue(3)
    companion.select(assembly.candidates.ids.index("m331"))
    assert bar.value() > 3, "asked for again, it is shown again"


def test_pieces_of_a_session_sum_to_its_items_with_the_summary_among_them() -> None:
    parameters = {"user_message_tokens": 4, "summary_size": 300}
    answer = answer_of(pipeline_for(timed_messages(60)), 100, policy="codex_compact", parameters=parameters)
    model = PromptModel()
    model.show(answer.assembly)
    pieces = [model.piece(number) for number in range(model.rowCount())]
    assert sum(piece.tokens for piece in pieces) == answer.ledger.items
    (summary,) = [piece for piece in pieces if piece.row is None]
    last = answer.assembly.compactions[-1]
    assert (summary.item, summary.tokens, summary.exact, summary.section) == (last.id, 300, False, Section.HISTORY)
    assert summary.text == last.text

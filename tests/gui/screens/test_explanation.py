"""The explanation: sentence, figures, formula and totals that agree with the answer; buttons that ask."""

import re
from itertools import product

import pytest
from answers import answer_of, pipeline_for, timed_messages
from cells import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer, measured
from inspector.assembly.columns import Action, Kind
from inspector.assembly.explain import decider_of, decision_sentence
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.reasons import AFTER_STOP
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.page import PageView
from inspector.gui.parts.room import Room
from inspector.gui.screens.explanation.view import Explanation
from inspector.gui.theme import apply_theme, theme
from inspector.model import Message

WIDTHS = (300, 380, 520, 640, 760)


@pytest.fixture
def pipeline() -> Pipeline:
    messages = timed_messages(20)
    hidden = {"recorded": {"action": "dropped", "reason": "hidden"}, "recorded_tokens": 75}
    messages[3] = Message("m3", "assistant", "<b>bold</b> \u202e words", metadata=hidden)
    return pipeline_for(messages, [f"Fact {number} about the harbour" for number in range(6)])


@pytest.fixture
def answer(pipeline: Pipeline) -> Answer:
    return answer_of(pipeline, 100)


@pytest.fixture
def shown(qtbot: QtBot, qapp: QApplication) -> Explanation:
    apply_theme(qapp, "light")
    made = Explanation()
    qtbot.addWidget(made)
    made.resize(700, 400)
    with qtbot.waitExposed(made):
        made.show()
    return made


def row_of(answer: Answer, name: str) -> int:
    return answer.assembly.candidates.ids.index(name)


def button_of(shown: Explanation, text: str) -> QPushButton:
    return next(button for button in shown.findChildren(QPushButton) if button.text() == text)


def test_it_has_its_name_and_says_what_it_is_for(shown: Explanation) -> None:
    assert shown.objectName() == "explanation"
    assert "Open a conversation" in shown.text()
    assert not any(button.isVisible() for button in shown.findChildren(QPushButton))


def test_the_sentence_and_the_figures_are_those_of_the_answer(
    shown: Explanation, answer: Answer, pipeline: Pipeline
) -> None:
    assembly = answer.assembly
    for row in (row_of(answer, "m0"), row_of(answer, "m19"), row_of(answer, "k5")):
        shown.show_item(answer, row, answer.case.policy)
        words = shown.text()
        assert decision_sentence(assembly, row) in words
        assert assembly.candidates.ids[row] in words
        assert re.search(rf"Tokens, whole item\s+≈ {int(assembly.candidates.tokens[row])}\s+estimated", words)
    shown.show_item(answer, row_of(answer, "m4"), None)
    assert "newest first" in shown.text()
    assert "Mara" in shown.text()
    assert "2024-05-01 09:08" in shown.text()


def test_a_memorys_ranking_is_written_out_and_sums_to_its_score(
    shown: Explanation, answer: Answer, pipeline: Pipeline
) -> None:
    row = int(answer.assembly.candidates.rows(Kind.MEMORY)[2])
    shown.show_item(answer, row, answer.case.policy)
    words = shown.text()
    parts = [float(part) for part in re.findall(r"= (\d\.\d{3})", words)]
    assert len(parts) == 4
    assert sum(parts) == pytest.approx(float(answer.assembly.score[row]), abs=0.003)
    assert f"{float(answer.assembly.score[row]):.3f}" in words.split("score")[-1]
    assert "not known, counts as 0" in words
    shown.show_item(answer, row, object())
    assert "How it is ranked" not in shown.text()


def test_what_the_file_recorded_is_told_and_text_is_never_markup(shown: Explanation, answer: Answer) -> None:
    shown.show_item(answer, row_of(answer, "m3"), None)
    assert "recorded: dropped (hidden)" in shown.text()
    assert re.search(r"Tokens, as recorded\s+75", shown.text())
    messages = timed_messages(3)
    messages[0] = Message("<img src=x>", "user", "a b", metadata={"recorded": "<b>gone</b>"})
    strange = answer_of(pipeline_for(messages), 100)
    shown.show_item(strange, 0, None)
    assert "<img src=x>" in shown.text()
    assert "recorded: <b>gone</b>." in shown.text()
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in shown.findChildren(QLabel))


def test_the_totals_are_an_equation(shown: Explanation, answer: Answer, pipeline: Pipeline) -> None:
    shown.show_item(answer, None, None)
    words = shown.text()
    budget, ledger = answer.assembly.budget, answer.ledger
    figures = {
        key: int(value.replace(",", "")) for key, value in re.findall(r"^(\S[^\n]*)\n(?:≈ )?([\d,]+)$", words, re.M)
    }
    named = ("Memories", "Conversation", *(line.name.capitalize() for line in ledger.lines))
    assert sum(figures[name] for name in named) == figures["Total"] == ledger.total
    free = figures["= free"] if "= free" in figures else -figures["= over the window"]
    assert free == budget.context_window - ledger.total - budget.response_reserve
    assert "being measured" in words
    shown.show_item(measured(pipeline, answer), None, None)
    assert f"residual {measured(pipeline, answer).ledger.residual:,}" in shown.text()


def test_an_error_is_said_first(shown: Explanation, pipeline: Pipeline) -> None:
    failed = answer_of(pipeline, 100, parameters={"memory_share": 0.9})
    shown.show_item(failed, None, None)
    assert failed.assembly.error is not None
    assert failed.assembly.error.message in shown.text()


def test_buttons_ask_for_the_item(shown: Explanation, answer: Answer, qtbot: QtBot) -> None:
    row = row_of(answer, "m19")
    shown.show_item(answer, row, None)
    for text, signal, value in (
        ("Pin", shown.pin_requested, ["m19"]),
        ("Exclude", shown.exclude_requested, ["m19"]),
        ("Show in prompt", shown.show_in_prompt, row),
    ):
        with qtbot.waitSignal(signal) as asked:
            qtbot.mouseClick(button_of(shown, text), Qt.MouseButton.LeftButton)
        assert asked.args == [value]


def test_in_a_low_panel_only_the_page_is_scrolled(answer: Answer, qtbot: QtBot, qapp: QApplication) -> None:
    shown = Explanation()
    room = Room(lambda _: shown)
    qtbot.addWidget(room)
    room.resize(760, 180)
    with qtbot.waitExposed(room):
        room.show()
    shown.show_item(answer, row_of(answer, "k5"), answer.case.policy)
    settle(qapp)
    page = shown.findChild(PageView)
    assert page is not None
    assert page.verticalScrollBar().maximum() > 0
    assert room.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("width", [150, 210, 300])
def test_in_a_narrow_panel_words_and_buttons_are_whole(
    shown: Explanation, answer: Answer, qapp: QApplication, width: int
) -> None:
    page = shown.findChild(PageView)
    assert page is not None
    shown.setFixedWidth(width)  # as a dock does, which asks for less than a window
    for row in (None, row_of(answer, "k5"), row_of(answer, "m0")):
        shown.show_item(answer, row, answer.case.policy)
        settle(qapp)
        assert broken_words(page.document()) == []
        buttons = [button for button in shown.findChildren(QPushButton) if button.isVisible()]
        assert all(shown.rect().contains(button.geometry()) for button in buttons)
        assert all(button.width() >= button.sizeHint().width() for button in buttons)


def test_buttons_say_what_they_would_do(shown: Explanation, pipeline: Pipeline) -> None:
    answer = answer_of(pipeline, 100, pinned=("m1",), excluded=("m2",))
    shown.show_item(answer, row_of(answer, "m1"), None)
    assert button_of(shown, "Unpin").isEnabled()
    shown.show_item(answer, row_of(answer, "m2"), None)
    assert button_of(shown, "Include again").isEnabled()
    assert answer.assembly.action[row_of(answer, "m2")] == Action.DROPPED
    assert not button_of(shown, "Show in prompt").isEnabled()


def test_colours_follow_the_theme(shown: Explanation, answer: Answer, qapp: QApplication) -> None:
    shown.show_item(answer, 0, None)
    page = shown.findChildren(QTextBrowser)[0]
    light = theme().text.name()
    assert light in page.toHtml()
    apply_theme(qapp, "dark")
    assert theme().text.name() in page.toHtml()
    assert light not in page.toHtml()
    apply_theme(qapp, "light")


def test_the_item_that_decided_is_a_link_that_leads_to_it(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    row = next(row for row in range(len(assembly.candidates)) if assembly.reason_of(row) is AFTER_STOP)
    decider = decider_of(assembly, row)
    assert decider is not None
    companion.select(row)
    page = companion.screens["explanation"].view.findChild(PageView)
    words = f"The first that did not fit is {assembly.candidates.ids[decider.row]}."
    assert words in page.toPlainText()
    cursor = page.document().find(f" {assembly.candidates.ids[decider.row]}.")
    cursor.setPosition(cursor.selectionEnd() - 2)
    place = page.cursorRect(cursor).center()
    assert page.anchorAt(place)
    qtbot.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert companion.row == decider.row


@pytest.mark.parametrize("steps", [0, 5])
def test_no_width_breaks_words_or_has_to_be_scrolled_sideways(companion: MainWindow, qtbot: QtBot, steps: int) -> None:
    session = companion.session
    view = Explanation()
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    assert session.answer is not None
    ranked = next(row for row, name in enumerate(session.answer.assembly.candidates.ids) if name.startswith("mem-"))
    rows = (None, 0, ranked, len(session.answer.assembly.candidates) - 1)
    try:
        for _ in range(steps):
            companion.do("zoom_in")
        for width, row in product(WIDTHS, rows):
            view.resize(width * 3 // 2 if steps else width, 500)
            view.show_item(session.answer, row, session.policy)
            QApplication.processEvents()
            page = view.findChild(PageView)
            assert isinstance(page, PageView)
            assert page.horizontalScrollBar().maximum() == 0, (width, row)
            assert broken_words(page.document()) == [], (width, row)
    finally:
        companion.do("zoom_reset")


def broken_words(document: QTextDocument) -> list[str]:
    """Lines that end within a word."""
    broken, block = [], document.begin()
    while block.isValid():
        layout, text = block.layout(), block.text()
        ends = [layout.lineAt(line).textStart() for line in range(1, layout.lineCount())]
        broken += [text for end in ends if text[end - 1].isalnum() and text[end].isalnum()]
        block = block.next()
    return broken

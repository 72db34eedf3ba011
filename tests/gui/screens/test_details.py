"""The details: sentence, ways, figures and totals that agree with the answer; buttons and links that ask."""

import re
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from cells import settle
from painted_texts import texts_of
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.way import Keeping
from inspector.assembly.answer import Answer, measured
from inspector.assembly.columns import Action, Kind, Section, section_title
from inspector.assembly.explain import decider_of, decision_sentence
from inspector.assembly.numbers import called
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.reasons import AFTER_STOP
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.last_prompt import OF_BEFORE
from inspector.gui.parts.page import PageView
from inspector.gui.screens.details.cards import MOST_CARDS, WayCard
from inspector.gui.screens.details.controls import HeadButton, Link, Switch
from inspector.gui.screens.details.growing_page import GrowingPage
from inspector.gui.screens.details.head import title_of
from inspector.gui.screens.details.totals import SumRow
from inspector.gui.screens.details.view import SENTENCE, Details
from inspector.gui.theme import apply_theme, theme
from inspector.model import Message

WIDTHS = (264, 320, 404, 640, 760)


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
def shown(qtbot: QtBot, qapp: QApplication) -> Iterator[Details]:
    apply_theme(qapp, "light")
    made = Details()
    qtbot.addWidget(made)
    made.resize(404, 810)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    apply_theme(qapp, "light")


def row_of(answer: Answer, name: str) -> int:
    return answer.assembly.candidates.ids.index(name)


def button_of(shown: Details, name: str) -> QAbstractButton:
    return next(button for button in shown.findChildren(QAbstractButton) if button.accessibleName() == name)


def keeping_of(pipeline: Pipeline, answer: Answer, row: int) -> Keeping:
    basis = Basis(pipeline, answer.scenario)
    *_, found = (step for step in ways_to_keep(basis, np.array([row])) if isinstance(step, Keeping))
    return found


def cards(shown: Details) -> list[WayCard]:
    return [card for card in shown.findChildren(WayCard) if card.isVisible()]


def place_in(shown: Details, page: PageView | WayCard | Link) -> QPoint:
    return page.mapTo(shown, QPoint())


def click_link(page: PageView, words: str, qtbot: QtBot) -> None:
    cursor = page.document().find(words)
    cursor.setPosition(cursor.selectionEnd() - 1, QTextCursor.MoveMode.MoveAnchor)
    place = page.cursorRect(cursor).center()
    assert page.anchorAt(place)
    qtbot.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_it_says_what_it_is_for(shown: Details) -> None:
    assert shown.told.objectName() == "explanation"
    assert "Open a conversation" in shown.said()
    assert not any(button.isVisible() for button in shown.findChildren(HeadButton))


def test_the_sentence_and_the_figures_are_those_of_the_answer(shown: Details, answer: Answer) -> None:
    assembly = answer.assembly
    for row in (row_of(answer, "m0"), row_of(answer, "m19"), row_of(answer, "k5")):
        shown.show_item(answer, row, answer.case.policy)
        words = shown.said()
        assert decision_sentence(assembly, row).partition(". ")[2] in words
        assert words.startswith(title_of(assembly.candidates, row))
        assert re.search(rf"Tokens\n≈ {int(assembly.candidates.tokens[row])}, estimated\n", words)
        assert f"\nId\n{assembly.candidates.ids[row]}\n" in words
    shown.show_item(answer, row_of(answer, "m4"), None)
    assert "newest first" in shown.said()
    assert "Message 5\nMara, 1 May 09:08" in shown.said()
    assert "2024-05-01 09:08" in shown.said()


def test_the_outcome_has_its_glyph_and_its_color(shown: Details, answer: Answer) -> None:
    row = row_of(answer, "m0")
    assert answer.assembly.action[row] == Action.DROPPED
    shown.show_item(answer, row, None)
    assert shown.told.verdict.toPlainText().startswith("✕ Dropped. The ")
    assert theme().action_color(Action.DROPPED).name() in shown.told.verdict.toHtml()


def test_a_memorys_ranking_is_written_out_and_sums_to_its_score(shown: Details, answer: Answer) -> None:
    row = int(answer.assembly.candidates.rows(Kind.MEMORY)[2])
    shown.show_item(answer, row, answer.case.policy)
    words = shown.said()
    parts = [float(part) for part in re.findall(r"= (\d\.\d{3})", words)]
    assert len(parts) == 4
    assert sum(parts) == pytest.approx(float(answer.assembly.score[row]), abs=0.003)
    assert f"{float(answer.assembly.score[row]):.3f}" in words.split("Score")[-1]
    assert "not known, counts as 0" in words
    shown.show_item(answer, row, object())
    assert "How it is ranked" not in shown.said()


def test_what_the_file_recorded_is_told_and_text_is_never_markup(shown: Details, answer: Answer) -> None:
    shown.show_item(answer, row_of(answer, "m3"), None)
    assert "recorded: dropped (hidden)" in shown.said()
    assert "Tokens recorded\n75\nby the program" in shown.said()
    messages = timed_messages(3)
    messages[0] = Message("<img src=x>", "user", "a b", name="<i>", metadata={"recorded": "<b>gone</b>"})
    strange = answer_of(pipeline_for(messages), 100)
    shown.show_item(strange, 0, None)
    assert "<img src=x>" in shown.said()
    assert "recorded: <b>gone</b>." in shown.said()
    assert "\n<i>\n" in shown.said()
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in shown.findChildren(QLabel))


def lines_of(shown: Details) -> dict[str, int]:
    """The lines of the sums, as numbers by their names."""
    rows = [row.line for row in shown.findChildren(SumRow) if row.line is not None and row.isVisible()]
    return {line.name: int(line.figure.removeprefix("≈ ").replace(",", "")) for line in rows if "$" not in line.figure}


def test_the_totals_are_an_equation(shown: Details, answer: Answer, pipeline: Pipeline) -> None:
    shown.show_item(answer, None, None)
    figures, budget, ledger = lines_of(shown), answer.assembly.budget, answer.ledger
    assert shown.said().startswith("Where the tokens are")
    before_total = list(figures)[: list(figures).index("Total")]
    assert sum(figures[name] for name in before_total) == figures["Total"] == ledger.total
    free = figures["= free"] if "= free" in figures else -figures["= over the window"]
    assert free == budget.context_window - ledger.total - budget.response_reserve
    assert "being measured" in shown.said()
    shown.show_item(measured(pipeline, answer), None, None)
    assert "the sum adds up" in shown.said()


def test_lines_of_the_totals_lead_to_their_items_and_to_the_prompt(
    shown: Details, answer: Answer, qtbot: QtBot
) -> None:
    shown.show_item(answer, None, None)
    asked: list[str] = []
    shown.told.line_chosen.connect(asked.append)
    rows = {row.line.name: row for row in shown.findChildren(SumRow) if row.line is not None}
    qtbot.mouseClick(rows[section_title(Section.MEMORY)], Qt.MouseButton.LeftButton)
    rows["Total"].setFocus()
    qtbot.keyClick(rows["Total"], Qt.Key.Key_Space)
    qtbot.mouseClick(rows["Window"], Qt.MouseButton.LeftButton)
    summary = shown.told.totals.findChildren(GrowingPage)[0]
    click_link(summary, "dropped", qtbot)
    assert asked == ["section:memory", "prompt", "action:dropped"]


def test_an_error_is_said_first(shown: Details, pipeline: Pipeline) -> None:
    failed = answer_of(pipeline, 100, parameters={"memory_share": 0.9})
    shown.show_item(failed, None, None)
    assert failed.assembly.error is not None
    assert failed.assembly.error.message in shown.said()


def test_the_prompt_before_is_faint(shown: Details, pipeline: Pipeline, answer: Answer) -> None:
    failed = answer_of(pipeline, 100, parameters={"memory_share": 0.9})
    row = row_of(answer, "m0")
    shown.show_item(answer, row, answer.case.policy)
    dropped = theme().action_color(Action.DROPPED).name()
    assert dropped in shown.told.verdict.toHtml()
    shown.show_item(failed, row, None, answer)
    assert f"{OF_BEFORE}\n✕ Dropped." in shown.told.verdict.toPlainText()
    assert dropped not in shown.told.verdict.toHtml()
    assert theme().muted_text.name() in shown.told.figures.toHtml()
    assert not cards(shown)


def test_buttons_ask_for_the_item(shown: Details, answer: Answer, qtbot: QtBot) -> None:
    shown.show_item(answer, row_of(answer, "m19"), None)
    for name, wanted in (("Pin", "pin"), ("Must stay", "must_survive"), ("Leave out", "exclude")):
        with qtbot.waitSignal(shown.asked) as asked:
            qtbot.mouseClick(button_of(shown, name), Qt.MouseButton.LeftButton)
        assert asked.args == [wanted]
        assert not button_of(shown, name).isChecked(), "it shows what is, and is not a wish"


def test_the_menu_has_everything_else(shown: Details, answer: Answer, qtbot: QtBot) -> None:
    shown.show_item(answer, row_of(answer, "m19"), None)
    menu = shown.head.menu()
    actions = {action.objectName(): action for action in menu.actions() if action.objectName()}
    asked: list[str] = []
    shown.asked.connect(asked.append)
    for action in actions.values():
        action.trigger()
    assert asked == ["need", "note", "prompt"]
    assert QGuiApplication.clipboard().text() == "m19"
    actions["details:copy_text"].trigger()
    assert QGuiApplication.clipboard().text() == answer.assembly.candidates.texts[row_of(answer, "m19")]
    menu.close()
    shown.show_item(answer, row_of(answer, "m0"), None)
    (off,) = (action for action in shown.head.menu().actions() if action.objectName() == "details:prompt")
    assert not off.isEnabled()
    assert "not in the prompt" in off.toolTip()


def test_buttons_say_what_they_would_do(shown: Details, pipeline: Pipeline) -> None:
    answer = answer_of(pipeline, 100, pinned=("m1",), excluded=("m2",))
    shown.show_item(answer, row_of(answer, "m1"), None)
    assert button_of(shown, "Unpin").isChecked()
    shown.show_item(answer, row_of(answer, "m2"), None)
    assert button_of(shown, "Use again").isChecked()
    assert not cards(shown), "what was left out is used again, not kept"
    shown.show_changes(row_of(answer, "m2"), ())
    assert "would change it" not in shown.said()
    assert "Use it again" in shown.said()


def test_what_does_not_exist_yet_cannot_be_pinned(shown: Details, pipeline: Pipeline) -> None:
    early = answer_of(pipeline, 100, at=4)
    shown.show_item(early, row_of(early, "m10"), None)
    assert not button_of(shown, "Pin").isEnabled()
    assert "does not exist yet" in button_of(shown, "Pin").toolTip()
    assert button_of(shown, "Must stay").isEnabled()


def test_ways_are_shown_with_their_price_and_can_be_taken(
    shown: Details, answer: Answer, pipeline: Pipeline, qtbot: QtBot
) -> None:
    row = row_of(answer, "m0")
    keeping = keeping_of(pipeline, answer, row)
    assert len(keeping.ways) > MOST_CARDS
    shown.show_item(answer, row, answer.case.policy)
    assert "Looking for what would keep it…" in shown.said()
    shown.show_keeping(row, keeping)
    for card, way in zip(cards(shown), keeping.ways, strict=False):
        assert card.words.startswith(f"{way.label}\n")
        assert card.accessibleName().startswith(way.label)
    assert len(cards(shown)) == MOST_CARDS
    assert f"{len(keeping.ways) - MOST_CARDS} more way" in shown.said()
    taken: list[object] = []
    shown.told.way_taken.connect(taken.append)
    (button,) = cards(shown)[1].findChildren(QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert taken == [keeping.ways[1]]
    with qtbot.waitSignal(shown.told.more_asked):
        qtbot.mouseClick(button_of(shown, shown.told.ways._more.text()), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(shown.told.several_asked):
        qtbot.mouseClick(button_of(shown, "Several items at once…"), Qt.MouseButton.LeftButton)


def test_ways_of_an_earlier_prompt_can_not_be_taken(shown: Details, answer: Answer, pipeline: Pipeline) -> None:
    row = row_of(answer, "m0")
    shown.show_item(answer, row, answer.case.policy)
    shown.show_keeping(row, keeping_of(pipeline, answer, row))
    shown.set_stale()
    buttons = [button for card in cards(shown) for button in card.findChildren(QPushButton)]
    assert len(buttons) == MOST_CARDS
    assert not any(button.isEnabled() for button in buttons)
    shown.show_item(answer, row, answer.case.policy)
    assert len(cards(shown)) == MOST_CARDS, "the picture of before stays"
    shown.show_keeping(row, keeping_of(pipeline, answer, row))
    assert all(button.isEnabled() for button in buttons)
    shown.show_item(answer, row_of(answer, "m1"), answer.case.policy)
    assert cards(shown) == [], "these are of another item"


def test_nothing_moves_when_ways_are_found(shown: Details, answer: Answer, pipeline: Pipeline) -> None:
    row = row_of(answer, "m0")
    shown.show_item(answer, row, answer.case.policy)
    QApplication.processEvents()
    before = shown.text.geometry(), place_in(shown, shown.told.verdict), place_in(shown, shown.told.figures)
    shown.show_keeping(row, keeping_of(pipeline, answer, row))
    QApplication.processEvents()
    after = shown.text.geometry(), place_in(shown, shown.told.verdict), place_in(shown, shown.told.figures)
    assert after[:2] == before[:2]
    assert abs(after[2].y() - before[2].y()) <= 12


def test_the_items_that_leave_are_listed_below_their_card(
    shown: Details, answer: Answer, pipeline: Pipeline, qtbot: QtBot
) -> None:
    row = row_of(answer, "m0")
    keeping = keeping_of(pipeline, answer, row)
    shown.show_item(answer, row, answer.case.policy)
    shown.show_keeping(row, keeping)
    number, way = next((number, way) for number, way in enumerate(keeping.ways[:MOST_CARDS]) if way.leaves)
    (words,) = (one for one in cards(shown)[number].findChildren(Link) if one.isVisible())
    qtbot.mouseClick(words, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    page = next(page for page in shown.findChildren(GrowingPage) if page.accessibleName().startswith("Items that"))
    named = [called(answer.assembly.candidates, one) for one in way.leaves]
    assert [line.split(" ≈")[0].lower() for line in page.toPlainText().splitlines()][: len(named)] == [
        name.lower() for name in named
    ]
    assert place_in(shown, page).y() > place_in(shown, cards(shown)[number]).y()
    with qtbot.waitSignal(shown.told.row_selected) as asked:
        click_link(page, page.toPlainText().split(" ≈")[0], qtbot)
    assert asked.args == [way.leaves[0]]
    for width in (500, 270):
        shown.resize(width, 800)
        QApplication.processEvents()
        assert page.document().idealWidth() <= page.viewport().width(), "texts end in an ellipsis, not within a letter"
    qtbot.mouseClick(words, Qt.MouseButton.LeftButton)
    assert page.isHidden()


def test_the_whole_text_and_the_reason_are_a_click_away(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(assembly.candidates.ids.index("m118"))
    view = companion.screens["details"].view
    qtbot.waitUntil(lambda: companion.session.is_ready and bool(view.told.ways.ways))
    whole = view.findChild(Switch, "item_text:whole")
    assert isinstance(whole, Switch)
    assert whole.isVisible()
    before = view.text.height()
    qtbot.mouseClick(whole, Qt.MouseButton.LeftButton)
    assert view.text.height() >= view.text.height_wanted(view.width()), "all of it"
    assert place_in(view, view.told.verdict).y() + SENTENCE <= view.height()
    qtbot.mouseClick(whole, Qt.MouseButton.LeftButton)
    assert view.text.height() == before
    companion.select(assembly.candidates.ids.index("m319"))
    QApplication.processEvents()
    assert not whole.isVisible(), "a short text is whole"


def test_text_reason_and_ways_are_in_sight_together(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(assembly.candidates.ids.index("m118"))
    view = companion.screens["details"].view
    qtbot.waitUntil(lambda: len(cards(view)) == MOST_CARDS)
    QApplication.processEvents()
    assert view.text.height() >= 250
    whole = view.visibleRegion().boundingRect()
    for seen in (view.text, view.told.verdict, *cards(view), view.told.ways._more):
        place = seen.mapTo(view, QPoint())
        assert whole.contains(place), seen
        assert whole.contains(place + QPoint(seen.width() - 1, seen.height() - 1)), seen


@pytest.mark.parametrize("size", [(404, 420), (320, 500), (756, 200)])
def test_where_little_fits_the_text_keeps_some_lines_and_the_rest_scrolls(
    shown: Details, answer: Answer, qapp: QApplication, size: tuple[int, int]
) -> None:
    shown.resize(*size)
    shown.show_item(answer, row_of(answer, "m0"), answer.case.policy)
    settle(qapp)
    assert shown.text.height() >= min(shown.text.height_wanted(size[0]), 100)
    (area,) = shown.findChildren(QScrollArea)
    assert area.verticalScrollBar().maximum() > 0
    assert area.height() > 60
    assert not shown.text.geometry().intersects(area.geometry())


def test_colours_follow_the_theme(shown: Details, answer: Answer, qapp: QApplication) -> None:
    shown.show_item(answer, 0, None)
    light = theme().text.name()
    assert light in shown.told.figures.toHtml()
    apply_theme(qapp, "dark")
    assert theme().text.name() in shown.told.figures.toHtml()
    assert light not in shown.told.figures.toHtml()


def test_the_item_that_decided_is_a_link_that_leads_to_it(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    row = next(row for row in range(len(assembly.candidates)) if assembly.reason_of(row) is AFTER_STOP)
    decider = decider_of(assembly, row)
    assert decider is not None
    companion.select(row)
    page = companion.screens["details"].view.told.verdict
    named = called(assembly.candidates, decider.row).capitalize()
    assert f"{decider.words} {named}." in page.toPlainText()
    click_link(page, f"{named}", qtbot)
    assert companion.row == decider.row


def test_an_item_that_was_left_out_is_used_again_by_a_link(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(assembly.candidates.ids.index("m118"))
    details = companion.screens["details"]
    qtbot.mouseClick(button_of(details.view, "Leave out"), Qt.MouseButton.LeftButton)
    companion.session.flush()
    assert companion.session.scenario.excluded == ("m118",)
    details.show_details()
    click_link(details.view.told.verdict, "Use it again", qtbot)
    companion.session.flush()
    assert companion.session.scenario.excluded == ()


def test_a_change_is_made_by_its_link(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    row = assembly.candidates.ids.index("m300")
    assert assembly.action[row] == Action.KEPT
    companion.select(row)
    view = companion.screens["details"].view
    page = next(page for page in view.findChildren(GrowingPage) if page.accessibleName() == "What would change it")
    qtbot.waitUntil(lambda: "Dropped with" in page.toPlainText())
    assert cards(view) == [], "it is kept"
    words = page.toPlainText().partition("Dropped with ")[2].partition("  ·  ")[0].strip()
    click_link(page, words, qtbot)
    companion.session.flush()
    assert companion.session.assembly is not None
    assert companion.session.assembly.action[row] == Action.DROPPED
    assert companion.session.undo_stack.count() == 1


@pytest.mark.parametrize("steps", [0, 5])
def test_no_width_breaks_words_or_has_to_be_scrolled_sideways(companion: MainWindow, qtbot: QtBot, steps: int) -> None:
    session = companion.session
    view = Details()
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
            for page in (one for one in view.findChildren(GrowingPage) if one.isVisible()):
                assert page.horizontalScrollBar().maximum() == 0, (width, row, page.accessibleName())
                assert page.verticalScrollBar().maximum() == 0, (width, row, page.accessibleName())
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


def test_names_of_a_sum_are_read_whole_and_the_notes_give_way(
    shown: Details, answer: Answer, qapp: QApplication
) -> None:
    for width in (320, 404, 320):
        shown.resize(width, 810)
        shown.show_item(answer, None, None)
        settle(qapp)
        texts = {text.painted.text for text in texts_of(shown) if text.where.startswith("SumRow")}
        rows = [row.line for row in shown.findChildren(SumRow) if row.isVisible() and row.isEnabled()]
        assert len(rows) > 2
        for line in rows:
            assert line is not None
            assert {line.name, line.figure} <= texts

"""Loans between sections on the budget bar and in the totals: where they are drawn, and their words."""

from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section
from inspector.assembly.compaction import Compactions
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for
from inspector.figures import signed
from inspector.gui.bar.view import BudgetBar
from inspector.gui.parts.bar_picture import Loan, bar_picture
from inspector.gui.parts.texts import figures_loose
from inspector.gui.screens.details.totals import remarks_page
from inspector.gui.theme import ThemeName, apply_theme, theme
from inspector.model import Character, Conversation, Memory, MemorySet, Message, PastSummary, Workspace
from inspector.plugins import policies

PLAIN = {"system_limit": 1.0}


def ask(*, memories: int = 10, **changes: object) -> Answer:
    """Of a window of 700 the system prompt leaves 660: a memory limit of 198 and a history limit of 264.

    There are 40 messages of 10 words and memories of 5.
    """
    messages = tuple(
        Message(f"m{number}", "assistant" if number % 2 else "user", " ".join(["word"] * 10)) for number in range(40)
    )
    stored = tuple(Memory(f"k{number}", " ".join(["fact"] * 5)) for number in range(memories))
    workspace = Workspace(
        conversations=(Conversation("c", messages),),
        memory_sets=(MemorySet("s", stored),),
        characters=(Character("nova", system_prompt=" ".join(["rule"] * 40)),),
        summaries=(PastSummary("s0", "once upon a time", similarity=0.9),),
    )
    fields = {"tokenizer": "estimate:words", "context_window": 700, "parameters": PLAIN, **changes}
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    return answer_for(pipeline, Scenario(**fields), cached=False)  # type: ignore[arg-type]


@pytest.fixture(params=["light", "dark"])
def bar(request: pytest.FixtureRequest, qtbot: QtBot, qapp: QApplication) -> BudgetBar:
    name: ThemeName = request.param
    apply_theme(qapp, name)
    shown = BudgetBar()
    qtbot.addWidget(shown)
    shown.resize(1100, shown.sizeHint().height())
    shown.show()
    return shown


def the_loan(bar: BudgetBar) -> Loan:
    assert bar.picture is not None
    (loan,) = bar.picture.loans
    return loan


def span_of(bar: BudgetBar, name: str) -> QRect:
    assert bar.picture is not None
    segment = bar.picture.named(name)
    assert segment is not None
    return bar.span_of(segment)


def test_what_memories_leave_is_a_loan_to_history() -> None:
    (loan,) = bar_picture(ask(parameters=PLAIN | {"borrow": "history"})).loans
    # Memories spend 50 of 198; history has 264 of its own and, with 148 more, room for 41 of 40 messages.
    assert (loan.lender, loan.borrower, loan.tokens, loan.spent) == (Section.MEMORY, Section.HISTORY, 148, 136)
    assert (loan.source, loan.start, loan.end) == (40 + 25, 90 + 264, 90 + 264 + 148)
    assert loan.sentence == "Memories lent 148 tokens to conversation, which spends 136 of them."


def test_nobody_lends_without_borrowing_and_the_other_way_round_history_lends() -> None:
    assert bar_picture(ask()).loans == ()
    (loan,) = bar_picture(ask(memories=2, parameters=PLAIN | {"borrow": "memories"})).loans
    assert (loan.lender, loan.borrower, loan.spent) == (Section.HISTORY, Section.MEMORY, 0)
    assert loan.sentence.endswith("to memories, which spends none of them.")


@pytest.mark.parametrize("pointed", ["history", "memory"], ids=["borrower", "lender"])
def test_a_loan_is_a_strip_of_the_lender_on_the_room_that_it_opens(bar: BudgetBar, pointed: str) -> None:
    at_rest = _grabbed(bar, ask(parameters=PLAIN | {"borrow": "history"}))
    loan, row = the_loan(bar), span_of(bar, "history")
    memory, history = (theme().section_color(section).name() for section in (Section.MEMORY, Section.HISTORY))
    bar.show_limit(pointed)
    image, down = bar.grab().toImage(), row.top() + 4
    assert image.pixelColor(_x(bar, loan.start + loan.tokens // 2), down).name() == memory
    assert image.pixelColor(_x(bar, loan.start) - 8, down).name() == history, "its own room is its own"
    assert at_rest.pixelColor(_x(bar, loan.start + loan.tokens // 2), down).name() == history


def test_the_limit_of_a_borrower_is_where_its_loan_ends(bar: BudgetBar) -> None:
    bar.show_answer(ask(parameters=PLAIN | {"borrow": "history"}), None)
    limit = bar.picture.limit_of("history") if bar.picture else None
    assert limit is not None
    assert (limit.start, limit.end, limit.title) == (90, the_loan(bar).end, "412")


@pytest.mark.parametrize("pointed", ["history", "memory"], ids=["borrower", "lender"])
def test_pointing_says_who_lent_what_to_whom(bar: BudgetBar, pointed: str) -> None:
    bar.show_answer(ask(parameters=PLAIN | {"borrow": "history"}), None)
    loan = the_loan(bar)
    assert loan.sentence in bar.tool_tip_at(span_of(bar, pointed).center())
    assert loan.sentence not in bar.tool_tip_at(span_of(bar, "system").center())
    assert loan.sentence in bar.accessibleDescription()


def test_a_loan_beyond_the_scale_ends_with_the_bar(bar: BudgetBar) -> None:
    answer = ask(memories=40, context_window=460, parameters=PLAIN | {"borrow": "both", "min_exchanges": 15})
    bar.show_answer(answer, None)
    assert bar.picture is not None
    assert bar.picture.loans
    for loan in bar.picture.loans:
        assert bar._scale().stretch(loan).right() <= bar.width() + 8
    bar.show_limit("history")
    assert not bar.grab().isNull()


def test_totals_name_loans_and_what_is_shortened(qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    page = remarks_page(ask(parameters=PLAIN | {"borrow": "history", "message_cap": 4}))
    assert "Memories lent 148 tokens to conversation, which spends none of them." in page
    assert "40 items are cut short: ≈ 160 tokens instead of ≈ 400." in figures_loose(page)
    assert "lent" not in remarks_page(ask())
    assert "cut short" not in remarks_page(ask())


SMALL_SUMMARY, LARGE_SUMMARY = 3, 100
PROGRAM = {"policy": "codex_compact", "context_window": 300}


@pytest.mark.parametrize("size", [SMALL_SUMMARY, LARGE_SUMMARY])
def test_the_size_of_a_programs_summary_is_said_to_be_assumed(qapp: QApplication, size: int) -> None:
    """The words that stand for a summary say nothing about its size, nor about the plan for the items."""
    apply_theme(qapp, "light")
    answer = ask(**PROGRAM, parameters={"user_message_tokens": 20, "summary_size": size})
    (standing,) = [one for one in answer.assembly.compactions if one.stands]
    difference = len(standing.text.split()) - standing.size
    assert answer.ledger.drift == difference
    page = figures_loose(remarks_page(answer))
    assert f"the words that stand for them cost {signed(difference)} against their size, which is assumed." in page
    assert "against what was planned" not in page


def test_the_drift_of_items_is_said_beside_that_of_summaries(qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    answer = ask(**PROGRAM, parameters={"user_message_tokens": 20, "summary_size": LARGE_SUMMARY})
    counted = answer.ledger.counted
    assert counted is not None
    more = counted.copy()
    more[np.flatnonzero(more > 0)[0]] += 7
    page = figures_loose(unescape(remarks_page(replace(answer, ledger=replace(answer.ledger, counted=more)))))
    assert "The items cost +7 against what was planned for them. The program's summaries are not written here" in page


def test_a_summary_whose_text_is_known_is_not_assumed(qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    answer = ask(**PROGRAM, parameters={"user_message_tokens": 20, "summary_size": LARGE_SUMMARY})
    known = Compactions.of(replace(one, text="told in five known words") for one in answer.assembly.compactions)
    page = remarks_page(replace(answer, assembly=replace(answer.assembly, compactions=known)))
    assert "assumed" not in page
    assert "against what was planned for them" in page


def test_chorus_lends_memories_what_summaries_leave() -> None:
    answer = ask(preset="chorus-2026.02", parameters={"memory_candidates": 5})
    memory = answer.assembly.budget.sections[Section.MEMORY]
    assert memory.lender == Section.SUMMARIES
    assert memory.borrowed > 0
    (loan,) = bar_picture(answer).loans
    assert loan.sentence.startswith(f"Summaries lent {memory.borrowed:,} tokens to memories")


def _grabbed(bar: BudgetBar, answer: Answer) -> QImage:
    bar.show_answer(answer, None)
    return bar.grab().toImage()


def _x(bar: BudgetBar, tokens: float) -> int:
    """The pixel of a place on the scale, from the rectangles of the segments."""
    assert bar.picture is not None
    first, last = bar.picture.segments[0], bar.picture.segments[-1]
    left, right = bar.span_of(first).left(), bar.span_of(last).left()
    return left + round(tokens * (right - left) / (last.start - first.start))

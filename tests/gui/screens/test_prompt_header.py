"""The header of the prompt: figures that leave where there is no room, at most two chips, one row or two."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate, Section
from inspector.assembly.compare import came_in_and_left, compare
from inspector.assembly.decisions import Finding
from inspector.assembly.edits import go_to_turn, set_parameters
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.finding_kinds import ESTIMATED_COUNTS, HISTORY_GAP, MUST_SURVIVE_DROPPED, OVER_WINDOW
from inspector.assembly.policy_finding_kinds import CURRENT_MESSAGE_LOST
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.bar_picture import BarPicture, Segment
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens.budget.chips import chips_of
from inspector.gui.screens.budget.figures import Moves, compared_lines, figure_lines, text_of
from inspector.gui.screens.budget.view import PromptHeader
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder

LEFT = Qt.MouseButton.LeftButton


def picture(system: int, history: int, **fields: int) -> BarPicture:
    """A bar of 1,000 tokens with a prompt of two sections and formatting of 50, and a reply of 200."""
    total = system + history + 50
    segments = (
        Segment("system", "System", Section.SYSTEM, 0, system),
        Segment("history", "Conversation", Section.HISTORY, system, history),
        Segment("overhead", "Formatting", None, system + history, 50),
    )
    return BarPicture(segments, fields.get("window", 1_000), total, fields.get("reply", 200), estimated=False)


def test_the_figures_leave_one_by_one_the_baseline_first_and_the_prompt_last() -> None:
    lines = [text_of(line) for line in figure_lines(picture(100, 400), picture(100, 300))]
    assert lines == [
        "550 tokens in the prompt, 200 kept free for the reply, 250 free of 1,000, Baseline 450, +100",
        "550 tokens in the prompt, 200 kept free for the reply, 250 free of 1,000",
        "550 tokens in the prompt, 250 free of 1,000",
        "550 tokens, 250 free of 1,000",
        "550, 250 free",
        "550",
    ]
    assert sorted(lines, key=len, reverse=True) == lines


def test_what_is_over_the_window_is_said_in_red() -> None:
    line = figure_lines(picture(100, 1_000, reply=0), None)[0]
    assert text_of(line) == "1,150 tokens in the prompt, 150 over 1,000"
    assert [run.ink for run in line[1]] == ["error", "error"]


def test_estimates_are_marked_and_what_was_set_is_not() -> None:
    line = figure_lines(replace(picture(100, 400), estimated=True), picture(100, 300))[0]
    assert text_of(line) == (
        "≈ 550 tokens in the prompt, 200 kept free for the reply, ≈ 250 free of 1,000, Baseline 450, ≈ +100"
    )


def test_a_comparison_is_a_sum_of_its_parts_largest_first() -> None:
    lines = compared_lines(picture(130, 400), picture(100, 1_300), Moves(63, 12))
    assert text_of(lines[0]) == ("580 now, Baseline 1,450, −870 = conversation −900, system +30, 63 came in, 12 left")
    assert text_of(lines[-1]) == "580 now"
    inks = {run.text: run.ink for run in lines[0][-1]}
    assert (inks["63"], inks["12"]) == ("good", "error")
    same = compared_lines(picture(100, 300), picture(100, 300), Moves(0, 0))
    assert text_of(same[0]) == "450 now, Baseline 450, the same tokens"


def test_what_came_in_and_left_is_what_a_comparison_counts() -> None:
    pipeline = pipeline_for(timed_messages(40), ["a memory of five words"] * 6)
    narrow, wide = (answer_of(pipeline, window).assembly for window in (90, 160))
    other = answer_of(pipeline_for(timed_messages(30)), 120).assembly
    for before, after in ((narrow, wide), (wide, narrow), (narrow, other)):
        found = compare(before, after)
        was, now = (fates < Fate.DROPPED for fates in (found.fates_before, found.fates_after))
        counted = int((now & ~was).sum()), int((was & ~now).sum())
        assert came_in_and_left(before, after) == counted
        assert any(counted)


def finding(kind: FindingKind, message: str = "Something is wrong, as it were. Twice.", *rows: int) -> Finding:
    return Finding(kind, message, np.array(rows, np.intp))


@pytest.fixture
def answer() -> Answer:
    made = answer_of(pipeline_for(timed_messages(20)), 60)
    return replace(made, findings=())


LOST = finding(MUST_SURVIVE_DROPPED, "These are dropped.", 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("findings", "chips"),
    [
        ((), ()),
        ((finding(ESTIMATED_COUNTS),), ()),
        ((finding(OVER_WINDOW),), ()),
        ((finding(HISTORY_GAP),), ("Something is wrong, as it were",)),
        ((finding(HISTORY_GAP), LOST), ("4 that must stay are dropped", "Something is wrong, as it were")),
        ((finding(CURRENT_MESSAGE_LOST, "It is gone."), LOST), ("It is gone", "4 that must stay are dropped")),
        ((finding(MUST_SURVIVE_DROPPED, "", 7),), ("1 that must stay is dropped",)),
    ],
    ids=["nothing", "information", "said by the figures", "the worst", "both", "an error is worse", "one"],
)
def test_the_worst_finding_is_a_chip(answer: Answer, findings: tuple[Finding, ...], chips: tuple[str, ...]) -> None:
    assert tuple(chip.text for chip in chips_of(replace(answer, findings=findings))) == chips


def test_with_a_turn_only_the_more_serious_chip_stays(answer: Answer) -> None:
    at_turn = answer_of(pipeline_for(timed_messages(20)), 60, at=12)
    chips = chips_of(replace(at_turn, findings=(finding(HISTORY_GAP), LOST)))
    assert [(chip.kind, chip.text) for chip in chips] == [
        ("lost", "4 that must stay are dropped"),
        ("turn", "Turn 12 of 20"),
    ]
    assert chips_of(answer_of(pipeline_for(timed_messages(20)), 9_000, at=20)) == ()
    assert chips_of(None) == ()


@pytest.fixture
def holder(qtbot: QtBot, qapp: QApplication) -> QWidget:
    """A window of 1600 by 1000 pixels with a header at its top."""
    apply_theme(qapp, "light")
    window = QWidget()
    qtbot.addWidget(window)
    rows = QVBoxLayout(window)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.addWidget(PromptHeader(window))
    rows.addStretch()
    window.resize(1600, 1000)
    with qtbot.waitExposed(window):
        window.show()
    return window


def header_in(window: QWidget) -> PromptHeader:
    found = window.findChild(PromptHeader)
    assert found is not None
    return found


def parts_of(header: PromptHeader) -> dict[str, QRect]:
    """The visible parts of a header, with the bar without the room around it."""
    parts = [header.figures, header.swap, header.set_baseline, *header.chips, header.legend]
    places = {part.objectName(): part.geometry() for part in parts if part.isVisible()}
    return {**places, "bar": header.bar._layout().bar.translated(header.bar.pos())}


def overlapping(header: PromptHeader) -> Sequence[object]:
    places = list(parts_of(header).items())
    return [
        (name, other)
        for number, (name, place) in enumerate(places)
        for other, there in places[number + 1 :]
        if place.intersects(there) and "prompt_figures" not in (name, other)
    ] + [name for name, place in places if not header.rect().contains(place) and name != "prompt_figures"]


@pytest.mark.parametrize("size", [(2560, 1440), (1600, 1000), (1280, 720), (800, 500), (720, 440)])
@pytest.mark.parametrize("compares", [False, True], ids=["usual", "compared"])
def test_nothing_overlaps_in_any_size_of_window(
    holder: QWidget, qapp: QApplication, size: tuple[int, int], compares: bool
) -> None:
    header = header_in(holder)
    pipeline = pipeline_for(timed_messages(20))
    now = replace(answer_of(pipeline, 60, at=12), findings=(finding(HISTORY_GAP), LOST))
    header.show_answer(now, answer_of(pipeline, 90))
    header.compare(compares)
    header.show_legend(True)
    holder.resize(*size)
    qapp.processEvents()
    qapp.processEvents()
    is_low = size[1] < 800
    assert header.height() == (48 if is_low else 92) + header.legend.height() + 4
    assert overlapping(header) == []
    places = parts_of(header)
    assert places["bar"].height() == (26 if compares else 34)
    line, bar = places["prompt_figures"], places["bar"]
    assert (line.right() < bar.left()) == is_low
    if is_low:
        assert bar.left() <= 0.4 * size[0] + 16
    width = header.figures._width_of(header.figures.shown)
    assert width <= line.width()
    assert len([chip for chip in header.chips if chip.isVisible()]) == 2
    assert all(min(chip.width(), chip.height()) >= 24 for chip in header.chips if chip.isVisible())


def test_what_moves_is_never_the_bar(holder: QWidget, qapp: QApplication) -> None:
    header, pipeline = header_in(holder), pipeline_for(timed_messages(20))
    for size in ((1600, 1000), (1280, 720)):
        holder.resize(*size)
        qapp.processEvents()
        header.show_answer(answer_of(pipeline, 90), None)
        place = header.bar.geometry()
        header.show_answer(replace(answer_of(pipeline, 60, at=12), findings=(finding(HISTORY_GAP),)), None)
        assert header.bar.geometry() == place
        assert header.findChild(QWidget, "header_chip:turn").isVisible()  # type: ignore[union-attr]


def test_a_refused_answer_leaves_the_figures_of_the_last_good_one(holder: QWidget) -> None:
    header, pipeline = header_in(holder), pipeline_for(timed_messages(20), ["a memory"])
    header.show_answer(answer_of(pipeline, 90), answer_of(pipeline, 60))
    said = header.figures.accessibleDescription()
    header.show_answer(answer_of(pipeline, 90, parameters={"memory_share": 0.9}), answer_of(pipeline, 60))
    assert header.figures.accessibleDescription() == said
    assert header.bar.is_dimmed
    header.compare(True)
    assert " now, Baseline " in header.figures.accessibleDescription()


def test_without_a_baseline_a_comparison_offers_to_set_one(holder: QWidget, qtbot: QtBot) -> None:
    header, pipeline = header_in(holder), pipeline_for(timed_messages(20))
    header.compare(True)
    assert not header.set_baseline.isVisible(), "nothing is open"
    header.show_answer(answer_of(pipeline, 90), None)
    with qtbot.waitSignal(header.baseline_requested):
        qtbot.mouseClick(header.set_baseline, LEFT)
    header.show_answer(answer_of(pipeline, 90), answer_of(pipeline, 60))
    assert not header.set_baseline.isVisible()
    with qtbot.waitSignal(header.swap_requested):
        qtbot.mouseClick(header.swap, LEFT)
    header.compare(False)
    assert not header.swap.isVisible()


def test_pointing_at_the_legend_marks_the_bar(holder: QWidget, qapp: QApplication) -> None:
    header = header_in(holder)
    header.show_answer(answer_of(pipeline_for(timed_messages(20)), 90), None)
    header.show_legend(True)
    qapp.processEvents()
    hovered: list[str] = []
    header.hovered.connect(hovered.append)
    before = header.bar.grab().toImage()
    QTest.mouseMove(header.legend, header.legend.place_of("history").center())
    assert header.bar.grab().toImage() != before
    assert hovered == ["history"]
    QTest.mouseMove(header.legend, QPoint(header.legend.width() - 2, 2))
    assert header.bar.grab().toImage() == before


def header_of(window: MainWindow) -> PromptHeader:
    view = window.screens["budget"].view
    assert isinstance(view, PromptHeader)
    return view


def chip_of(window: MainWindow, kind: str) -> QWidget:
    return next(chip for chip in header_of(window).chips if chip.kind == kind)


def test_the_chip_of_a_turn_leads_back_to_the_last_one(companion: MainWindow, qtbot: QtBot) -> None:
    chip = chip_of(companion, "turn")
    assert not chip.isVisible()
    companion.session.edit(go_to_turn, 120)
    qtbot.waitUntil(lambda: companion.session.is_ready and chip.isVisible())
    assert chip.accessibleName() == "Turn 120 of 337"
    qtbot.mouseClick(chip, LEFT)
    qtbot.waitUntil(lambda: companion.session.is_ready and not chip.isVisible())
    assert companion.session.scenario.at is None


def test_the_chip_of_the_worst_finding_leads_to_all_of_them(companion: MainWindow, qtbot: QtBot) -> None:
    chip = chip_of(companion, "finding")
    assert chip.isVisible()
    qtbot.mouseClick(chip, LEFT)
    assert companion.screens["findings"].is_visible


def test_a_comparison_has_its_own_header(companion: MainWindow, qtbot: QtBot) -> None:
    session, header = companion.session, header_of(companion)
    session.pin_baseline()
    session.edit(set_parameters, {"history_share": 0.4, "memory_share": 0.2}, "shares")
    qtbot.waitUntil(lambda: session.is_ready)
    said = header.figures.accessibleDescription()
    assert " tokens in the prompt, " in said
    assert ", Baseline 8,106, −" in said
    height = header.height()
    companion.do("compare")
    assert header.bar._layout().has_baseline
    assert header.height() == height
    assert " now, Baseline 8,106, −" in header.figures.accessibleDescription()
    qtbot.mouseClick(header.swap, LEFT)
    qtbot.waitUntil(lambda: session.is_ready)
    assert header.figures.accessibleDescription().startswith("8,106 now, Baseline ")
    companion.do("inspect")
    assert not header.bar._layout().has_baseline


def test_l_shows_the_legend_but_not_in_a_field_and_is_remembered(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml", state=WindowState())
    header, table = header_of(window), window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert not header.legend.isVisible()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_L)
    assert header.legend.isVisible()
    field = window.findChild(QLineEdit, "filter_edit")
    assert field is not None
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_L)
    assert field.text() == "l"
    assert header.legend.isVisible()
    field.clear()
    assert WindowState().legend
    again = opened(samples_folder() / "companion.workspace.yaml", state=WindowState())
    assert header_of(again).legend.isVisible()
    action = again.findChild(QAction, "action:legend")
    assert action is not None
    action.trigger()
    assert not header_of(again).legend.isVisible()
    assert not WindowState().legend


def test_the_parts_of_the_header_are_reached_and_named(companion: MainWindow) -> None:
    companion.session.edit(go_to_turn, 120)
    companion.session.flush()
    companion.do("compare")
    header = header_of(companion)
    stops = [part for part in header.findChildren(QWidget) if part.isVisible() and part.focusPolicy()]
    assert all(part.accessibleName() for part in stops)
    assert [part.objectName() for part in stops if isinstance(part, QPushButton)] == ["header:set_baseline"]
    assert header.bar in stops

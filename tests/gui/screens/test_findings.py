"""Findings: the list, what one could do, the jump to the items, the count."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.assembly.edits import toggle_pins
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.finding_kinds import ESTIMATED_COUNTS, HISTORY_GAP
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.findings.entries import Entry, entries_of, window_advice
from inspector.gui.screens.findings.view import FindingList, FindingsModel, FindingsView
from inspector.gui.table.view import ArrayTableView
from inspector.model import Problem
from inspector.resources import samples_folder

GAP = Finding(HISTORY_GAP, "2 messages are dropped although an older one stays.", np.array([3, 4]))
NOTE = Finding(ESTIMATED_COUNTS, "Counts are estimates.")


@pytest.fixture
def answer() -> Answer:
    """One whose pinned first message leaves a gap."""
    pipeline = pipeline_for(timed_messages(20))
    return answer_of(pipeline, 60, pinned=("m0",))


@pytest.fixture
def view(qtbot: QtBot) -> FindingsView:
    made = FindingsView()
    qtbot.addWidget(made)
    made.resize(500, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def entries(*findings: Finding, problems: tuple[Problem, ...] = ()) -> tuple[Entry, ...]:
    """The entries of an answer with these findings."""
    made = answer_of(pipeline_for(timed_messages(2)), 60)
    return entries_of(replace(made, findings=findings), problems)


def place_of(listed: QListView, code: str) -> int:
    """The row of a finding, by its code."""
    found = [listed.model().index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(listed.model().rowCount())]
    return next(
        row for row, entry in enumerate(found) if isinstance(entry.source, Finding) and entry.source.code == code
    )


def button(listed: QListView, row: int, is_deed: bool) -> QPoint:
    """The middle of a painted button."""
    assert isinstance(listed, FindingList)
    index = listed.model().index(row, 0)
    places = {one.is_deed: one.place for one in listed.rows.buttons(index, listed.visualRect(index))}
    return places[is_deed].center()


def list_of(view: FindingsView) -> QListView:
    return view.findChildren(QListView, "findings_list")[0]


def test_the_model_keeps_qts_rules_and_tells_sentence_and_advice(qtbot: QtBot) -> None:
    model = FindingsModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(entries(GAP, NOTE))
    index = model.index(0)
    advice = window_advice(HISTORY_GAP.general_advice, "")
    assert index.data() == GAP.message
    assert tip_text(index.data(Qt.ItemDataRole.ToolTipRole)) == f"{HISTORY_GAP.meaning}\n{advice}\nhistory_gap"
    assert index.data(Qt.ItemDataRole.UserRole).source is GAP
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == f"warning: {GAP.message} {advice} Enter shows 2 items."
    model.show(())
    assert model.rowCount() == 0
    assert tester.model() is model


def test_only_the_same_sentence_about_the_same_rows_is_the_same_finding(qtbot: QtBot) -> None:
    model = FindingsModel()
    model.show(entries(GAP))
    with qtbot.assertNotEmitted(model.modelReset):
        model.show(entries(Finding(GAP.kind, GAP.message, GAP.rows.copy())))
    with qtbot.waitSignal(model.modelReset):
        model.show(entries(Finding(GAP.kind, GAP.message, GAP.rows + 1)))


def test_enter_and_double_click_ask_for_the_items(view: FindingsView, answer: Answer, qtbot: QtBot) -> None:
    view.show_answer(answer)
    listed = list_of(view)
    gap = next(finding for finding in answer.findings if finding.code == "history_gap")
    index = listed.model().index(place_of(listed, "history_gap"), 0)
    listed.setCurrentIndex(index)
    with qtbot.waitSignal(view.finding_requested) as asked:
        qtbot.keyClick(listed, Qt.Key.Key_Return)
    assert asked.args == [gap]
    with qtbot.waitSignal(view.finding_requested) as asked:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(index).center())
        qtbot.mouseDClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(index).center())
    assert asked.args == [gap]


def test_the_selected_finding_stays_selected(view: FindingsView, qtbot: QtBot) -> None:
    pipeline = pipeline_for(timed_messages(20))
    view.show_answer(answer_of(pipeline, 60, pinned=("m0",)))
    listed = list_of(view)
    listed.setCurrentIndex(listed.model().index(place_of(listed, "history_gap"), 0))
    view.show_answer(answer_of(pipeline, 70, pinned=("m0",)))
    assert listed.currentIndex().data(Qt.ItemDataRole.UserRole).source.code == "history_gap"


def test_a_long_sentence_wraps_in_a_narrow_list(view: FindingsView, answer: Answer) -> None:
    view.show_answer(answer)
    listed = list_of(view)
    wide = listed.sizeHintForRow(0)
    view.resize(200, 300)
    assert listed.sizeHintForRow(0) > wide


def test_the_advice_stands_below_the_sentence(view: FindingsView, answer: Answer) -> None:
    brief, long = (FindingKind("own", "info", "Said.", "Do more of it. " * times) for times in (1, 30))
    view.show_answer(replace(answer, findings=(Finding(brief, "Said."), Finding(long, "Said."))))
    listed = list_of(view)
    assert listed.sizeHintForRow(1) > listed.sizeHintForRow(0)


@pytest.mark.parametrize("typed", ["", "action:kept", "role:user"])
def test_enter_shows_the_items_of_a_finding_alone(opened: Callable[..., MainWindow], qtbot: QtBot, typed: str) -> None:
    folder = samples_folder()
    window = opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml")
    table = window.findChild(ArrayTableView, "decision_table")
    listed = window.findChild(QListView, "findings_list")
    assert table is not None
    assert isinstance(listed, QListView)
    answer = window.session.answer
    assert answer is not None
    window.filter_items(typed)
    window.show_screen("findings")
    gap = next(one for one in answer.findings if one.code == "history_gap")
    place = place_of(listed, "history_gap")
    assert len(gap.rows) > 100
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(place, 0))
    qtbot.keyClick(listed, Qt.Key.Key_Return)
    shown = set(table.array_model.rows.tolist())
    assert shown <= set(gap.rows.tolist())
    assert shown == set(gap.rows.tolist()) or typed == "role:user", "a filter that hides the first of them yields"
    assert window.row == gap.rows[0]


PROBLEM = Problem("/files/notes.csv", "line 3", "no column is named text", "error", is_table=True)


def test_problems_of_files_and_findings_are_one_list_with_the_worst_first() -> None:
    found = entries(NOTE, GAP, problems=(PROBLEM, Problem("a.json", "", "is empty", "info")))
    assert [entry.severity for entry in found] == ["error", "warning", "info", "info"]
    assert (found[0].sentence, found[0].below) == ("no column is named text", "notes.csv, line 3")
    assert found[0].deed is not None
    assert found[0].deed.action == "columns"
    assert found[1].items == "2 items"


@pytest.mark.parametrize(
    ("advice", "policy", "shown"),
    [
        ("Correct the ids (--pin, --exclude), or open the file.", "", "Correct the ids, or open the file."),
        ("Look at the reason (explain), or remove the mark (M).", "", "Look at the reason, or remove the mark."),
        ("Choose a policy with a place for them: Fixed slots (documents).", "ratio", ""),
        ("Take a larger window. Everything (naive) never cuts.", "ratio", "Take a larger window."),
        ("Raise history_share.", "ratio", "Raise “Conversation”."),
        ("Set total_thing to it.", "ratio", "Set total thing to it."),
    ],
)
def test_advice_is_about_this_window(advice: str, policy: str, shown: str) -> None:
    assert window_advice(advice, policy) == shown


def test_a_click_on_the_number_asks_for_the_items_and_one_on_the_button_for_the_deed(
    view: FindingsView, answer: Answer, qtbot: QtBot
) -> None:
    view.show_answer(replace(answer, findings=(GAP,)), (PROBLEM,))
    listed = list_of(view)
    with qtbot.waitSignal(view.finding_requested) as asked:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=button(listed, 1, is_deed=False))
    assert asked.args == [GAP]
    with qtbot.waitSignal(view.deed_requested) as told:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=button(listed, 0, is_deed=True))
    assert told.args is not None
    assert told.args[0].source == PROBLEM
    listed.setCurrentIndex(listed.model().index(0, 0))
    with qtbot.waitSignal(view.deed_requested):
        qtbot.keyClick(listed, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    view.resize(300, 300)
    listed.doItemsLayout()  # otherwise a moment later
    with qtbot.waitSignal(view.deed_requested):
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=button(listed, 0, is_deed=True))


def test_all_entries_are_copied_where_none_is_selected(view: FindingsView, answer: Answer, qtbot: QtBot) -> None:
    view.show_answer(replace(answer, findings=(NOTE,)), (PROBLEM,))
    qtbot.keyClick(list_of(view), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith(f"{PROBLEM}\n{NOTE.message}")


def test_what_is_advised_is_done_and_the_number_has_the_colour_of_the_worst(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml")
    window.session.edit(toggle_pins, ["nobody"])
    qtbot.waitUntil(lambda: window.session.is_ready)
    answer = window.session.answer
    assert answer is not None
    assert window.screens["findings"].tone(answer) == "warning"
    window.show_screen("findings")
    listed = window.findChild(QListView, "findings_list")
    assert isinstance(listed, QListView)
    row = place_of(listed, "unknown_item")
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=button(listed, row, is_deed=True))
    window.session.flush()
    assert window.session.scenario.pinned == ()

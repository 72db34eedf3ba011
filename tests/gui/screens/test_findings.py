"""Findings: the list, what one could do, the jump to the items, the count."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kinds import ESTIMATED_COUNTS, HISTORY_GAP, FindingKind
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.findings.view import FindingsModel, FindingsView
from inspector.gui.table.view import ArrayTableView
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


def list_of(view: FindingsView) -> QListView:
    return view.findChildren(QListView, "findings_list")[0]


def test_the_model_keeps_qts_rules_and_tells_sentence_and_advice(qtbot: QtBot) -> None:
    model = FindingsModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show((GAP, NOTE))
    index = model.index(0)
    assert index.data() == GAP.message
    assert tip_text(index.data(Qt.ItemDataRole.ToolTipRole)) == f"{HISTORY_GAP.meaning}\n{HISTORY_GAP.general_advice}"
    assert index.data(Qt.ItemDataRole.UserRole) is GAP
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"warning: {GAP.message} {HISTORY_GAP.general_advice}"
    model.show(())
    assert model.rowCount() == 0
    assert tester.model() is model


def test_only_the_same_sentence_about_the_same_rows_is_the_same_finding(qtbot: QtBot) -> None:
    model = FindingsModel()
    model.show((GAP,))
    with qtbot.assertNotEmitted(model.modelReset):
        model.show((Finding(GAP.kind, GAP.message, GAP.rows.copy()),))
    with qtbot.waitSignal(model.modelReset):
        model.show((Finding(GAP.kind, GAP.message, GAP.rows + 1),))


def test_enter_and_double_click_ask_for_the_items(view: FindingsView, answer: Answer, qtbot: QtBot) -> None:
    view.show_answer(answer)
    listed = list_of(view)
    place = next(row for row, finding in enumerate(answer.findings) if finding.code == "history_gap")
    index = listed.model().index(place, 0)
    listed.setCurrentIndex(index)
    with qtbot.waitSignal(view.finding_requested) as asked:
        qtbot.keyClick(listed, Qt.Key.Key_Return)
    assert asked.args == [answer.findings[place]]
    with qtbot.waitSignal(view.finding_requested) as asked:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(index).center())
        qtbot.mouseDClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(index).center())
    assert asked.args == [answer.findings[place]]


def test_the_selected_finding_stays_selected(view: FindingsView, qtbot: QtBot) -> None:
    pipeline = pipeline_for(timed_messages(20))
    view.show_answer(answer_of(pipeline, 60, pinned=("m0",)))
    listed = list_of(view)
    codes = [
        listed.model().index(row, 0).data(Qt.ItemDataRole.UserRole).code for row in range(listed.model().rowCount())
    ]
    listed.setCurrentIndex(listed.model().index(codes.index("history_gap"), 0))
    view.show_answer(answer_of(pipeline, 70, pinned=("m0",)))
    assert listed.currentIndex().data(Qt.ItemDataRole.UserRole).code == "history_gap"


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
    place, gap = next((row, one) for row, one in enumerate(answer.findings) if one.code == "history_gap")
    assert len(gap.rows) > 100
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(place, 0))
    qtbot.keyClick(listed, Qt.Key.Key_Return)
    shown = set(table.array_model.rows.tolist())
    assert shown <= set(gap.rows.tolist())
    assert shown == set(gap.rows.tolist()) or typed == "role:user", "a filter that hides the first of them yields"
    assert window.row == gap.rows[0]

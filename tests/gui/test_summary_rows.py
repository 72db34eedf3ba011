"""The summaries of a program as rows of the window's table: placed, filtered, sorted, copied, and told in details."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Fate
from inspector.assembly.edits import set_value, use_policy
from inspector.assembly.summary_items import ids_with_summaries, rows_with_summaries, summary_id
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.decisions.view import DecisionView
from inspector.gui.screens.details.verdict import SUMMARY_LINK, TOLD_LINK
from inspector.gui.table.view import ArrayTableView

PIPELINE = pipeline_for(timed_messages(60))
PLAIN = answer_of(PIPELINE, 160)


def compacted(size: int = 30) -> Answer:
    parameters = {"user_message_tokens": 4, "summary_size": size}
    return answer_of(PIPELINE, 100, policy="codex_compact", parameters=parameters)


ANSWER = compacted()
COUNT = len(ANSWER.assembly.compactions)


@pytest.fixture
def view(qtbot: QtBot) -> DecisionView:
    made = DecisionView()
    qtbot.addWidget(made)
    made.resize(1100, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_answer(ANSWER)
    return made


def table(view: DecisionView) -> ArrayTableView:
    found = view.findChild(ArrayTableView, "decision_table")
    assert isinstance(found, ArrayTableView)
    return found


def shown(view: DecisionView) -> list[str]:
    model = table(view).model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


def on_chip(view: DecisionView, name: str) -> int:
    chip = view.findChild(QToolButton, f"filter_chip:{name}")
    assert chip is not None
    return int(chip.text().split()[-1].replace(",", ""))


def summaries(names: list[str]) -> list[str]:
    return [name for name in names if name.startswith("summary:")]


def test_rows_are_those_of_the_command_line_whatever_was_shown_before(view: DecisionView) -> None:
    assert COUNT > 1
    for answer in (ANSWER, PLAIN, compacted(20), ANSWER):
        view.show_answer(answer)
        ids = ids_with_summaries(answer.assembly)
        assert shown(view) == [ids[row] for row in rows_with_summaries(answer.assembly)]
        assert on_chip(view, "all") == len(ids)
        folded = int(answer.assembly.fate_counts[Fate.SUMMARIZED])
        assert not folded or on_chip(view, "summarized") == folded


def test_the_same_items_keep_the_ids_from_tick_to_tick() -> None:
    assert ids_with_summaries(ANSWER.assembly) is ids_with_summaries(ANSWER.assembly)
    assert ids_with_summaries(PLAIN.assembly) is PLAIN.assembly.candidates.ids


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("kind:summary", COUNT),
        ("-kind:summary", 0),
        ("action:kept", 1),
        ("reason:compacted", COUNT - 1),
        ("reason:compaction", 1),
        ("spent>=30", 1),
        ("spent<30", COUNT - 1),
        ("tokens:30", COUNT),
        ("tokens:31", 0),
        ("section:history", COUNT),
        ("role:assistant", 0),
        ("pinned:no", COUNT),
        ("pinned:yes", 0),
        ("score>0", 0),
        ("id:summary:1", 1),
        (f"into:summary:{COUNT}", 1),
        ('"summary of"', COUNT),
        ('-"summary of"', 0),
    ],
)
def test_a_filter_finds_summaries_as_it_finds_items(view: DecisionView, line: str, found: int) -> None:
    view.set_filter(line)
    assert len(summaries(shown(view))) == found


def test_the_filter_of_a_summary_has_the_items_that_it_tells(view: DecisionView) -> None:
    into, ids = ANSWER.assembly.into, ANSWER.assembly.candidates.ids
    assert into is not None
    for summary in ANSWER.assembly.compactions:
        view.set_filter(f"into:{summary.id}")
        told = {ids[row] for row in np.flatnonzero(into == summary.number)}
        earlier = {one.id for one in ANSWER.assembly.compactions if one.into == summary.number}
        assert set(shown(view)) == told | earlier


def test_every_column_sorts_all_rows(view: DecisionView) -> None:
    model = table(view).array_model
    for column in model.columns:
        if column.values is None:
            continue
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            table(view).sort_by(column.key, order)
            assert sorted(shown(view)) == sorted(ids_with_summaries(ANSWER.assembly))
    table(view).sort_by("tokens", Qt.SortOrder.DescendingOrder)
    assert len(summaries(shown(view)[:COUNT])) == COUNT, "they are the largest"


def test_a_summary_is_copied_and_nothing_marks_it(view: DecisionView, qtbot: QtBot) -> None:
    asked: list[object] = []
    for signal in (view.pin_requested, view.exclude_requested, view.mark_requested, view.need_requested):
        signal.connect(asked.append)
    view.note_requested.connect(asked.append)
    view.set_filter(f"id:{summary_id(COUNT)}")
    table(view).step(1)
    for key in "pxmqnv":
        qtbot.keyClick(table(view), key)
    assert not asked
    assert view.selected_rows() == []
    assert view.menu() is None
    table(view).copy_rows()
    words = QGuiApplication.clipboard().text().splitlines()
    assert words[1].startswith(f"{summary_id(COUNT)}\t\tSummary\t")
    assert words[1].endswith("Kept, a summary")
    table(view).copy_texts()
    assert QGuiApplication.clipboard().text() == ANSWER.assembly.compactions[-1].text


def test_records_of_the_table_name_summaries(view: DecisionView) -> None:
    rows = list(table(view).array_model.records())
    assert sum(int(str(row["spent"])) for row in rows) == ANSWER.ledger.items


@pytest.fixture
def window(tmp_path: Path, opened: Callable[..., MainWindow]) -> MainWindow:
    file, scenario = tmp_path / "chat.json", tmp_path / "chat.scenario.yaml"
    said = [{"role": ("user", "assistant")[n % 2], "content": f"The {n}. line of the log"} for n in range(60)]
    file.write_text(json.dumps({"messages": said}), "utf-8")
    scenario.write_text(
        "policy: codex_compact\ncontext_window: 100\ntokenizer: estimate:words\n"
        "parameters: {user_message_tokens: 4, summary_size: 30}\n",
        "utf-8",
    )
    return opened(file, scenario=scenario)


def test_details_lead_from_an_item_to_its_summary_and_back(window: MainWindow, qtbot: QtBot) -> None:
    assembly = window.session.assembly
    assert assembly is not None
    assert assembly.into is not None
    details, last = window.screens["details"].view, assembly.compactions[-1]
    edit = window.findChild(QLineEdit, "filter_edit")
    assert edit is not None
    for _ in range(2):  # the second time with the filter of the first
        row = int(np.flatnonzero(assembly.into == 1)[0])
        window.select(row)
        assert "It is told by summary:1." in details.said()
        details.told.verdict.anchorClicked.emit(QUrl(SUMMARY_LINK))
        assert (window.row, window.summary) == (None, 1)
        assert "Summary 1 of the program" in details.said()
        assert "told by summary:2" in details.said()
        assert assembly.compactions[0].text in details.said()
        details.told.verdict.anchorClicked.emit(QUrl(TOLD_LINK))
        assert edit.text() == "into:summary:1"
        window.turn_filter("into:summary:1")
    while window.summary != last.number:
        details.told.verdict.anchorClicked.emit(QUrl(SUMMARY_LINK))
    assert "Kept. A summary." in details.said()
    assert "told by" not in details.said()


def test_a_selected_summary_goes_with_its_policy_and_its_file(window: MainWindow, qtbot: QtBot) -> None:
    session, details = window.session, window.screens["details"].view

    def settle() -> None:
        session.flush()
        qtbot.waitUntil(lambda: session.is_ready)

    assert session.assembly is not None
    window.select(len(session.assembly.candidates))
    assert window.summary == 1
    window.select(len(session.assembly.listed) + 1)
    assert window.summary == 1, "no such row"
    session.edit(set_value, "summary_size", 31)
    settle()
    assert "≈ 31 tokens" in details.said()
    session.edit(use_policy, "naive")
    settle()
    window.screens["details"].show_details()
    assert "Summary 1" not in details.said()
    window.select(3)
    assert (window.row, window.summary) == (3, 0)
    window.select(None)
    assert (window.row, window.summary) == (None, 0)

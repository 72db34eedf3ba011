"""What a file records beside what is done here, in the window: by mouse and keys, with the figures of the command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from inspector.analysis.recorded.usage import usage_errors
from inspector.assembly.edits import go_to_turn, toggle_exclusions, use_window
from inspector.assembly.own_policy import leave_own
from inspector.assembly.recorded import NOTHING_RECORDED, RecordedComparison, compare_recorded
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.gui.bar.layout import AROUND
from inspector.gui.bar.view import BudgetBar
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.changes.recorded_pane import RecordedPane
from inspector.gui.screens.details.totals import prompt_lines

_HIDDEN = (1, 4)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """A chat of SillyTavern of which two messages are hidden, with what the program counted."""
    lines = [{"user_name": "Ann", "character_name": "Bob", "chat_metadata": {}}]
    lines += [
        {
            "name": ("Ann", "Bob")[number % 2],
            "is_user": number % 2 == 0,
            "is_system": number in _HIDDEN,
            "mes": f"Message {number} of <b>some</b> words",
            "send_date": f"2024-05-0{number + 1}T10:00:00Z",
            "extra": {"token_count": 10, "model": "m-1"},
        }
        for number in range(6)
    ]
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def pane_of(window: MainWindow) -> RecordedPane:
    return window.screens["changes"].view.recorded


def shown(window: MainWindow) -> RecordedComparison:
    answer = window.session.answer
    assert answer is not None
    return compare_recorded(answer.assembly)


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    return found


def lines(table: QTableView) -> list[str]:
    return [table.model().index(row, 0).data() for row in range(table.model().rowCount())]


def settled(qtbot: QtBot, window: MainWindow) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready and pane_of(window)._answer is window.session.answer)


def choose(qtbot: QtBot, window: MainWindow, text: str) -> None:
    box = window.screens["changes"].view.boxes.before
    box.setFocus()
    qtbot.keyClicks(box, text)


def test_recorded_is_a_side_that_shows_each_recorded_message_beside_what_is_done_here(
    opened: Callable[..., MainWindow], qtbot: QtBot, chat: Path
) -> None:
    window = opened(chat)
    action(window, "comparison").trigger()
    choose(qtbot, window, "recorded")
    settled(qtbot, window)
    comparison, pane = shown(window), pane_of(window)
    assert pane.summary.text() == comparison.sentence
    assert len(comparison) == len(_HIDDEN)
    assert lines(pane.table)[1:] == ["2", "5"]
    assert lines(pane.table)[0].startswith("In neither: ✕ dropped → ✕ dropped: 2 messages")
    window.session.edit(use_window, 4_000)
    window.session.edit(toggle_exclusions, ["m0"])
    settled(qtbot, window)
    assert lines(pane.table)[1:] == ["2", "5"]


def test_the_action_leads_there_and_arrows_select_the_message(
    opened: Callable[..., MainWindow], qtbot: QtBot, chat: Path
) -> None:
    window = opened(chat)
    action(window, "recorded").trigger()
    settled(qtbot, window)
    table = pane_of(window).table
    assert table.isVisible()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Down)
    answer = window.session.answer
    assert answer is not None
    row = window.screens["changes"].host.row
    assert row is not None
    assert answer.assembly.candidates.ids[row] == "m1"


def test_next_change_goes_on_in_what_is_shown(opened: Callable[..., MainWindow], qtbot: QtBot, chat: Path) -> None:
    window = opened(chat)
    action(window, "pin_baseline").trigger()
    action(window, "recorded").trigger()
    settled(qtbot, window)
    answer = window.session.answer
    assert answer is not None
    for step, name in (("next_change", "m1"), ("next_change", "m4"), ("previous_change", "m1")):
        action(window, step).trigger()
        row = window.screens["changes"].host.row
        assert row is not None
        assert answer.assembly.candidates.ids[row] == name


def test_recorded_usage_stands_beside_the_count(opened: Callable[..., MainWindow], qtbot: QtBot, chat: Path) -> None:
    window = opened(chat)
    action(window, "recorded").trigger()
    settled(qtbot, window)
    answer = window.session.answer
    assert answer is not None
    (error,) = usage_errors(answer.assembly, answer.ledger.total)
    assert error.recorded == 60
    assert f"m-1, 6 answers: recorded 60, counted {error.counted}" in pane_of(window).usage.text().replace("≈ ", "")


def test_what_records_nothing_says_so(opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "plain.json").write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    window = opened(tmp_path / "plain.json")
    action(window, "recorded").trigger()
    settled(qtbot, window)
    pane = pane_of(window)
    assert pane.table._empty.isVisible()
    assert pane.table._empty.text() == NOTHING_RECORDED
    assert not any(label.isVisible() for label in (pane.summary, pane.shares, pane.usage))


def test_a_refused_scenario_says_why_instead_of_figures(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    message = {"id": "m0", "role": "user", "content": "Hi", "metadata": {"recorded": {"action": "dropped"}}}
    file = tmp_path / "own.workspace.json"
    value = {
        "format": "prompt-inspector/workspace@1",
        "characters": [{"id": "bob", "system_prompt": "Many words of a prompt. " * 20}],
        "conversations": [{"id": "c", "messages": [message]}],
    }
    file.write_text(json.dumps(value))
    window = opened(file)
    action(window, "recorded").trigger()
    settled(qtbot, window)
    assert pane_of(window).summary.isVisible()
    window.session.edit(use_window, 40)
    settled(qtbot, window)
    answer, pane = window.session.answer, pane_of(window)
    assert answer is not None
    assert answer.assembly.error is not None
    assert pane.table._empty.text() == answer.assembly.error.message
    assert not pane.summary.isVisible()


@pytest.mark.parametrize(
    ("name", "shares"),
    [
        ("codex/derived/rollout-2026-01-02T03-04-05.jsonl", {"both": 6}),
        ("sillytavern/derived/Melanie - 2023-05-08@13h56m00s.jsonl", {"neither": 10}),
    ],
)
def test_the_window_and_the_command_have_the_same_figures(
    opened: Callable[..., MainWindow], qtbot: QtBot, data_folder: Path, name: str, shares: dict[str, int]
) -> None:
    window = opened(data_folder / name)
    window.session.edit(leave_own, Scenario())
    action(window, "recorded").trigger()
    window.session.edit(use_window, 100_000)
    settled(qtbot, window)
    options = ["--recorded", "--window", "100000", "--format", "json"]
    value = json.loads(CliRunner().invoke(group, ["compare", str(data_folder / name), *options]).stdout)
    comparison, pane = shown(window), pane_of(window)
    totals = value["totals"]
    assert {share["share"]: share["messages"] for share in totals["shares"]} == shares
    assert (totals["recorded_tokens"], totals["tokens"]) == (comparison.recorded_total, comparison.total)
    together = pane.shares.text().replace("≈ ", "").rpartition("Together ")[2]
    assert together == f"{totals['recorded_tokens']:,} → {totals['tokens']:,} tokens"
    for error in value["usage"]:
        assert f"recorded {error['recorded']:,}, counted {error['counted']:,}" in pane.usage.text().replace("≈ ", "")


@pytest.fixture
def cached_session(tmp_path: Path) -> Path:
    """A session of Claude Code whose application sent far more than the file holds, most of it from a cache."""
    usage = {"input_tokens": 8, "cache_creation_input_tokens": 2_000, "cache_read_input_tokens": 100_000}
    said: dict[str, Any] = {"id": "g", "type": "message", "role": "assistant", "model": "claude-opus-4-7"}
    said |= {"usage": {**usage, "output_tokens": 5}}
    said["content"] = [{"type": "text", "text": "Three boats."}]
    asked = {"role": "user", "content": "List the boats."}
    common = {"sessionId": "s", "timestamp": "2026-10-01T10:00:00Z"}
    records = [
        {"type": "user", "uuid": "u1", "parentUuid": None, **common, "message": asked},
        {"type": "assistant", "uuid": "a1", "parentUuid": "u1", **common, "message": said},
    ]
    file = tmp_path / "session.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    return file


def test_what_is_not_in_the_file_is_a_named_segment_of_the_bar(
    opened: Callable[..., MainWindow], qtbot: QtBot, cached_session: Path
) -> None:
    """Its width is its share of the window, and the sums of the totals lead to the recorded figure."""
    window = opened(cached_session)
    window.session.edit(leave_own, Scenario())  # a policy with a reserve for the reply
    qtbot.waitUntil(lambda: window.session.is_ready)
    answer, bar = window.session.answer, window.findChild(BudgetBar, "budget_bar")
    assert bar is not None
    assert answer is not None
    assert answer.recorded is not None
    assert bar.picture is not None
    segment = bar.picture.named("remainder")
    assert segment is not None
    assert segment.title == "Not in the file"
    assert segment.start == answer.ledger.total
    assert answer.ledger.total - answer.recorded.later + segment.tokens == 102_008
    span, whole = bar.span_of(segment), bar.width() - 2 * AROUND
    assert span.width() == pytest.approx(whole * segment.tokens / bar.picture.window, abs=2)
    reserve = bar.picture.named("reserve")
    assert reserve is not None
    assert reserve.start == segment.end
    assert "system prompt and tools of the application" in bar.picture.sentence(segment)
    lines = [(line.name, line.figure) for line in prompt_lines(answer)]
    assert ("+ not in the file", f"≈ {segment.tokens:,}") in lines
    assert lines[lines.index(("Recorded", "102,008")) + 1 :] == [
        *(("From a cache", "100,000"), ("To a cache", "2,000"), ("Neither", "8")),
        ("Its answer", "5"),
    ]
    assert not any("100 %" in text for line in lines for text in line)


def test_at_its_turn_the_parts_and_the_remainder_are_the_recorded_total(
    opened: Callable[..., MainWindow], qtbot: QtBot, cached_session: Path
) -> None:
    window = opened(cached_session)
    window.session.edit(go_to_turn, 1)
    qtbot.waitUntil(lambda: window.session.is_ready)
    answer = window.session.answer
    assert answer is not None
    assert answer.ledger.items + answer.ledger.overhead + answer.remainder == 102_008


def test_the_measured_error_names_the_constant_instead_of_a_share(
    opened: Callable[..., MainWindow], qtbot: QtBot, cached_session: Path
) -> None:
    window = opened(cached_session)
    action(window, "recorded").trigger()
    settled(qtbot, window)
    said = pane_of(window).usage.text()
    assert "100,000 read from a cache, 2,000 written to it" in said
    assert "of each are not in the file" in said
    assert "%" not in said.splitlines()[-1]

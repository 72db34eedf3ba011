"""Snapshots in the window: kept, renamed, moved, used and deleted with mouse and keys, and set side by side."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_policy, use_window
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record
from inspector.assembly.side_choice import BASELINE, NOW, SideChoice
from inspector.assembly.snapshots import keep_snapshot
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.changes.model import NO_DIFFERENCE
from inspector.gui.screens.snapshots.listing import DIFFERENCE, NAME, TOKENS, WHEN
from inspector.gui.screens.snapshots.view import SnapshotsView
from inspector.gui.table.view import ArrayTableView

Open = Callable[..., MainWindow]
NO_MODIFIER = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "talk.json"
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"word {n} " * 40} for n in range(8)]
    file.write_text(json.dumps(messages))
    return file


@pytest.fixture
def window(opened: Open, source: Path) -> MainWindow:
    return opened(source)


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    assert found.isEnabled(), name
    return found


def view(window: MainWindow) -> SnapshotsView:
    return window.screens["snapshots"].view


def keep(qtbot: QtBot, window: MainWindow, name: str) -> None:
    action(window, "keep_snapshot").trigger()
    dialog = next(child for child in window.findChildren(QDialog) if child.objectName() == "text_dialog")
    field = dialog.findChild(QLineEdit, "text_field")
    assert isinstance(field, QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, name)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settled(qtbot, window)


def settled(qtbot: QtBot, window: MainWindow) -> None:
    window.session.flush()
    shown = view(window)
    qtbot.waitUntil(lambda: window.session.is_ready and not (shown.is_in_sight and shown.is_waiting))


def names(window: MainWindow) -> list[str]:
    return [one.name for one in window.session.snapshots]


def listed(window: MainWindow) -> list[str]:
    rows = view(window).list
    return [rows.topLevelItem(row).text(NAME) for row in range(rows.topLevelItemCount())]  # type: ignore[union-attr]


def cells(window: MainWindow, row: int) -> list[str]:
    item = view(window).list.topLevelItem(row)
    assert item is not None
    return [item.text(column) for column in range(6)]


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
    qtbot.keyClick(view(window).list, key, modifier)


def click(qtbot: QtBot, window: MainWindow, name: str) -> None:
    button = view(window).findChild(QAbstractButton, f"snapshot_{name}")
    assert isinstance(button, QAbstractButton)
    qtbot.mouseClick(button, LEFT)


def test_a_snapshot_is_kept_and_restored_as_one_step(qtbot: QtBot, window: MainWindow) -> None:
    before = window.session.scenario
    keep(qtbot, window, "wide")
    assert listed(window) == ["Now", "wide"]
    window.session.edit(use_window, 300)
    window.session.edit(use_policy, "naive")
    settled(qtbot, window)
    steps = window.session.undo_stack.count()
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario == before
    assert window.session.undo_stack.count() == steps + 1
    action(window, "undo").trigger()
    assert window.session.scenario.policy == "naive"
    settled(qtbot, window)


def test_each_row_has_its_prompt_beside_that_of_now(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "wide")
    window.session.edit(use_window, 500)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: cells(window, 1)[DIFFERENCE] != "")
    assert window.session.answer is not None
    now, wide = cells(window, 0), cells(window, 1)
    assert number(now[TOKENS]) == window.session.answer.ledger.total
    assert number(wide[DIFFERENCE].partition(",")[0]) == number(wide[TOKENS]) - number(now[TOKENS]) > 0
    assert wide[DIFFERENCE].endswith(" items")
    assert re.fullmatch(r"\d+ \w{3} \d{4}, \d\d:\d\d", wide[WHEN])
    settled(qtbot, window)


def number(text: str) -> int:
    return int(re.sub(r"[^\d−]", "", text).replace("−", "-"))


def test_a_snapshot_without_a_prompt_says_so(qtbot: QtBot, window: MainWindow) -> None:
    window.session.change_snapshots(keep_snapshot, "bad", Scenario(parameters={"memory_share": 0.9}))
    window.session.change_snapshots(keep_snapshot, "gone", Scenario(memory_sets=("nowhere",)))
    window.show_screen("snapshots")
    settled(qtbot, window)
    assert cells(window, 1)[TOKENS] == "no prompt"
    assert "nowhere" in view(window).summary.text()
    settled(qtbot, window)


def test_the_space_bar_gives_a_snapshot_a_column_side_by_side(qtbot: QtBot, window: MainWindow) -> None:
    for name, tokens in (("s0", 4000), ("s1", 1000)):
        window.session.edit(use_window, tokens)
        keep(qtbot, window, name)
    rows = view(window).list
    rows.choose("s0")
    press(qtbot, window, Qt.Key.Key_Space)
    added = SideChoice("snapshot", "s0")
    qtbot.waitUntil(lambda: added in (window.session.compared.columns or ()))
    window.show_screen("side_by_side")
    matrix = window.screens["side_by_side"].view
    qtbot.waitUntil(lambda: "snapshot:s0" in matrix.model.sections and window.session.is_ready)
    assert "snapshot:s1" not in matrix.model.sections
    window.show_screen("snapshots")
    press(qtbot, window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: added not in (window.session.compared.columns or ()))
    settled(qtbot, window)


def test_the_changes_from_a_snapshot_are_a_click_away(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "wide")
    window.session.edit(use_window, 500)
    settled(qtbot, window)
    click(qtbot, window, "compare")
    changes = window.screens["changes"].view
    qtbot.waitUntil(lambda: changes.isVisible() and changes.table.model().rowCount() > 1)
    assert changes.boxes.before.currentText() == "wide"
    assert changes.settings.text() == "1 setting: Context window 128,000 → 500"
    settled(qtbot, window)


def test_the_changes_are_those_of_the_pair_that_was_chosen_last(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "wide")
    window.session.edit(use_window, 500)
    settled(qtbot, window)
    window.session.pin_baseline()
    compared, changes = window.session.compared, window.screens["changes"].view
    window.show_screen("changes")
    compared.compare(SideChoice("snapshot", "wide"), NOW)
    compared.compare(BASELINE, NOW)  # before the answer to the snapshot is there
    settled(qtbot, window)
    qtbot.waitUntil(lambda: not window.session.tasks.is_running())
    assert changes.boxes.before.currentText() == "baseline"
    assert changes.summary.text() == NO_DIFFERENCE


def test_the_first_name_that_is_proposed_is_that_of_the_policy(qtbot: QtBot, window: MainWindow) -> None:
    action(window, "keep_snapshot").trigger()
    dialog = next(child for child in window.findChildren(QDialog) if child.objectName() == "text_dialog")
    field = dialog.findChild(QLineEdit, "text_field")
    assert isinstance(field, QLineEdit)
    assert field.text() == "Ratio"
    dialog.reject()


def test_without_snapshots_one_button_leads_to_the_first(qtbot: QtBot, window: MainWindow) -> None:
    window.show_screen("snapshots")
    (button,) = [one for one in view(window).findChildren(QAbstractButton) if one.isVisible()]
    assert button.text() == "Keep a snapshot…"
    settled(qtbot, window)


def test_snapshots_are_renamed_moved_noted_and_removed_with_keys(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("one", "two"):
        keep(qtbot, window, name)
    press(qtbot, window, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(window) == ["two", "one"]
    press(qtbot, window, Qt.Key.Key_F2)
    editor = QApplication.focusWidget() or view(window).list.findChild(QLineEdit)
    editor = editor if isinstance(editor, QLineEdit) else view(window).list.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, "second")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(window) == ["second", "one"])
    assert listed(window) == ["Now", "second", "one"]
    press(qtbot, window, Qt.Key.Key_Delete)
    assert len(names(window)) == 1
    for _ in range(3):
        action(window, "undo").trigger()
    assert names(window) == ["one", "two"]
    settled(qtbot, window)


def test_a_renamed_snapshot_stays_beside_the_others(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "two")
    rows = view(window).list
    rows.choose("two")
    press(qtbot, window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: SideChoice("snapshot", "two") in (window.session.compared.columns or ()))
    press(qtbot, window, Qt.Key.Key_F2)
    editor = rows.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert editor.accessibleName() == "Name of the snapshot"
    qtbot.keyClicks(editor, "second")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(window) == ["second"])
    assert SideChoice("snapshot", "second") in (window.session.compared.columns or ())
    settled(qtbot, window)


def test_the_buttons_say_what_they_do_to_whom_they_are_read(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "one")
    said = {each.objectName(): each.accessibleName() for each in view(window).findChildren(QAbstractButton)}
    assert said["snapshot_keep"] == "Keep the current settings as a snapshot"
    assert said["snapshot_note"] == "Write a note on the snapshot"
    assert said["snapshot_up"] == "Move the snapshot up"
    assert all(name for name in said.values())
    view(window).list.choose("")
    off = [each.objectName() for each in view(window).findChildren(QAbstractButton) if not each.isEnabled()]
    assert sorted(off) == [
        f"snapshot_{name}" for name in ("compare", "down", "note", "remove", "rename", "restore", "up")
    ]
    settled(qtbot, window)


def test_the_buttons_do_what_the_keys_do(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("one", "two"):
        keep(qtbot, window, name)
    click(qtbot, window, "up")
    assert names(window) == ["two", "one"]
    click(qtbot, window, "down")
    assert names(window) == ["one", "two"]
    click(qtbot, window, "remove")
    assert names(window) == ["one"]
    settled(qtbot, window)


def test_snapshots_are_saved_in_their_order_with_their_notes(
    qtbot: QtBot, opened: Open, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.assembly.snapshots import note_snapshot

    file = tmp_path / "a.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    for name in ("zebra", "ant"):
        keep(qtbot, window, name)
    window.session.change_snapshots(note_snapshot, "ant", "small")
    action(window, "save").trigger()
    window.session.tasks.finish_writing()
    value = yaml.safe_load(file.read_text())
    assert list(value["snapshots"]) == ["zebra", "ant"]
    assert value["snapshot_notes"] == {"ant": "small"}
    assert list(value["snapshot_times"]) == ["zebra", "ant"]
    again = opened(file)
    assert again.session.snapshots == window.session.snapshots
    settled(qtbot, window)


def test_a_restored_snapshot_of_a_file_sends_nothing(qtbot: QtBot, opened: Open, source: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.inspection.yaml"
    value = {
        "format": "prompt-inspector/inspection@1",
        "sources": [{"path": source.name}],
        "snapshots": {"server": {"policy": "naive", "summaries": "endpoint"}},
    }
    file.write_text(yaml.safe_dump(value))
    window = opened(file)
    window.show_screen("snapshots")
    view(window).choose("server")
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.session.scenario == Scenario(policy="naive")
    assert [(one.name, one.scenario.summaries) for one in window.session.snapshots] == [("server", "endpoint")]
    settled(qtbot, window)


def test_baseline_and_now_are_swapped_with_one_key_and_back_by_undo(qtbot: QtBot, window: MainWindow) -> None:
    before, pipeline = window.session.scenario, window.session.pipeline
    action(window, "pin_baseline").trigger()
    window.session.edit(use_window, 500)
    settled(qtbot, window)
    narrow = window.session.scenario
    window.activateWindow()
    qtbot.keyClick(window.findChild(ArrayTableView, "decision_table"), Qt.Key.Key_S)
    settled(qtbot, window)
    assert (window.session.scenario, window.session.baseline_scenario) == (before, record(pipeline, narrow))
    action(window, "undo").trigger()
    settled(qtbot, window)
    assert (window.session.scenario, window.session.baseline_scenario) == (narrow, record(pipeline, before))


def test_enter_that_ends_a_name_does_not_restore_the_snapshot(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "before")
    window.session.edit(use_policy, "slots")
    settled(qtbot, window)
    rows = view(window).list
    rows.setFocus()
    rows.choose("before")
    press(qtbot, window, Qt.Key.Key_F2)
    editor = rows.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, "after")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(window) == ["after"])
    settled(qtbot, window)
    assert window.session.scenario.policy == "slots"

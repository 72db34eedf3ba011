"""Snapshots in the window: kept, renamed, moved, restored and removed with mouse and keys, and set side by side."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from cells import texts
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_policy, use_window
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.snapshots.bars import LEAST_BAR
from inspector.gui.screens.snapshots.view import ALL_AGREE, SnapshotsView

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
    rows = view(window).names
    return [rows.item(row).text() for row in range(rows.count())]


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
    qtbot.keyClick(view(window).names, key, modifier)


def click(qtbot: QtBot, window: MainWindow, name: str) -> None:
    button = view(window).findChild(QToolButton, f"snapshot_{name}")
    assert isinstance(button, QToolButton)
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


def test_what_differs_from_now_is_shown_setting_by_setting_and_item_by_item(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "wide")
    window.session.edit(use_window, 500)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: "context window" in texts(view(window).table.array_model, "item"))
    model = view(window).table.array_model
    assert [column.title for column in model.columns][-2:] == ["Now", "wide"]
    row = texts(model, "item").index("context window")
    assert model.index(row, model.column("answer:0")).data() == "500"
    markings = [model.marking(place) for place in range(model.rowCount())]
    assert any(marking and "→" in marking.heading for marking in markings)
    bars = view(window).bars
    assert bars.names == ("Now", "wide")
    assert bars.bar(0).left() == bars.bar(1).left()
    settled(qtbot, window)


@pytest.mark.parametrize(
    ("window_tokens", "differ", "empty"),
    [
        (None, "0 settings and 0 items differ: Now · wide", True),
        (4_000, "1 setting and 0 items differ: Now · wide", False),
    ],
)
def test_where_no_item_differs_that_is_said(
    qtbot: QtBot, window: MainWindow, window_tokens: int | None, differ: str, empty: bool
) -> None:
    window.session.edit(use_policy, "naive")
    keep(qtbot, window, "wide")
    if window_tokens is not None:
        window.session.edit(use_window, window_tokens)
        settled(qtbot, window)
    shown = view(window)
    qtbot.waitUntil(lambda: shown.summary.text() == differ)
    assert shown.bars.isVisible()
    said = [label.text() for label in shown.table.findChildren(QLabel) if label.isVisible()]
    assert said == ([ALL_AGREE] if empty else [])
    assert shown.bars.names == ("Now", "wide")
    heading = None if empty else shown.table.array_model.marking(0)
    assert empty or (heading is not None and heading.heading == "1 setting that differs")


def test_up_to_four_are_set_side_by_side_with_the_space_bar(qtbot: QtBot, window: MainWindow) -> None:
    for number, tokens in enumerate((4000, 3000, 2000, 1000)):
        window.session.edit(use_window, tokens)
        keep(qtbot, window, f"s{number}")
    rows = view(window).names
    for row in range(1, 5):
        rows.setCurrentRow(row)
        press(qtbot, window, Qt.Key.Key_Space)
    assert rows.side_by_side == ("s0", "s1", "s2", "s3")
    qtbot.waitUntil(lambda: view(window).bars.names == ("s0", "s1", "s2", "s3"))
    settled(qtbot, window)


def test_snapshots_are_renamed_moved_noted_and_removed_with_keys(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("one", "two"):
        keep(qtbot, window, name)
    press(qtbot, window, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(window) == ["two", "one"]
    press(qtbot, window, Qt.Key.Key_F2)
    editor = QApplication.focusWidget() or view(window).names.findChild(QLineEdit)
    editor = editor if isinstance(editor, QLineEdit) else view(window).names.findChild(QLineEdit)
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
    for tokens, name in ((4000, "one"), (3000, "two"), (2000, "three")):
        window.session.edit(use_window, tokens)
        keep(qtbot, window, name)
    rows = view(window).names
    for row in (1, 2):
        rows.setCurrentRow(row)
        press(qtbot, window, Qt.Key.Key_Space)
    press(qtbot, window, Qt.Key.Key_F2)
    editor = rows.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert editor.accessibleName() == "Name of the snapshot"
    qtbot.keyClicks(editor, "second")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(window) == ["one", "second", "three"])
    assert rows.side_by_side == ("", "one", "second")
    action(window, "undo").trigger()
    assert rows.side_by_side == ("", "one", "two")
    settled(qtbot, window)


@pytest.mark.parametrize("perspective", ["inspect", "tune"])
@pytest.mark.parametrize("size", [(1280, 720), (800, 500)])
def test_four_snapshots_are_seen_beside_each_other_in_small_windows(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int], perspective: str
) -> None:
    window.do(perspective)
    window.show_screen("snapshots")
    for number, tokens in enumerate((4000, 700, 500, 400)):
        window.session.edit(use_window, tokens)
        keep(qtbot, window, f"a name of a snapshot that is long {number}")
    window.resize(*size)
    shown = view(window)
    for row in range(1, 5):
        shown.names.setCurrentRow(row)
        press(qtbot, window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(shown.bars.names) == 4)
    settled(qtbot, window)
    room = shown.parentWidget()
    assert room is not None
    assert shown.width() <= room.width(), "it has to be scrolled sideways"
    if perspective == "tune":
        assert shown.bars.bar(0).width() >= LEAST_BAR
    assert shown.summary.toolTip(), "what is cut off can be read"
    if size == (1280, 720):
        assert shown.table.horizontalScrollBar().maximum() == 0
        assert all(shown.table.shows(f"answer:{number}") for number in range(4))
        assert shown.table.shows("text") == (perspective == "tune"), "the first line makes place for the answers"


def test_the_buttons_say_what_they_do_to_whom_they_are_read(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "one")
    said = {each.objectName(): each.accessibleName() for each in view(window).findChildren(QToolButton)}
    assert said["snapshot_keep"] == "Keep the current state as a snapshot"
    assert said["snapshot_note"] == "Write a note on the snapshot"
    assert said["snapshot_up"] == "Move the snapshot up"
    assert all(name for name in said.values())
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
    qtbot.keyClick(window.findChild(type(view(window).table), "decision_table"), Qt.Key.Key_S)
    settled(qtbot, window)
    assert (window.session.scenario, window.session.baseline_scenario) == (before, record(pipeline, narrow))
    action(window, "undo").trigger()
    settled(qtbot, window)
    assert (window.session.scenario, window.session.baseline_scenario) == (narrow, record(pipeline, before))


def test_enter_that_ends_a_name_does_not_restore_the_snapshot(qtbot: QtBot, window: MainWindow) -> None:
    keep(qtbot, window, "before")
    window.session.edit(use_policy, "slots")
    settled(qtbot, window)
    rows = view(window).names
    rows.setFocus()
    rows.setCurrentRow(1)
    press(qtbot, window, Qt.Key.Key_F2)
    editor = rows.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, "after")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(window) == ["after"])
    settled(qtbot, window)
    assert window.session.scenario.policy == "slots"

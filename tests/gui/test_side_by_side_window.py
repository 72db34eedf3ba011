"""Settings side by side in the window: put to use, added, removed, kept and compared with mouse and keys."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from cells import header_of
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_parameters, use_window
from inspector.assembly.side_choice import BASELINE, NOW, SideChoice
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens.side_by_side.view import SideBySideView
from inspector.plugins import policies
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LONG, WORDS = SideChoice("policy", "ratio/long-chat"), SideChoice("tokenizer", "estimate:words")


def view_of(window: MainWindow) -> SideBySideView:
    return window.screens["side_by_side"].view


def keys(window: MainWindow) -> list[str]:
    return [
        column.key for column in view_of(window).model.columns if view_of(window).model.place(column.key) is not None
    ]


def settled(qtbot: QtBot, window: MainWindow) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready and not view_of(window).is_waiting)


@pytest.fixture
def window(companion: MainWindow, qtbot: QtBot) -> MainWindow:
    companion.resize(1600, 1000)
    companion.do("shootout")
    settled(qtbot, companion)
    assert view_of(companion).isVisible()
    return companion


def choose(qtbot: QtBot, window: MainWindow, key: str, text: str) -> None:
    """Choose an entry of the menu of a column."""
    menu = view_of(window).menu_of(key)
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.deleteLater()
    settled(qtbot, window)


def test_now_and_every_policy_as_designed_stand_there_at_first(window: MainWindow, qtbot: QtBot) -> None:
    expected = [f"policy:{name}" for name in policies()[0]]
    assert keys(window)[0] == "now"
    assert [key for key in expected if key in keys(window)] == keys(window)[1:]
    assert "policy:ratio" in keys(window), "now is changed"
    window.session.pin_baseline()
    settled(qtbot, window)
    assert keys(window)[:2] == ["now", "baseline"]


def test_a_click_on_a_head_uses_the_setting_as_one_step(window: MainWindow, qtbot: QtBot) -> None:
    before, session = window.session.scenario, window.session
    header, left, _ = header_of(view_of(window).table, "policy:slots")
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 12, 30))
    settled(qtbot, window)
    assert (session.scenario.policy, session.scenario.parameters) == ("slots", {})
    assert session.scenario.draft == before.draft
    assert "policy:slots" not in keys(window), "it is what now is"
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert session.scenario == before
    settled(qtbot, window)


def test_columns_are_added_by_typing_and_removed_by_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    view = view_of(window)
    for typed, choice in (("ratio/long-chat", LONG), ("estimate:words", WORDS)):
        qtbot.mouseClick(view.add, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(view.chooser.found.line, typed)
        qtbot.keyClick(view.chooser.found.line, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda choice=choice: choice.key in keys(window))
        settled(qtbot, window)
    added = next(one for one in window.session.compared.columns or () if one == LONG)
    assert added.values is not None
    assert added.values.parameters, "it holds its values"
    for choice in (LONG, WORDS):
        choose(qtbot, window, choice.key, "Remove the column")
        assert choice.key not in keys(window)
    choose(qtbot, window, "policy:slots", "Remove the column")
    choose(qtbot, window, "now", "Show every policy as designed")
    assert "policy:slots" in keys(window)


def test_the_columns_are_remembered_with_their_values(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    for added in (True, False):
        window = opened(samples_folder() / "companion.workspace.yaml", state=WindowState())
        window.show_screen("side_by_side")
        settled(qtbot, window)
        if added:
            view_of(window).added.emit(LONG)
            settled(qtbot, window)
        assert LONG.key in keys(window)
        (held,) = [one for one in window.session.compared.columns or () if one == LONG]
        assert held.values is not None


def test_a_slider_moves_now_at_once_and_the_others_after_a_pause(window: MainWindow, qtbot: QtBot) -> None:
    view, session = view_of(window), window.session
    before = view.header._heads["policy:slots"].outcome.over
    session.edit(use_window, 7_000)
    session.flush()
    assert session.answer is not None
    assert view.is_waiting
    assert view.header._heads["now"].outcome.total == session.answer.ledger.total
    assert view.header._heads["policy:slots"].outcome.over == before
    assert view.table.painter.dimmed
    settled(qtbot, window)
    assert not view.table.painter.dimmed
    assert view.header._heads["policy:slots"].side.answer.case.model.window.tokens == 7_000


def test_changes_and_texts_of_a_column_are_compared_with_now(window: MainWindow, qtbot: QtBot) -> None:
    slots = SideChoice("policy", "slots")
    choose(qtbot, window, "policy:slots", "Compare changes with it")
    changes = window.screens["changes"].view
    qtbot.waitUntil(lambda: changes.isVisible() and changes.table.model().rowCount() > 1)
    assert (changes.boxes.before.currentData(), changes.boxes.after.currentData()) == (NOW, slots)
    window.show_screen("side_by_side")
    choose(qtbot, window, "policy:slots", "Compare its text")
    texts = window.screens["texts"].view
    qtbot.waitUntil(lambda: texts.isVisible() and not texts.is_waiting and "removed" in texts.text.toPlainText())
    action = window.findChild(QAction, "action:comparison")
    assert action is not None
    action.trigger()
    assert (window.session.compared.before, window.session.compared.after) == (BASELINE, NOW)
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_the_setting_of_a_column_is_kept_as_a_snapshot(window: MainWindow, qtbot: QtBot) -> None:
    choose(qtbot, window, "policy:slots", "Save as snapshot…")
    (kept,) = window.session.snapshots
    assert kept.scenario.policy == "slots"
    assert kept.scenario.parameters, "it holds its values"
    assert kept.kept_at


def test_the_table_is_exported_with_the_columns_of_the_command_line(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "matrix.csv"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    view_of(window).all_items.click()
    choose(qtbot, window, "now", "Export the table…")
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert list(rows[0])[:3] == ["item", "kind", "differ"]
    assert set(keys(window)) <= set(rows[0])
    assert window.session.assembly is not None
    assert len(rows) == len(window.session.assembly.candidates)


def test_the_page_tells_of_the_item_itself(window: MainWindow, qtbot: QtBot) -> None:
    assert not window._arrangement.body.is_right_open
    window.show_screen("changes")
    assert window._arrangement.body.is_right_open
    window.show_screen("side_by_side")
    assert not window._arrangement.body.is_right_open
    window.select(12)
    assert view_of(window).outcomes.count.text().startswith("In ")


def test_a_refused_scenario_leaves_the_columns_of_before(window: MainWindow, qtbot: QtBot) -> None:
    before = keys(window)
    window.session.edit(set_parameters, {"memory_share": 0.9, "history_share": 0.9})
    settled(qtbot, window)
    assert keys(window) in (before, [])
    window.session.undo_stack.undo()
    settled(qtbot, window)
    assert keys(window) == before


@pytest.mark.parametrize("size", [(1280, 720), (800, 500)])
def test_small_windows_have_rows_and_no_second_scroll_bar(
    opened: Callable[..., MainWindow], qtbot: QtBot, size: tuple[int, int]
) -> None:
    folder = samples_folder()
    window = opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml", size=size)
    window.show_screen("side_by_side")
    settled(qtbot, window)
    view = view_of(window)
    assert view.width() <= view.parentWidget().width()  # type: ignore[union-attr]
    assert view.table.viewport().height() >= 2 * view.table.rowHeight(0)

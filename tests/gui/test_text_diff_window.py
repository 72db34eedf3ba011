"""The text of two prompts in the window: now against the baseline or a snapshot, by key, with what changed marked."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_draft, toggle_exclusions, use_window
from inspector.assembly.snapshots import keep_snapshot
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.comparison.text_pane import NOTHING_TO_COMPARE, TextPane
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    file = tmp_path / "talk.json"
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"<b>word</b> {n} " * 4} for n in range(6)]
    file.write_text(json.dumps(messages))
    return opened(file)


def do(window: MainWindow, name: str) -> None:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    found.trigger()


def pane(window: MainWindow) -> TextPane:
    return window.screens["comparison"].view.texts


def show_texts(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "comparison")
    buttons = window.screens["comparison"].view.switch.findChildren(QToolButton)
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    settled(qtbot, window)


def settled(qtbot: QtBot, window: MainWindow) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready and not (pane(window).is_in_sight and pane(window).is_waiting))


def text(window: MainWindow) -> str:
    return pane(window).text.toPlainText()


def test_without_anything_to_compare_with_it_says_how_to_get_it(qtbot: QtBot, window: MainWindow) -> None:
    show_texts(qtbot, window)
    assert text(window) == NOTHING_TO_COMPARE
    assert not pane(window).against.isEnabled()


def test_the_text_of_now_is_compared_with_the_baseline(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    show_texts(qtbot, window)
    assert text(window).strip() == "The prompts are the same text."
    window.session.edit(toggle_exclusions, ["m2"])
    settled(qtbot, window)
    qtbot.waitUntil(lambda: "removed" in text(window))
    assert "- user m2" in text(window)
    assert "<b>word</b> 2" in text(window)


def test_a_snapshot_is_chosen_by_key(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    window.session.edit(set_draft, "What next?")
    settled(qtbot, window)
    window.session.change_snapshots(keep_snapshot, "with draft", window.session.scenario)
    window.session.edit(set_draft, "What now?")
    settled(qtbot, window)
    show_texts(qtbot, window)
    assert "+ user draft" in text(window)
    qtbot.keyClick(pane(window).against, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "~ user draft" in text(window))
    assert pane(window).against.currentData() == "with draft"
    assert "What next?" in text(window)
    settled(qtbot, window)


def test_another_theme_keeps_the_text(qtbot: QtBot, qapp: QApplication, window: MainWindow) -> None:
    do(window, "pin_baseline")
    window.session.edit(toggle_exclusions, ["m2"])
    settled(qtbot, window)
    show_texts(qtbot, window)
    before = text(window)
    apply_theme(qapp, "dark")
    try:
        qapp.processEvents()
        assert text(window) == before != ""
    finally:
        apply_theme(qapp, "light")


def test_the_keys_for_changes_go_through_the_text_and_around(qtbot: QtBot, window: MainWindow) -> None:
    do(window, "pin_baseline")
    ids = [each.id for each in window.session.workspace.conversations[0].messages]
    window.session.edit(toggle_exclusions, [ids[1], ids[3]])
    show_texts(qtbot, window)
    qtbot.waitUntil(lambda: "removed" in text(window))
    chosen = window.row
    places = []
    for keys in ("]", "]", "]", "["):
        qtbot.keyClick(pane(window).text, keys)
        places.append(pane(window).text.textCursor().block().text())
    assert [place[:1] for place in places] == ["-"] * 4, places
    assert places[0] != places[1]
    assert places[2] == places[0], "after the last change comes the first"
    assert places[3] == places[1], "before the first comes the last"
    assert window.row == chosen, "no item of a table out of sight is selected"


def test_the_keys_for_changes_go_through_what_differs_from_a_snapshot_without_a_baseline(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.session.change_snapshots(keep_snapshot, "before", window.session.scenario)
    window.session.edit(toggle_exclusions, ["m2"])
    show_texts(qtbot, window)
    qtbot.waitUntil(lambda: "removed" in text(window))
    do(window, "next_change")
    assert pane(window).text.textCursor().block().text().startswith("- user m2")


def test_the_comparison_of_a_laptop_is_not_scrolled_beside_its_tables(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    folder = samples_folder()
    files = {"scenario": folder / "companion.scenario.yaml", "size": (1280, 720)}
    companion = opened(folder / "companion.workspace.yaml", **files)
    do(companion, "pin_baseline")
    companion.session.edit(use_window, 8_192)
    show_texts(qtbot, companion)
    view = companion.screens["comparison"].view
    room = view.parentWidget()
    assert room is not None
    qtbot.waitUntil(lambda: "changed" in text(companion))
    for button in view.switch.findChildren(QToolButton)[:2]:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert view.height() <= room.height(), button.text()
    assert view.texts.text.height() > 0.8 * room.height()

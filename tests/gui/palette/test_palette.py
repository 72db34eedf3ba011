"""The command palette, with real keys: it lists everything, finds it, and does it by the ways that are there."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableView, QTreeView
from pytestqt.qtbot import QtBot

from inspector.assembly.presets import load_presets
from inspector.gui.main_window import MainWindow
from inspector.gui.parts import choice_model
from inspector.gui.parts.chooser import Chooser
from inspector.gui.parts.focus import can_be_seen
from inspector.gui.parts.texts import first_line
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.theme import UNIT
from inspector.plugins import policies
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def open_palette(window: MainWindow, qtbot: QtBot) -> Chooser:
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.findChild(Chooser, "palette")
    assert palette is not None
    qtbot.waitUntil(palette.isVisible)
    return palette


def titles(palette: Chooser) -> list[str]:
    return [choice.title for choice in palette.found.choices()]


def run(window: MainWindow, qtbot: QtBot, words: str) -> None:
    """Open the palette, type, and take what stands on top."""
    palette = open_palette(window, qtbot)
    qtbot.keyClicks(palette.found.line, words)
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Return)
    assert not palette.isVisible()
    window.session.flush()


def test_every_command_panel_policy_preset_model_and_conversation_is_there(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    keys = {choice.key for choice in palette.found.choices()}
    declared = {action.objectName().partition(":")[2] for action in companion.findChildren(QAction)}
    assert {f"command:{name}" for name in declared - {"", "palette"} if not name.startswith("-")} <= keys
    assert {f"page:{name}" for name in companion._arrangement.names} <= keys
    assert {f"policy:{name}" for name in policies()[0]} <= keys
    assert {f"preset:{policy}:{name}" for policy, name in load_presets()} <= keys
    assert {"model:gpt-4o", "conversation:harbour"} <= keys
    assert len(keys) == len(palette.found.choices()), "nothing is listed twice"
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_keys_and_kinds_are_shown(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    shown = {choice.key: choice.cells for choice in palette.found.choices()}
    assert shown["command:export"][2:] == ("Ctrl+E", "Command")
    assert shown["page:prompt"] == ("Prompt as sent", "Inspect", "", "Page")
    assert shown["conversation:harbour"][3] == "Conversation"
    palette.close()


def test_colours_are_found_as_themes(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    qtbot.keyClicks(palette.found.line, "theme dark")
    assert titles(palette)[:1] == ["Dark colours"]
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Escape)


def test_a_panel_a_policy_a_preset_and_a_model_are_had_by_typing(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    assert not companion.screens["snapshots"].is_visible
    run(companion, qtbot, "snapshots page")
    assert companion.screens["snapshots"].is_visible
    run(companion, qtbot, "slots policy")
    assert session.scenario.policy == "slots"
    run(companion, qtbot, "ratio memory-first preset")
    assert (session.scenario.policy, session.scenario.preset) == ("ratio", "memory-first")
    run(companion, qtbot, "gpt-4.1-mini")
    assert session.scenario.model == "gpt-4.1-mini"
    assert session.undo_stack.count() == 3, "each is a step"
    run(companion, qtbot, "undo")
    assert session.scenario.model != "gpt-4.1-mini"


@pytest.mark.parametrize("name", ["settings", "memories", "survival"])
def test_a_panel_that_is_chosen_has_the_keyboard(companion: MainWindow, qtbot: QtBot, name: str) -> None:
    companion.activateWindow()
    table = companion.findChild(QTableView, "decision_table")
    assert table is not None
    table.setFocus()
    run(companion, qtbot, f"{companion.screens[name].title} page")
    view = companion.screens[name].view
    qtbot.waitUntil(lambda: view.isAncestorOf(companion.focusWidget() or companion))
    focused = companion.focusWidget()
    assert focused is not None
    assert can_be_seen(focused)


def test_a_letter_that_is_a_key_of_the_window_is_typed(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    qtbot.keyClicks(palette.found.line, "b")
    assert palette.found.line.text() == "b"
    assert companion.session.baseline is None
    palette.close()
    run(companion, qtbot, "set baseline")
    assert companion.session.baseline is not None


def test_letters_that_come_to_the_window_while_a_box_opens_are_typed_into_it(
    companion: MainWindow, qtbot: QtBot
) -> None:
    table = companion.findChild(QTableView, "decision_table")
    assert table is not None
    table.setFocus()
    companion.select(9)
    for action, name in (("palette", "palette:search"), ("search", "search_box:line")) * 2:
        companion.do(action)
        line = companion.findChild(QLineEdit, name)
        assert line is not None
        qtbot.keyClicks(companion, "bpn")
        qtbot.keyClicks(table, "xm")
        assert (line.text(), companion.session.undo_stack.count()) == ("bpnxm", 0)
        assert companion.session.baseline is None
        line.clear()
        qtbot.keyClick(line, Qt.Key.Key_Escape)
    qtbot.keyClicks(table, "x")
    assert companion.session.undo_stack.count() == 1, "with the box the letters are those of the window again"


def test_choosing_the_shown_conversation_keeps_its_marks(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    before = session.scenario
    run(companion, qtbot, "harbour talks")
    assert session.scenario == before
    run(companion, qtbot, "old thread")
    assert session.scenario.conversation not in (None, before.conversation)


def test_arrows_go_round_and_what_is_not_possible_is_not_done(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    line, view = palette.found.line, palette.findChild(QTreeView)
    assert view is not None
    qtbot.keyClick(line, Qt.Key.Key_Up)
    assert view.currentIndex().row() == len(titles(palette)) - 1
    qtbot.keyClick(line, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 0
    qtbot.keyClicks(line, "redo")
    assert titles(palette)[0] == "Redo"
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert palette.isVisible(), "there is nothing to redo"
    palette.close()


def test_nothing_found_is_said(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    qtbot.keyClicks(palette.found.line, "qqqqqq")
    said = palette.findChild(QLabel)
    assert said is not None
    assert said.isVisible()
    assert said.text() == "Nothing found."
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Return)
    palette.close()


def test_a_click_takes_an_entry(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    qtbot.keyClicks(palette.found.line, "reserve policy")
    view = palette.findChild(QTreeView)
    assert view is not None
    place = view.visualRect(view.model().index(0, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not palette.isVisible()
    assert companion.session.scenario.policy == "reserve"


def test_what_was_used_lately_stands_first_also_in_the_next_window(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    for first in (["Open…", "Add…"], ["Everything", "Open…"]):
        window = opened(samples_folder() / "companion.workspace.yaml", state=WindowState())
        palette = open_palette(window, qtbot)
        assert titles(palette)[:2] == first
        palette.close()
        run(window, qtbot, "naive policy")
        assert titles(open_palette(window, qtbot))[:2] == ["Everything", "Open…"]
        palette.close()
        qtbot.waitUntil(lambda window=window: window.session.is_ready)


def test_ten_thousand_conversations_are_painted_as_they_are_seen(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = "<img src='file:///dev/zero'> & [*]\n\u202e"
    chats = [
        {"id": f"c{n}", "title": f"Talk {n} {hostile}", "messages": [{"id": "m", "role": "user", "content": "Hello"}]}
        for n in range(10_000)
    ]
    file = tmp_path / "many.json"
    file.write_bytes(orjson.dumps({"format": "prompt-inspector/workspace@1", "conversations": chats}))
    window = opened(file)
    palette = open_palette(window, qtbot)
    painted: list[str] = []
    monkeypatch.setattr(choice_model, "first_line", lambda text: painted.append(text) or first_line(text))
    qtbot.keyClicks(palette.found.line, "talk 9876")
    palette.grab()
    assert palette.found.choices()[0].key == "conversation:c9876"
    assert 0 < len(set(painted)) < 200
    shown = palette.found.list.model().index(0, 0).data()
    assert shown == "Talk 9876 <img src='file:///dev/zero'> & [*] ⟦RLO⟧"
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Return)
    assert window.session.scenario.conversation == "c9876"
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_escape_shows_where_the_tokens_are_unless_somebody_else_has_a_use_for_it(
    companion: MainWindow, qtbot: QtBot
) -> None:
    companion.select(30)
    companion.show_screen("prompt")
    details = companion.screens["details"].view
    edit = companion.findChild(QLineEdit, "filter_edit")
    assert edit is not None
    edit.setFocus()
    qtbot.keyClicks(edit, "kept")
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == ""
    assert companion.row == 30, "the filter goes first"
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert companion.row is None
    assert not details.visibleRegion().isEmpty()
    assert "Where the tokens are" in details.said()
    table = companion.screens["decisions"].view.table
    assert table.selected_rows() == []
    companion.select(31)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert companion.row is None


def test_the_palette_goes_first_at_escape(companion: MainWindow, qtbot: QtBot) -> None:
    companion.select(30)
    palette = open_palette(companion, qtbot)
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert companion.row == 30


def test_names_are_told_apart_in_a_narrow_window(companion: MainWindow, qtbot: QtBot) -> None:
    companion.setMinimumSize(632, 331)  # as on a laptop at 200 %
    companion.resize(632, 331)
    palette = open_palette(companion, qtbot)
    found = palette.found.list
    tours = [choice.title for choice in palette.found.choices() if choice.title.startswith("Tour")]
    assert len(tours) == 3
    digit = found.fontMetrics().horizontalAdvance("0")
    qtbot.waitUntil(lambda: found.columnWidth(0) >= 30 * digit)
    for title in tours:
        assert found.fontMetrics().horizontalAdvance(title) <= found.columnWidth(0) - 4, f"{title} is cut off"
    wide = [found.columnWidth(column) for column in range(found.model().columnCount())]
    assert sum(wide) <= found.viewport().width()
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Escape)
    companion.resize(1600, 1000)
    found = open_palette(companion, qtbot).found.list
    qtbot.waitUntil(lambda: found.columnWidth(1) > wide[1])


def test_what_commands_do_is_read_whole_as_soon_as_the_palette_opens(companion: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(companion, qtbot)
    found = palette.found.list
    qtbot.waitUntil(lambda: found.viewport().width() > 500)
    QApplication.processEvents()
    lines = [choice.cells[1] for choice in palette.found.choices() if choice.cells[3] == "Command"]
    room = found.columnWidth(1) - 4 * UNIT
    whole = [line for line in lines if found.fontMetrics().horizontalAdvance(line) <= room]
    assert len(whole) >= 0.9 * len(lines), "most of them are cut off"
    assert found.columnWidth(0) >= 36 * found.fontMetrics().horizontalAdvance("0")

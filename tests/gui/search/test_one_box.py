"""The box for everything, with real keys: it lists all there is, finds it, and does it by the ways that are there."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from painted_texts import texts_of
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QTableView, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.numbers import number_of
from inspector.assembly.presets import load_presets
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.focus import can_be_seen
from inspector.gui.parts.texts import first_line
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.search import painting
from inspector.gui.search.box import NOTHING_FOUND, SearchBox
from inspector.gui.search.lines import Entry, Heading, Hit
from inspector.gui.theme import UNIT
from inspector.plugins import policies
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CONTROL = Qt.KeyboardModifier.ControlModifier


def open_box(window: MainWindow, qtbot: QtBot) -> SearchBox:
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    box = window.findChild(SearchBox, "search_box")
    assert box is not None
    qtbot.waitUntil(box.isVisible)
    QApplication.processEvents()  # of the screen of these tests, which would else activate the box once it is closed
    return box


def close(box: SearchBox, qtbot: QtBot) -> None:
    """Close the box; its search, too, is over."""
    qtbot.keyClick(box.line, Qt.Key.Key_Escape)
    assert not box.isVisible()
    qtbot.waitUntil(lambda: box.is_current)


def entries(box: SearchBox) -> list[Choice]:
    return [line.choice for line in box.lines if isinstance(line, Entry)]


def titles(box: SearchBox) -> list[str]:
    return [choice.title for choice in entries(box)]


def headings(box: SearchBox) -> list[str]:
    return [line.text for line in box.lines if isinstance(line, Heading)]


def run(window: MainWindow, qtbot: QtBot, words: str) -> None:
    """Open the box, type, and take what stands on top."""
    box = open_box(window, qtbot)
    qtbot.keyClicks(box.line, words)
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert not box.isVisible()
    window.session.flush()
    qtbot.waitUntil(lambda: box.is_current)


def test_every_command_panel_policy_preset_model_and_conversation_is_there(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    keys = {choice.key for choice in entries(box)}
    declared = {action.objectName().partition(":")[2] for action in companion.findChildren(QAction)}
    assert {f"command:{name}" for name in declared - {"", "palette", "search"} if not name.startswith("-")} <= keys
    assert {f"page:{name}" for name in companion._arrangement.names} <= keys
    assert {f"policy:{name}" for name in policies()[0]} <= keys
    assert {f"preset:{policy}:{name}" for policy, name in load_presets()} <= keys
    assert {"model:gpt-4o", "chat:harbour"} <= keys
    assert len(keys) == len(entries(box)), "nothing is listed twice"
    qtbot.keyClick(box.line, Qt.Key.Key_Escape)
    assert not box.isVisible()


def test_keys_kinds_and_help_are_shown(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    shown = {choice.key: choice.cells for choice in entries(box)}
    assert shown["command:export"][2] == "Ctrl+E"
    assert shown["page:prompt"] == ("Prompt as sent", "Inspect", "")
    assert shown["policy:slots"][1].startswith("Policy · ")
    assert shown["setting:reserve_share"][:2] == (
        "Reply",
        "Setting · Share of the window without the system prompt, kept free for the reply.",
    )
    close(box, qtbot)


def test_colours_are_found_as_themes(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "theme dark")
    assert titles(box)[:1] == ["Dark colours"]
    qtbot.keyClick(box.line, Qt.Key.Key_Escape)


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
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "b")
    assert box.line.text() == "b"
    assert companion.session.baseline is None
    close(box, qtbot)
    run(companion, qtbot, "set baseline")
    assert companion.session.baseline is not None


def test_letters_that_come_to_the_window_while_a_box_opens_are_typed_into_it(
    companion: MainWindow, qtbot: QtBot
) -> None:
    table = companion.findChild(QTableView, "decision_table")
    assert table is not None
    table.setFocus()
    companion.select(9)
    for action in ("palette", "search") * 2:
        companion.do(action)
        line = companion.findChild(QLineEdit, "search_box:line")
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
    box = open_box(companion, qtbot)
    line, view = box.line, box.list
    qtbot.keyClick(line, Qt.Key.Key_Up)
    assert view.currentIndex().row() == len(box.lines) - 1
    qtbot.keyClick(line, Qt.Key.Key_Down)
    assert box.lines[view.currentIndex().row()].text == titles(box)[0]
    qtbot.keyClicks(line, "redo")
    assert titles(box)[0] == "Redo"
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert box.isVisible(), "there is nothing to redo"
    close(box, qtbot)


def test_nothing_found_is_said(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "qqqqqq")
    qtbot.waitUntil(lambda: box.state.text() == NOTHING_FOUND)
    assert box.lines == ()
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    close(box, qtbot)


def test_a_click_takes_an_entry(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "reserve policy")
    view = box.list
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not box.isVisible()
    assert companion.session.scenario.policy == "reserve"


def test_what_was_used_lately_stands_first_also_in_the_next_window(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    for first in (["Open…", "Add…"], ["Everything", "Open…"]):
        window = opened(samples_folder() / "companion.workspace.yaml", state=WindowState())
        box = open_box(window, qtbot)
        assert titles(box)[:2] == first
        close(box, qtbot)
        run(window, qtbot, "naive policy")
        assert titles(open_box(window, qtbot))[:2] == ["Everything", "Open…"]
        close(box, qtbot)
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
    box = open_box(window, qtbot)
    seen: list[str] = []
    monkeypatch.setattr(painting, "first_line", lambda text: seen.append(text) or first_line(text))
    qtbot.keyClicks(box.line, "talk 9876")
    box.grab()
    assert entries(box)[0].key == "chat:c9876"
    assert 0 < len(set(seen)) < 200
    shown = box.list.model().index(1, 0).data()
    assert shown == "Talk 9876 <img src='file:///dev/zero'> & [*] ⟦RLO⟧"
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
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


def test_the_box_goes_first_at_escape(companion: MainWindow, qtbot: QtBot) -> None:
    companion.select(30)
    box = open_box(companion, qtbot)
    qtbot.keyClick(box.line, Qt.Key.Key_Escape)
    assert not box.isVisible()
    assert companion.row == 30


def painted(box: SearchBox) -> list[str]:
    """The texts in the list as they are painted, cut with … where there is no room."""
    return [text.painted.text for text in texts_of(box) if "search_box:list" in text.where]


def test_names_are_told_apart_in_a_narrow_window(companion: MainWindow, qtbot: QtBot) -> None:
    companion.setMinimumSize(632, 331)  # as on a laptop at 200 %
    companion.resize(632, 331)
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "> tour:")
    assert titles(box) == [title for title in titles(box) if title in painted(box)]
    assert len(titles(box)) == 3
    close(box, qtbot)


def test_what_commands_do_is_read_whole(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, ">")
    lines = [choice.cells[1] for choice in entries(box)]
    room = round((1 - painting.TITLE_SHARE) * box.list.viewport().width()) - 24 * UNIT
    whole = [line for line in lines if box.list.fontMetrics().horizontalAdvance(line) <= room]
    assert len(whole) >= 0.9 * len(lines), "most of them are cut off"
    close(box, qtbot)


def test_the_box_opens_at_its_first_section(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    assert box.list.visualRect(box.list.model().index(0, 0)).top() >= 0
    assert headings(box) == ["Commands", "Pages", "Settings", "Chats"]
    close(box, qtbot)


def test_twice_in_a_session_after_other_files_and_with_nothing_open(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened()
    qtbot.waitUntil(lambda: window.session.is_ready and window.isActiveWindow())
    run(window, qtbot, "keys help")
    dialog = window.findChild(QDialog, "keys_dialog")
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()
    window.activateWindow()
    window.open_paths([str(samples_folder() / "companion.workspace.yaml")])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.is_anything_open)
    for words, policy in (("slots policy", "slots"), ("naive policy", "naive")):
        run(window, qtbot, words)
        assert window.session.scenario.policy == policy
        qtbot.waitUntil(lambda: window.session.is_ready)
    window.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: window.session.is_ready and "developer" in window.session.paths[0])
    names = [choice.title for choice in entries(open_box(window, qtbot)) if choice.key.startswith("chat:")]
    assert names == [chat.title for chat in window.session.workspace.conversations]


@pytest.mark.parametrize(("typed", "number"), [("118", "118"), ("#m 12", "M 12"), ("message 7", "7")])
def test_an_item_is_had_by_its_number(companion: MainWindow, qtbot: QtBot, typed: str, number: str) -> None:
    answer = companion.session.answer
    assert answer is not None
    run(companion, qtbot, typed)
    assert companion.row is not None
    assert number_of(answer.assembly.candidates, companion.row) == number
    assert companion.screens["details"].is_visible


def test_a_setting_is_unfolded_and_has_the_keyboard(companion: MainWindow, qtbot: QtBot) -> None:
    companion.activateWindow()
    run(companion, qtbot, "recency half-life setting")
    row = companion.findChild(QWidget, "parameter:half_life_days:value")
    assert row is not None
    qtbot.waitUntil(
        lambda: can_be_seen(row) and (row.parentWidget() or row).isAncestorOf(companion.focusWidget() or row)
    )


def test_signs_limit_the_list_to_a_section(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    for typed, heading in (
        (">re", "Commands"),
        ("/re", "Pages"),
        (":re", "Settings"),
        ("@harb", "Chats"),
        ('"reef', "Texts"),
    ):
        box.line.clear()
        qtbot.keyClicks(box.line, typed)
        qtbot.waitUntil(lambda: box.is_current)
        assert headings(box) == [heading]
    close(box, qtbot)


def test_beside_others_a_section_is_short_and_its_sign_lists_all(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "gpt")
    heading = next(line for line in box.lines if isinstance(line, Heading) and line.text == "Settings")
    listed = [title for title in titles(box) if "gpt" in title]
    assert len(listed) == 8
    assert heading.about.startswith("8 of ")
    qtbot.keyClick(box.line, Qt.Key.Key_Home)
    qtbot.keyClicks(box.line, ":")
    assert len(titles(box)) > 8
    close(box, qtbot)


def test_texts_come_below_and_the_marked_line_stays_marked(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "harbour")
    marked = box.list.currentIndex().row()
    assert titles(box)[0] == "Harbour talks"
    qtbot.waitUntil(lambda: any(isinstance(line, Hit) for line in box.lines))
    assert box.list.currentIndex().row() == marked
    assert headings(box)[-1] == "Texts"
    close(box, qtbot)


def test_the_keys_of_the_box_turn_it_round_and_keep_the_words(companion: MainWindow, qtbot: QtBot) -> None:
    box = open_box(companion, qtbot)
    qtbot.keyClicks(box.line, "harbour")
    qtbot.keyClick(box.line, Qt.Key.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert (box.line.text(), box.line.selectedText()) == ("harbour", "harbour")
    qtbot.waitUntil(lambda: headings(box)[:1] == ["Texts"])
    qtbot.keyClick(box.line, Qt.Key.Key_K, CONTROL)
    assert box.line.text() == ""
    close(box, qtbot)

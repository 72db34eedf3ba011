"""Marks in the window: must-survive and notes by key, menu and filter; undoable, kept in the inspection, never lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from cells import at, texts
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QPlainTextEdit
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.assembly.marks import ItemKey
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.budget.chips import HeaderChip
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import BELL_SIGN, NOTE_SIGN, PIN_SIGN, SHIELD_SIGN

Open = Callable[..., MainWindow]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "talk.json"
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"word {n} " * 40} for n in range(6)]
    file.write_text(json.dumps(messages))
    return file


@pytest.fixture
def window(opened: Open, source: Path) -> MainWindow:
    return opened(source)


def table(window: MainWindow) -> ArrayTableView:
    found = window.findChild(ArrayTableView, "decision_table")
    assert isinstance(found, ArrayTableView)
    return found


def shown_ids(window: MainWindow) -> list[str]:
    model = table(window).model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


def click_item(qtbot: QtBot, window: MainWindow, name: str) -> None:
    shown = table(window)
    position = shown_ids(window).index(name)
    place = shown.visualRect(shown.model().index(position, 1)).center()
    qtbot.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    qtbot.keyClick(table(window), key)
    window.session.flush()


def narrow(qtbot: QtBot, window: MainWindow, tokens: int) -> None:
    window.session.edit(use_window, tokens)
    qtbot.waitUntil(lambda: window.session.is_ready)


def codes(window: MainWindow) -> list[str]:
    answer = window.session.answer
    return [finding.code for finding in answer.findings] if answer else []


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    return found


def signs(window: MainWindow, name: str) -> list[str]:
    """What stands beside the number of an item."""
    marking = table(window).array_model.marking(shown_ids(window).index(name))
    return [sign.icon for sign in marking.signs] if marking else []


def write_note(qtbot: QtBot, window: MainWindow, text: str) -> None:
    dialog = next(child for child in window.findChildren(QDialog) if child.objectName() == "text_dialog")
    field = dialog.findChild(QPlainTextEdit, "text_field")
    assert isinstance(field, QPlainTextEdit)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_m_marks_what_must_survive_and_a_bell_rings_when_it_is_dropped(qtbot: QtBot, window: MainWindow) -> None:
    click_item(qtbot, window, "m0")
    press(qtbot, window, Qt.Key.Key_M)
    assert window.session.marks.must_survive == (ItemKey("m0"),)
    assert "must_survive_dropped" not in codes(window)
    assert signs(window, "m0") == [SHIELD_SIGN]
    press(qtbot, window, Qt.Key.Key_X)
    assert "must_survive_dropped" in codes(window)
    model = table(window).array_model
    assert "must stay, dropped" in texts(model, "marks")
    assert signs(window, "m0") == [BELL_SIGN]
    press(qtbot, window, Qt.Key.Key_M)
    assert "must_survive_dropped" not in codes(window)


def test_marks_stand_beside_the_number_and_are_told_there(qtbot: QtBot, window: MainWindow) -> None:
    click_item(qtbot, window, "m1")
    press(qtbot, window, Qt.Key.Key_M)
    press(qtbot, window, Qt.Key.Key_P)
    press(qtbot, window, Qt.Key.Key_N)
    write_note(qtbot, window, "the promise")
    assert signs(window, "m1") == [PIN_SIGN, SHIELD_SIGN, NOTE_SIGN]
    model = table(window).array_model
    told = str(at(model, shown_ids(window).index("m1"), "number").data(Qt.ItemDataRole.ToolTipRole))
    assert "must stay" in told
    assert "the promise" in told
    assert "pinned" in told
    assert not table(window).shows("marks")


@pytest.mark.parametrize(("width", "is_room"), [(20, False), (40, True)])
def test_a_second_sign_is_painted_where_its_column_has_room(
    qtbot: QtBot, window: MainWindow, width: int, is_room: bool
) -> None:
    click_item(qtbot, window, "m1")
    press(qtbot, window, Qt.Key.Key_P)
    shown = table(window)
    shown.columns.size("signs", width)
    section = shown.array_model.column("signs")
    qtbot.waitUntil(lambda: window.session.is_ready)

    def cell() -> QImage:
        QApplication.processEvents()
        return shown.viewport().grab(shown.visualRect(shown.currentIndex().siblingAtColumn(section))).toImage()

    before = cell()
    press(qtbot, window, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert signs(window, "m1") == [PIN_SIGN, SHIELD_SIGN]
    assert (cell() != before) == is_room


def test_the_chip_of_the_header_says_what_is_lost_and_a_click_shows_it(qtbot: QtBot, window: MainWindow) -> None:
    click_item(qtbot, window, "m0")
    press(qtbot, window, Qt.Key.Key_M)
    press(qtbot, window, Qt.Key.Key_X)
    chip = window.findChild(HeaderChip, "header_chip:lost")
    assert isinstance(chip, HeaderChip)
    assert chip.accessibleName() == "1 that must stay is dropped"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert shown_ids(window) == ["m0"]
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert len(shown_ids(window)) > 1


def test_marks_and_notes_are_steps(qtbot: QtBot, window: MainWindow) -> None:
    click_item(qtbot, window, "m1")
    press(qtbot, window, Qt.Key.Key_M)
    press(qtbot, window, Qt.Key.Key_N)
    write_note(qtbot, window, "the promise")
    assert window.session.marks.notes == {ItemKey("m1"): "the promise"}
    assert window.session.is_modified
    action(window, "undo").trigger()
    assert not window.session.marks.notes
    action(window, "undo").trigger()
    assert not window.session.marks
    assert not window.session.is_modified
    action(window, "redo").trigger()
    assert window.session.marks.must_survive == (ItemKey("m1"),)


def test_the_menu_of_an_item_marks_it(qtbot: QtBot, window: MainWindow) -> None:
    click_item(qtbot, window, "m2")
    menu = window.screens["decisions"].view.menu()
    assert isinstance(menu, QMenu)
    entry = next(one for one in menu.actions() if one.objectName() == "menu:must_survive")
    assert entry.text() == "Must stay"
    entry.trigger()
    menu.close()
    assert window.session.marks.must_survive == (ItemKey("m2"),)
    again = window.screens["decisions"].view.menu()
    assert "Need not stay" in [one.text() for one in again.actions()]
    again.close()


def test_the_filter_knows_marks_and_notes(qtbot: QtBot, window: MainWindow) -> None:
    click_item(qtbot, window, "m2")
    press(qtbot, window, Qt.Key.Key_M)
    press(qtbot, window, Qt.Key.Key_N)
    write_note(qtbot, window, "Her birthday")
    for line in ("must-survive:yes", "must_survive:yes", "note:birthday"):
        window.screens["decisions"].view.set_filter(line)
        assert shown_ids(window) == ["m2"], line


def test_marks_are_saved_with_the_inspection_and_the_source_stays_as_it_is(
    qtbot: QtBot, opened: Open, window: MainWindow, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, file = source.read_bytes(), tmp_path / "a.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    click_item(qtbot, window, "m3")
    press(qtbot, window, Qt.Key.Key_M)
    press(qtbot, window, Qt.Key.Key_N)
    write_note(qtbot, window, "keep this")
    action(window, "save").trigger()
    window.session.tasks.finish_writing()
    value = yaml.safe_load(file.read_text())
    assert (value["must_survive"], value["notes"]) == (["m3"], {"m3": "keep this"})
    assert not window.session.is_modified
    assert source.read_bytes() == before
    again = opened(file)
    assert again.session.marks == window.session.marks
    narrow(qtbot, again, 120)
    assert again.session.answer is not None
    assert again.session.answer.heard.marks == window.session.marks


def test_marks_stay_where_they_were_when_another_chat_is_added(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    click_item(qtbot, window, "m1")
    press(qtbot, window, Qt.Key.Key_M)
    other = tmp_path / "other.json"
    other.write_text('[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]')
    chat = window.session.workspace.conversations[0].id
    window._files.add_paths([str(other)])
    qtbot.waitUntil(lambda: len(window.session.workspace.conversations) == 2 and window.session.is_ready)
    assert window.session.marks.must_survive == (ItemKey("m1", chat),)

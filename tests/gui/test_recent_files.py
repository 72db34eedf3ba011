"""Recent files: one entry for each opening, by name and folder; inspections among them, none that failed, and Clear."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import MOST_RECENT, WindowState
from inspector.gui.session.recent import WIDEST, entry_text

Open = Callable[..., MainWindow]
CHAT = '[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]'


def chat(file: Path) -> Path:
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(CHAT)
    return file


def file_menu(window: MainWindow) -> QMenu:
    action = window.findChild(QAction, "action:open")
    assert isinstance(action, QAction)
    return next(menu for menu in action.associatedObjects() if isinstance(menu, QMenu))


def entries(window: MainWindow) -> list[QAction]:
    return [action for action in file_menu(window).actions() if action.property("recent")]


def remembered(window: MainWindow) -> list[list[str]]:
    """The paths of each entry, as the menu and the file of the next window have them."""
    shown = [action.data() for action in entries(window)]
    assert shown == [list(paths) for paths in WindowState().recent]
    return shown


def open_in(window: MainWindow, *paths: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.unread_changed):
        window.open_paths([str(path) for path in paths])
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_several_files_opened_together_are_one_entry(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    one, two, other = (chat(tmp_path / name) for name in ("one.json", "two.json", "other.json"))
    window = opened(one, two, state=WindowState())
    open_in(window, other, qtbot=qtbot)
    assert remembered(window) == [[str(other)], [str(one), str(two)]]
    entries(window)[1].trigger()
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(one), str(two)))
    assert remembered(window) == [[str(one), str(two)], [str(other)]]


def test_an_entry_is_the_name_with_its_folder(opened: Open, tmp_path: Path) -> None:
    file = chat(tmp_path / "a & b" / "chat.json")
    window = opened(file, state=WindowState())
    text = entries(window)[0].text()
    assert text.startswith("chat.json — ")
    assert text.endswith("a && b")
    assert str(file).replace("&", "&amp;") in entries(window)[0].toolTip()


def test_what_failed_is_not_remembered(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    good, broken = chat(tmp_path / "good.json"), tmp_path / "broken.json"
    broken.write_text("{")
    window = opened(good, state=WindowState())
    open_in(window, broken, qtbot=qtbot)
    assert remembered(window) == [[str(good)]]
    other = chat(tmp_path / "other.json")
    open_in(window, broken, other, tmp_path / "gone.json", qtbot=qtbot)
    assert remembered(window) == [[str(other)], [str(good)]]


def test_an_entry_that_fails_is_forgotten(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    gone, kept = chat(tmp_path / "gone.json"), chat(tmp_path / "kept.json")
    window = opened(gone, state=WindowState())
    open_in(window, kept, qtbot=qtbot)
    gone.unlink()
    with qtbot.waitSignal(window.session.unread_changed):
        entries(window)[1].trigger()
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert remembered(window) == [[str(kept)]]
    assert window.session.paths == (str(kept),)


def test_what_is_added_is_an_opening_too(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    one, two = chat(tmp_path / "one.json"), chat(tmp_path / "two.json")
    window = opened(one, state=WindowState())
    with qtbot.waitSignal(window.session.renewed):
        window._files.add_paths([str(two)])
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert remembered(window) == [[str(two)], [str(one)]]


def test_reading_again_is_none(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    one, two = chat(tmp_path / "one.json"), chat(tmp_path / "two.json")
    window = opened(one, state=WindowState())
    open_in(window, two, qtbot=qtbot)
    window._files.recent.add([str(one)], "")
    with qtbot.waitSignal(window.session.renewed):
        window.session.reload()
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert remembered(window) == [[str(one)], [str(two)]]


def test_a_saved_inspection_is_among_them(
    opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, saved = chat(tmp_path / "a.json"), tmp_path / "a.inspection.yaml"
    window = opened(file, state=WindowState())
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(saved), ""))
    window.do("save")
    qtbot.waitUntil(lambda: window.session.is_ready and saved.exists())
    assert remembered(window) == [[str(saved)], [str(file)]]


def test_clear_stands_at_the_end_and_clears(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    window = opened(chat(tmp_path / "a.json"), state=WindowState())
    actions = file_menu(window).actions()
    clear = actions[actions.index(entries(window)[-1]) + 1]
    assert clear.text() == "Clear recent files"
    assert clear.isVisible()
    clear.trigger()
    qtbot.waitUntil(lambda: entries(window) == [])
    assert WindowState().recent == ()
    assert not clear.isVisible()
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_long_ones_are_elided_in_the_middle(opened: Open) -> None:
    state = WindowState()
    state.add_recent([f"/{'folder/' * 40}{'long ' * 20}.json"])
    window = opened(state=state)
    text = entries(window)[0].text()
    assert "…" in text[10:-10]
    assert window.fontMetrics().horizontalAdvance(text) <= WIDEST + 20


def test_no_more_are_kept_than_anybody_looks_at() -> None:
    state = WindowState()
    for number in range(MOST_RECENT + 5):
        state.add_recent([f"/f/{number}"])
    state.add_recent(["/f/9"])
    assert len(state.recent) == MOST_RECENT
    assert state.recent[0] == ("/f/9",)


def test_many_files_are_said_by_some_of_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    paths = [f"/home/ada/chats/{name}.json" for name in "abcde"]
    assert entry_text(paths) == "a.json, b.json, c.json and 2 more — ~/chats"

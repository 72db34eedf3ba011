"""The workspace's own menu: what is removed or renamed there changes no file, is a step, and is kept with the work."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QLineEdit, QMenu, QTreeView
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import toggle_pins
from inspector.assembly.tidying import Tidying
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from tests.gui.all_files import files_tree
from tests.test_secrets import KEY

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Open = Callable[..., MainWindow]


def talk(name: str, text: str) -> dict[str, object]:
    return {"id": name, "title": f"Talk {name}", "messages": [{"id": "m", "role": "user", "content": text}]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three conversations, a character and memories."""
    memories = [{"id": "k", "title": "Facts", "memories": [{"id": "k1", "content": "likes tea"}]}]
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [talk(name, f"text of {name}") for name in ("one", "two", "three")],
        "characters": [{"id": "nova", "name": "Nova", "system_prompt": "You are Nova."}],
        "memory_sets": memories,
    }
    path = tmp_path / "talks.workspace.json"
    path.write_text(json.dumps(value))
    return path


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.json"
    path.write_text(json.dumps([{"role": "user", "content": "the other file"}]))
    return path


@pytest.fixture
def window(opened: Open, file: Path, other: Path) -> MainWindow:
    return opened(file, other)


def tree(window: MainWindow) -> QTreeView:
    return files_tree(window)


def line(window: MainWindow, title: str) -> QModelIndex:
    model = tree(window).model()
    flags = Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchContains
    return model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, title, 1, flags)[0]


def is_there(window: MainWindow, title: str) -> bool:
    model = tree(window).model()
    flags = Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchContains
    return bool(model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, title, 1, flags))


def selected(window: MainWindow) -> set[str]:
    return {index.data() for index in tree(window).selectionModel().selectedRows(0)}


def select(window: MainWindow, *titles: str) -> None:
    """As with Ctrl held: no line is used by that."""
    view = tree(window)
    view.setFocus()
    view.clearSelection()
    whole = QItemSelectionModel.SelectionFlag.Rows
    for title in titles:
        index = line(window, title)
        view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select | whole)


def menu(window: MainWindow, *titles: str) -> QMenu:
    select(window, *titles)
    view = tree(window)
    view.customContextMenuRequested.emit(view.visualRect(line(window, titles[-1])).center())
    found = view.findChildren(QMenu, "workspace_menu")
    return found[-1]


def entries(shown: QMenu) -> list[str]:
    return [entry.text() for entry in shown.actions() if not entry.isSeparator()]


def do(shown: QMenu, name: str) -> None:
    entry = next(entry for entry in shown.actions() if entry.objectName() == f"menu:{name}")
    shown.close()
    entry.trigger()


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, f"action:{name}")
    assert isinstance(action, QAction)
    action.trigger()
    window.session.flush()


def chats(window: MainWindow) -> list[str]:
    return [chat.title or chat.id for chat in window.session.workspace.conversations]


def shown(window: MainWindow) -> str:
    window.session.flush()
    conversation = window.session.pipeline.case(window.session.scenario).chosen.conversation
    assert conversation is not None
    return conversation.messages[0].content


def until_ready(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_the_menu_has_what_makes_sense(window: MainWindow) -> None:
    conversation = menu(window, "Talk two")
    assert entries(conversation) == [
        "Use",
        "Show",
        "Rename",
        "Remove from what is open",
        "Reload the file",
        "Show the file in its folder",
    ]
    keys = {entry.objectName(): entry.shortcut().toString() for entry in conversation.actions()}
    assert (keys["menu:use"], keys["menu:rename"], keys["menu:remove"]) == ("Return", "F2", "Del")
    conversation.close()
    several = menu(window, "Talk two", "Talk three")
    assert entries(several) == ["Remove from what is open", "Reload the file", "Show the file in its folder"]
    several.close()
    files = menu(window, "Talk two", "other.json")
    assert entries(files) == ["Remove from what is open", "Reload the files"]
    files.close()
    file = menu(window, "other.json")
    assert entries(file) == ["Remove from what is open", "Reload the file", "Show the file in its folder"]
    file.close()


def test_use_and_show(window: MainWindow, qtbot: QtBot) -> None:
    do(menu(window, "Talk two"), "use")
    assert shown(window) == "text of two"
    do(menu(window, "Facts"), "show")
    qtbot.waitUntil(lambda: window.screens["memories"].is_visible)
    used = window.session.pipeline.case(window.session.scenario).chosen.parts.memory_sets
    do(menu(window, "Facts"), "use")
    window.session.flush()
    assert window.session.pipeline.case(window.session.scenario).chosen.parts.memory_sets != used
    until_ready(window, qtbot)


def test_delete_removes_what_is_selected_as_one_step(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    content = file.read_bytes()
    select(window, "Talk two", "Talk three")
    qtbot.keyClick(tree(window), Qt.Key.Key_Delete)
    assert "Talk two" not in chats(window)
    assert not is_there(window, "Talk three")
    assert window.session.undo_stack.undoText() == "Remove 2 things"
    assert window.isWindowModified()
    trigger(window, "undo")
    assert is_there(window, "Talk two")
    trigger(window, "redo")
    assert not is_there(window, "Talk two")
    assert file.read_bytes() == content
    until_ready(window, qtbot)


def test_what_is_shown_can_be_removed_and_comes_back_with_its_marks(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.edit(toggle_pins, ["m"])
    session.flush()
    scenario = session.scenario
    do(menu(window, "Talk one"), "remove")
    assert shown(window) == "text of two"
    assert session.scenario.pinned == ()
    assert session.trouble == ""
    trigger(window, "undo")
    assert shown(window) == "text of one"
    assert session.scenario == scenario
    assert session.trouble == ""
    until_ready(window, qtbot)


def test_what_was_wrong_with_a_file_goes_with_it(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    other.write_text(json.dumps([{"role": "user", "content": "hello"}, {"content": "who?"}]))
    window._files.add_paths([str(other)])
    qtbot.waitUntil(lambda: bool(window.session.unread))
    banner = window.findChild(Banner)
    assert banner is not None
    assert banner.isVisible()
    do(menu(window, "other.json"), "remove")
    qtbot.waitUntil(lambda: not banner.isVisible())


def test_a_file_can_be_removed_and_added_again(window: MainWindow, file: Path, other: Path, qtbot: QtBot) -> None:
    do(menu(window, "other.json"), "remove")
    assert window.session.paths == (str(file),)
    assert other.exists()
    window._files.add_paths([str(other)])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.paths == (str(file), str(other)))
    assert is_there(window, "other.json")


def test_all_can_be_removed_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    select(window, "talks.workspace.json", "other.json")
    qtbot.keyClick(tree(window), Qt.Key.Key_Delete)
    assert window.session.paths == ()
    listed = window.findChild(QTreeView, "workspace_tree")
    assert isinstance(listed, QTreeView)
    assert not listed.isVisible()
    trigger(window, "undo")
    assert shown(window) == "text of one"
    until_ready(window, qtbot)


def test_f2_renames_and_undo_brings_the_name_back(window: MainWindow, qtbot: QtBot) -> None:
    select(window, "Talk two")
    view = tree(window)
    view.scrollTo(line(window, "Talk two"))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = view.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert editor.text() == "Talk two"
    editor.selectAll()
    qtbot.keyClicks(editor, "Harbour <b>&")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_there(window, "Harbour <b>&"))
    trigger(window, "undo")
    assert is_there(window, "Talk two")
    until_ready(window, qtbot)


def test_the_tree_stays_as_a_person_left_it(window: MainWindow, qtbot: QtBot) -> None:
    view, session = tree(window), window.session
    view.collapse(line(window, "other.json"))
    select(window, "Talk two", "Talk three")
    session.tidy("Rename", session.now.tidying.with_title("conversation:two", "Talk two, called otherwise"))
    assert selected(window) == {"Talk two, called otherwise", "Talk three"}
    assert not view.isExpanded(line(window, "other.json"))
    with qtbot.waitSignal(session.renewed):
        session.reload()
    until_ready(window, qtbot)
    assert selected(window) == {"Talk two, called otherwise", "Talk three"}
    assert not view.isExpanded(line(window, "other.json"))
    assert view.isExpanded(line(window, "talks.workspace.json"))
    trigger(window, "undo")
    assert selected(window) == {"Talk two", "Talk three"}
    until_ready(window, qtbot)


def test_what_is_written_otherwise_is_the_title_and_no_mask_or_shortening_of_it(
    opened: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    titles = [f"Talks about the key {KEY} of {who}" for who in ("Ana", "Ben")]
    chats = [{**talk(title[-3:], "hello"), "title": title} for title in titles]
    path = tmp_path / "keys.workspace.json"
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": chats}))
    window = opened(path)
    select(window, "Ben")
    assert KEY[-8:] not in line(window, "Ben").data()
    view = tree(window)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = view.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert editor.text() == titles[1]
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.findChild(QLineEdit) is None)
    assert window.session.now.tidying.titles == {}
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = view.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    qtbot.keyClick(editor, Qt.Key.Key_End)
    qtbot.keyClicks(editor, "!")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.now.tidying.titles == {"conversation:Ben": f"{titles[1]}!"})
    until_ready(window, qtbot)


def test_one_memory_set_alone_is_renamed_without_the_word_for_it(window: MainWindow) -> None:
    assert line(window, "Facts").data() == "Memories: Facts"
    assert line(window, "Facts").data(Qt.ItemDataRole.EditRole) == "Facts"


def test_it_outlives_reloading(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    do(menu(window, "Talk two"), "remove")
    with qtbot.waitSignal(window.session.renewed):
        do(menu(window, "Talk three"), "reload")
    until_ready(window, qtbot)
    assert "Talk two" not in chats(window)
    trigger(window, "undo")
    assert "Talk two" in chats(window)
    until_ready(window, qtbot)


def test_it_is_saved_and_comes_back(
    window: MainWindow, opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "elsewhere" / "w.inspection.yaml"
    saved.parent.mkdir()
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(saved), ""))
    do(menu(window, "Talk one"), "remove")
    do(menu(window, "other.json"), "remove")
    session = window.session
    session.tidy("Rename", session.now.tidying.with_title("conversation:two", "Second"))
    trigger(window, "save")
    assert session.tasks.finish_writing()
    again = opened(saved)
    assert chats(again) == ["Second", "Talk three"]
    until_ready(window, qtbot)


def test_the_folder_of_a_file_is_shown(window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toLocalFile()) or len(asked) == 1)
    told: list[str] = []
    window.session.problem_reported.connect(lambda problem: told.append(problem.file))
    do(menu(window, "Talk one"), "reveal")
    assert (asked, told) == ([str(file.parent)], [])
    do(menu(window, "Talk one"), "reveal")
    assert (len(asked), told) == (2, [str(file.parent)])


def test_a_click_with_ctrl_only_selects(window: MainWindow, qtbot: QtBot) -> None:
    view, before = tree(window), window.session.scenario
    index = line(window, "Talk three")
    view.scrollTo(index)
    place: QPoint = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert window.session.scenario == before
    assert len(view.selectionModel().selectedRows()) == 2


def test_a_tidying_is_a_value() -> None:
    tidying = Tidying().without(["conversation:a"]).without(["conversation:a", "file:/x"])
    assert tidying.removed == ("conversation:a", "file:/x")
    assert tidying.with_files(["/x"]).removed == ("conversation:a",)
    assert tidying.with_title("conversation:b", "B").with_title("conversation:b", "").titles == {}

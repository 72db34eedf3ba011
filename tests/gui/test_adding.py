"""Adding beside what is open: by menu, drop and paste. What was added is used, what was made stays, nothing is lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import toggle_pins, use_policy
from inspector.gui.commands.dropping import ADD, OPEN, OPEN_INSPECTION, REPLACE
from inspector.gui.commands.file_commands import find_pasted, pasted_content
from inspector.gui.files.inspection import Inspection, write_inspection
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from inspector.gui.parts.drop_overlay import DropOverlay
from inspector.reading.values import UnreadableError
from inspector.settings import pasted_folder
from tests.gui.all_files import files_tree

Open = Callable[..., MainWindow]
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


def written_chat(file: Path, text: str = "hello") -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps([{"role": "user", "content": text}, {"role": "assistant", "content": "hi"}]))
    return file


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return written_chat(tmp_path / "a.json")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return written_chat(tmp_path / "b.json", "from the other file")


@pytest.fixture
def window(opened: Open, chat: Path, qtbot: QtBot) -> MainWindow:
    """A window on a chat with two steps and a baseline."""
    made = opened(chat)
    made.session.pin_baseline()
    made.session.edit(use_policy, "naive")
    made.session.edit(toggle_pins, ["m1"])
    qtbot.waitUntil(lambda: made.session.is_ready)
    return made


def mime(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window: MainWindow, *paths: Path, keys: Qt.KeyboardModifier = NONE) -> None:
    data, left = mime(*paths), Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, left, keys))


def paste(window: MainWindow, data: QMimeData | str, qtbot: QtBot) -> None:
    """Ctrl+V in the table."""
    if isinstance(data, str):
        QGuiApplication.clipboard().setText(data)
    else:
        QGuiApplication.clipboard().setMimeData(data)
    table = window.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, f"action:{name}")
    assert isinstance(action, QAction)
    action.trigger()


def banner(window: MainWindow) -> Banner:
    found = window.findChild(Banner, "banner")
    assert isinstance(found, Banner)
    return found


def overlay(window: MainWindow) -> DropOverlay:
    found = window.findChild(DropOverlay, "drop_overlay")
    assert isinstance(found, DropOverlay)
    return found


def texts(window: MainWindow) -> list[str]:
    """The first message of each conversation that is open."""
    return [chat.messages[0].content for chat in window.session.workspace.conversations]


def shown(window: MainWindow) -> str:
    """The first message of the conversation that is shown."""
    window.session.flush()
    conversation = window.session.pipeline.case(window.session.scenario).chosen.conversation
    assert conversation is not None
    return conversation.messages[0].content


def until_open(window: MainWindow, number: int, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready and len(window.session.workspace.conversations) == number)


def test_dropping_adds_and_what_was_added_is_shown(window: MainWindow, chat: Path, other: Path, qtbot: QtBot) -> None:
    drop(window, other)
    until_open(window, 2, qtbot)
    assert texts(window) == ["hello", "from the other file"]
    assert shown(window) == "from the other file"
    assert window.session.paths == (str(chat), str(other))
    assert "a.json, b.json" in window.windowTitle()


def test_undo_goes_back_to_what_was_shown_with_all_that_was_made(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    session = window.session
    before, baseline = session.scenario, session.baseline_scenario
    drop(window, other)
    until_open(window, 2, qtbot)
    assert session.scenario != before
    trigger(window, "undo")
    assert session.scenario == before
    assert shown(window) == "hello"
    trigger(window, "undo")
    trigger(window, "undo")
    assert session.scenario.policy is None
    assert session.baseline_scenario == baseline
    until_open(window, 2, qtbot)


def test_dropping_with_shift_replaces(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    drop(window, other, keys=SHIFT)
    qtbot.waitUntil(lambda: window.session.is_ready and texts(window) == ["from the other file"])
    assert window.session.paths == (str(other),)


def test_files_are_never_moved_whatever_is_proposed(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    """A file manager proposes to move them when Shift is held, and may remove what it believes to be moved."""
    move, left = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    both = move | Qt.DropAction.CopyAction
    data = mime(other)
    entering = QDragEnterEvent(QPoint(9, 9), both, data, left, SHIFT)
    dropping = QDropEvent(QPointF(9, 9), both, data, left, SHIFT)
    for event in (entering, dropping):
        event.setDropAction(move)
    window.dragEnterEvent(entering)
    window.dropEvent(dropping)
    for event in (entering, dropping):
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction
    until_open(window, 1, qtbot)


def test_undo_by_key_leaves_only_what_is_shown_selected(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    drop(window, other)
    until_open(window, 2, qtbot)
    tree = files_tree(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    table = window.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shown(window) == "hello"
    assert [index.data() for index in tree.selectionModel().selectedRows()] == ["● a"]


def test_in_a_field_without_typed_text_undo_takes_back_the_last_step(
    window: MainWindow, other: Path, qtbot: QtBot
) -> None:
    drop(window, other)
    until_open(window, 2, qtbot)
    line = window.findChild(QLineEdit, "filter_edit")
    assert isinstance(line, QLineEdit)
    line.setFocus()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClicks(line, "ab")
    qtbot.keyClick(line, Qt.Key.Key_Z, control)
    assert line.text() == ""
    assert shown(window) == "from the other file", "what was typed goes first"
    qtbot.keyClick(line, Qt.Key.Key_Z, control)
    assert shown(window) == "hello"
    line.setText("")
    qtbot.keyClick(line, Qt.Key.Key_Z, control | shift)
    assert shown(window) == "from the other file"


def test_the_window_shows_while_dragging_what_will_happen(opened: Open, window: MainWindow, other: Path) -> None:
    data, left, copy = mime(other), Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction
    window.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), copy, data, left, NONE))
    assert overlay(window).isVisible()
    assert overlay(window).size() == window.size()
    assert overlay(window).sentence == ADD
    window.dragMoveEvent(QDragMoveEvent(QPoint(9, 9), copy, data, left, SHIFT))
    assert overlay(window).sentence == REPLACE
    window.dragLeaveEvent(QDragLeaveEvent())
    assert not overlay(window).isVisible()
    inspection = mime(other.with_name("a.inspection.yaml"))
    window.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), copy, inspection, left, NONE))
    assert overlay(window).sentence == OPEN_INSPECTION
    empty = opened()
    empty.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), copy, data, left, NONE))
    assert overlay(empty).sentence == OPEN


def test_text_that_is_dragged_is_not_taken(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("no file")
    event = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, NONE)
    event.ignore()
    window.dragEnterEvent(event)
    assert not event.isAccepted()
    assert window.findChild(DropOverlay, "drop_overlay") is None


def test_add_in_the_menu(window: MainWindow, other: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_: ([str(other)], ""))
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | SHIFT)
    until_open(window, 2, qtbot)
    assert texts(window) == ["hello", "from the other file"]


def test_what_is_added_while_something_is_added_comes_after_it(
    window: MainWindow, other: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(window, other)
    drop(window, written_chat(tmp_path / "c.json", "third"))
    until_open(window, 3, qtbot)
    assert texts(window) == ["hello", "from the other file", "third"]


def test_edits_made_while_it_is_read_are_kept(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    drop(window, other)
    window.session.edit(use_policy, "reserve")
    until_open(window, 2, qtbot)
    assert window.session.scenario.policy == "reserve"
    assert shown(window) == "from the other file"


def test_what_cannot_be_read_changes_nothing(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    session = window.session
    broken = tmp_path / "broken.json"
    broken.write_text('[{"role": ')
    before = (session.workspace, session.scenario, session.paths, session.undo_stack.count(), session.baseline_answer)
    with qtbot.waitSignal(session.unread_changed):
        drop(window, broken)
    qtbot.waitUntil(lambda: session.is_ready)
    after = (session.workspace, session.scenario, session.paths, session.undo_stack.count(), session.baseline_answer)
    assert list(map(id, after[:1])) == list(map(id, before[:1]))
    assert after[1:] == before[1:]
    assert banner(window).sentence.startswith("broken.json: ")


def test_of_several_the_good_ones_are_added(window: MainWindow, other: Path, tmp_path: Path, qtbot: QtBot) -> None:
    drop(window, tmp_path / "gone.json", other)
    until_open(window, 2, qtbot)
    assert banner(window).sentence.startswith("gone.json: ")


def test_what_is_open_already_is_there_once_and_as_it_is_now(window: MainWindow, chat: Path, qtbot: QtBot) -> None:
    written_chat(chat, "hello again")
    drop(window, chat)
    qtbot.waitUntil(lambda: window.session.is_ready and texts(window) == ["hello again"])
    assert window.session.paths == (str(chat),)
    assert window.session.scenario.pinned == ("m1",)


def test_memories_that_are_added_are_used(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "memories.workspace.json"
    memories = [{"id": "k", "memories": [{"id": "k1", "content": "likes tea"}]}]
    file.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "memory_sets": memories}))
    drop(window, file)
    qtbot.waitUntil(lambda: window.session.is_ready and bool(window.session.workspace.memory_sets))
    parts = window.session.pipeline.case(window.session.scenario).chosen.parts
    assert [one.id for one in parts.memory_sets] == ["k"]
    assert shown(window) == "hello"


def test_a_scenario_that_is_added_is_taken_over_as_a_step(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "small.scenario.yaml"
    file.write_text("format: prompt-inspector/scenario@1\ncontext_window: 900\n")
    before = window.session.scenario
    drop(window, file)
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.scenario.context_window == 900)
    trigger(window, "undo")
    assert window.session.scenario == before
    assert texts(window) == ["hello"]
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_an_inspection_is_opened(window: MainWindow, other: Path, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "w.inspection.yaml"
    write_inspection(Inspection.of([str(other)], file, window.session.scenario), file)
    drop(window, file)
    qtbot.waitUntil(lambda: window.session.is_ready and texts(window) == ["from the other file"])
    assert window.session.saved is not None


def test_into_an_empty_window_it_is_opened(opened: Open, other: Path, qtbot: QtBot) -> None:
    window = opened()
    drop(window, other)
    until_open(window, 1, qtbot)
    assert not window.isWindowModified()


def test_json_that_is_pasted_is_a_conversation(window: MainWindow, qtbot: QtBot) -> None:
    paste(window, json.dumps({"messages": [{"role": "user", "content": "pasted"}]}), qtbot)
    until_open(window, 2, qtbot)
    assert shown(window) == "pasted"
    (file,) = pasted_folder().iterdir()
    assert str(file) in window.session.paths, "so that it is kept, and read again, like any other"


def test_lines_of_json_that_are_pasted_are_a_conversation(window: MainWindow, qtbot: QtBot) -> None:
    lines = ({"role": "user", "content": "line one"}, {"role": "assistant", "content": "line two"})
    paste(window, "\n".join(map(json.dumps, lines)), qtbot)
    until_open(window, 2, qtbot)
    assert shown(window) == "line one"


def test_text_that_is_pasted_is_a_message(window: MainWindow, qtbot: QtBot) -> None:
    paste(window, "To do: buy milk\nand <b>bread</b>", qtbot)
    until_open(window, 2, qtbot)
    assert shown(window) == "To do: buy milk\nand <b>bread</b>"


def test_a_key_that_is_pasted_is_kept_as_it_is() -> None:
    text = "My key is sk-ant-api03-" + "aB3" * 20
    content, _ = pasted_content(text)
    assert json.loads(content)[0]["content"] == text


def test_files_that_are_pasted_are_added(window: MainWindow, other: Path, qtbot: QtBot) -> None:
    paste(window, mime(other), qtbot)
    until_open(window, 2, qtbot)
    assert not pasted_folder().exists()


def test_json_that_is_nothing_to_open_is_said_and_not_kept(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.unread_changed):
        paste(window, '{"colour": "blue"}', qtbot)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert banner(window).sentence.startswith("the clipboard: is not a format that this program knows")
    assert texts(window) == ["hello"]
    assert not any(pasted_folder().iterdir())


def test_all_that_is_wrong_with_what_is_pasted_is_said(window: MainWindow, qtbot: QtBot) -> None:
    odd = [{"role": "critic", "content": "x"}, 5, {"content": "x"}]
    with qtbot.waitSignal(window.session.unread_changed):
        paste(window, json.dumps([*odd, {"role": "narrator", "content": "y"}]), qtbot)
    qtbot.waitUntil(lambda: window.session.is_ready)
    places = [problem.place for problem in window.session.unread]
    assert places == ["$", "$[0].role", "$[1]", "$[2].role", "$[3].role"]
    assert {problem.file for problem in window.session.unread} == {"the clipboard"}
    assert banner(window).sentence.endswith(" · 4 findings, 1 file not opened in all")
    assert texts(window) == ["hello"]


def test_what_is_pasted_before_anything_is_clicked_is_added_and_not_filtered_by(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QGuiApplication.clipboard().setText("[12:00] Anna: hello")
    focus = QApplication.focusWidget()
    assert focus is not None
    qtbot.keyClick(focus, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    until_open(window, 2, qtbot)


def test_in_a_text_field_it_is_the_field_that_pastes(window: MainWindow, qtbot: QtBot) -> None:
    field = window.findChild(QLineEdit, "filter_edit")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    QGuiApplication.clipboard().setText("coral")
    qtbot.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    trigger(window, "paste")
    assert field.text() == "coralcoral"
    assert texts(window) == ["hello"]
    field.clear()
    qtbot.waitUntil(lambda: window.session.is_ready)


@pytest.mark.parametrize("text", ["[12:00] Anna: hello", "a: b: c", "- one\n- two", "plain", "{curly} words? no"])
def test_text_that_only_begins_like_data_is_text_where_it_may_be(text: str) -> None:
    if text.startswith("{"):
        with pytest.raises(UnreadableError, match="the clipboard: "):
            find_pasted(text, (), lambda _: None)
    else:
        assert json.loads(pasted_content(text)[0]) == [{"role": "user", "content": text}]


def test_json_that_is_cut_off_says_where() -> None:
    with pytest.raises(UnreadableError, match="cut off"):
        find_pasted('{"messages": [{"role": "user", "content": "x"}', (), lambda _: None)
    assert not any(pasted_folder().iterdir())


def test_an_empty_clipboard_is_said() -> None:
    with pytest.raises(UnreadableError, match="holds no text"):
        pasted_content("  \n")

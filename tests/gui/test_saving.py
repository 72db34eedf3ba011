"""Saving from the window: into the file of what is open, never over another one, and nothing that was in it is lost."""

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_policy, use_tokenizer, use_window
from inspector.gui.app import open_window
from inspector.gui.files.inspection import write_inspection
from inspector.gui.files.opening import Opening
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import WindowState
from inspector.resources import samples_folder

Open = Callable[..., MainWindow]

INSPECTION = """\
format: prompt-inspector/inspection@1
sources: [{path: a.json}]
scenario: {policy: naive}
snapshots: {tight: {context_window: 900, summaries: endpoint}}
must_survive: [m1]
notes: {m1: the promise}
"""


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that a person gives when asked for one, in order; who is asked too often gives none."""
    names: list[str] = []
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (names.pop(0) if names else "", ""))
    return names


def chat(file: Path, text: str = "hello") -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(f'[{{"role": "user", "content": "{text}"}}, {{"role": "assistant", "content": "hi"}}]')
    return file


def do(window: MainWindow, name: str) -> None:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    assert found.isEnabled(), name
    found.trigger()
    window.session.tasks.finish_writing()


def saved(file: Path) -> dict:
    return yaml.safe_load(file.read_text())


def drop(window: MainWindow, path: Path) -> None:
    """With Shift, which replaces what is open."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, shift = Qt.DropAction.CopyAction, Qt.MouseButton.NoButton, Qt.KeyboardModifier.ShiftModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), copy, mime, left, shift))


def open_by_dialog(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_: ([str(path)], ""))
    do(window, "open")


def open_folder(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getExistingDirectory", lambda *_: str(path.parent))
    do(window, "open_folder")


def open_recent(window: MainWindow, path: Path, _: pytest.MonkeyPatch) -> None:
    menus = window.menuBar().findChildren(QMenu)
    next(action for menu in menus for action in menu.actions() if action.data() == [str(path)]).trigger()


WAYS: dict[str, Callable[[MainWindow, Path, pytest.MonkeyPatch], None]] = {
    "open": open_by_dialog,
    "drop": lambda window, path, _: drop(window, path),
    "folder": open_folder,
    "samples": lambda window, *_: do(window, "open_sample"),
    "recent": open_recent,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_opened_next_is_saved_elsewhere(
    way: str, tmp_path: Path, asked: list[str], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = chat(tmp_path / "a.json"), chat(tmp_path / "b" / "b.json")
    state = WindowState()
    state.add_recent([str(second)])
    window = open_window([str(first)], state=state)
    qtbot.addWidget(window)
    session = window.session
    qtbot.waitUntil(lambda: session.is_ready and session.answer is not None)
    file = tmp_path / "a.inspection.yaml"
    asked.append(str(file))
    do(window, "save")
    before = file.read_bytes()
    WAYS[way](window, second, monkeypatch)
    qtbot.waitUntil(lambda: session.is_ready and str(first) not in session.paths)
    do(window, "save")
    assert file.read_bytes() == before
    other = tmp_path / "b.inspection.yaml"
    asked.append(str(other))
    do(window, "save")
    assert len(saved(other)["sources"]) == 1
    assert file.read_bytes() == before
    window.close()


def test_while_something_else_is_loaded_what_is_open_stays_what_is_saved(
    opened: Open, tmp_path: Path, asked: list[str], qtbot: QtBot
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    file = tmp_path / "a.inspection.yaml"
    asked.append(str(file))
    do(window, "save")
    drop(window, chat(tmp_path / "b.json"))
    window.session.cancel_work()
    window.session.edit(use_policy, "naive")
    do(window, "save")
    assert [source["path"] for source in saved(file)["sources"]] == ["a.json"]
    assert saved(file)["scenario"]["policy"] == "naive"
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_after_reload_the_same_inspection_is_saved(
    opened: Open, tmp_path: Path, asked: list[str], qtbot: QtBot
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    session, file = window.session, tmp_path / "a.inspection.yaml"
    do(window, "pin_baseline")
    asked.append(str(file))
    do(window, "save")
    assert not window.isWindowModified()
    session.edit(use_policy, "naive")
    chat(tmp_path / "a.json", "hello again")
    do(window, "reload")
    qtbot.waitUntil(lambda: session.is_ready and session.workspace.conversations[0].messages[0].content[-5:] == "again")
    assert window.isWindowModified(), "what was changed before is still not saved"
    assert session.baseline is not None
    do(window, "save")
    assert not window.isWindowModified()
    assert saved(file)["scenario"]["policy"] == "naive"
    assert "baseline" in saved(file)


def test_what_the_window_does_not_show_survives(opened: Open, tmp_path: Path) -> None:
    chat(tmp_path / "a.json")
    file = tmp_path / "work.inspection.yaml"
    file.write_text(INSPECTION)
    window = opened(file)
    window.session.edit(use_window, 2000)
    do(window, "save")
    again = saved(file)
    assert again["scenario"]["context_window"] == 2000
    assert again["snapshots"]["tight"]["context_window"] == 900
    assert again["snapshots"]["tight"]["summaries"] == "endpoint"
    assert again["must_survive"] == ["m1"]
    assert again["notes"] == {"m1": "the promise"}
    assert again["layout"]["perspective"] == "inspect"


@pytest.mark.parametrize("more", ["mood: calm\n", "baseline: {policy: naive, mood: calm}\n"])
def test_what_is_not_understood_is_not_written_over_unasked(
    opened: Open, tmp_path: Path, asked: list[str], more: str
) -> None:
    chat(tmp_path / "a.json")
    file, other = tmp_path / "work.inspection.yaml", tmp_path / "other.inspection.yaml"
    file.write_text(INSPECTION + more)
    window = opened(file)
    do(window, "save")
    assert file.read_text() == INSPECTION + more, "asked for a name, and none was given"
    asked.append(str(other))
    do(window, "save")
    assert file.read_text() == INSPECTION + more
    assert saved(other)["notes"] == {"m1": "the promise"}
    do(window, "save")
    assert asked == [], "from now on it is known where to save"
    assert other.is_file()


def test_a_wish_for_a_server_that_is_not_kept_is_not_written_over(opened: Open, tmp_path: Path) -> None:
    chat(tmp_path / "a.json")
    file = tmp_path / "work.inspection.yaml"
    text = INSPECTION.replace("policy: naive", "summaries: endpoint")
    file.write_text(text)
    window = opened(file)
    do(window, "save")
    assert file.read_text() == text


def test_a_refused_baseline_is_kept_until_it_is_cleared(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    chat(tmp_path / "a.json")
    file = tmp_path / "work.inspection.yaml"
    file.write_text(INSPECTION + "baseline: {conversation: nowhere}\n")
    window = opened(file)
    assert window.session.baseline is None
    do(window, "save")
    assert saved(file)["baseline"]["conversation"] == "nowhere"
    do(window, "clear_baseline")
    assert window.isWindowModified()
    do(window, "save")
    assert "baseline" not in saved(file)


def test_a_source_that_is_gone_keeps_its_place_and_its_stamp(opened: Open, tmp_path: Path, asked: list[str]) -> None:
    source, file = chat(tmp_path / "a.json"), tmp_path / "work.inspection.yaml"
    window = opened(source)
    asked.append(str(file))
    do(window, "save")
    before = saved(file)["sources"]
    source.unlink()
    again = opened(file)
    do(again, "save")
    assert saved(file)["sources"] == before
    assert before[0]["sha256"]


def test_the_title_says_whether_all_is_saved(opened: Open, tmp_path: Path, asked: list[str]) -> None:
    window = opened(chat(tmp_path / "a.json"))
    session = window.session
    assert window.windowTitle() == "a.json[*]"
    assert not window.isWindowModified()
    do(window, "pin_baseline")
    assert window.isWindowModified(), "the baseline is part of what is saved"
    asked.append(str(tmp_path / "work.inspection.yaml"))
    do(window, "save")
    assert not window.isWindowModified()
    assert window.windowTitle() == "work.inspection.yaml[*]", "what Ctrl+S writes, not what that is made of"
    session.edit(use_policy, "naive")
    assert window.isWindowModified()
    do(window, "undo")
    assert not window.isWindowModified()
    do(window, "clear_baseline")
    assert window.isWindowModified()
    assert opened(tmp_path / "work.inspection.yaml").windowTitle() == "work.inspection.yaml[*]"


def test_an_inspection_is_saved_under_another_name(
    opened: Open, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    (tmp_path / "work").mkdir()
    first, second = (tmp_path / "work" / f"{name}.inspection.yaml" for name in ("monday", "tuesday"))
    asked += [str(first), str(second)]
    do(window, "save")
    before = first.read_bytes()
    window.session.edit(use_policy, "naive")
    do(window, "save_as")
    assert first.read_bytes() == before, "the file of before stays as it was"
    assert saved(second)["scenario"]["policy"] == "naive"
    assert (window.windowTitle(), window.isWindowModified()) == ("tuesday.inspection.yaml[*]", False)
    window.session.edit(use_policy, "slots")
    do(window, "save")
    assert saved(second)["scenario"]["policy"] == "slots", "that is its name from now on"
    starts: list[str] = []
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *terms: (starts.append(terms[2]) or "", "")
    )
    do(window, "export")
    do(window, "save_as")
    assert starts == [str(tmp_path / "work" / name) for name in ("tuesday.report.html", "tuesday 2.inspection.yaml")]


SAVES = {
    "save": "x.inspection.yaml",
    "save_workspace": "x.workspace.json",
    "save_scenario": "x.scenario.yaml",
    "export": "x.json",
}


def itself(source: Path, _: Path) -> Path:
    return source


def hard_link(source: Path, name: Path) -> Path:
    os.link(source, name)
    return name


def symbolic_link(source: Path, name: Path) -> Path:
    name.symlink_to(source)
    return name


@pytest.mark.parametrize("folder", [False, True])
@pytest.mark.parametrize("what", SAVES)
def test_no_source_is_written_over(opened: Open, tmp_path: Path, asked: list[str], what: str, folder: bool) -> None:
    source = chat(tmp_path / "chats" / "a.json")
    window = opened(source.parent if folder else source)
    before, problems = source.read_bytes(), []
    window.session.problem_reported.connect(problems.append)
    for named in (itself, hard_link, symbolic_link):
        (tmp_path / named.__name__).mkdir()
        target = named(source, tmp_path / named.__name__ / SAVES[what])
        asked.append(str(target))
        problems.clear()
        do(window, what)
        assert source.read_bytes() == before, named.__name__
        assert target.samefile(source), named.__name__
        assert "opened" in str(problems[:1]), named.__name__


@pytest.mark.parametrize("folder", [False, True])
def test_an_opened_file_that_could_not_be_read_is_not_written_over(
    opened: Open, tmp_path: Path, asked: list[str], folder: bool
) -> None:
    source = tmp_path / "chats" / "a.json"
    source.parent.mkdir()
    source.write_text('[{"role": "user", "content": ')
    good = chat(tmp_path / "chats" / "b.json")
    window = opened(source.parent) if folder else opened(source, good)
    asked.append(str(source))
    do(window, "save_scenario")
    assert source.read_text() == '[{"role": "user", "content": '


@pytest.mark.parametrize("what", ["save", "save_workspace", "export"])
def test_a_scenario_that_was_opened_is_only_replaced_by_a_scenario(
    tmp_path: Path, asked: list[str], what: str, qtbot: QtBot
) -> None:
    scenario = tmp_path / f"x.scenario.{'json' if what == 'export' else 'yaml'}"
    scenario.write_text('{"format": "prompt-inspector/scenario@1", "policy": "naive"}')
    window = open_window([str(chat(tmp_path / "a.json"))], str(scenario))
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    before = scenario.read_bytes()
    asked.append(str(scenario))
    do(window, what)
    assert scenario.read_bytes() == before
    window.session.edit(use_window, 2000)
    asked.append(str(scenario))
    do(window, "save_scenario")
    assert saved(scenario)["context_window"] == 2000
    window.close()


@pytest.mark.parametrize("what", ["save_workspace", "save_scenario", "export"])
def test_an_inspection_that_was_opened_is_only_replaced_by_an_inspection(
    opened: Open, tmp_path: Path, asked: list[str], what: str
) -> None:
    chat(tmp_path / "a.json")
    file = tmp_path / "work.inspection.json"
    file.write_text(yaml.safe_dump(yaml.safe_load(INSPECTION)))
    before = file.read_bytes()
    window = opened(file)
    asked.append(str(file))
    do(window, what)
    assert file.read_bytes() == before
    do(window, "save")
    assert saved(file)["scenario"]["policy"] == "naive"


def test_files_that_a_scenario_names_are_not_written_over(opened: Open, tmp_path: Path, asked: list[str]) -> None:
    file = tmp_path / "model.json"
    file.write_text("no GGUF")
    window = opened(chat(tmp_path / "a.json"))
    window.session.edit(use_tokenizer, f"gguf:{file}")
    asked.append(str(file))
    do(window, "export")
    assert file.read_text() == "no GGUF"


def test_what_a_link_stands_for_is_written_and_the_link_stays(opened: Open, tmp_path: Path, asked: list[str]) -> None:
    window = opened(chat(tmp_path / "a.json"))
    real, link = tmp_path / "real.scenario.yaml", tmp_path / "link.scenario.yaml"
    real.write_text("old")
    link.symlink_to(real)
    asked.append(str(link))
    do(window, "save_scenario")
    assert link.is_symlink()
    assert saved(real)["format"] == "prompt-inspector/scenario@1"


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Inspections are written only once this event is set."""
    may_go = threading.Event()

    def write(*terms: Any) -> str:
        assert may_go.wait(30)
        return write_inspection(*terms)

    monkeypatch.setattr("inspector.gui.commands.file_commands.write_inspection", write)
    return may_go


def press_save(window: MainWindow) -> None:
    found = window.findChild(QAction, "action:save")
    assert isinstance(found, QAction)
    found.trigger()


def test_what_is_saved_is_what_was_there_when_it_was_asked_for(
    opened: Open, tmp_path: Path, asked: list[str], slow_disk: threading.Event, qtbot: QtBot
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    session, file = window.session, tmp_path / "a.inspection.yaml"
    session.edit(use_policy, "naive")
    asked.append(str(file))
    press_save(window)
    session.edit(use_policy, "reserve")
    session.flush()
    assert not file.exists(), "nobody waits for the disk"
    assert not session.is_ready
    assert window.isWindowModified(), "what was edited since is not saved"
    slow_disk.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert saved(file)["scenario"]["policy"] == "naive"
    do(window, "undo")
    assert not window.isWindowModified()


def test_saving_again_is_written_after_what_was_saved_before(
    opened: Open, tmp_path: Path, asked: list[str], slow_disk: threading.Event
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    file = tmp_path / "a.inspection.yaml"
    asked.append(str(file))
    for policy in ("naive", "reserve", "slots"):
        window.session.edit(use_policy, policy)
        press_save(window)
    slow_disk.set()
    assert window.session.tasks.finish_writing()
    assert saved(file)["scenario"]["policy"] == "slots"


@pytest.fixture
def closing(tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """A window on a chat that the test closes itself."""
    window = open_window([str(chat(tmp_path / "a.json"))])
    window.show()
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    return window


def test_closing_waits_for_what_is_being_saved(
    closing: MainWindow, tmp_path: Path, asked: list[str], slow_disk: threading.Event
) -> None:
    window = closing
    file = tmp_path / "a.inspection.yaml"
    asked.append(str(file))
    press_save(window)
    threading.Timer(0.05, slow_disk.set).start()
    assert window.close()
    assert saved(file)["sources"]


def test_what_could_not_be_written_is_not_saved_and_keeps_the_window(
    closing: MainWindow, tmp_path: Path, asked: list[str]
) -> None:
    window = closing
    session, problems = window.session, []
    session.problem_reported.connect(problems.append)
    session.edit(use_policy, "naive")
    asked.append(str(tmp_path / "nowhere" / "a.inspection.yaml"))
    press_save(window)
    assert not window.close(), "what was edited would be lost"
    assert "cannot be written" in str(problems[0])
    assert window.isWindowModified()
    assert session.saved is None
    do(window, "undo")
    assert not window.isWindowModified(), "as it was opened"
    assert window.close()


def test_a_refused_first_saving_of_what_nobody_changed_leaves_no_mark_in_the_title(
    opened: Open, tmp_path: Path, asked: list[str]
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    asked.append(str(tmp_path / "nowhere" / "a.inspection.yaml"))
    do(window, "save")
    assert not window.isWindowModified()
    window.session.edit(use_policy, "naive")
    assert window.isWindowModified()
    do(window, "undo")
    assert not window.isWindowModified()


def pin(window: MainWindow) -> None:
    window.session.flush()
    window.session.pin_baseline()


def test_after_a_refused_saving_the_mark_goes_by_what_was_written_last(
    opened: Open, tmp_path: Path, asked: list[str]
) -> None:
    window = opened(chat(tmp_path / "a.json"))
    session, file = window.session, tmp_path / "there" / "a.inspection.yaml"
    file.parent.mkdir()
    asked.append(str(file))
    session.edit(use_policy, "naive")
    pin(window)
    do(window, "save")
    assert not window.isWindowModified()
    shutil.rmtree(file.parent)
    session.edit(use_policy, "slots")
    pin(window)
    do(window, "save")
    do(window, "save")
    assert window.isWindowModified(), "neither policy nor baseline was written"
    do(window, "undo")
    assert window.isWindowModified(), "nor is the baseline what it was"
    pin(window)
    assert not window.isWindowModified()
    do(window, "redo")
    assert window.isWindowModified()
    file.parent.mkdir()
    do(window, "save")
    assert not window.isWindowModified()


def test_what_replaces_restored_work_is_not_modified(tmp_path: Path, opened: Open, qtbot: QtBot) -> None:
    window = opened(chat(tmp_path / "a.json"))
    session = window.session
    first, second = chat(tmp_path / "b.json"), chat(tmp_path / "c.json")
    session.open(lambda _: Opening((str(first),), modified=True))
    qtbot.waitUntil(lambda: session.is_ready and session.paths == (str(first),))
    assert window.isWindowModified()
    drop(window, second)
    qtbot.waitUntil(lambda: session.is_ready and session.paths == (str(second),))
    assert not window.isWindowModified()


@pytest.mark.parametrize(
    ("source", "action", "suggested"),
    [
        ("chat.json", "export_prompt", "chat.prompt.txt"),
        ("chat.items.csv", "export_table", "chat 2.items.csv"),
        ("a.workspace.yaml", "save_workspace", "a 2.workspace.yaml"),
    ],
)
def test_no_suggested_name_is_that_of_what_is_open(
    opened: Callable[..., MainWindow],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    action: str,
    suggested: str,
) -> None:
    file = tmp_path / source
    if source.endswith(".yaml"):
        shutil.copy(samples_folder() / "companion.workspace.yaml", file)
    else:
        file.write_text('[{"role": "user", "content": "hello"}]')
    starts: list[str] = []

    def ask(_parent: object, _title: str, start: str, _filters: str) -> tuple[str, str]:
        starts.append(start)
        return "", ""

    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", ask)
    window = opened(file)
    found = window.findChild(QAction, f"action:{action}")
    assert isinstance(found, QAction)
    found.trigger()
    assert starts == [str(tmp_path / suggested)]

"""Autosaving in the window: what was changed comes back; opening, closing and saving lose and replace nothing."""

import errno
import resource
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QTreeWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

import inspector.gui.files.inspection
from inspector.assembly.edits import use_policy, use_window
from inspector.assembly.marks import ItemKey, Marks
from inspector.assembly.scenario import Scenario
from inspector.gui.app import open_window
from inspector.gui.files.inspection import Inspection, Unsaved, write_inspection
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.saving.autosaving import UnsavedFile, unsaved_work
from inspector.gui.screens.start.cards import UnsavedNote
from inspector.settings import own_tables_file, unsaved_folder, versions_folder

Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that a person gives when asked for one, in order; who is asked too often gives none."""
    names: list[str] = []
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (names.pop(0) if names else "", ""))
    return names


@pytest.fixture
def started(qtbot: QtBot) -> Iterator[Open]:
    """Opens a window that autosaves, and waits until it is ready."""
    windows: list[MainWindow] = []

    def start(*paths: Path) -> MainWindow:
        window = open_window([str(path) for path in paths], autosaves=True)
        windows.append(window)
        window.show()
        qtbot.waitUntil(lambda: window.session.is_ready, timeout=20_000)
        return window

    yield start
    for window in windows:
        if isValid(window):
            window.close()


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return written_chat(tmp_path / "a.json")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return written_chat(tmp_path / "b.json")


@pytest.fixture
def named(tmp_path: Path, chat: Path) -> Path:
    """An inspection that a person saved."""
    file = tmp_path / "work.inspection.yaml"
    write_inspection(
        Inspection.of([str(chat)], file, Scenario(policy="naive"), marks=Marks(notes={ItemKey("m1"): "the promise"})),
        file,
    )
    return file


def written_chat(file: Path) -> Path:
    file.write_text('[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]')
    return file


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    return found


def save(window: MainWindow) -> None:
    action(window, "save").trigger()
    window.session.tasks.finish_writing()


def open_in(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    window.open_paths([str(path)])
    qtbot.waitUntil(lambda: window.session.is_ready and str(path) in str(window.session.opened_files))


def policy(file: Path) -> str | None:
    """The policy that a file names; None also for one that the window took away since somebody saw it."""
    return content_of(file).get("scenario", {}).get("policy")


def content_of(file: Path) -> dict[str, Any]:
    """What a file holds; nothing for one that the window took away since somebody saw it."""
    try:
        return yaml.safe_load(file.read_text())
    except FileNotFoundError:
        return {}


def left() -> list[str | None]:
    """The policies of the unsaved work that no window has open, the newest first."""
    return [work.inspection.scenario.policy for work in unsaved_work(())[0] if work.is_modified]


def filter_line(window: MainWindow) -> QLineEdit:
    found = window.findChild(QLineEdit, "filter_edit")
    assert isinstance(found, QLineEdit)
    return found


def closed(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.destroyed):
        assert window.close()


def said(window: MainWindow) -> list[str]:
    problems: list[str] = []
    window.session.problem_reported.connect(lambda problem: problems.append(str(problem)))
    return problems


def test_what_nobody_saved_comes_back(started: Open, chat: Path, qtbot: QtBot) -> None:
    window = started(chat)
    window.session.edit(use_window, 900)
    window.session.pin_baseline()
    window.session.edit(use_policy, "naive")
    window.show_screen("findings")
    scenario, baseline = window.session.scenario, window.session.baseline_scenario
    closed(window, qtbot)
    again = started()
    assert again.session.paths == (str(chat),)
    assert (again.session.scenario, again.session.baseline_scenario) == (scenario, baseline)
    assert again.isWindowModified()
    assert again._arrangement.layout.layouts["inspect"].page == "findings"


def test_what_was_only_looked_at_comes_back_unmodified_and_leaves_nothing_to_recover(
    started: Open, chat: Path, other: Path, qtbot: QtBot
) -> None:
    closed(started(other), qtbot)
    closed(started(chat), qtbot)
    again = started()
    assert again.session.paths == (str(chat),)
    assert not again.isWindowModified()
    assert not action(again, "recover").isEnabled()
    closed(again, qtbot)
    assert len(list(unsaved_folder().glob("*.inspection.yaml"))) == 1


def test_the_filter_is_kept_as_it_is_typed_and_comes_back(started: Open, chat: Path, named: Path, qtbot: QtBot) -> None:
    window = started(chat)
    qtbot.keyClicks(filter_line(window), "role:user")
    files = unsaved_folder()
    qtbot.waitUntil(lambda: "role:user" in [content_of(file).get("filter") for file in files.glob("*.inspection.yaml")])
    assert not window.isWindowModified()
    closed(window, qtbot)
    again = started()
    assert filter_line(again).text() == "role:user"
    assert again.screens["decisions"].view.table.model().rowCount() == 1
    open_in(again, named, qtbot)
    assert filter_line(again).text() == "", "as the inspection was saved"
    qtbot.keyClicks(filter_line(again), "role:assistant")
    save(again)
    assert yaml.safe_load(named.read_text())["filter"] == "role:assistant"
    again.filter_items("tokens>0")
    open_in(again, chat, qtbot)
    assert filter_line(again).text() == "tokens>0 role:assistant", "files have none"
    open_in(again, named, qtbot)
    assert filter_line(again).text() == "role:assistant"
    closed(again, qtbot)


def test_it_is_kept_while_the_window_is_open(started: Open, chat: Path, qtbot: QtBot) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: any(policy(file) == "naive" for file in unsaved_folder().glob("*.inspection.yaml")))
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_of_a_named_inspection_the_changes_come_back_and_the_file_stays(
    started: Open, named: Path, qtbot: QtBot
) -> None:
    before = named.read_bytes()
    window = started(named)
    window.session.edit(use_policy, "slots")
    closed(window, qtbot)
    assert named.read_bytes() == before
    again = started()
    assert again.session.scenario.policy == "slots"
    assert again.isWindowModified()
    save(again)
    assert policy(named) == "slots"
    assert yaml.safe_load(named.read_text())["notes"] == {"m1": "the promise"}
    assert "unsaved" not in yaml.safe_load(named.read_text())
    assert [kept.read_bytes() for kept in versions_folder().glob("*/*")] == [before]


def test_a_table_comes_back_as_its_columns_were_then(started: Open, tmp_path: Path, qtbot: QtBot) -> None:
    table = tmp_path / "talk.csv"
    table.write_text("Absender;Nachricht\nAnna;Hallo\nBerta;Na\n")
    own_tables_file().parent.mkdir(parents=True, exist_ok=True)
    own_tables_file().write_text("- {text: nachricht, speaker: absender}\n")
    closed(started(table), qtbot)
    own_tables_file().write_text("- {text: absender, speaker: nachricht}\n")
    for _ in range(2):
        again = started()
        (chat,) = again.session.workspace.conversations
        assert [message.content for message in chat.messages] == ["Hallo", "Na"]
        assert not again.isWindowModified()
        closed(again, qtbot)


def test_a_saved_inspection_comes_back_from_its_file(started: Open, named: Path, qtbot: QtBot) -> None:
    window = started(named)
    window.session.edit(use_policy, "slots")
    save(window)
    closed(window, qtbot)
    again = started()
    assert again.session.saved is not None
    assert again.session.saved.file == named
    assert not again.isWindowModified()
    assert left() == []


def test_what_another_file_replaces_is_kept_and_can_be_recovered(
    started: Open, chat: Path, other: Path, qtbot: QtBot
) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    open_in(window, other, qtbot)
    qtbot.waitUntil(lambda: "a.json are kept" in window.statusBar().currentMessage())
    assert left() == ["naive"]
    window.session.edit(use_policy, "slots")
    closed(window, qtbot)
    assert sorted(map(str, left())) == ["naive", "slots"]


def test_work_left_by_a_killed_window_is_offered_once_an_empty_window_comes_to_the_front(
    started: Open, chat: Path, qtbot: QtBot
) -> None:
    window = started()
    assert not action(window, "recover").isEnabled()
    file = UnsavedFile()
    file.write(Inspection((str(chat),), Scenario(policy="naive"), unsaved=Unsaved(True)))
    file.let_go()  # as the system does for a window that is killed
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))
    qtbot.waitUntil(action(window, "recover").isEnabled)
    note = window.findChild(UnsavedNote)
    assert note is not None
    qtbot.mouseClick(note, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.paths == (str(chat),) and window.session.is_ready)
    assert window.session.scenario.policy == "naive"


def test_reading_again_leaves_nothing_behind(started: Open, chat: Path, qtbot: QtBot) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    with qtbot.waitSignal(window.session.renewed):
        action(window, "reload").trigger()
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert left() == []
    assert window.session.scenario.policy == "naive"


def test_edits_made_while_it_is_read_again_are_kept(started: Open, chat: Path, qtbot: QtBot) -> None:
    window = started(chat)
    with qtbot.waitSignal(window.session.renewed):
        action(window, "reload").trigger()
        window.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert "naive" in [*left(), window.session.scenario.policy]


def test_recover_by_mouse_and_keys(started: Open, chat: Path, other: Path, qtbot: QtBot) -> None:
    window = started(chat)
    for name, file in (("naive", other), ("slots", chat)):
        window.session.edit(use_policy, name)
        open_in(window, file, qtbot)
    recover = action(window, "recover")
    qtbot.waitUntil(recover.isEnabled)
    recover.trigger()
    rows = shown_list(window)
    qtbot.waitUntil(lambda: rows.topLevelItemCount() == 2 and window.session.is_ready)
    newest, older = rows.topLevelItem(0), rows.topLevelItem(1)
    assert newest is not None
    assert older is not None
    assert (newest.text(0), older.text(0)) == ("b.json", "a.json")
    assert newest.text(1) == str(chat.parent)
    place = rows.visualItemRect(older).center()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.scenario.policy == "naive")
    assert window.isWindowModified()
    assert left() == ["slots"]


def test_removing_takes_a_second_press(started: Open, chat: Path, other: Path, qtbot: QtBot) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    open_in(window, other, qtbot)
    qtbot.waitUntil(action(window, "recover").isEnabled)
    action(window, "recover").trigger()
    rows = shown_list(window)
    buttons = window.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    remove = next(button for button in buttons.buttons() if "Remove" in button.text())
    qtbot.waitUntil(lambda: window.session.is_ready)
    qtbot.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert left() == ["naive"]
    assert remove.text() == "&Remove for ever"
    qtbot.mouseClick(remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.is_ready and rows.topLevelItemCount() == 0)
    assert left() == []
    assert not action(window, "recover").isEnabled()
    rows.window().close()


def shown_list(window: MainWindow) -> QTreeWidget:
    rows = window.findChild(QTreeWidget, "unsaved_list")
    assert isinstance(rows, QTreeWidget)
    return rows


def test_two_windows_at_once_keep_their_own(started: Open, chat: Path, other: Path, qtbot: QtBot) -> None:
    one, two = started(chat), started(other)
    one.session.edit(use_policy, "naive")
    two.session.edit(use_policy, "slots")
    third = started()
    assert third.session.paths == (), "what other windows have open was not left by anybody"
    closed(two, qtbot)
    closed(one, qtbot)
    assert sorted(map(str, left())) == ["naive", "slots"]


def test_with_paths_those_are_opened_and_the_unsaved_stays_reachable(
    started: Open, chat: Path, other: Path, qtbot: QtBot
) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    closed(window, qtbot)
    again = started(other)
    assert again.session.paths == (str(other),)
    qtbot.waitUntil(action(again, "recover").isEnabled)


def test_a_damaged_file_is_told_and_the_others_come_back(started: Open, chat: Path, qtbot: QtBot) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    closed(window, qtbot)
    damaged = unsaved_folder() / "0.inspection.yaml"
    damaged.write_text("format: [")
    again = open_window([], autosaves=True)
    qtbot.addWidget(again)
    problems = said(again)
    qtbot.waitUntil(lambda: again.session.is_ready and again.session.answer is not None)
    assert again.session.scenario.policy == "naive"
    assert any(str(damaged) in problem for problem in problems)
    assert damaged.read_text() == "format: ["
    again.close()


def test_where_nothing_can_be_kept_that_is_said_once_and_work_goes_on(chat: Path, qtbot: QtBot) -> None:
    unsaved_folder().parent.mkdir(parents=True)
    unsaved_folder().write_text("no folder")
    window = open_window([str(chat)], autosaves=True)
    window.show()
    problems = said(window)
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    for name in ("naive", "slots"):
        window.session.edit(use_policy, name)
        window.session.tasks.finish_writing()
    assert len(problems) == 1
    assert "cannot be kept" in problems[0]
    assert not window.close(), "what was edited would be lost"
    assert "close again" in problems[-1]
    assert window.close()


def test_a_full_disk_loses_nothing(chat: Path, qtbot: QtBot) -> None:
    window = open_window([str(chat)], autosaves=True)
    window.show()
    problems = said(window)
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        window.session.edit(use_policy, "naive")
        assert not window.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert any("cannot be kept" in problem for problem in problems)
    assert window.session.scenario.policy == "naive"
    with qtbot.waitSignal(window.destroyed):
        assert window.close()
    assert left() == ["naive"], "there was room again"


def test_a_disk_that_is_full_again_holds_the_window_again(
    chat: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, write, full = open_window([str(chat)], autosaves=True), UnsavedFile.write, [True]
    problems = said(window)

    def keep(file: UnsavedFile, inspection: Inspection) -> None:
        if full:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(file, inspection)

    monkeypatch.setattr(UnsavedFile, "write", keep)
    window.show()
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    window.session.edit(use_policy, "naive")
    assert not window.close()
    banner = window.findChild(Banner)
    assert isinstance(banner, Banner)
    place = str(unsaved_folder())
    assert banner.isVisible()
    assert f"Unsaved changes cannot be kept in {place}" in banner.sentence
    full.clear()
    window.session.edit(use_policy, "slots")
    qtbot.waitUntil(lambda: not banner.isVisible())
    full.append(True)
    problems.clear()
    window.session.edit(use_policy, "ratio")
    assert not window.close(), "what was edited since would be lost"
    assert "No space left" in problems[0]
    assert window.close()


def test_a_file_that_changed_on_disk_is_not_saved_over(
    started: Open, named: Path, asked: list[str], qtbot: QtBot
) -> None:
    window = started(named)
    theirs = named.read_text().replace("naive", "slots")
    named.write_text(theirs)
    window.session.edit(use_policy, "reserve")
    mine = named.with_name("mine.inspection.yaml")
    asked.append(str(mine))
    problems = said(window)
    save(window)
    assert window.isWindowModified()
    qtbot.waitUntil(mine.exists)
    assert named.read_text() == theirs
    assert policy(mine) == "reserve"
    assert "changed since" in problems[0]
    window.session.edit(use_policy, "ratio")
    save(window)
    assert policy(mine) == "ratio"


def test_what_is_kept_never_says_that_a_refused_saving_was_done(
    started: Open, named: Path, asked: list[str], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window that is killed at that moment would come back with the file, and not with the changes."""
    window, kept, write = started(named), list[bool](), UnsavedFile.write

    def keep(file: UnsavedFile, inspection: Inspection) -> None:
        kept.append(inspection.unsaved is None or inspection.unsaved.modified)
        write(file, inspection)

    monkeypatch.setattr(UnsavedFile, "write", keep)
    named.write_text(named.read_text().replace("naive", "slots"))
    window.session.edit(use_policy, "reserve")
    for _ in range(3):
        save(window)
        qtbot.waitUntil(lambda: not window.session.tasks.is_writing)
    closed(window, qtbot)
    assert left() == ["reserve"]
    assert kept
    assert all(kept)


def test_two_windows_on_one_file_do_not_save_over_each_other(started: Open, named: Path, qtbot: QtBot) -> None:
    one, two = started(named), started(named)
    one.session.edit(use_policy, "slots")
    save(one)
    two.session.edit(use_policy, "reserve")
    save(two)
    qtbot.waitUntil(lambda: two.session.is_ready)
    assert policy(named) == "slots"
    assert two.isWindowModified()


def test_a_file_that_was_written_when_the_window_was_killed_is_known_as_its_own(
    started: Open, named: Path, asked: list[str], qtbot: QtBot
) -> None:
    """Killed between writing the file and keeping that it was written."""
    window, written = started(named), Event()
    write_file = inspector.gui.files.inspection.write_file

    def write(path: Path, content: bytes, sources: Sequence[str]) -> None:
        write_file(path, content, sources)
        written.set()

    with pytest.MonkeyPatch.context() as until_killed:
        until_killed.setattr(inspector.gui.files.inspection, "write_file", write)
        until_killed.setattr(UnsavedFile, "write", kept_until(written, UnsavedFile.write))
        window.session.edit(use_policy, "slots")
        kept = unsaved_folder()
        qtbot.waitUntil(lambda: [policy(file) for file in kept.glob("*.inspection.yaml")] == ["slots"])
        save(window)
        assert written.is_set()
        window.session.edit(use_policy, "reserve")
        closed(window, qtbot)
    again = started()
    asked.append("")
    problems = said(again)
    save(again)
    qtbot.waitUntil(lambda: not again.session.tasks.is_writing)
    assert (problems, asked) == ([], [""]), "a name was asked for"
    assert policy(named) == again.session.scenario.policy == "slots"


def kept_until(
    written: Event, write: Callable[[UnsavedFile, Inspection], None]
) -> Callable[[UnsavedFile, Inspection], None]:
    """Keeps nothing any more once the file was written, as after a kill."""
    return lambda file, inspection: None if written.is_set() else write(file, inspection)


def test_recovered_changes_of_a_file_that_changed_since_are_saved_elsewhere(
    started: Open, named: Path, asked: list[str], qtbot: QtBot
) -> None:
    window = started(named)
    window.session.edit(use_policy, "slots")
    closed(window, qtbot)
    theirs = named.read_text().replace("naive", "reserve")
    named.write_text(theirs)
    again = started()
    assert again.session.scenario.policy == "slots"
    mine = named.with_name("mine.inspection.yaml")
    asked.append(str(mine))
    save(again)
    qtbot.waitUntil(mine.exists)
    assert named.read_text() == theirs


def test_changes_of_a_file_that_is_gone_come_back_and_make_it_anew(started: Open, named: Path, qtbot: QtBot) -> None:
    window = started(named)
    window.session.edit(use_policy, "slots")
    closed(window, qtbot)
    named.unlink()
    again = started()
    assert again.isWindowModified()
    save(again)
    assert policy(named) == "slots"


def test_what_could_not_be_saved_is_not_taken_for_saved(
    started: Open, chat: Path, tmp_path: Path, asked: list[str], qtbot: QtBot
) -> None:
    window = started(chat)
    window.session.edit(use_policy, "naive")
    asked.append(str(tmp_path / "nowhere" / "a.inspection.yaml"))
    save(window)
    closed(window, qtbot)
    assert left() == ["naive"]


def test_without_being_asked_nothing_is_kept(opened: Open, chat: Path, qtbot: QtBot) -> None:
    window = opened(chat, state=WindowState())
    window.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.isWindowModified()
    assert not unsaved_folder().exists()

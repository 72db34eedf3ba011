"""The banner: what could not be read says so under the budget bar, and what was open stays as it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QListView, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from inspector.gui.screens.sources.view import LOADING, NOTHING
from inspector.gui.window.status import notice
from inspector.model import Problem

Open = Callable[..., MainWindow]
CHAT = '[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]'


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return written(tmp_path / "chat.json", CHAT)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return written(tmp_path / "broken.json", '{"messages": [')


@pytest.fixture
def window(opened: Open, chat: Path) -> MainWindow:
    return opened(chat)


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def banner(window: MainWindow) -> Banner:
    found = window.findChild(Banner, "banner")
    assert isinstance(found, Banner)
    return found


def is_said(window: MainWindow) -> bool:
    """The banner is made when it is first needed."""
    found = window.findChild(Banner, "banner")
    return isinstance(found, Banner) and found.isVisible()


def test_an_audience_sees_no_banner(opened: Open, broken: Path, chat: Path, qtbot: QtBot) -> None:
    window = opened(broken, chat)
    qtbot.waitUntil(lambda: is_said(window))
    window.do("present")
    assert not is_said(window)
    window.leave_present()
    assert is_said(window)


def button(window: MainWindow, name: str) -> QAbstractButton:
    found = window.findChild(QAbstractButton, f"banner:{name}")
    assert isinstance(found, QAbstractButton)
    return found


def problems_listed(window: MainWindow) -> QListView:
    return next(found for found in window.findChildren(QListView) if found.objectName() == "findings_list")


def open_in(window: MainWindow, *paths: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.unread_changed):
        window.open_paths([str(path) for path in paths])
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_what_can_be_done_is_said_for_the_window_and_not_for_the_command(
    opened: Open, broken: Path, qtbot: QtBot
) -> None:
    window = opened(broken)
    qtbot.waitUntil(lambda: is_said(window))
    words = " ".join(label.text() for label in banner(window).findChildren(QLabel))
    assert "repaired" in words
    window.show_screen("findings")
    list_view = window.findChild(QListView, "findings_list")
    assert isinstance(list_view, QListView)
    listed = str(list_view.model().index(0, 0).data())
    for said in (words, listed, window.statusBar().currentMessage()):
        assert "--" not in said, said


def test_nothing_is_said_where_all_could_be_read(window: MainWindow) -> None:
    assert not is_said(window)


def test_a_file_that_cannot_be_read_is_said_and_leaves_what_is_open(
    window: MainWindow, broken: Path, qtbot: QtBot
) -> None:
    answer, paths = window.session.answer, window.session.paths
    open_in(window, broken, qtbot=qtbot)
    assert banner(window).isVisible()
    assert banner(window).sentence.startswith("broken.json: ")
    assert "line 1, column 15" in banner(window).sentence
    assert (window.session.answer, window.session.paths) == (answer, paths)


def test_an_empty_folder_is_said(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    folder = tmp_path / "nothing here"
    (folder / "nor below").mkdir(parents=True)
    open_in(window, folder, qtbot=qtbot)
    assert banner(window).sentence == "nothing here: there is no file in this folder"
    written(folder / "nor below" / "notes.bin", "\x00\x01")
    open_in(window, folder, qtbot=qtbot)
    assert banner(window).sentence == "nothing here: nothing in this folder is of a format this program knows"


def test_of_several_files_the_good_ones_are_opened_and_the_others_said(
    window: MainWindow, tmp_path: Path, broken: Path, qtbot: QtBot
) -> None:
    other = written(tmp_path / "other.json", CHAT)
    open_in(window, broken, tmp_path / "gone.json", other, qtbot=qtbot)
    assert [source.path for source in window.session.workspace.sources] == [str(other)]
    assert banner(window).sentence.endswith(" · 1 finding, 1 file not opened in all")


def test_a_broken_file_in_a_folder_is_said_and_a_foreign_one_is_not(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "folder"
    written(folder / "chat.json", CHAT)
    written(folder / "notes.txt", "buy milk")
    open_in(window, folder, qtbot=qtbot)
    assert not is_said(window)
    written(folder / "torn.json", '[{"role": "user", "content": ')
    open_in(window, folder, qtbot=qtbot)
    assert banner(window).sentence.startswith("torn.json: ")


def test_what_is_said_of_a_folder_is_what_its_list_counts_and_goes_with_it(
    window: MainWindow, tmp_path: Path, chat: Path, qtbot: QtBot
) -> None:
    for number in range(2):
        folder = tmp_path / f"folder {number}"
        written(folder / "chat.json", CHAT)
        written(folder / "torn.json", '[{"role": "user", "content": ')
        written(folder / "notes.txt", "buy milk")
        written(folder / "odd.json", '[{"role": "user", "content": "hello"}, {"role": "sage", "content": "hi"}]')
        open_in(window, folder, qtbot=qtbot)
        buttons = window.screens["sources"].view.findChildren(QAbstractButton)
        counted = next(one.accessibleName() for one in buttons if one.accessibleName().endswith("met while loading"))
        counted = counted.removesuffix(" met while loading")
        assert counted == "1 finding, 2 files not opened"
        assert banner(window).sentence.endswith(f" · {counted} in all")
    window.session.problem_reported.emit(Problem("baseline", "", "is refused"))
    assert is_said(window)
    open_in(window, chat, qtbot=qtbot)
    assert not is_said(window)


def test_details_go_to_the_list_of_problems(window: MainWindow, broken: Path, qtbot: QtBot) -> None:
    open_in(window, broken, qtbot=qtbot)
    window.show_screen("sources")
    qtbot.mouseClick(button(window, "details"), Qt.MouseButton.LeftButton)
    listed = problems_listed(window)
    assert listed.isVisible()
    assert listed.currentIndex().data(Qt.ItemDataRole.UserRole).below.startswith("broken.json")
    qtbot.waitUntil(listed.hasFocus)


def test_the_list_of_problems_has_a_way_by_keys(window: MainWindow, broken: Path, qtbot: QtBot) -> None:
    open_in(window, broken, qtbot=qtbot)
    found = window.findChild(QAction, "action:show_problems")
    assert isinstance(found, QAction)
    found.trigger()
    assert problems_listed(window).isVisible()


def test_it_is_closed_and_stays_closed_until_something_else_is_wrong(
    window: MainWindow, broken: Path, qtbot: QtBot
) -> None:
    open_in(window, broken, qtbot=qtbot)
    qtbot.mouseClick(button(window, "close"), Qt.MouseButton.LeftButton)
    assert not is_said(window)
    open_in(window, broken, qtbot=qtbot)
    assert banner(window).isVisible()


def test_it_goes_when_something_good_is_opened(window: MainWindow, broken: Path, chat: Path, qtbot: QtBot) -> None:
    open_in(window, broken, qtbot=qtbot)
    open_in(window, chat, qtbot=qtbot)
    assert not is_said(window)


def test_it_lies_below_the_budget_and_a_second_problem_moves_nothing(
    window: MainWindow, tmp_path: Path, broken: Path, qtbot: QtBot
) -> None:
    budget = window.screens["budget"].view
    before = budget.mapTo(window, QPoint(0, 0))
    open_in(window, broken, qtbot=qtbot)
    top = budget.mapTo(window, QPoint(0, budget.height())).y()
    assert budget.mapTo(window, QPoint(0, 0)) == before
    assert banner(window).mapTo(window, QPoint(0, 0)).y() >= top
    table = window.screens["decisions"].view
    place = table.mapTo(window, QPoint(0, 0))
    open_in(window, written(tmp_path / f"{'long ' * 40}.json", "{"), tmp_path / "gone", qtbot=qtbot)
    assert table.mapTo(window, QPoint(0, 0)) == place


def test_it_waits_while_a_mouse_button_is_down(
    window: MainWindow, broken: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [Qt.MouseButton.LeftButton]
    monkeypatch.setattr(
        "inspector.gui.window.status.QGuiApplication.mouseButtons", lambda: held[0] if held else Qt.MouseButton.NoButton
    )
    open_in(window, broken, qtbot=qtbot)
    assert not is_said(window)
    held.clear()
    qtbot.waitUntil(lambda: is_said(window))


@pytest.mark.parametrize(
    ("problems", "sentence"),
    [
        ((Problem("/x/a.json", "$[3]", "expected a role"),), "a.json: $[3]: expected a role"),
        ((Problem("/x/a.json", "", "is empty"),) * 3, "a.json: is empty · 3 findings in all"),
        ((Problem("", "", "the disk is full"),), "the disk is full"),
    ],
)
def test_a_notice_names_file_place_and_what_was_expected(problems: tuple[Problem, ...], sentence: str) -> None:
    assert notice(problems) == sentence


def save_as(window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    window.do("save_scenario")
    window.session.tasks.finish_writing()


def test_what_cannot_be_written_is_said_until_something_could_be(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = tmp_path / "nowhere" / "a.scenario.yaml"
    save_as(window, lost, monkeypatch)
    qtbot.waitUntil(lambda: is_said(window))
    assert banner(window).sentence == "a.scenario.yaml: cannot be written: No such file or directory"
    assert not button(window, "details").isVisible(), "no list has it"
    window.session.edit(use_window, 900)
    window.session.flush()
    assert is_said(window), "not forgotten with the next step"
    save_as(window, tmp_path / "b.scenario.yaml", monkeypatch)
    qtbot.waitUntil(lambda: not is_said(window))


def test_of_all_that_could_not_be_written_nothing_is_said_once_something_could_be(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, other = tmp_path / "late", tmp_path / "nowhere" / "b.scenario.yaml"
    file = folder / "a.scenario.yaml"
    save_as(window, file, monkeypatch)
    qtbot.waitUntil(lambda: banner(window).sentence == "a.scenario.yaml: cannot be written: No such file or directory")
    folder.write_text("in the way")
    save_as(window, file, monkeypatch)
    qtbot.waitUntil(lambda: banner(window).sentence == "a.scenario.yaml: cannot be written: Not a directory")
    save_as(window, other, monkeypatch)
    qtbot.waitUntil(lambda: banner(window).sentence.endswith(" · 2 findings in all"))
    folder.unlink()
    folder.mkdir()
    save_as(window, file, monkeypatch)
    qtbot.waitUntil(lambda: not is_said(window))
    assert file.exists()


def test_a_file_that_cannot_be_read_is_said_after_one_that_could_not_be_written(
    window: MainWindow, broken: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_as(window, tmp_path / "nowhere" / "a.scenario.yaml", monkeypatch)
    qtbot.waitUntil(lambda: is_said(window))
    open_in(window, broken, qtbot=qtbot)
    assert banner(window).sentence.startswith("broken.json")
    assert button(window, "details").isVisible()


def test_what_failed_and_names_no_file_is_said_until_it_is_closed(window: MainWindow, qtbot: QtBot) -> None:
    window.session.fail_work(ValueError("nothing to count"))
    assert banner(window).sentence == "ValueError: nothing to count"
    window.session.edit(use_window, 900)
    window.session.flush()
    assert is_said(window)
    qtbot.mouseClick(button(window, "close"), Qt.MouseButton.LeftButton)
    assert not is_said(window)


def test_an_empty_window_says_that_it_loads_and_not_that_nothing_is_open(
    opened: Open, chat: Path, qtbot: QtBot
) -> None:
    window = opened()
    view = window.screens["sources"].view
    qtbot.waitUntil(lambda: NOTHING in headings(view))
    window.open_paths([str(chat)])
    assert LOADING in headings(view)
    assert NOTHING not in headings(view)
    qtbot.waitUntil(lambda: window.session.is_ready and not {LOADING, NOTHING} & headings(view))


def headings(view: QWidget) -> set[str]:
    return {label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view)}

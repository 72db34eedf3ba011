"""Whatever a person, another file or a link names: the window says what is wrong, and what is open stays as it is."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QMenu
from pytestqt.qtbot import QtBot

import inspector
from inspector.assembly.edits import use_policy
from inspector.gui.app import open_window
from inspector.gui.commands import file_commands
from inspector.gui.files import opening
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.session import session
from inspector.model import Conversation, Message, Problem, Workspace
from tests.examples import cases

Make = Callable[[Path], Path]

CHAT = '[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]'


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.inspection.yaml")
    return folder / "pipe.inspection.yaml"


def link_to(target: str) -> Make:
    def make(folder: Path) -> Path:
        (folder / "link.inspection.yaml").symlink_to(target)
        return folder / "link.inspection.yaml"

    return make


def unix_socket(folder: Path) -> Path:
    here = Path.cwd()
    os.chdir(folder)  # the name of a socket may have no more than about a hundred characters
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("s")
    os.chdir(here)
    return folder / "s"


def empty_folder(folder: Path) -> Path:
    (folder / "folder.inspection.yaml").mkdir()
    return folder / "folder.inspection.yaml"


def inspection_of(source: str) -> Make:
    def make(folder: Path) -> Path:
        file = folder / "of.inspection.yaml"
        file.write_text(
            f"format: prompt-inspector/inspection@1\nsources: [{{path: {source}, size: 1, sha256: a}}]\n"
            "layout: {left: {tabs: [{docks: [findings]}]}}\n"
        )
        return file

    return make


def no_inspection(folder: Path) -> Path:
    file = folder / "broken.inspection.yaml"
    file.write_text("format: prompt-inspector/inspection@1\nscenario: {context_window: wide}\n")
    return file


def large_inspection(folder: Path) -> Path:
    file = folder / "large.inspection.yaml"
    file.write_text("format: prompt-inspector/inspection@1\n")
    os.truncate(file, 200_000_000)
    return file


HOSTILE: dict[str, Make] = {
    "pipe": pipe,
    "endless": link_to("/dev/zero"),
    "loop": link_to("link.inspection.yaml"),
    "link to nothing": link_to("nothing"),
    "socket": unix_socket,
    "empty folder": empty_folder,
    "long name": lambda folder: folder / f"{'a' * 300}.inspection.yaml",
    "no inspection": no_inspection,
    "large inspection": large_inspection,
    "inspection of a pipe": lambda folder: inspection_of(pipe(folder).name)(folder),
    "inspection of a device": inspection_of("/dev/zero"),
    "inspection of a terminal": inspection_of("/dev/tty"),
    "inspection of a loop": lambda folder: inspection_of(link_to("link.inspection.yaml")(folder).name)(folder),
    "inspection of a long name": inspection_of("a" * 300),
    "inspection of itself": inspection_of("of.inspection.yaml"),
    "inspection of a folder": lambda folder: inspection_of(empty_folder(folder).name)(folder),
}


VARIANTS = {f"inspection of a {kind}" for kind in ("device", "terminal", "loop", "folder")}
"""Names of what is hostile by itself already."""


def by_dialog(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_: ([str(path)], ""))
    trigger(window, "open")


def by_folder_dialog(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getExistingDirectory", lambda *_: str(path))
    trigger(window, "open_folder")


def by_drop(window: MainWindow, path: Path, _: pytest.MonkeyPatch) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), copy, mime, left, none))


def by_recent_menu(window: MainWindow, path: Path, _: pytest.MonkeyPatch) -> None:
    """An entry that fails is forgotten, and so each time another one is made."""
    window._files.recent.add([str(path)], "")
    assert window.session.tasks.finish_writing()
    menus = window.menuBar().findChildren(QMenu)
    next(action for menu in menus for action in menu.actions() if action.data() == [str(path)]).trigger()


WAYS = (by_dialog, by_folder_dialog, by_drop, by_recent_menu)


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, f"action:{name}")
    assert isinstance(action, QAction)
    action.trigger()


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.json"
    file.write_text(CHAT)
    return file


@pytest.fixture(params=cases(HOSTILE, HOSTILE.keys() - VARIANTS))
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    return HOSTILE[request.param](folder)


@pytest.fixture
def window(chat: Path, hostile: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window on a chat with an edit and a baseline, which knows the hostile file as a recent one."""
    state = WindowState()
    state.add_recent([str(hostile)])
    made = open_window([str(chat)], state=state)
    made.show()
    qtbot.waitUntil(lambda: made.session.is_ready and made.session.answer is not None)
    made.session.pin_baseline()
    made.session.edit(use_policy, "naive")
    made.session.flush()
    qtbot.waitUntil(lambda: made.session.is_ready)
    yield made
    made.close()


def held(window: MainWindow) -> tuple[object, ...]:
    """Everything that an opening would replace."""
    session, arrangement = window.session, window._arrangement
    values = (session.workspace, session.answer, session.baseline_answer, session.pipeline)
    shown = (window.windowTitle(), window.isWindowModified(), session.undo_stack.count(), session.undo_stack.index())
    return (*map(id, values), *shown, session.paths, session.saved, session.scenario, arrangement.layout)


def close_banner(window: MainWindow, qtbot: QtBot) -> None:
    """It says what could not be read, and takes room from what lies below it until it is closed."""
    button = window.findChild(QAbstractButton, "banner:close")
    assert isinstance(button, QAbstractButton)
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_failed_opening_leaves_what_is_open_as_it_is(
    window: MainWindow, hostile: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = held(window)
    for way in WAYS:
        problems: list[Problem] = []
        window.session.problem_reported.connect(problems.append)
        way(window, hostile, monkeypatch)
        assert not window.session.is_ready, "it is looked at on a worker"
        qtbot.waitUntil(lambda: window.session.is_ready)
        assert any(len(str(problem)) > 20 and problem.severity == "error" for problem in problems), way.__name__
        close_banner(window, qtbot)
        qtbot.waitUntil(lambda: window._arrangement.layout == before[-1], timeout=5_000)
        assert held(window) == before, way.__name__
        window.session.problem_reported.disconnect(problems.append)
    trigger(window, "undo")
    window.session.flush()
    assert window.session.scenario.policy is None
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_on_the_command_line_it_gives_an_empty_window(hostile: Path, opened: Callable[..., MainWindow]) -> None:
    window = opened(hostile)
    assert window.session.answer is None or len(window.session.answer.assembly.candidates) == 0
    assert window.isVisible()


@pytest.mark.parametrize("make", [pipe, link_to("/dev/zero"), empty_folder, link_to("nothing")])
def test_a_scenario_that_cannot_be_read_is_a_problem_and_the_chat_is_opened(
    make: Make, chat: Path, tmp_path: Path, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened()
    problems: list[Problem] = []
    window.session.problem_reported.connect(problems.append)
    window.open_paths([str(chat)], str(make(tmp_path)))
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    assert len(window.session.workspace.conversations) == 1
    assert [(Path(problem.file).suffix, problem.severity) for problem in problems] == [(".yaml", "error")]


def test_no_file_is_touched_on_the_thread_of_the_window(
    chat: Path, opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking what a path is, reading, comparing and writing: all of it elsewhere."""
    threads: dict[str, set[int]] = {}

    def watch(module: object, name: str) -> None:
        call = getattr(module, name)

        def watched(*terms: object, **named: object) -> object:
            threads.setdefault(name, set()).add(threading.get_ident())
            return call(*terms, **named)

        monkeypatch.setattr(module, name, watched)

    for name in ("is_native", "scenario_among", "read_inspection", "differences"):
        watch(opening, name)
    watch(inspector, "load_parts")
    for name in ("write_inspection", "save_workspace", "write_scenario"):
        watch(file_commands, name)
    window = opened(chat)
    for name, file in (
        ("save", "a.inspection.yaml"),
        ("save_workspace", "a.json"),
        ("save_scenario", "a.scenario.yaml"),
    ):
        monkeypatch.setattr(
            "PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_, file=file: (str(chat.with_name(file)), "")
        )
        trigger(window, name)
        assert window.session.tasks.finish_writing()
    window.open_paths([str(chat.with_name("a.inspection.yaml"))])
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert len(threads) == 8
    assert threading.get_ident() not in set.union(*threads.values())


def test_what_is_being_counted_is_counted_to_its_end(
    tmp_path: Path, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    session, hostile = opened().session, pipe(tmp_path)
    roles = ("user", "assistant")
    said = tuple(Message(f"m{number}", roles[number % 2], f"message {number}") for number in range(30_000))
    session.show_workspace(Workspace(conversations=(Conversation("c", said),)))
    assert session.assembly is not None
    assert not session.assembly.candidates.exact.any()
    session.open(lambda tell: opening.find_opening((str(hostile),), None, (), tell))
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.assembly.candidates.exact.all()


def test_cancel_ends_an_opening_that_is_looked_for(
    chat: Path, opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while the files of an inspection are compared: `tell` ends the work at its next word."""
    window = opened(chat)
    before = held(window)
    began, ended = threading.Event(), threading.Event()

    def find(tell: opening.Tell) -> opening.Opening:
        began.set()
        try:
            while True:
                tell(None)
        finally:
            ended.set()

    window.session.open(find)
    assert began.wait(30)
    window.session.cancel_work()
    assert ended.wait(30)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert held(window) == before
    assert session.gc.isenabled()

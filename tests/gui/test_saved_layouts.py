"""Layouts of saved inspections and of the program's own settings: none of them can harm a window."""

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import FRAME, WindowState
from inspector.gui.window.pages import PageWindow
from inspector.settings import window_file
from tests.examples import rounds

Open = Callable[..., MainWindow]

# What Qt's restoreState reads beyond its end, and with it the process.
DEADLY = (
    "AAAA/wAAAAD9AAAAfwEAAAAAAAAAAAAAAPwCAAAAAfwAAAAA/////wAAACoBAAAZ+gAAAAECAAAAAvsAAAAcAHcAbwByAGsAcwFwAGEAYwBlAF8A"
    "ZABv"
)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "a.json"
    file.write_text('[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]')
    return file


def save(window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The layout that is saved, in a file that is asked for the first time."""
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    action = window.findChild(QAction, "action:save")
    assert isinstance(action, QAction)
    action.trigger()
    assert window.session.tasks.finish_writing()
    return yaml.safe_load(file.read_text())["layout"]


def saved_file(window: MainWindow) -> Path | None:
    return window.session.saved.file if window.session.saved else None


def write(file: Path, layout: Any) -> Path:
    value = {"format": "prompt-inspector/inspection@1", "sources": [{"path": "a.json"}], "layout": layout}
    file.write_text(yaml.safe_dump(value))
    return file


def assert_usable(window: MainWindow) -> None:
    """Every window is on a screen, every page can be shown, and there is room for the table."""
    assert window.isVisible()
    desktop = QGuiApplication.primaryScreen().virtualGeometry()
    for page in window.findChildren(PageWindow):
        assert desktop.adjusted(-FRAME, -FRAME, FRAME, FRAME).contains(page.geometry())
        page.close()
    assert (window.width(), window.height()) == (1600, 1000)
    window.show_screen("decisions")
    QApplication.processEvents()
    table = window.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    assert table.viewport().visibleRegion().boundingRect().width() > 300


def test_a_window_that_is_killed_comes_back_in_its_perspective(opened: Open, chat: Path) -> None:
    window = opened(chat, state=WindowState())
    window.do("tune")
    read = WindowState().layout(window._arrangement.names)
    assert read is not None
    assert read.perspective == "tune", "it is not closed yet"


def test_no_page_is_made_before_it_is_seen(opened: Open, chat: Path, tmp_path: Path, qtbot: QtBot) -> None:
    window = opened(chat)
    made = {name for name, screen in window.screens.items() if screen.is_made}
    layout = {"perspectives": {"tune": {"page": "survival"}, "inspect": {"page": "findings"}}}
    window.open_paths([str(write(tmp_path / "a.inspection.yaml", layout))])
    qtbot.waitUntil(lambda: window.session.saved is not None and window.session.is_ready)
    assert {name for name, screen in window.screens.items() if screen.is_made} <= made | {"findings"}


def test_the_first_layout_can_be_had_back(
    opened: Open, chat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(chat)
    file = tmp_path / "work.inspection.yaml"
    first = save(window, file, monkeypatch)
    window.do("left_column")
    window.show_screen("findings")
    window._arrangement.take_out("prompt")
    assert save(window, file, monkeypatch) != first
    window.do("reset_layout")
    assert save(window, file, monkeypatch) == first


def test_a_blob_for_qt_is_skipped(
    opened: Open, chat: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(chat)
    before = save(window, tmp_path / "before.inspection.yaml", monkeypatch)
    problems: list[Any] = []
    window.session.problem_reported.connect(problems.append)
    file = write(tmp_path / "deadly.inspection.yaml", {"window": DEADLY})
    assert file.stat().st_size < 270
    window.open_paths([str(file)])
    qtbot.waitUntil(lambda: window.session.is_ready and saved_file(window) == file)
    assert [(problem.place, problem.severity) for problem in problems] == [("$.layout.window", "warning")]
    assert save(window, file, monkeypatch) == before, "an own file of before is written over without a question"
    assert_usable(window)


ODD = (None, True, -1, 0, 7, 10**9, 1e300, "", "clock", "prompt", [], {}, ["policy", "policy"], [[]], {"a": 1})


def mutated(rng: random.Random, value: Any) -> Any:
    """The value with one place in it changed."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        others = {name: held for name, held in value.items() if name != key}
        moved = {**others, rng.choice(["left", "windows", "width", "page", "x"]): value[key]}
        deeper = {**value, key: mutated(rng, value[key])}
        return rng.choice([others, moved, *[deeper] * 6, rng.choice(ODD)])
    if isinstance(value, list) and value:
        index = rng.randrange(len(value))
        others = value[:index] + value[index + 1 :]
        deeper = [*others, mutated(rng, value[index])]
        return rng.choice([others, value * 2, value[::-1], *[deeper] * 6, rng.choice(ODD)])
    return rng.choice(ODD)


def test_no_mutation_of_a_layout_harms_a_window(
    opened: Open, chat: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(10)
    window = opened(chat)
    window.do("right_column")
    window._arrangement.take_out("prompt")
    layout = save(window, tmp_path / "work.inspection.yaml", monkeypatch)
    huge = {"left": {"width": 20_000, "open": True}, "right": {"width": 20_000, "open": True}}
    far = {"prompt": {"left": 19_000, "top": -19_000, "width": 20_000, "height": 20_000}}
    for number in range(rounds(25, 8)):
        changed = layout if number else {"perspectives": {"inspect": {**huge, "windows": far}}}
        for _ in range(rng.randrange(1, 6) if number else 0):
            changed = mutated(rng, changed)
        file = write(tmp_path / f"{number}.inspection.yaml", changed)
        window.open_paths([str(file)])
        qtbot.waitUntil(lambda file=file: window.session.is_ready and saved_file(window) == file)
        assert_usable(window)


def damaged(good: bytes) -> Iterator[bytes]:
    """Settings as a disk, another program or an attacker may leave them."""
    rng = random.Random(3)
    yield from (
        b"",
        b"\0" * 5000,
        bytes(rng.randrange(256) for _ in range(5000)),
        b"[General]\nlayout=@ByteArray(\\0\\xff)\n",
    )
    yield from (
        b"[1, 2",
        b"- a\n",
        b"layout: @Variant(\n",
        b"theme: [dark]\nzoom: {}\nrecent: 7\nplace: x\nmaximized: 3\n",
    )
    yield b'theme: neon\nzoom: 99999999999\nrecent: [1, "/a", [], {}]\nlayout: 1.10\n'
    yield b"place: {left: 99999, top: -99999, width: 100000000000, height: 1}\n"
    yield (
        b"place: {left: 19000, top: -19000, width: 20000, height: 20000}\n"
        b"layout: {perspectives: {inspect: {left: {width: 20000}}}}\n"
    )
    for _ in range(8):
        start = rng.randrange(len(good))
        noise = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 12)))
        yield good[:start] + noise + good[start + rng.randrange(12) :]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def large_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100_000_000)


@pytest.mark.parametrize("make", [pipe, Path.mkdir, large_file])
def test_whatever_stands_for_the_own_settings_the_window_starts(make: Callable[[Path], None], qtbot: QtBot) -> None:
    window_file().parent.mkdir(parents=True)
    make(window_file())
    state = WindowState()
    window = open_window([], state=state)
    window.show()
    window.close()
    assert (state.theme, state.recent) == ("system", ())


def test_settings_without_end_are_not_read() -> None:
    window_file().parent.mkdir(parents=True)
    window_file().symlink_to("/dev/zero")
    assert WindowState().theme == "system"


def test_no_damage_of_the_own_settings_stops_the_start(qtbot: QtBot, qapp: QApplication) -> None:
    first = open_window([], state=WindowState())
    first.show()
    first.close()
    good = window_file().read_bytes()
    assert b"layout:" in good
    size = qapp.font().pointSizeF()
    for content in [*damaged(good)][:: rounds(1, 3)]:
        window_file().write_bytes(content)
        state = WindowState()
        window = open_window([], state=state)
        window.show()
        desktop = QGuiApplication.primaryScreen().virtualGeometry()
        assert desktop.contains(window.geometry().topLeft())
        window.close()
        assert yaml.safe_load(window_file().read_text())["theme"] in ("system", "light", "dark")
        font = qapp.font()
        font.setPointSizeF(size)
        qapp.setFont(font)

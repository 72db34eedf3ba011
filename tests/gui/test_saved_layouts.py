"""Layouts of saved inspections and of the program's own settings: docks come back where they lay, and none can harm."""

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar, QTableView, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.window_state import WindowState
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


def dock(window: MainWindow, name: str) -> QDockWidget:
    found = window.findChild(QDockWidget, f"{name}_dock")
    assert isinstance(found, QDockWidget), name
    return found


def docks(window: MainWindow) -> list[str]:
    return [found.objectName().removesuffix("_dock") for found in window.findChildren(QDockWidget)]


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


def tabs_beside(window: MainWindow, name: str) -> list[str]:
    """The titles of the tabs that a dock is among, in their order."""
    title = dock(window, name).windowTitle()
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and not bar.visibleRegion().isEmpty()]
    shown = [[bar.tabText(index) for index in range(bar.count())] for bar in bars]
    return next(titles for titles in reversed(shown) if title in titles)


def in_front(window: MainWindow) -> set[str]:
    """The docks of which something can be seen, which may be only what is in them."""
    parts = {name: (dock(window, name), *dock(window, name).findChildren(QWidget)) for name in docks(window)}
    return {name for name, seen in parts.items() if not all(part.visibleRegion().isEmpty() for part in seen)}


def assert_usable(window: MainWindow) -> None:
    """Every dock is somewhere, nothing is larger than the screens, and there is room for the table."""
    assert window.isVisible()
    desktop = QGuiApplication.primaryScreen().virtualGeometry()
    for name in docks(window):
        found = dock(window, name)
        assert found.isFloating() or window.dockWidgetArea(found) != Qt.DockWidgetArea.NoDockWidgetArea
        assert not found.isFloating() or desktop.contains(found.geometry())
    assert (window.width(), window.height()) == (1600, 1000)
    table = window.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    assert not table.visibleRegion().isEmpty()


def test_docks_come_back_where_they_lay(
    opened: Open, chat: Path, tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(chat)
    window.tabifyDockWidget(dock(window, "workspace"), dock(window, "findings"))
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock(window, "memories"))
    dock(window, "lore").show()
    dock(window, "comparison").hide()
    qapp.processEvents()
    bar = next(bar for bar in window.findChildren(QTabBar) if bar.count() > 3)
    bar.moveTab(0, 3)
    dock(window, "prompt").raise_()
    window.resizeDocks([dock(window, "workspace")], [333], Qt.Orientation.Horizontal)
    window.resizeDocks([dock(window, "policy"), dock(window, "memories")], [500, 349], Qt.Orientation.Vertical)
    window.resizeDocks([dock(window, "prompt")], [280], Qt.Orientation.Vertical)
    dock(window, "text").setFloating(True)
    dock(window, "text").setGeometry(QRect(40, 60, 420, 260))
    qapp.processEvents()
    file = tmp_path / "work.inspection.yaml"
    layout = save(window, file, monkeypatch)
    assert layout["left"]["tabs"][0]["docks"] == ["workspace", "findings"]
    assert layout["left"]["size"] == 333
    assert [tabs["docks"] for tabs in layout["right"]["tabs"]] == [["policy"], ["memories"]]
    assert layout["floating"] == {"text": {"left": 40, "top": 60, "width": 420, "height": 260}}
    assert "comparison" in layout["hidden"]

    again = opened(file)
    qapp.processEvents()
    assert tabs_beside(again, "prompt") == tabs_beside(window, "prompt")
    assert tabs_beside(again, "findings") == tabs_beside(window, "findings")
    assert in_front(again) == in_front(window)
    for name in in_front(window):
        there, here = dock(again, name).geometry(), dock(window, name).geometry()
        assert (there.topLeft() - here.topLeft()).manhattanLength() <= 4, name
        assert abs(there.width() - here.width()) + abs(there.height() - here.height()) <= 4, name
    assert save(again, file, monkeypatch) == layout


def test_a_window_that_is_killed_comes_back_in_its_perspective(opened: Open, chat: Path) -> None:
    window = opened(chat, state=WindowState())
    window.do("tune")
    read = WindowState().layout(docks(window))
    assert read is not None
    assert read.perspective == "tune", "it is not closed yet"


def test_a_hidden_dock_comes_back_among_the_same_tabs(
    opened: Open, chat: Path, tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(chat)
    titles = tabs_beside(window, "prompt")
    dock(window, "prompt").hide()
    file = tmp_path / "work.inspection.yaml"
    save(window, file, monkeypatch)
    again = opened(file)
    assert dock(again, "prompt").isHidden()
    dock(again, "prompt").show()
    qapp.processEvents()
    assert tabs_beside(again, "prompt") == titles


def test_nothing_behind_others_is_made_when_docks_are_laid(
    opened: Open, chat: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = opened(chat)
    made = {name for name, screen in window.screens.items() if screen.is_made}
    window.open_paths(
        [str(write(tmp_path / "a.inspection.yaml", {"hidden": [], "left": {"tabs": [{"docks": ["findings"]}]}}))]
    )
    qtbot.waitUntil(lambda: window.session.saved is not None and window.session.is_ready)
    assert {name for name, screen in window.screens.items() if screen.is_made} == made


def test_the_first_layout_can_be_had_back(
    opened: Open, chat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(chat)
    file = tmp_path / "work.inspection.yaml"
    first = save(window, file, monkeypatch)
    window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock(window, "policy"))
    dock(window, "findings").hide()
    dock(window, "text").setFloating(True)
    reset = window.findChild(QAction, "action:reset_layout")
    assert isinstance(reset, QAction)
    reset.trigger()
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


ODD = (None, True, -1, 0, 7, 10**9, 1e300, "", "clock", "workspace", [], {}, ["policy", "policy"], [[]], {"a": 1})


def mutated(rng: random.Random, value: Any) -> Any:
    """The value with one place in it changed."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        others = {name: held for name, held in value.items() if name != key}
        moved = {**others, rng.choice(["left", "above", "size", "x"]): value[key]}
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
    for name in ("memories", "findings"):
        dock(window, name).setFloating(True)
        dock(window, name).setGeometry(QRect(30, 30, 200, 200))
    layout = save(window, tmp_path / "work.inspection.yaml", monkeypatch)
    crowd = {"tabs": [{"docks": [name], "size": 20_000} for name in docks(window)], "size": 20_000}
    for number in range(rounds(25, 8)):
        changed = {"left": crowd} if number == 0 else {"below": crowd} if number == 1 else layout
        for _ in range(rng.randrange(1, 6) if number > 1 else 0):
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
    yield b"place: {left: 19000, top: -19000, width: 20000, height: 20000}\nlayout: {left: {size: 20000}}\n"
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
        assert all(
            not dock(window, name).isFloating() or desktop.contains(dock(window, name).geometry())
            for name in docks(window)
        )
        window.close()
        assert yaml.safe_load(window_file().read_text())["theme"] in ("system", "light", "dark")
        font = qapp.font()
        font.setPointSizeF(size)
        qapp.setFont(font)

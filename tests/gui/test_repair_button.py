"""The banner offers to repair a broken file; the file stays as it is, and is marked as repaired."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow

_CUT = '{"messages": [{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hel'


def repair_button(window: MainWindow) -> QPushButton:
    found = window.findChild(QPushButton, "banner:repair")
    assert found is not None
    return found


def test_a_click_repairs_and_reading_again_repairs_again(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CUT)
    window = opened(path)
    session = window.session
    assert not session.workspace.sources
    assert repair_button(window).isVisible()
    qtbot.mouseClick(repair_button(window), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(session.workspace.sources) and session.is_ready)
    assert [source.repaired for source in session.workspace.sources] == [True]
    assert not any(button.isVisible() for button in window.findChildren(QPushButton, "banner:repair"))
    session.reload()
    qtbot.waitUntil(lambda: session.is_ready)
    assert [source.repaired for source in session.workspace.sources] == [True]
    assert path.read_text() == _CUT


def test_nothing_is_offered_for_what_cannot_be_repaired(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "chat.json"
    path.write_text("[" * 5_000)
    window = opened(path)
    assert not repair_button(window).isVisible()

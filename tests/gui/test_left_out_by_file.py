"""What the file leaves out can be taken in again, by key and button, and left out by the person."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.table.view import ArrayTableView


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    messages = [
        {"id": f"m{number}", "role": ("user", "assistant")[number % 2], "content": f"word {number}"}
        for number in range(4)
    ]
    messages[1]["excluded"] = True  # type: ignore[assignment]
    file = tmp_path / "talk.workspace.json"
    talk = {"id": "c1", "messages": messages}
    file.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [talk]}))
    return opened(file)


def click_and_press(window: MainWindow, qtbot: QtBot, item: str, key: Qt.Key | None = None) -> None:
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    position = table.array_model.position(list(table.array_model.ids).index(item))
    assert position is not None
    place = QPoint(60, table.rowViewportPosition(position) + table.rowHeight(position) // 2)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    if key is not None:
        qtbot.keyClick(table, key)
        settle(window, qtbot)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)


def in_prompt(window: MainWindow) -> list[str]:
    answer = window.session.answer
    assert answer is not None
    assembly = answer.assembly
    return [name for name, holds in zip(assembly.candidates.ids, assembly.in_prompt, strict=True) if holds]


def test_a_key_takes_in_what_the_file_leaves_out_and_leaves_it_out_again(window: MainWindow, qtbot: QtBot) -> None:
    assert in_prompt(window) == ["m0", "m2", "m3"]
    click_and_press(window, qtbot, "m1", Qt.Key.Key_X)
    assert in_prompt(window) == ["m0", "m1", "m2", "m3"]
    click_and_press(window, qtbot, "m1", Qt.Key.Key_X)
    assert in_prompt(window) == ["m0", "m2", "m3"]
    assert window.session.scenario.excluded == ("m1",)
    click_and_press(window, qtbot, "m1", Qt.Key.Key_X)
    assert in_prompt(window) == ["m0", "m1", "m2", "m3"]
    for _ in range(3):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(window, qtbot)
    assert in_prompt(window) == ["m0", "m2", "m3"]
    assert not window.session.scenario.overrides


def test_the_button_that_says_use_again_uses_it(window: MainWindow, qtbot: QtBot) -> None:
    click_and_press(window, qtbot, "m1")
    window.show_screen("details")
    buttons = window.screens["details"].view.findChildren(QAbstractButton)
    qtbot.waitUntil(lambda: any(button.accessibleName() == "Use again" for button in buttons))
    (include,) = (button for button in buttons if button.accessibleName() == "Use again")
    qtbot.mouseClick(include, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    assert in_prompt(window) == ["m0", "m1", "m2", "m3"]

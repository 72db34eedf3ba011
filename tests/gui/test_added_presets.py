"""A SillyTavern preset added to an open chat: parameters, policy and chip follow it, the newest before others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractSpinBox
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import set_parameters
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.settings.own_chip import OwnChip

Open = Callable[..., MainWindow]
PLAIN = ("sillytavern", 4095, 300, "")
CHIP = "SillyTavern's own rules · back to "


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    header = {"user_name": "You", "character_name": "Nova", "chat_metadata": {}}
    said = [{"name": "You" if n % 2 else "Nova", "is_user": bool(n % 2), "mes": "word " * 9} for n in range(9)]
    return write(tmp_path / "chat.jsonl", *[header, *said])


def write(file: Path, *values: Any) -> Path:
    file.write_text("\n".join(map(json.dumps, values)))
    return file


def preset(file: Path, context: int, reply: int, main: str) -> Path:
    prompts = [{"identifier": "main", "content": main, "role": "system"}]
    sizes = {"openai_max_context": context, "openai_max_tokens": reply}
    return write(file, {**sizes, "prompts": prompts, "prompt_order": []})


def drop(window: MainWindow, qtbot: QtBot, *files: Path) -> None:
    """Drop files by the mouse, and wait until they are in use."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), copy, data, left, none))
    qtbot.waitUntil(lambda: window.session.is_ready and {str(file) for file in files} <= set(window.session.paths))


def decided(window: MainWindow) -> tuple[str | None, int, int, str]:
    """The policy with its sizes, as the rows of its parameters show them, and the main prompt."""
    window.session.flush()
    answer = window.session.answer
    assert answer is not None, window.session.trouble
    character = answer.case.chosen.parts.character
    shown: list[int] = []
    for name in ("context_size", "response_length"):
        field = window.findChild(QAbstractSpinBox, f"parameter:{name}:value")
        assert field is not None
        shown.append(int("".join(filter(str.isdecimal, field.text()))))
    return window.session.scenario.policy, shown[0], shown[1], character.system_prompt if character else ""


def chip(window: MainWindow) -> str:
    found = window.findChild(OwnChip, "own_policy")
    assert found is not None
    return found.text()


def step(window: MainWindow, qtbot: QtBot, *, back: bool) -> None:
    """Ctrl+Z, or Ctrl+Shift+Z."""
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_Z, control if back else control | shift)
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_each_preset_dropped_on_an_open_chat_is_followed_and_undone(
    opened: Open, qtbot: QtBot, chat: Path, tmp_path: Path
) -> None:
    """Twice for chat completion, then for text completion, whose policy is another."""
    text = write(tmp_path / "text.json", {"temp": 0.7, "rep_pen": 1.1, "max_length": 6144, "genamt": 250})
    added = [
        (preset(tmp_path / "one.json", 900, 150, "Main one"), ("sillytavern", 900, 150, "Main one")),
        (preset(tmp_path / "two.json", 800, 120, "Main two"), ("sillytavern", 800, 120, "Main two")),
        (text, ("sillytavern_text", 6144, 250, "")),
    ]
    window = opened(chat)
    assert decided(window) == PLAIN
    for file, expected in added:
        drop(window, qtbot, file)
        assert decided(window) == expected
        assert chip(window).startswith(CHIP)
        assert window.session.follows_file
        assert not [problem for problem in window.session.workspace.problems if "differ" in problem.message]
    for _ in range(2):
        for expected in (added[1][1], added[0][1], PLAIN):
            step(window, qtbot, back=True)
            assert decided(window) == expected
            assert chip(window).startswith(CHIP)
        for _, expected in added:
            step(window, qtbot, back=False)
            assert decided(window) == expected


def test_a_preset_added_by_the_menu_again_takes_the_place_of_the_other(
    opened: Open, qtbot: QtBot, chat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (preset(tmp_path / f"{name}.json", size, 99, name) for name, size in (("one", 700), ("two", 600)))
    window = opened(chat)
    for file, size in ((one, 700), (two, 600), (one, 700)):
        monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_, file=file: ([str(file)], ""))
        keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(window, Qt.Key.Key_O, keys)
        qtbot.waitUntil(lambda size=size: window.session.is_ready and decided(window)[1] == size)
        assert decided(window) == ("sillytavern", size, 99, file.stem)
    assert window.session.undo_stack.undoText() == "Use the preset one in place of two"
    step(window, qtbot, back=True)
    assert decided(window)[1] == 600


def test_presets_that_agree_are_joined_and_a_value_of_the_user_stays(
    opened: Open, qtbot: QtBot, chat: Path, tmp_path: Path
) -> None:
    main = write(tmp_path / "main.json", {"name": "Main", "content": "Main of its own", "post_history": ""})
    text = write(tmp_path / "text.json", {"temp": 0.7, "rep_pen": 1.1, "max_length": 6144, "genamt": 250})
    window = opened(chat)
    drop(window, qtbot, text)
    drop(window, qtbot, main)
    assert decided(window) == ("sillytavern_text", 6144, 250, "Main of its own")
    window.session.edit(set_parameters, {"response_length": 77})
    drop(window, qtbot, preset(tmp_path / "one.json", 900, 150, "Main one"))
    policy, size, reply, _ = decided(window)
    assert (policy, size, reply) == ("sillytavern_text", 900, 77), "changed parameters keep their policy"


def test_a_preset_beside_other_files_is_a_file_like_any(opened: Open, qtbot: QtBot, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.json", [{"role": "user", "content": "Hello"}])
    window = opened(plain)
    drop(window, qtbot, preset(tmp_path / "one.json", 900, 150, "Main one"))
    assert window.session.scenario.policy is None or window.session.scenario.policy == "ratio"
    assert window.session.undo_stack.undoText() == "Use the added files"

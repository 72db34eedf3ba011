"""File ▸ Export ▸ Conversation… writes the layout that the name asks for, and says what has no place in it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow


def test_the_conversation_is_written_in_the_layout_of_its_name(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "chat.json", tmp_path / "out.anthropic.json"
    source.write_text(json.dumps([{"role": "user", "content": "Hi", "name": "Ann"}]))
    window = opened(source)
    told: list[object] = []
    window.session.problem_reported.connect(told.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    action = window.findChild(QAction, "action:export_chat")
    assert action is not None
    assert action.isEnabled()
    action.trigger()
    qtbot.waitUntil(lambda: bool(told))
    assert "1 name of a speaker could not be written" in str(told[0])
    assert json.loads(out.read_text())["messages"][0]["content"] == [{"type": "text", "text": "Hi"}]

"""The rows of the server behind the application."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from inspector.assembly.decisions import Finding
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.parameter_row import ChoiceRow, NumberRow
from inspector.gui.screens.settings.server_rows import ServerRows


def shown(qtbot: QtBot) -> tuple[ServerRows, list[Any]]:
    rows, wishes = ServerRows(), list[Any]()
    qtbot.addWidget(rows)
    rows.server_chosen.connect(wishes.append)
    rows.context_chosen.connect(lambda tokens, _: wishes.append(tokens))
    rows.show()
    return rows, wishes


def test_without_a_server_there_is_no_context(qtbot: QtBot) -> None:
    rows, wishes = shown(qtbot)
    rows.show_choices("none", None, 32_768)
    assert rows.context.isHidden()
    rows.show_choices("ollama", None, 32_768)
    assert not rows.context.isHidden()
    assert wishes == []


def test_a_server_and_its_context_are_chosen(qtbot: QtBot) -> None:
    rows, wishes = shown(qtbot)
    rows.show_choices("none", None, 32_768)
    assert isinstance(rows.server, ChoiceRow)
    rows.server.list.setCurrentIndex(rows.server.list.findData("ollama"))
    rows.show_choices("ollama", 8192, 32_768)
    assert isinstance(rows.context, NumberRow)
    field = rows.context.findChild(QSpinBox)
    assert field is not None
    assert field.value() == 8192
    rows.context.reset_button.click()
    assert wishes == ["ollama", None]


def code_of(finding: Finding) -> str:
    return finding.code


def test_a_server_takes_the_prompt_and_can_be_undone(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    messages = [{"role": "assistant" if n % 2 else "user", "content": f"said {n} " * 400} for n in range(20)]
    path = tmp_path / "chat.workspace.json"
    held = {"id": "c", "model": "qwen3-8b", "messages": messages}
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [held]}))
    window = opened(path)
    session, rows = window.session, window.screens["settings"].view.findChild(ServerRows)
    qtbot.waitUntil(lambda: session.is_ready)
    assert isinstance(rows.server, ChoiceRow)
    rows.server.list.setCurrentIndex(rows.server.list.findData("ollama"))
    qtbot.waitUntil(lambda: session.scenario.server == "ollama" and not rows.context.isHidden())
    qtbot.waitUntil(lambda: session.answer is not None and "server_drops" in map(code_of, session.answer.findings))
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.scenario.server == "none" and rows.context.isHidden())

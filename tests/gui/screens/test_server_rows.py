"""The rows of the server behind the application."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from inspector.assembly.decisions import Finding
from inspector.assembly.edits import choose_server
from inspector.assembly.served_contexts import ServedContext
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.parameter_row import ChoiceRow, NumberRow
from inspector.gui.screens.settings.server_rows import ServerRows
from inspector.gui.servers.asking import ServerSearch
from inspector.gui.servers.view import ServersView
from tests.servers import recorded as record

FOUND = "qwen2.5:7b runs with 8,192 tokens"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)


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


def test_the_contexts_of_the_chosen_server_are_offered(qtbot: QtBot) -> None:
    rows, wishes = shown(qtbot)
    found = [ServedContext("ollama", "a", 8192), ServedContext("vllm", "b", 900), ServedContext("ollama", "c", 4096)]
    rows.show_served(found)
    assert not any(chip.isVisible() for chip in rows.chips)
    rows.show_choices("ollama", None, 32_768)
    first, second = rows.chips
    assert [first.text(), second.text()] == ["a runs with 8,192 tokens", "c runs with 4,096 tokens"]
    assert [first.isChecked(), second.isChecked()] == [False, True]
    for _ in range(2):
        qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
        rows.show_choices("ollama", 8192, 32_768)
        assert [first.isChecked(), second.isChecked()] == [True, False]
    second.setFocus()
    qtbot.keyClick(second, Qt.Key.Key_Space)
    assert wishes == [8192, 8192, None]
    rows.show_choices("vllm", None, 32_768)
    assert [chip.text() for chip in rows.chips if chip.isVisible()] == ["b runs with 900 tokens"]
    rows.show_served(())
    assert not any(chip.isVisible() for chip in rows.chips)


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


def test_what_a_search_found_is_used_and_a_later_search_forgets_it(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "Hello"}]))
    window = opened(path)
    session, rows = window.session, window.screens["settings"].view.findChild(ServerRows)
    session.edit(choose_server, "ollama")
    search = ServerSearch(session, ServersView())
    qtbot.addWidget(search.parent())
    for _ in range(2):
        with record.recorded(record.OLLAMA) as address:
            search.find([address])
            qtbot.waitUntil(lambda: [chip.text() for chip in rows.chips if chip.isVisible()] == [FOUND])
        qtbot.mouseClick(rows.chips[0], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: session.is_ready and session.scenario.server_context == 8192)
        session.undo_stack.undo()
        qtbot.waitUntil(lambda: session.is_ready and not rows.chips[0].isChecked())
        search.find([address])
        qtbot.waitUntil(lambda: not session.tasks.is_running() and not rows.chips[0].isVisible())

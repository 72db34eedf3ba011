"""Waste of agents among the findings: for recordings and saved chats, after another file, and for chats without any."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from inspector.analysis.waste.ask import Waste
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.findings.entries import Entry
from inspector.gui.screens.findings.view import FindingsView
from tests.analysis.requests.recorded_agents import written
from tests.analysis.test_waste import FILE

Open = Callable[..., MainWindow]


def saved(folder: Path) -> Path:
    """A chat in which a file is read twice."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Repair it."}]
    for number in range(2):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": FILE})
    for number in range(12):
        messages.append({"role": "assistant", "content": f"Step {number}."})
        messages.append({"role": "user", "content": f"Go on {number}."})
    file = folder / "agent.json"
    file.write_text(json.dumps({"model": "gpt-4o", "messages": messages}))
    return file


def wastes(window: MainWindow) -> list[Entry]:
    view = window.screens["findings"].view
    assert isinstance(view, FindingsView)
    return [entry for entry in view._model.entries if isinstance(entry.source, Waste)]


def codes_of(window: MainWindow) -> list[str]:
    return [entry.source.kind.code for entry in wastes(window) if isinstance(entry.source, Waste)]


def shown(window: MainWindow, codes: list[str], qtbot: QtBot) -> None:
    window.show_screen("findings")
    qtbot.waitUntil(lambda: window.session.is_ready and codes_of(window) == codes)


def test_waste_is_among_the_findings_of_each_file_in_turn(
    opened: Open, tmp_path: Path, qtbot: QtBot, companion_alone: Path
) -> None:
    recording, chat = written(tmp_path / "recorded.jsonl"), saved(tmp_path)
    window = opened(recording)
    for _ in range(2):
        shown(window, ["unused_tools"], qtbot)
        (entry,) = wastes(window)
        assert entry.sentence.startswith("Agent 1: 3 of 5 tools are never called: run, browse, draw. ≈ ")
        assert entry.below.startswith("Leave these tools out")
        assert entry.deed is not None
        assert entry.items == ""
        session = window.session
        count = len(session.answer.findings if session.answer else ()) + len(session.workspace.problems) + 1
        assert window.screens["findings"].count(session.answer) == f"{count:,}"
        window.open_paths([str(chat)])
        shown(window, ["repeated_result"], qtbot)
        (entry,) = wastes(window)
        assert entry.items == "1 item"
        assert "word for word" in entry.spoken
        window.open_paths([str(companion_alone)])
        qtbot.waitUntil(lambda: window.session.paths == (str(companion_alone),))
        shown(window, [], qtbot)
        window.open_paths([str(recording)])
    shown(window, ["unused_tools"], qtbot)


def test_its_buttons_lead_to_the_requests_and_to_the_items(opened: Open, tmp_path: Path, qtbot: QtBot) -> None:
    window = opened(saved(tmp_path))
    shown(window, ["repeated_result"], qtbot)
    view = window.screens["findings"].view
    (entry,) = wastes(window)
    view.finding_requested.emit(entry.source)
    assert window.screens["decisions"].is_visible
    assert window.session.answer is not None
    assert window.row is not None
    assert window.session.answer.assembly.text(window.row).endswith(FILE[-20:])
    window.open_paths([str(written(tmp_path / "recorded.jsonl"))])
    shown(window, ["unused_tools"], qtbot)
    view.deed_requested.emit(wastes(window)[0])
    assert window.screens["requests"].is_visible

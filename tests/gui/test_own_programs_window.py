"""Files of programs opened by mouse and keys: their program's rules, the way back and undo, and another file after."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import planned_answer
from inspector.assembly.lacking import make_all
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.settings.own_chip import OwnChip
from inspector.gui.screens.settings.server_rows import ServerRows
from inspector.gui.servers.asking import ServerSearch
from inspector.gui.servers.view import ServersView
from tests.servers import recorded as record

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
SAID = "the harbour light was out and nobody had noticed that the tide had turned an hour ago "
FOUND = "qwen2.5:7b runs with 8,192 tokens"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)


def text(number: int) -> str:
    return f"{number}: {SAID * (1 + number % 3)}"


def sillytavern(folder: Path) -> Path:
    """A folder of a character with one chat."""
    lines: list[dict[str, Any]] = [{"user_name": "Ann", "character_name": "Bob", "chat_metadata": {}}]
    for n in range(40):
        said = {"is_user": n % 2 == 0, "is_system": False, "mes": text(n), "send_date": f"2024-05-01T10:{n:02}:00Z"}
        lines.append({"name": ("Ann", "Bob")[n % 2], **said})
    place = folder / "chats" / "Bob"
    place.mkdir(parents=True)
    (place / "Bob - 2024-05-01.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def open_webui(folder: Path) -> Path:
    """A chat that was held over a window of Ollama."""
    messages = {
        f"m{n}": {
            "id": f"m{n}",
            "parentId": f"m{n - 1}" if n else None,
            "childrenIds": [f"m{n + 1}"] if n < 39 else [],
            "role": ("user", "assistant")[n % 2],
            "content": text(n),
            **({"model": "qwen2.5:7b"} if n % 2 else {}),
        }
        for n in range(40)
    }
    chat = {"title": "A", "models": ["qwen2.5:7b"], "params": {"num_ctx": 400}}
    chat |= {"history": {"messages": messages, "currentId": "m39"}}
    file = folder / "webui.json"
    file.write_text(json.dumps([{"id": "a", "chat": chat}]))
    return file


def codex(folder: Path) -> Path:
    """A session with messages, a call and its result."""
    items: list[dict[str, Any]] = []
    for n in range(40):
        kind, role = (("input_text", "user"), ("output_text", "assistant"))[n % 2]
        items.append({"type": "message", "role": role, "content": [{"type": kind, "text": text(n)}]})
        if n % 8 == 1:
            call = {"name": "shell", "arguments": '{"command": "ls"}', "call_id": f"c{n}"}
            items.append({"type": "function_call", **call})
            items.append({"type": "function_call_output", "call_id": f"c{n}", "output": text(n)})
    lines = [{"type": "session_meta", "payload": {"id": "s1", "cwd": "/w", "timestamp": "2026-01-01T10:00:00Z"}}]
    lines += [{"type": "response_item", "payload": item} for item in items]
    file = folder / "rollout-2026-01-01T10-00-00-s1.jsonl"
    file.write_text("\n".join(json.dumps({"timestamp": "2026-01-01T10:00:00Z", **line}) for line in lines))
    return file


def cline(folder: Path) -> Path:
    """A folder of a task of Cline 3."""
    roles = ("user", "assistant")
    said = [
        {"role": roles[n % 2], "content": [{"type": "text", "text": f"<task>{text(n)}</task>"}], "ts": n + 1}
        for n in range(40)
    ]
    (folder / "api_conversation_history.json").write_text(json.dumps(said))
    (folder / "ui_messages.json").write_text(json.dumps([{"ts": 1, "type": "say", "say": "task", "text": "Go"}]))
    return folder


class Program(NamedTuple):
    """A program, how a file of it is written, its policy, and the server behind it."""

    words: str
    write: Callable[[Path], Path]
    policy: str
    server: str = "none"


PROGRAMS = (
    Program("SillyTavern's own rules", sillytavern, "sillytavern"),
    Program("Open WebUI's own rules", open_webui, "open_webui", "ollama"),
    Program("Codex's own rules", codex, "codex_compact"),
    Program("Cline's own rules", cline, "cline_truncate"),
)


def written(tmp_path: Path, program: Program) -> Path:
    folder = tmp_path / program.policy
    folder.mkdir()
    return program.write(folder)


def drop(window: MainWindow, path: Path) -> None:
    """Drop a file or folder with Shift, which replaces what is open."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    copy, none, shift = Qt.DropAction.CopyAction, Qt.MouseButton.NoButton, Qt.KeyboardModifier.ShiftModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), copy, mime, none, shift))


def open_by_dialog(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_: ([str(path)], ""))
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getExistingDirectory", lambda *_: str(path))
    window.do("open_folder" if path.is_dir() else "open")


def is_shown(window: MainWindow, path: Path) -> bool:
    return window.session.is_ready and window.session.paths == (str(path),)


def decided(window: MainWindow) -> tuple[str | None, str]:
    return window.session.scenario.policy, window.session.scenario.server


def chip_of(window: MainWindow) -> OwnChip:
    chip = window.findChild(OwnChip, "own_policy")
    assert chip is not None
    return chip


def check_view(window: MainWindow, qtbot: QtBot, program: Program) -> None:
    """The program's rules are in use, as the chip says, and what is shown is the prompt that they make."""
    session = window.session
    assert decided(window) == (program.policy, program.server)
    chip = chip_of(window)
    assert chip.isVisible()
    assert chip.isChecked()
    assert chip.text().startswith(program.words)
    answer = session.answer
    assert answer is not None
    pipeline = session.pipeline.fork()
    alone = planned_answer(pipeline, make_all(pipeline, session.scenario)).assembly
    assert alone.action.tolist() == answer.assembly.action.tolist()
    table = window.screens["decisions"].view.table
    assert table.model().rowCount() == len(alone.action) + len(alone.compactions)


def go_back_and_forth(window: MainWindow, qtbot: QtBot, program: Program) -> None:
    """A click leads back, the key for undo to the rules again; then the same by the keyboard."""
    own, chip = (program.policy, program.server), chip_of(window)
    for press in (
        lambda: qtbot.mouseClick(chip, Qt.MouseButton.LeftButton),
        lambda: (chip.setFocus(), qtbot.keyClick(chip, Qt.Key.Key_Space)),
    ):
        press()
        qtbot.waitUntil(lambda: window.session.is_ready and decided(window) == ("ratio", "none"))
        assert chip.text() == f"Use {program.words}"
        assert not chip.isChecked()
        window.do("undo")
        qtbot.waitUntil(lambda: window.session.is_ready and decided(window) == own)
        assert chip.isChecked()
    window.do("redo")
    qtbot.waitUntil(lambda: window.session.is_ready and decided(window) == ("ratio", "none"))
    window.do("undo")
    qtbot.waitUntil(lambda: window.session.is_ready and decided(window) == own)


@pytest.mark.parametrize("place", range(len(PROGRAMS)), ids=lambda place: PROGRAMS[place].policy)
def test_a_file_dropped_and_one_opened_after_it_have_their_own_rules_and_the_way_back(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    first, second = PROGRAMS[place], PROGRAMS[(place + 1) % len(PROGRAMS)]
    window, files = opened(), {program: written(tmp_path, program) for program in (first, second)}
    drop(window, files[first])
    qtbot.waitUntil(lambda: is_shown(window, files[first]))
    check_view(window, qtbot, first)
    go_back_and_forth(window, qtbot, first)
    open_by_dialog(window, files[second], monkeypatch)
    qtbot.waitUntil(lambda: is_shown(window, files[second]))
    check_view(window, qtbot, second)
    go_back_and_forth(window, qtbot, second)
    open_by_dialog(window, files[first], monkeypatch)
    qtbot.waitUntil(lambda: is_shown(window, files[first]))
    check_view(window, qtbot, first)


def test_the_context_that_ollama_runs_with_is_a_chip_that_says_what_else_it_drops(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(written(tmp_path, PROGRAMS[1]))
    session, rows = window.session, window.screens["settings"].view.findChild(ServerRows)
    qtbot.waitUntil(lambda: session.is_ready)
    search = ServerSearch(session, ServersView())
    qtbot.addWidget(search.parent())

    def drops() -> bool:
        answer = session.answer
        return session.is_ready and answer is not None and "server_drops" in {one.code for one in answer.findings}

    assert session.scenario.server_context == 400
    assert drops()
    with record.recorded(record.OLLAMA) as address:
        search.find([address])
        qtbot.waitUntil(lambda: [chip.text() for chip in rows.chips if chip.isVisible()] == [FOUND])
    for _ in range(2):
        qtbot.mouseClick(rows.chips[0], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: session.scenario.server_context == 8192 and not drops() and session.is_ready)
        assert rows.chips[0].isChecked()
        window.do("undo")
        qtbot.waitUntil(lambda: session.scenario.server_context == 400 and drops())
        assert not rows.chips[0].isChecked()

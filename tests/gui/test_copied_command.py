"""The copied command gives, in a terminal that is in another folder, the figures that the window shows."""

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner
from PySide6.QtGui import QAction, QGuiApplication
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import choose_memory_sets
from inspector.cli import group
from inspector.gui.main_window import MainWindow

SAID: list[dict[str, Any]] = [{"id": f"m{n}", "role": "user", "content": f"word {n}"} for n in range(6)]
MEMORIES = [{"id": "k0", "content": "Likes tea", "similarity": 0.7}]
WHOLE = json.dumps(
    {"conversations": [{"id": "c", "messages": SAID}], "memory_sets": [{"id": "s", "memories": MEMORIES}]}
)
CUT = '{"messages": [{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hel'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose name a shell has to be told with care; the program is in it."""
    made = tmp_path / "Ann's chats (2024)"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


def answered_elsewhere(window: MainWindow, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the copied command answers in another folder."""
    action = window.findChild(QAction, "action:copy_command")
    assert action is not None
    action.trigger()
    monkeypatch.chdir(elsewhere)
    words = shlex.split(QGuiApplication.clipboard().text())
    done = CliRunner().invoke(group, [*words[1:], "--format", "json"])
    assert done.exit_code == 0, done.output
    return orjson.loads(done.stdout)


def check_figures(window: MainWindow, answer: Any) -> None:
    """What is answered is what is shown."""
    shown = window.session.answer
    assert shown is not None
    assert [item["id"] for item in answer["items"]] == list(shown.assembly.candidates.ids)
    assert answer["ledger"]["total"] == shown.ledger.total


def test_files_that_were_named_from_a_folder(
    opened: Callable[..., MainWindow], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "chat.workspace.json").write_text(WHOLE)
    window = opened(os.path.join(os.curdir, "chat.workspace.json"))
    check_figures(window, answered_elsewhere(window, tmp_path, monkeypatch))


def test_a_broken_file_that_was_repaired(
    opened: Callable[..., MainWindow], qtbot: QtBot, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "chat.json").write_text(CUT)
    window = opened("chat.json")
    repair = window.findChild(QAction, "action:repair")
    assert repair is not None
    repair.trigger()
    qtbot.waitUntil(lambda: window.session.answer is not None and window.session.is_ready)
    check_figures(window, answered_elsewhere(window, tmp_path, monkeypatch))


def test_no_memories_where_a_person_wants_none(
    opened: Callable[..., MainWindow], qtbot: QtBot, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "chat.workspace.json").write_text(WHOLE)
    window = opened("chat.workspace.json")
    window.session.edit(choose_memory_sets, ())
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)
    answer = answered_elsewhere(window, tmp_path, monkeypatch)
    assert "k0" not in [item["id"] for item in answer["items"]]
    check_figures(window, answer)

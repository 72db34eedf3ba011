"""The rows for the thoughts of the model: shown where they matter, and undoable."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.screens.settings.thought_rows import SENT, THINKING, ThoughtRows
from inspector.tokens.chat.messages import THOUGHTS


@pytest.fixture
def rows(qtbot: QtBot) -> ThoughtRows:
    made = ThoughtRows()
    qtbot.addWidget(made)
    return made


def shown(rows: ThoughtRows) -> tuple[bool, bool]:
    return tuple(not box.parentWidget().isHidden() for box in (rows.sent, rows.thinking))  # type: ignore[return-value]


def test_every_choice_is_offered() -> None:
    assert (tuple(SENT), tuple(THINKING)) == (THOUGHTS, (None, True, False))


def test_rows_are_there_only_where_they_matter(rows: ThoughtRows) -> None:
    rows.show_choices("auto", None, has_thoughts=False, has_switch=False)
    assert rows.isHidden()
    rows.show_choices("auto", None, has_thoughts=True, has_switch=False)
    assert (not rows.isHidden(), shown(rows)) == (True, (True, False))
    rows.show_choices("none", False, has_thoughts=False, has_switch=False)  # a choice stays in sight, to be taken back
    assert shown(rows) == (True, True)
    assert (rows.sent.currentText(), rows.thinking.currentText()) == ("None", "Off")


def choose(box: QComboBox, place: int) -> None:
    box.setCurrentIndex(place)
    box.activated.emit(place)


def test_a_choice_changes_the_prompt_and_can_be_undone(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    thought = {"type": "thought", "text": "The user wants the weather, so the tool has to be called first."}
    messages = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": [thought, {"type": "text", "text": "Hi"}]},
        {"role": "user", "content": "Bye"},
    ]
    path = tmp_path / "chat.workspace.json"
    held = {"id": "c", "model": "qwen3-8b", "messages": messages}
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [held]}))
    window = opened(path)
    session, rows = window.session, window.screens["settings"].view.findChild(ThoughtRows)
    qtbot.waitUntil(lambda: session.is_ready and not rows.isHidden())
    assert shown(rows) == (True, True)
    choose(rows.sent, list(SENT).index("none"))
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.scenario.thoughts == "none"
    choose(rows.thinking, list(THINKING).index(False))
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.scenario.thinking is False
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert (session.scenario.thoughts, session.scenario.thinking) == ("auto", None)
    qtbot.waitUntil(lambda: session.is_ready and rows.sent.currentText() == "As the model")
    assert rows.thinking.currentText() == "As its template"

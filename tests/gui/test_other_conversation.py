"""Another conversation begins at its top, also where its messages have the ids of those that were looked at."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace

SCENARIO = Scenario(tokenizer="estimate:words")


def workspace(name: str, messages: int, memories: int = 0) -> Workspace:
    said = (Message(f"m{number}", "user", f"{name} {number}") for number in range(messages))
    known = tuple(Memory(f"k{number}", f"Knows {number}") for number in range(memories))
    talk = Conversation(name, tuple(said), origin=f"{name}.json")
    return Workspace((talk,), memory_sets=(MemorySet("default", known),) if known else ())


@pytest.mark.parametrize("scrolled", [0, 3, 40])
def test_another_conversation_begins_at_its_top(opened: Callable[..., MainWindow], qtbot: QtBot, scrolled: int) -> None:
    window = opened()
    table = window.findChild(QTableView, "decision_table")
    assert isinstance(table, QTableView)
    window.session.show_workspace(workspace("a", 200), SCENARIO)
    qtbot.waitUntil(lambda: window.session.is_ready and table.model().rowCount() == 200)
    table.verticalScrollBar().setValue(scrolled)
    window.session.show_workspace(workspace("b", 150, memories=4), SCENARIO)
    qtbot.waitUntil(lambda: window.session.is_ready and table.model().rowCount() == 154)
    assert table.verticalScrollBar().value() == 0

"""Branches chosen in the tree by mouse: what was done to a conversation stays with it, whichever branch is shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPlainTextEdit, QTreeView
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.screens.sources.tree import WorkspaceTreeModel
from inspector.gui.table.view import ArrayTableView
from tests.gui.all_files import files_tree

LEFT = Qt.MouseButton.LeftButton


def exported(name: str) -> dict[str, Any]:
    """A chat of an export, of which a question has two answers; the second is shown."""
    parents = {"question": "", "first": "question", "second": "question"}
    nodes: dict[str, Any] = {}
    for time, (node, parent) in enumerate(parents.items(), 1_700_000_000):
        said = {"content_type": "text", "parts": [f"{name}, {node}"]}
        role = "user" if node == "question" else "assistant"
        message = {"id": f"{name}-{node}", "author": {"role": role}, "create_time": time, "content": said}
        above = f"{name}-{parent}" if parent else None
        below = [f"{name}-{child}" for child, its in parents.items() if its == node]
        nodes[f"{name}-{node}"] = {"id": f"{name}-{node}", "message": message, "parent": above, "children": below}
    return {"title": name, "id": name, "conversation_id": name, "mapping": nodes, "current_node": f"{name}-second"}


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([exported("tea"), exported("boats")]))
    return opened(path)


def tree_of(window: MainWindow) -> QTreeView:
    return files_tree(window)


def click_branch(window: MainWindow, qtbot: QtBot, conversation: str, end: str) -> None:
    """Unfold a conversation and click the branch that ends with a message."""
    tree = tree_of(window)
    model = tree.model()
    assert isinstance(model, WorkspaceTreeModel)
    chat = model.index_of("conversation", conversation)
    tree.expand(chat)
    branches = [model.index(row, 0, chat) for row in range(model.rowCount(chat))]
    (line,) = [one for one in branches if one.data(Qt.ItemDataRole.UserRole).thing == end]
    tree.scrollTo(line)
    qtbot.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(line).center())
    settle(window, qtbot)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    window.session.flush()
    qtbot.waitUntil(lambda: window.session.is_ready)


def draft_box(window: MainWindow) -> QPlainTextEdit:
    found = window.findChild(QPlainTextEdit, "draft_edit")
    assert isinstance(found, QPlainTextEdit)
    return found


def type_draft(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Type the next message, without a pause after it."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.mouseClick(draft_box(window).viewport(), LEFT)
    qtbot.keyClicks(draft_box(window), text)


def press_on(window: MainWindow, qtbot: QtBot, item: str, key: Qt.Key) -> None:
    """Click an item in the table and press a key."""
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    position = table.array_model.position(list(table.array_model.ids).index(item))
    assert position is not None
    place = QPoint(60, table.rowViewportPosition(position) + table.rowHeight(position) // 2)
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.keyClick(table, key)
    settle(window, qtbot)


def items(window: MainWindow) -> list[str]:
    answer = window.session.answer
    assert answer is not None
    return list(answer.assembly.candidates.ids)


def test_pins_and_draft_stay_when_another_branch_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    press_on(window, qtbot, "tea-question", Qt.Key.Key_P)
    press_on(window, qtbot, "tea-second", Qt.Key.Key_X)
    type_draft(window, qtbot, "And now?")
    click_branch(window, qtbot, "tea", "tea-first")
    assert items(window) == ["tea-question", "tea-first", "draft"]
    assert (window.session.scenario.pinned, window.session.scenario.excluded) == (("tea-question",), ("tea-second",))
    assert draft_box(window).toPlainText() == "And now?"
    click_branch(window, qtbot, "tea", "tea-second")
    assert items(window) == ["tea-question", "tea-second", "draft"]
    assert (window.session.scenario.pinned, window.session.scenario.excluded) == (("tea-question",), ("tea-second",))


def test_a_branch_of_another_conversation_takes_nothing_along_and_brings_its_own(
    window: MainWindow, qtbot: QtBot
) -> None:
    press_on(window, qtbot, "tea-question", Qt.Key.Key_P)
    type_draft(window, qtbot, "More tea?")
    click_branch(window, qtbot, "boats", "boats-first")
    assert (window.session.scenario.pinned, draft_box(window).toPlainText()) == ((), "")
    type_draft(window, qtbot, "More boats?")
    click_branch(window, qtbot, "tea", "tea-first")
    assert items(window) == ["tea-question", "tea-first", "draft"]
    assert window.session.scenario.pinned == ("tea-question",)
    assert draft_box(window).toPlainText() == "More tea?"
    click_branch(window, qtbot, "boats", "boats-second")
    assert items(window) == ["boats-question", "boats-second", "draft"]
    assert draft_box(window).toPlainText() == "More boats?"

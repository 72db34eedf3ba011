"""Whose it is, in the window: what a folder brings waits to be ticked, and stays so when it is saved and read again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTreeView
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from tests.gui.all_files import files_tree
from tests.gui.test_adding import mime, written_chat

Open = Callable[..., MainWindow]


def memories(file: Path, name: str) -> Path:
    file.parent.mkdir(exist_ok=True, parents=True)
    sets = [{"id": name, "memories": [{"id": f"k of {name}", "content": "Likes tea"}]}]
    file.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "memory_sets": sets}))
    return file


def used(window: MainWindow) -> list[str]:
    """The memory sets in the prompt."""
    answer = window.session.answer
    assert answer is not None
    return [one.id for one in answer.case.chosen.parts.memory_sets]


def found(window: MainWindow) -> list[str]:
    answer = window.session.answer
    assert answer is not None
    return [one.message for one in answer.findings if one.code == "belongs_to_none"]


def tree_of(window: MainWindow) -> QTreeView:
    return files_tree(window)


def line(window: MainWindow, title: str) -> QModelIndex:
    model = tree_of(window).model()
    flags = Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchContains
    return model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, title, 1, flags)[0]


def tick(window: MainWindow, title: str, qtbot: QtBot) -> None:
    """Click on the check box of a line."""
    tree, index = tree_of(window), line(window, title)
    tree.expandAll()
    tree.scrollTo(index)
    option = QStyleOptionViewItem()
    option.initFrom(tree)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    option.rect = tree.visualRect(index)
    box = tree.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, tree)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.center()))
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_memories_of_a_folder_wait_and_those_of_a_file_do_not(
    opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    chat = written_chat(folder / "a.json")
    written_chat(folder / "b.json", "another")
    memories(folder / "deep" / "kept.json", "kept")
    named = memories(tmp_path / "named.json", "named")
    window = opened(folder)
    said = ["1 memory set belongs to no open conversation and is not used: tick it."]
    assert (used(window), found(window)) == ([], said)
    assert "tick it to use it" in line(window, "Memories: kept").data(Qt.ItemDataRole.ToolTipRole)

    data = mime(named)
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, left, none))
    qtbot.waitUntil(lambda: len(window.session.workspace.memory_sets) == 2 and window.session.is_ready)
    assert (used(window), found(window)) == (["named"], said)

    written_chat(chat, "written anew")
    qtbot.waitUntil(lambda: window.session.workspace.conversations[0].messages[0].content == "written anew")
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert used(window) == ["named"], "the folder was read again"

    file = tmp_path / "w.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    save = window.findChild(QAction, "action:save")
    assert isinstance(save, QAction)
    save.trigger()
    qtbot.waitUntil(file.exists)
    again = opened(file)
    assert (used(again), found(again)) == (["named"], said)
    for ticked in (["kept", "named"], ["named"]):
        tick(again, "Memories: kept", qtbot)
        assert used(again) == ticked
        assert bool(found(again)) == ("kept" not in ticked)

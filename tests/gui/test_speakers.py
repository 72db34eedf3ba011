"""Logs of people in the window: who of them is the assistant is chosen by mouse and by keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from tests.gui.all_files import files_tree

LOG = "[12:00] <ann> Hi\n[12:01] <ben> Ho\n[12:02] <cy> Hm\n[12:03] <ann> Bye\n"


@pytest.fixture
def window(opened: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    (tmp_path / "sea.log").write_text(LOG)
    return opened(tmp_path / "sea.log")


def tree_of(window: MainWindow) -> QTreeView:
    return files_tree(window)


def line(tree: QTreeView, title: str) -> QModelIndex:
    flags = Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchEndsWith
    return tree.model().match(tree.model().index(0, 0), Qt.ItemDataRole.DisplayRole, title, 1, flags)[0]


def unfolded(window: MainWindow) -> QTreeView:
    tree = tree_of(window)
    tree.expand(tree.currentIndex())
    tree.expand(line(tree, "Who is the assistant"))
    return tree


def roles(window: MainWindow) -> list[str]:
    answer = window.session.answer
    assert answer is not None
    return [thing.role for thing in answer.assembly.candidates.things]  # type: ignore[union-attr]


def test_a_click_makes_a_speaker_the_assistant(window: MainWindow, qtbot: QtBot) -> None:
    assert roles(window) == ["user"] * 4
    tree = unfolded(window)
    place = tree.visualRect(line(tree, "ben")).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: window.session.is_ready and roles(window) == ["user", "assistant", "user", "user"])
    assert window.session.scenario.assistant == "ben"
    assert line(tree, "ben").data() == "● ben"
    window.session.undo_stack.undo()
    qtbot.waitUntil(lambda: window.session.is_ready and roles(window) == ["user"] * 4)
    assert line(tree, "ben").data() == "ben"


def test_so_do_keys(window: MainWindow, qtbot: QtBot) -> None:
    tree = unfolded(window)
    tree.setCurrentIndex(line(tree, "as the file says"))
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.is_ready and roles(window) == ["assistant", "user", "user", "assistant"])

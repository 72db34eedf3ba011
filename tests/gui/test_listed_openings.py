"""Large exports in the window: the list is there before all of it is read, and nothing moves when it was."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from inspector.analysis.archive.listing import Archive
from inspector.assembly.edits import choose_conversation
from inspector.formats import opening
from inspector.formats.chatgpt import export
from inspector.formats.chatgpt.listing import ChatList
from inspector.gui.files.opening import Opening
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.conversations.view import ConversationsModel
from inspector.model import Workspace
from inspector.retrieval.search.find import Search
from tests.formats.chatgpt.test_chatgpt import chat, node
from tests.gui.all_files import files_tree

LEAVE_SECONDS = 20
COUNT = 60


@pytest.fixture
def leave(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Exports of every size are listed first; all of one is read when this is set."""
    may_go, whole = threading.Event(), ChatList.whole

    def waiting(chats: ChatList, *terms: Any, **more: Any) -> Workspace:
        assert not more["is_shown"] or may_go.wait(LEAVE_SECONDS)  # a few chats are read to know the format
        return whole(chats, *terms, **more)

    monkeypatch.setattr(opening, "LISTED_FROM", 0)
    monkeypatch.setattr(ChatList, "whole", waiting)
    yield may_go
    may_go.set()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    chats = [
        chat(
            node("u", "root", "user", f"Question {number}", create_time=1.7e9 + number),
            node("a", "u", "assistant" if number else "wizard", f"Answer {number}"),
            title=f"Talk {number}",
            conversation_id=f"c{number}",
        )
        for number in range(COUNT)
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats))
    return path


@pytest.fixture
def window(opened: Callable[[], MainWindow], qtbot: QtBot, file: Path, leave: threading.Event) -> Iterator[MainWindow]:
    """A window that shows the list of the file, of which not all was read."""
    made = opened()
    made.session.open(lambda _: Opening((str(file),)))
    qtbot.waitUntil(lambda: bool(made.session.workspace.conversations))
    yield made
    leave.set()


def ready(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready)


def read(workspace: Workspace) -> list[str]:
    return [chat.id for chat in workspace.conversations if chat.is_read]


def tree_of(window: MainWindow) -> QTreeView:
    return files_tree(window)


def test_a_chat_is_opened_before_all_are_read(window: MainWindow, qtbot: QtBot, leave: threading.Event) -> None:
    session = window.session
    assert len(session.workspace.conversations) == COUNT
    assert read(session.workspace) == ["c0"]
    session.edit(choose_conversation, session.workspace, "c7")
    session.flush()
    assert session.assembly is not None
    assert "Question 7" in [session.assembly.text(row) for row in range(len(session.assembly.candidates))]
    assert read(session.workspace) == ["c0", "c7"]
    assert not session.is_ready
    leave.set()
    ready(window, qtbot)
    assert len(read(session.workspace)) == COUNT
    assert session.scenario.conversation == "c7"
    assert session.undo_stack.count() == 1
    assert ["wizard" in problem.message for problem in session.workspace.problems] == [True]


def test_lists_stay_as_they_are_when_all_was_read(window: MainWindow, qtbot: QtBot, leave: threading.Event) -> None:
    tree = tree_of(window)
    model = tree.model()
    group = model.index(0, 0, model.index(0, 0))
    tree.expand(group)
    tree.verticalScrollBar().setValue(tree.verticalScrollBar().maximum() // 2)
    before = tree.verticalScrollBar().value()
    assert before > 0
    assert model.index(5, 1, group).data(Qt.ItemDataRole.DisplayRole) == "…"
    leave.set()
    ready(window, qtbot)
    group = model.index(0, 0, model.index(0, 0))
    assert tree.isExpanded(group)
    assert tree.verticalScrollBar().value() == before
    assert model.index(5, 1, group).data(Qt.ItemDataRole.DisplayRole) == "2"


def test_another_file_that_is_opened_meanwhile_takes_its_place(
    window: MainWindow, qtbot: QtBot, leave: threading.Event, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"messages": [{"role": "user", "content": "Hi"}]}\n')
    window.session.open(lambda _: Opening((str(other),)))
    qtbot.waitUntil(lambda: len(window.session.workspace.conversations) == 1)
    leave.set()
    ready(window, qtbot)
    assert [chat.origin for chat in window.session.workspace.conversations] == [str(other)]


def test_a_table_says_that_nobody_has_read_a_conversation(file: Path, leave: threading.Event, qtbot: QtBot) -> None:
    chats = opening.load_parts([file], listed_from=0)[0].workspace.conversations
    model, ids = ConversationsModel(), tuple(chat.id for chat in chats)
    assert chats[1].messages
    model.show(Archive.of(chats), np.arange(len(ids)), ids)
    places = [model.column(key) for key in ("messages", "first")]
    shown = [[model.index(row, column).data() for column in places] for row in (0, 1)]
    assert shown[0] == ["…", "…"]
    assert shown[1] == ["2", "2023-11-14"]
    assert read(Workspace(conversations=chats)) == ["c1"]


def test_of_what_stays_unread_the_search_knows_the_titles_and_says_so(
    file: Path, leave: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "KEPT_UP_TO", 0)
    leave.set()
    workspace = opening.load_parts([file], listed_from=0)[0].completed().workspace
    assert workspace.conversations[3].messages
    search = Search(workspace)
    assert workspace.conversations[4].messages  # read after the search was made
    found = search.find("question")
    assert ([group.holder.id for group in found.groups], found.unread) == (["c3"], COUNT - 1)
    assert [group.holder.id for group in search.find("talk 42").groups] == ["c42"]

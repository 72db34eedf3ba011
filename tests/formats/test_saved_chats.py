"""Chats that keep every branch: what the active path is where the file names none that there is."""

from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, workspace_of
from inspector.model import Message
from inspector.reading.source import FileSource

NODES = {"a": Node("", (Message("", "user", "hi"),)), "b": Node("a", (Message("", "assistant", "hello"),))}


def _deep() -> Any:
    value: Any = []
    for _ in range(990):
        value = [value]
    return value


@pytest.mark.parametrize("leaf", ["gone", 7, _deep()], ids=["unknown", "number", "deep"])
def test_a_leaf_that_is_no_message_is_noted_and_the_newest_branch_taken(leaf: Any) -> None:
    notes = Notes("f")
    (chat,) = workspace_of([SavedChat({**NODES}, leaf, "$.leaf")], FileSource("f", b""), notes).conversations
    assert [message.content for message in chat.messages] == ["hi", "hello"]
    assert [problem.place for problem in notes.problems] == ["$.leaf"]


def test_a_mark_without_a_message_goes_on_with_the_branch_that_it_follows() -> None:
    """As with the records of agents: the newest branch is the one that something was added to last."""
    late = datetime(2024, 1, 2, tzinfo=UTC)
    nodes = {
        "a": Node("", (Message("", "user", "hi"),)),
        "b": Node("a", (Message("", "assistant", "new", time=late),)),
        "mark": Node("b", ()),
        "c": Node("a", (Message("", "assistant", "old"),)),
    }
    (chat,) = workspace_of([SavedChat(nodes, None, "$")], FileSource("f", b""), Notes("f")).conversations
    assert [message.content for message in chat.messages] == ["hi", "new"]

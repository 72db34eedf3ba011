"""Chats that keep every branch: what the active path is where the file names none that there is."""

from typing import Any

import pytest

from inspector.formats.openai.message import Notes
from inspector.formats.saved_chats import Node, branches_of
from inspector.model import Message

NODES = {"a": Node("", (Message("", "user", "hi"),)), "b": Node("a", (Message("", "assistant", "hello"),))}


def _deep() -> Any:
    value: Any = []
    for _ in range(990):
        value = [value]
    return value


@pytest.mark.parametrize("leaf", ["gone", 7, _deep()], ids=["unknown", "number", "deep"])
def test_a_leaf_that_is_no_message_is_noted_and_the_newest_branch_taken(leaf: Any) -> None:
    notes = Notes("f")
    found = branches_of(NODES, leaf, notes, "$.leaf")
    assert [message.content for message in found.path] == ["hi", "hello"]
    assert [problem.place for problem in notes.problems] == ["$.leaf"]

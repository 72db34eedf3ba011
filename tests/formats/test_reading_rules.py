"""Rules of the reading layer that hold for every format with messages: lists without parents, results by role, pictures
named beside the messages.
"""

import json
from typing import Any

from inspector.formats.node_tree import in_order, tree_of
from inspector.formats.notes import Notes
from inspector.formats.opening import load_unnamed
from inspector.formats.saved_chats import Node, SavedChat, workspace_of
from inspector.model import Image, Message, Result, Workspace
from inspector.reading.source import FileSource


def opened(value: Any) -> Workspace:
    return load_unnamed(json.dumps(value).encode(), "chat.json").workspace


def chat_of(*roles: Any, parents: tuple[str, ...] = ()) -> Workspace:
    above = parents or ("",) * len(roles)
    nodes = {f"n{k}": Node(above[k], (Message("", role, f"Turn {k}"),)) for k, role in enumerate(roles)}
    return workspace_of([SavedChat(nodes, None, "$")], FileSource("a.json", b"{}"), Notes("a.json"))


def test_nodes_without_any_parent_are_a_list_in_order() -> None:
    (chat,) = chat_of("user", "assistant", "user", "assistant").conversations
    assert [one.content for one in chat.messages] == ["Turn 0", "Turn 1", "Turn 2", "Turn 3"]
    assert chat.tree is None


def test_one_parent_is_enough_for_a_tree() -> None:
    (chat,) = chat_of("user", "assistant", "user", parents=("", "n0", "")).conversations
    assert chat.tree is not None
    assert len(chat.tree.messages) == 3


def test_roots_of_one_role_are_versions_of_the_first_turn() -> None:
    (chat,) = chat_of("user", "user").conversations
    assert chat.tree is not None
    assert len(chat.messages) == 1


def test_a_mapping_whose_nodes_name_no_parent_is_a_list() -> None:
    nodes = {name: {"message": {}} for name in "abc"}
    assert tree_of(nodes, "").parents == {"a": "", "b": "a", "c": "b"}
    assert in_order({"a": "", "b": "a", "c": ""}) == {"a": "", "b": "a", "c": ""}


CALLS = [
    {"id": name, "type": "function", "function": {"name": "get_weather", "arguments": "{}"}} for name in ("c1", "c2")
]


def test_a_role_that_is_the_name_of_a_called_function_is_a_tool() -> None:
    turns = [{"role": "user", "content": "Rain?"}, {"role": "assistant", "content": "", "tool_calls": CALLS}]
    results = [{"role": "get_weather", "content": text} for text in ("Sunny.", "Rainy.")]
    workspace = opened([*turns, *results])
    found = workspace.conversations[0].messages[2:]
    assert [one.role for one in found] == ["tool", "tool"]
    assert [one.parts for one in found] == [
        (Result("c1", "get_weather", "Sunny."),),
        (Result("c2", "get_weather", "Rainy."),),
    ]
    assert workspace.problems == ()


def test_a_role_that_was_never_called_is_a_problem() -> None:
    workspace = opened([{"role": "user", "content": "Rain?"}, {"role": "get_weather", "content": "Sunny."}])
    assert [problem.place for problem in workspace.problems if problem.severity == "error"] == ["$[1].role"]


def test_pictures_named_beside_a_message_count() -> None:
    for key, held in (("images", ["a.png", "b.png"]), ("image", "a.png"), ("image_url", {"url": "https://a.b/c.png"})):
        (message,) = opened([{"role": "user", "content": "Look.", key: held}]).conversations[0].messages
        pictures = [part for part in message.parts if isinstance(part, Image)]
        assert len(pictures) == (2 if isinstance(held, list) else 1)
        assert message.content == "Look."

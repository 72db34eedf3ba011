"""Chats of scripts: a role and a text under any usual key, which no other layout claims."""

import json
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, candidates
from inspector.model import Workspace
from inspector.reading.source import FileSource

ROLE_TEXT: dict[str, Any] = {
    "id": "t1",
    "title": "Dinner",
    "messages": [
        {"role": "user", "text": "Shall we meet?", "createdAt": 1_700_000_000_000},
        {"role": "assistant", "text": "Sure, at six.", "createdAt": 1_700_000_005_000},
    ],
}
SAID = [("user", "Shall we meet?"), ("assistant", "Sure, at six.")]


def opened(value: Any, lines: bool = False) -> Workspace:
    data = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    return load_unnamed(data.encode(), "chat.json").workspace


def said(workspace: Workspace) -> list[tuple[str, str]]:
    (chat,) = workspace.conversations
    return [(one.role, one.content) for one in chat.messages]


@pytest.mark.parametrize("key", ["text", "body", "output", "result", "prompt"])
def test_a_text_is_read_under_any_usual_key(key: str) -> None:
    turns = [
        {("role" if name == "role" else key): one[name] for name in ("role", "text")} for one in ROLE_TEXT["messages"]
    ]
    workspace = opened({**ROLE_TEXT, "messages": turns})
    assert [source.format for source in workspace.sources] == ["role_text"]
    assert said(workspace) == SAID
    assert workspace.problems == ()


def test_lists_lines_and_turns_with_content_are_one_chat() -> None:
    turns = ROLE_TEXT["messages"]
    mixed = [turns[0], {"role": "assistant", "content": "Sure, at six."}]
    assert said(opened(turns)) == said(opened(turns, lines=True)) == said(opened({"history": mixed})) == SAID
    several = opened({"threads": [ROLE_TEXT, {**ROLE_TEXT, "id": "t2"}]})
    assert [chat.id for chat in several.conversations] == ["t1", "t2"]


def test_such_a_chat_is_possible_and_never_sure() -> None:
    for value in (ROLE_TEXT, ROLE_TEXT["messages"]):
        found, _ = candidates(FileSource("x", json.dumps(value).encode()), built_in_formats())
        assert [(one.format.name, one.sureness < 0.8) for one in found] == [("role_text", True)]


def test_messages_of_openai_with_text_for_content_keep_it() -> None:
    turns = [{"role": "user", "content": "Shall we meet?"}, {"role": "assistant", "text": "Sure, at six."}]
    assert said(opened(turns)) == SAID


def test_a_response_beside_the_messages_of_its_request_follows_them() -> None:
    answer = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "Sure, at six."}}]}
    log = {"messages": [{"role": "user", "content": "Shall we meet?"}], "tools": [], "response": answer, "cost": 0.1}
    assert said(opened(log)) == SAID


@pytest.mark.parametrize("value", [{"messages": [{"role": "chair", "text": "x"}]}, [{"text": "x"}], {"role": "user"}])
def test_other_json_is_not_claimed(value: Any) -> None:
    found, _ = candidates(FileSource("x", json.dumps(value).encode()), built_in_formats())
    assert "role_text" not in [one.format.name for one in found]

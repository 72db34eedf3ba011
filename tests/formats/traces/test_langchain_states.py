"""States and checkpoints of LangGraph, and runs of LangSmith, whoever made their messages."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import langchain
from inspector.model import Workspace
from inspector.reading.source import FileSource

SAID = [("user", "Hi"), ("assistant", "Ho")]
BARE = [{"type": "human", "content": "Hi", "id": "a"}, {"type": "ai", "content": "Ho", "id": "b"}]
DUMPED = [{**one, "additional_kwargs": {}, "response_metadata": {}} for one in BARE]
OF_OPENAI = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]


def made(kind: str, text: str) -> dict[str, Any]:
    path = ["langchain", "schema", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": text}}


CONSTRUCTED = [made("HumanMessage", "Hi"), made("AIMessage", "Ho")]


def load(value: Any) -> Workspace:
    source = FileSource("state.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is langchain.FORMAT
    return langchain.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


@pytest.mark.parametrize("messages", [BARE, DUMPED, CONSTRUCTED, OF_OPENAI])
@pytest.mark.parametrize(
    "state",
    [
        lambda messages: {"values": {"messages": messages, "x": 1}, "next": [], "metadata": {}},
        lambda messages: {"thread_id": "t", "status": "idle", "values": {"messages": messages}},
        lambda messages: {"v": 1, "id": "1", "channel_values": {"messages": messages}, "channel_versions": {}},
        lambda messages: {"config": {}, "checkpoint": {"channel_values": {"messages": messages}}, "metadata": {}},
    ],
)
def test_a_state_is_a_conversation(messages: Any, state: Any) -> None:
    workspace = load(state(messages))
    assert said(workspace) == SAID
    assert not workspace.problems


def test_each_state_of_a_history_is_a_conversation() -> None:
    workspace = load([{"values": {"messages": BARE}, "next": []}, {"values": {"messages": BARE[:1]}, "next": ["m"]}])
    assert [said(workspace, number) for number in (0, 1)] == [SAID, SAID[:1]]


def test_messages_with_type_and_content_only_are_those_of_langchain() -> None:
    assert said(load(BARE)) == SAID


RUNS: dict[str, tuple[Any, Any]] = {
    "constructors": ({"messages": [[CONSTRUCTED[0]]]}, {"generations": [[{"text": "Ho", "message": CONSTRUCTED[1]}]]}),
    "openai": ({"messages": OF_OPENAI[:1]}, {"choices": [{"message": OF_OPENAI[1]}]}),
    "a chain": ({"input": "Hi"}, {"output": "Ho"}),
    "an answer alone": ({"messages": OF_OPENAI[:1]}, {"role": "assistant", "content": "Ho"}),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_what_it_was_given_and_answered(name: str) -> None:
    given, answered = RUNS[name]
    params = {"model": "m", "tools": [{"type": "function", "function": {"name": "look"}}]}
    run = {"id": "r", "name": "Chat", "run_type": "llm", "inputs": given, "outputs": answered}
    workspace = load({**run, "extra": {"invocation_params": params}})
    assert said(workspace) == SAID
    (chat,) = workspace.conversations
    assert (chat.id, chat.title, chat.model, len(workspace.tools)) == ("r", "Chat", "m", 1)
    assert not workspace.problems


ASKED = {"id": "r", "name": "Chat", "run_type": "llm", "inputs": {"model": "m", "messages": OF_OPENAI[:1]}}
TOLD = {"choices": [{"message": OF_OPENAI[1]}], "usage_metadata": {"input_tokens": 9, "output_tokens": 2}}


@pytest.mark.parametrize(
    "batch",
    [
        {"post": [{**ASKED, "outputs": TOLD}]},
        {"post": [ASKED], "patch": [{"id": "r", "inputs": None, "outputs": TOLD}]},
        {"post": [{**ASKED, "dotted_order": "1r"}], "patch": [{"dotted_order": "1r", "outputs": TOLD}]},
        {"patch": [{**ASKED, "outputs": TOLD}], "post": []},
    ],
)
def test_a_batch_of_a_client_is_its_runs_with_their_changes(batch: Any) -> None:
    workspace = load(batch)
    assert said(workspace) == SAID
    (chat,) = workspace.conversations
    assert (chat.id, chat.model) == ("r", "m")
    assert chat.messages[-1].metadata == {"recorded_prompt_tokens": 9, "recorded_tokens": 2}
    assert not workspace.problems


@pytest.mark.parametrize("key", ["dialog", "__root__", "messages"])
def test_the_messages_of_a_state_may_have_any_name(key: str) -> None:
    assert said(load({"values": {"x": [1], key: DUMPED}, "next": [], "metadata": {}})) == SAID

"""LangChain's messages in their three layouts, and LangSmith's runs."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import langchain
from inspector.model import Call, Workspace
from inspector.reading.source import FileSource, UnreadableError


def data(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "data": {"content": content, "type": kind, "additional_kwargs": {}, **more}}


CALL = {"name": "look", "args": {"at": 1}, "id": "t1", "type": "tool_call"}
MESSAGES = [
    data("system", "Be kind."),
    data("human", "Hi", id="1"),
    data(
        "ai",
        [{"type": "text", "text": "Wait"}, {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}}],
        tool_calls=[CALL],
        usage_metadata={"input_tokens": 3, "output_tokens": 4},
    ),
    data("tool", "Sea", tool_call_id="t1"),
]
PLAIN = {"messages": [message["data"] for message in MESSAGES]}
CONSTRUCTED = [
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", f"{name}Message"], "kwargs": fields}
    for name, fields in (("Human", {"content": "Hi"}), ("AI", {"content": "Ho"}))
]
SECRET = {"lc": 1, "type": "secret", "id": ["OPENAI_API_KEY"]}
RUN = {
    "id": "r1",
    "run_type": "llm",
    "name": "ChatOpenAI",
    "inputs": {"messages": [[CONSTRUCTED[0]]]},
    "outputs": {"generations": [[{"text": "Ho", "message": CONSTRUCTED[1]}]]},
}


def load(value: Any) -> Workspace:
    source = FileSource("messages.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is langchain.FORMAT
    return langchain.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


@pytest.mark.parametrize("value", [MESSAGES, PLAIN])
def test_messages_are_read_with_their_calls(value: Any) -> None:
    workspace = load(value)
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert said(workspace) == [("user", "Hi"), ("assistant", "Wait"), ("tool", "Sea")]
    _, called, answered = workspace.conversations[0].messages
    assert called.tool_calls == (Call("t1", "look", '{"at":1}'),)
    assert called.metadata == {"recorded_tokens": 4, "recorded_prompt_tokens": 3}
    assert answered.tool_call_id == "t1"
    assert workspace.problems == ()


def test_of_a_constructor_only_its_arguments_are_read() -> None:
    workspace = load([*CONSTRUCTED, SECRET])
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    assert "OPENAI_API_KEY" not in repr(workspace)


def test_a_removal_takes_an_earlier_message_away() -> None:
    workspace = load([*MESSAGES, {"type": "remove", "data": {"content": "", "id": "1"}}])
    assert said(workspace) == [("assistant", "Wait"), ("tool", "Sea")]
    nameless = load([data("human", "Hi"), data("ai", "Ho"), {"type": "remove", "data": {}}])
    assert said(nameless) == [("user", "Hi"), ("assistant", "Ho")]


def test_results_inside_a_message_stand_before_it() -> None:
    content = [{"type": "tool_result", "tool_use_id": "t", "content": "Sea"}, {"type": "text", "text": "And now?"}]
    assert said(load([data("human", content)])) == [("tool", "Sea"), ("user", "And now?")]


def test_runs_of_langsmith_are_conversations() -> None:
    workspace = load([RUN, {**RUN, "id": "r2"}])
    assert [one.id for one in workspace.conversations] == ["r1", "r2"]
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]


def test_what_is_broken_is_a_problem_and_the_rest_opens() -> None:
    workspace = load(
        [data("human", "Hi"), data("ghost", "Boo"), data("chat", "Who?", role="ghost"), data("ai", "Ho"), 5]
    )
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    assert [problem.place for problem in workspace.problems] == ["$[1]", "$[2].role", "$[4]"]


@pytest.mark.parametrize(
    "value", [[], {}, {"type": "human", "data": 5}, {"lc": 1}, [SECRET], {"inputs": {"messages": []}}]
)
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert langchain.sniff(source) == 0
    with pytest.raises(UnreadableError):
        langchain.load(source)

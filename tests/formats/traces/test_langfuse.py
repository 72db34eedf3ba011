"""Langfuse's traces: the calls of models, whatever the traced program wrote of them."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import langfuse
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

CALL = {"id": "t", "type": "function", "function": {"name": "look", "arguments": "{}"}}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {}}}


def call(given: Any, answered: Any, **more: Any) -> dict[str, Any]:
    times = {"startTime": "2025-08-22T09:38:56.232Z"}
    return {"id": "g", "type": "GENERATION", "name": "Call", "input": given, "output": answered, **times, **more}


def trace(*observations: Any) -> dict[str, Any]:
    return {"trace": {"id": "t", "name": "T"}, "observations": list(observations)}


GIVEN = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Hi"},
    {"role": "tool", "content": TOOL},
]
ANSWERED = {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [CALL]}}
TRACE = trace(call(json.dumps(GIVEN), json.dumps(ANSWERED), model="gpt-4o", usageDetails={"input": 9, "output": 2}))


def load(value: Any) -> Workspace:
    source = FileSource("trace.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is langfuse.FORMAT
    return langfuse.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


def test_a_call_is_a_conversation_with_its_tools() -> None:
    workspace = load(TRACE)
    (conversation,) = workspace.conversations
    assert (conversation.id, conversation.title, conversation.model) == ("g", "Call", "gpt-4o")
    assert said(workspace) == [("user", "Hi"), ("assistant", "")]
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    answer = conversation.messages[1]
    assert (answer.tool_calls[0].name, answer.metadata["recorded_prompt_tokens"]) == ("look", 9)
    assert [tool.schema for tool in workspace.tools] == [TOOL]


ASKED, HO = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ho"}]}
LAYOUTS: list[tuple[Any, Any]] = [
    ("Hi", "Ho"),
    ({"messages": [ASKED]}, {"choices": [{"message": HO}]}),
    ([ASKED], {"model": "m", "output": [ITEM]}),
    ({"messages": [{"type": "human", "content": "Hi", "additional_kwargs": {}}]}, HO),
    ({"model": "g", "contents": "Hi"}, {"candidates": [{"content": {"parts": [{"text": "Ho"}]}}]}),
]


@pytest.mark.parametrize(("given", "answered"), LAYOUTS)
def test_every_layout_is_read(given: Any, answered: Any) -> None:
    assert said(load(trace(call(given, answered)))) == [("user", "Hi"), ("assistant", "Ho")]


@pytest.mark.parametrize(("given", "answered"), LAYOUTS[1:])
def test_every_layout_may_be_json_text(given: Any, answered: Any) -> None:
    assert said(load(trace(call(json.dumps(given), json.dumps(answered))))) == [("user", "Hi"), ("assistant", "Ho")]


def test_calls_stand_in_the_order_of_their_times() -> None:
    later, earlier = call("B", None, id="b", startTime="2025-08-22T10:00:00Z"), call("A", None, id="a")
    span = {"id": "s", "type": "SPAN", "input": "Hi", "output": "Ho"}
    assert [one.id for one in load(trace(later, span, earlier)).conversations] == ["a", "b"]


def test_what_is_of_no_known_layout_is_said_and_the_rest_opens() -> None:
    workspace = load([trace(call({"a": 1}, "Ho"), call([{"role": "ghost", "content": "x"}], "Ho", id="h"), 5), 5])
    assert [len(one.messages) for one in workspace.conversations] == [1, 1]
    assert [problem.place for problem in workspace.problems] == [
        "$[0].observations[0].input",
        "$[0].observations[1].input[0].role",
        "$[1]",
    ]


@pytest.mark.parametrize("value", [[], {}, {"trace": {}}, {"trace": 5, "observations": []}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert langfuse.sniff(source) == 0
    with pytest.raises(UnreadableError):
        langfuse.load(source)

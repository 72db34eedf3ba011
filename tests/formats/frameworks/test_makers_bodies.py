"""Bodies of Cohere and Bedrock, and chats of LLaMA-Factory."""

import json
from typing import Any

import pytest

from inspector.formats.format import Format
from inspector.formats.frameworks import cohere
from inspector.formats.openai import chats
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format


def load(kind: Format, value: Any) -> Workspace:
    source = FileSource("body.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    head = [("system", one.system_prompt) for one in workspace.characters]
    return [*head, *((message.role, message.content) for message in workspace.conversations[0].messages)]


HISTORY = [{"role": "USER", "message": "Hi"}, {"role": "CHATBOT", "message": "Ho"}]
COHERE: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "a request": (
        {"message": "Well?", "preamble": "Be kind.", "chat_history": HISTORY, "model": "command-r"},
        [("system", "Be kind."), ("user", "Hi"), ("assistant", "Ho"), ("user", "Well?")],
    ),
    "a first request": ({"message": "Hi", "preamble": ""}, [("user", "Hi")]),
    "an answer with its history": (
        {"text": "Ho", "generation_id": "g", "finish_reason": "COMPLETE", "chat_history": HISTORY},
        [("user", "Hi"), ("assistant", "Ho")],
    ),
    "an answer": ({"text": "Ho", "generation_id": "g", "finish_reason": "COMPLETE"}, [("assistant", "Ho")]),
    "a history": (HISTORY, [("user", "Hi"), ("assistant", "Ho")]),
}


DOCUMENTED: dict[str, Any] = {
    "model": "command-a-03-2025",
    "documents": [{"id": "d1", "data": {"title": "Penguins", "snippet": "They are tall."}}, "They swim well."],
    "messages": [
        {"role": "user", "content": "How tall?"},
        {
            "role": "assistant",
            "tool_plan": "I will look it up.",
            "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {
            "role": "tool",
            "tool_call_id": "t1",
            "content": [{"type": "document", "document": {"id": "r0", "data": '{"height": "one metre"}'}}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "One metre."}]},
    ],
}


def test_documents_and_plans_of_the_second_api_of_cohere_are_kept() -> None:
    workspace = load(cohere.FORMAT, DOCUMENTED)
    assert [(one.id, one.title) for one in workspace.documents] == [("d1", "Penguins"), ("document-2", "")]
    assert [json.loads(workspace.documents[0].content)["snippet"], workspace.documents[1].content] == [
        "They are tall.",
        "They swim well.",
    ]
    _, caller, result, answer = workspace.conversations[0].messages
    assert (caller.reasoning, caller.tool_calls[0].name) == ("I will look it up.", "look")
    assert (result.tool_call_id, json.loads(result.content)) == ("t1", {"height": "one metre"})
    assert (answer.content, workspace.conversations[0].model) == ("One metre.", "command-a-03-2025")
    assert not workspace.problems


CONVERSE: dict[str, Any] = {
    "system": [{"text": "Be kind."}],
    "messages": [
        {
            "role": "user",
            "content": [{"text": "Hi"}, {"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}}],
        },
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "look", "input": {"at": 1}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": "waves"}]}}]},
    ],
}


def test_a_picture_makes_no_body_of_bedrock_one_of_another_maker() -> None:
    workspace = load(chats.FORMAT, CONVERSE)
    assert [role for role, _ in said(workspace)] == ["system", "user", "assistant", "tool"]
    assert not workspace.problems


@pytest.mark.parametrize(("number", "part", "key"), [(1, "toolUse", "input"), (2, "toolResult", "content")])
def test_a_call_without_input_and_a_result_without_contents_are_said(number: int, part: str, key: str) -> None:
    messages = json.loads(json.dumps(CONVERSE["messages"]))
    del messages[number]["content"][0][part][key]
    (problem,) = load(chats.FORMAT, {**CONVERSE, "messages": messages}).problems
    assert problem.place == f"$.messages[{number}].content[0].{part}.{key}"


@pytest.mark.parametrize("data", [{"text": "They swim."}, "They swim."])
def test_the_documents_of_a_result_are_text(data: Any) -> None:
    content = [{"type": "document", "document": {"data": data}}]
    messages = [{"role": "user", "content": "Well?"}, {"role": "tool", "tool_call_id": "t", "content": content}]
    result = load(chats.FORMAT, {"model": "command-a", "messages": messages}).conversations[0].messages[1]
    assert "They swim." in result.content


@pytest.mark.parametrize("calls", [["look"], "look", 5, [None, ["look"]]])
def test_a_call_that_is_no_object_is_a_problem(calls: Any) -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "I look.", "tool_calls": calls}]
    (problem,) = load(chats.FORMAT, {"messages": messages}).problems
    assert problem.message.startswith("expected a call with a name and arguments, found")


@pytest.mark.parametrize("wrap", [lambda call: call, json.dumps, lambda call: json.dumps([call])])
def test_a_call_alone_or_as_text_is_read(wrap: Any) -> None:
    call = wrap({"id": "t", "type": "function", "function": {"name": "look", "arguments": "{}"}})
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None, "tool_calls": call}]
    (found,) = load(chats.FORMAT, {"messages": messages}).conversations[0].messages[1].tool_calls
    assert found.name == "look"


@pytest.mark.parametrize("name", COHERE)
def test_chats_of_the_first_api_of_cohere_are_read(name: str) -> None:
    value, expected = COHERE[name]
    workspace = load(cohere.FORMAT, value)
    assert said(workspace) == expected
    assert not workspace.problems


def test_calls_and_results_of_cohere_are_kept() -> None:
    call = {"name": "look", "parameters": {"at": 1}}
    turns = [*HISTORY[:1], {"role": "CHATBOT", "message": "I look.", "tool_calls": [call]}]
    turns.append({"role": "TOOL", "tool_results": [{"call": call, "outputs": [{"is": "blue"}]}]})
    _, caller, answer = load(cohere.FORMAT, {"chat_history": turns, "message": ""}).conversations[0].messages
    assert [(one.name, json.loads(one.arguments)) for one in caller.tool_calls] == [("look", {"at": 1})]
    assert (answer.role, json.loads(answer.content)) == ("tool", [{"is": "blue"}])


def test_a_bad_turn_of_cohere_costs_itself_only() -> None:
    workspace = load(cohere.FORMAT, {"chat_history": [*HISTORY, {"role": "GHOST", "message": "x"}, {"role": "USER"}]})
    assert len(workspace.conversations[0].messages) == 2
    places = ["$.chat_history[2].role", "$.chat_history[3].message", "$.message"]
    assert [problem.place for problem in workspace.problems] == places


def test_cohere_keeps_the_rules_of_formats(tmp_path: Any) -> None:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(COHERE["a request"][0]))
    check_format(cohere.FORMAT, file)
    with pytest.raises(UnreadableError):
        cohere.load(FileSource("x.json", b'{"message": 5}'))


TEXT = {"role": "assistant", "content": [{"text": "Ho"}]}
ANSWER = {"output": {"message": TEXT}, "stopReason": "end_turn", "usage": {"inputTokens": 5, "outputTokens": 2}}
TOOL = {"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}
REQUEST = {"modelId": "m", "system": [{"text": "Be kind."}], "toolConfig": {"tools": [TOOL]}}
REQUEST |= {"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}
LOG = {"schemaType": "ModelInvocationLog", "modelId": "m", "operation": "Converse"}
LOG |= {"input": {"inputBodyJson": REQUEST}, "output": {"outputBodyJson": ANSWER}}
CLAUDE = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Ho"}], "usage": {}}


@pytest.mark.parametrize(
    "log", [LOG, {**LOG, "output": {"outputBodyJson": CLAUDE}}, {"request": REQUEST, "response": ANSWER}]
)
def test_logs_of_bedrock_have_both_bodies(log: Any) -> None:
    workspace = load(chats.FORMAT, log)
    assert said(workspace) == [("system", "Be kind."), ("user", "Hi"), ("assistant", "Ho")]
    assert workspace.conversations[0].model == "m"
    assert [tool.schema["function"]["name"] for tool in workspace.tools] == ["look"]


def test_an_answer_of_bedrock_has_its_usage() -> None:
    (answer,) = load(chats.FORMAT, ANSWER).conversations[0].messages
    assert (answer.content, answer.metadata["recorded_prompt_tokens"]) == ("Ho", 5)


def test_an_answer_of_the_second_api_of_cohere_is_read() -> None:
    value = {
        "id": "r",
        "finish_reason": "COMPLETE",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Ho"}]},
    }
    assert said(load(chats.FORMAT, value)) == [("assistant", "Ho")]


def part(kind: str, value: str) -> dict[str, str]:
    return {"type": kind, "value": value}


ASKED = {"role": "user", "content": [part("text", "Hi")], "loss_weight": 0.0}


def test_a_chat_of_llama_factory_has_its_thoughts_and_calls() -> None:
    content = [
        part("reasoning", "Hm"),
        part("text", "Ho"),
        part("tool_call", '{"name": "look", "arguments": {"at": 1}}'),
    ]
    row = {"messages": [ASKED, {"role": "assistant", "content": content}], "tools": '[{"name": "look"}]'}
    _, answer = load(chats.FORMAT, row).conversations[0].messages
    assert isinstance(answer.parts[0], Thought)
    assert (answer.content, [(call.name, call.arguments) for call in answer.tool_calls]) == (
        "Ho",
        [("look", '{"at":1}')],
    )


def test_a_preference_of_llama_factory_shares_its_beginning() -> None:
    better, worse = ({"role": "assistant", "content": [part("text", text)]} for text in ("Ho", "No"))
    workspace = load(chats.FORMAT, {"chosen_messages": [ASKED, better], "rejected_messages": [ASKED, worse]})
    (chat,) = workspace.conversations
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    assert chat.tree is not None
    assert [one.content for one in chat.tree.messages] == ["Hi", "Ho", "No"]


@pytest.mark.parametrize(
    "told", ['{"name": "look", "arguments": {"at": 1}}', '[{"name": "look", "arguments": {"at": 1}}]']
)
def test_a_function_call_of_sharegpt_is_a_call(told: str) -> None:
    turns = [
        {"from": "human", "value": "Hi"},
        {"from": "function_call", "value": told},
        {"from": "observation", "value": "x"},
    ]
    _, caller, answer = load(chats.FORMAT, {"conversations": turns}).conversations[0].messages
    assert (caller.role, caller.content, [call.name for call in caller.tool_calls]) == ("assistant", "", ["look"])
    assert (answer.role, answer.content) == ("tool", "x")


def test_a_function_call_that_is_no_json_stays_text() -> None:
    turns = [{"from": "human", "value": "Hi"}, {"from": "function_call", "value": "look(1)"}]
    assert said(load(chats.FORMAT, {"conversations": turns}))[1] == ("assistant", "look(1)")

"""The finished prompt as requests: the same messages in the layout of each, and what has no place is named."""

import json

import pytest

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.model import Call, Character, Conversation, Message, Result, Tool, Workspace
from inspector.pages.requests import REQUESTS, prompt_request
from inspector.plugins import policies

SCHEMA = {"type": "function", "function": {"name": "tide", "description": "When", "parameters": {"type": "object"}}}


@pytest.fixture
def answer() -> Answer:
    """A system prompt, a question, a call with its result, and an answer of a speaker with a name."""
    messages = (
        Message("m0", "user", "When is the tide?"),
        Message("m1", "assistant", parts=(Call("c1", "tide", '{"day": 2}'),)),
        Message("m2", "tool", parts=(Result("c1", content="At noon."),)),
        Message("m3", "assistant", "Noon.", name="Mara"),
    )
    workspace = Workspace(
        conversations=(Conversation("c", messages),),
        characters=(Character("mara", "Mara", system_prompt="Be dry."),),
        tools=(Tool(SCHEMA),),
    )
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    scenario = Scenario(tokenizer="estimate:words", context_window=4096, model="gpt-4o", policy="naive")
    return measured(pipeline, planned_answer(pipeline, pipeline.case(scenario)))


def made(answer: Answer, kind: str) -> dict:
    return json.loads(prompt_request(answer, kind).content)


def test_openai_has_the_messages_of_the_prompt_with_calls_and_tools(answer: Answer) -> None:
    value = made(answer, "openai")
    assert value["model"] == "gpt-4o"
    assert [one["role"] for one in value["messages"]] == [one.role for one in prompt_messages(answer.assembly)]
    call, result = value["messages"][2:4]
    assert call["tool_calls"][0]["function"] == {"name": "tide", "arguments": '{"day": 2}'}
    assert result["tool_call_id"] == "c1"
    assert value["tools"] == [SCHEMA]


def test_anthropic_has_the_system_prompt_apart_and_names_what_it_cannot_say(answer: Answer) -> None:
    request = prompt_request(answer, "anthropic")
    value = json.loads(request.content)
    assert value["system"] == "Be dry."
    assert value["max_tokens"] > 0
    assert value["messages"][1]["content"] == [{"type": "tool_use", "id": "c1", "name": "tide", "input": {"day": 2}}]
    assert value["messages"][2]["content"][0]["type"] == "tool_result"
    assert value["tools"] == [{"name": "tide", "description": "When", "input_schema": {"type": "object"}}]
    assert request.lost == ("1 name of a speaker",)


def test_ollama_has_the_window_and_names_the_tool_of_a_result(answer: Answer) -> None:
    request = prompt_request(answer, "ollama")
    value = json.loads(request.content)
    assert value["options"]["num_ctx"] == 4096
    assert value["stream"] is False
    assert value["messages"][2]["tool_calls"] == [{"function": {"name": "tide", "arguments": {"day": 2}}}]
    assert value["messages"][3] == {"role": "tool", "content": "At noon.", "tool_name": "tide"}
    assert request.lost == ("1 name of a speaker",)


@pytest.mark.parametrize("kind", REQUESTS)
def test_the_texts_are_those_of_the_prompt(answer: Answer, kind: str) -> None:
    written = prompt_request(answer, kind).content.decode()
    for message in prompt_messages(answer.assembly):
        assert json.dumps(message.said.content)[1:-1] in written

"""The inputs and outputs that frameworks leave in Langfuse, and the files in which it gives its observations."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import langfuse
from inspector.model import Workspace
from inspector.reading.source import FileSource

CALL = {"id": "o1", "traceId": "t1", "projectId": "p", "type": "GENERATION", "name": "chat", "model": "m"}
CALL |= {"startTime": "2025-12-04T10:00:01Z", "usageDetails": {"input": 3, "output": 1}}
ASKED = [("user", "Hi"), ("assistant", "Ho")]
SHORT = {"input": "Hi", "output": "Ho"}


def load(value: Any) -> Workspace:
    source = FileSource("trace.json", value if isinstance(value, bytes) else json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is langfuse.FORMAT
    return langfuse.load(source)


def read(given: Any, answered: Any, **more: Any) -> Workspace:
    return load({"trace": {"id": "t1"}, "observations": [{**CALL, "input": given, "output": answered, **more}]})


def said(workspace: Workspace) -> list[tuple[str, str]]:
    head = [("system", one.system_prompt) for one in workspace.characters]
    return [*head, *((message.role, message.content) for message in workspace.conversations[0].messages)]


PRINTED = "role='user' content='It\\'s \"Hi\"' name=None tool_calls=[{'id': 'c'}] timer=<Timer at 0x1> time=1.5"
EVENT = {"role": "user", "content": "Hi", "event.name": "gen_ai.user.message", "gen_ai.message.index": 0}
CHOICE = {"index": 0, "message": {"role": "assistant", "content": "Ho"}, "event.name": "gen_ai.choice"}
CHUNK = {"type": "AIMessageChunk", "content": "Ho", "additional_kwargs": {}, "tool_calls": []}
PARTS = [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]
GEMINI = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "model": "g", "tools": []}
ADK = {"content": {"parts": [{"text": "Ho"}], "role": "model"}, "finish_reason": "STOP", "usage_metadata": {}}
HI = {"role": "user", "content": "Hi"}
FRAMEWORKS: dict[str, tuple[Any, Any]] = {
    "pydantic ai, events": ([EVENT], CHOICE),
    "pydantic ai, events of several choices": ([EVENT], [CHOICE]),
    "parts": (PARTS, [{"role": "assistant", "parts": [{"type": "text", "content": "Ho"}], "finish_reason": "stop"}]),
    "langchain": ([[{"type": "human", "content": "Hi", "additional_kwargs": {}}]], CHUNK),
    "gemini": (GEMINI, {"candidates": [{"content": {"role": "model", "parts": [{"text": "Ho"}]}}]}),
    "adk": (GEMINI, ADK),
    "adk, an invocation": ({"user_id": "u", "new_message": {"parts": [{"text": "Hi"}], "role": "user"}}, ADK),
    "llamaindex": ({"args": ["Hi"], "kwargs": {}}, "Ho"),
    "llamaindex, messages as text": ({"messages": ["user: Hi"]}, "Ho"),
    "ai sdk": ({"prompt": "Hi"}, {"text": "Ho"}),
    "ai sdk, messages as text": ({"messages": json.dumps([{"role": "user", "content": "Hi"}])}, "Ho"),
    "autogen": ("user: Hi", "Ho"),
    "anthropic": ({"messages": [HI]}, {"role": "assistant", "content": [{"type": "text", "text": "Ho"}]}),
    "contents without a role": ([{"role": "user", "content": "Hi"}], [{"type": "text", "text": "Ho"}]),
    "an agent": ({"question": "Hi"}, {"answer": "Ho"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMEWORKS)
@pytest.mark.parametrize("form", ["objects", "text"])
def test_every_framework_is_read_as_objects_and_as_text(name: str, form: str) -> None:
    given, answered = FRAMEWORKS[name]
    if form == "text":
        given, answered = (one if isinstance(one, str) else json.dumps(one, indent=1) for one in (given, answered))
    workspace = read(given, answered)
    assert said(workspace) == ASKED
    assert not workspace.problems


def test_a_message_that_python_printed_is_read() -> None:
    assert said(read({"messages": [PRINTED]}, "Ho")) == [("user", 'It\'s "Hi"'), ("assistant", "Ho")]


def test_lines_that_begin_with_roles_are_messages_and_keep_their_lines() -> None:
    told = "system: Be kind.\nAlways.\nuser: Hi\nassistant: None\nuser: Well?"
    assert said(read(told, "Ho")) == [
        ("system", "Be kind.\nAlways."),
        ("user", "Hi"),
        ("assistant", ""),
        ("user", "Well?"),
        ("assistant", "Ho"),
    ]


LOOK: dict[str, Any] = {"function": {"name": "look", "arguments": {"at": "sea"}}, "id": "c1", "type": "function"}
CALLERS: dict[str, Any] = {
    "koog": {"role": "tool", "content": [LOOK]},
    "langgraph": {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [LOOK]}},
    "microsoft": {"role": "assistant", "parts": [{"type": "tool_call", "id": ["x", "call_1"], **LOOK["function"]}]},
    "gemini": {"role": "model", "parts": [{"function_call": {"name": "look", "args": {"at": "sea"}}}]},
}  # fmt: skip
RESULTS: tuple[Any, ...] = (
    {"role": "look", "content": "blue", "additional_kwargs": {}},
    {"role": "tool", "content": "blue", "tool_call_id": "c1"},
)


@pytest.mark.parametrize("name", CALLERS)
@pytest.mark.parametrize("result", RESULTS)
def test_calls_and_results_are_read_whoever_wrote_them(name: str, result: Any) -> None:
    workspace = read([{"role": "user", "content": "Hi"}, CALLERS[name], result], "Ho")
    asked, caller, answer, _ = workspace.conversations[0].messages
    assert (asked.role, caller.role, answer.role, answer.content) == ("user", "assistant", "tool", "blue")
    assert [(call.name, json.loads(call.arguments)) for call in caller.tool_calls] == [("look", {"at": "sea"})]


def test_a_role_named_like_a_called_function_answers_its_call() -> None:
    workspace = read([{"role": "user", "content": "Hi"}, CALLERS["langgraph"], RESULTS[0]], "Ho")
    assert workspace.conversations[0].messages[2].tool_call_id == "c1"
    assert not workspace.problems


def test_a_result_that_is_data_is_the_json_that_the_model_read() -> None:
    rows = [{"url": "https://example.org", "title": "T"}]
    workspace = read([CALLERS["langgraph"], {"role": "tool", "content": rows, "tool_call_id": "c1"}], "Ho")
    assert json.loads(workspace.conversations[0].messages[1].content) == rows
    assert not workspace.problems


def test_calls_of_the_ai_sdk_stand_alone() -> None:
    workspace = read({"prompt": "Hi"}, [{"toolCallId": "c", "toolName": "look", "input": '{"at":"sea"}'}])
    (call,) = workspace.conversations[0].messages[1].tool_calls
    assert (call.id, call.name, call.arguments) == ("c", "look", '{"at":"sea"}')


@pytest.mark.parametrize(
    "metadata",
    [
        {"tools": [json.dumps({"type": "function", "name": "look", "inputSchema": {"type": "object"}})]},
        {"attributes": {"gen_ai.tool.definitions": json.dumps([{"name": "look", "parameters": {}}])}},
        json.dumps({"attributes": {"model_request_parameters": {"function_tools": [{"name": "look"}]}}}),
    ],
)
def test_tools_are_found_in_the_metadata(metadata: Any) -> None:
    (tool,) = read("Hi", "Ho", metadata=metadata).tools
    assert "look" in (tool.schema.get("name"), tool.schema.get("function", {}).get("name"))


def test_a_system_prompt_that_only_the_answer_repeats_is_at_the_head() -> None:
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ho"}]}
    answer = {"object": "response", "instructions": "Be kind.", "output": [item]}
    assert said(read([{"role": "user", "content": "Hi"}], answer)) == [("system", "Be kind."), *ASKED]


def test_an_encrypted_thought_of_dotnet_is_a_thought() -> None:
    kind = "Microsoft.Extensions.AI.TextReasoningContent"
    parts = [{"type": kind, "content": {"text": "", "protectedData": "x" * 40}}, {"type": "text", "content": "Ho"}]
    workspace = read("Hi", [{"role": "assistant", "parts": parts}])
    thought, text = workspace.conversations[0].messages[1].parts
    assert (thought.encrypted, thought.bytes, text.text) == (True, 40, "Ho")  # type: ignore[union-attr]
    assert not workspace.problems


OBSERVATION: dict[str, Any] = {**CALL, **SHORT}
ROW = {"id": "o1", "trace_id": "t1", "project_id": "p", "type": "GENERATION", "start_time": "2025-12-04 10:00:01.000"}
ROW |= {"provided_model_name": "m", "usage_details": {"input": 3, "output": 1}, "name": "chat", **SHORT}
EVENT_BODY = {key: value for key, value in OBSERVATION.items() if key not in ("projectId", "type")}
TRACE = {"id": "t1", "timestamp": "2025-12-04T10:00:00Z", "tags": [], "public": False, **SHORT}
FILES: dict[str, Any] = {
    "a list of observations": [OBSERVATION],
    "lines": (json.dumps(OBSERVATION) + "\n").encode() * 2,
    "an observation": OBSERVATION,
    "a page of the API": {"data": [OBSERVATION], "meta": {"page": 1}},
    "a trace of the API": {"id": "t1", "input": None, "observations": [OBSERVATION]},
    "rows of a blob export": [ROW],
    "events": {"batch": [{"id": "e", "type": "generation-create", "body": EVENT_BODY}]},
    "a trace of spans": {"trace": {"id": "t"}, "observations": [{**OBSERVATION, "type": "AGENT"}]},
}


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_langfuse_gives_the_call(name: str) -> None:
    workspace = load(FILES[name])
    assert said(workspace) == ASKED
    (first, *_) = workspace.conversations
    assert (first.title, first.model) == ("chat", "m")
    assert first.messages[1].metadata["recorded_prompt_tokens"] == 3


@pytest.mark.parametrize(
    "value",
    [
        {"trace": {**TRACE}, "observations": []},
        {"data": [{**TRACE, "observations": ["o1"]}]},
        {"id": "s", "projectId": "p", "traces": [TRACE], "comments": []},
    ],
)
def test_traces_without_calls_stand_for_themselves(value: Any) -> None:
    assert said(load(value)) == ASKED


def test_the_inputs_of_agents_are_not_read_beside_generations() -> None:
    workspace = load([OBSERVATION, {**OBSERVATION, "id": "a", "type": "AGENT"}])
    assert [one.id for one in workspace.conversations] == ["o1"]


def test_the_name_of_a_key_in_place_of_a_message_is_said() -> None:
    workspace = read({"content": "role"}, "Ho")
    assert said(workspace) == [("assistant", "Ho")]
    assert ["name of a key" in problem.message for problem in workspace.problems] == [True]

"""Model calls in the files of collectors, viewers and agents: events, logs, and the attributes of frameworks."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import spans
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

SAID = [("user", "Hi"), ("assistant", "Ho")]


def load(*values: Any) -> Workspace:
    source = FileSource("spans.jsonl", "\n".join(map(json.dumps, values)).encode())
    assert rank_formats(source, built_in_formats())[0][0] is spans.FORMAT
    return spans.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    head = [("system", one.system_prompt) for one in workspace.characters]
    return [*head, *((message.role, message.content) for message in workspace.conversations[0].messages)]


def span(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"traceId": "t", "spanId": "s", "name": "chat m", "startTime": [1, 2], "attributes": attributes, **more}


def parts(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


CONVENTIONS = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 3}
CALL = CONVENTIONS | {"gen_ai.input.messages": parts("user", "Hi"), "gen_ai.output.messages": parts("assistant", "Ho")}
ASKED = {"event.name": "gen_ai.user.message", "role": "user", "content": "Hi"}
CHOSEN = {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "Ho"}}
FRAMEWORKS: dict[str, dict[str, Any]] = {
    "ai sdk": {"ai.prompt.messages": json.dumps([{"role": "user", "content": "Hi"}]), "ai.response.text": "Ho"},
    "ai sdk, both prompts": {"ai.prompt": '{"prompt":"no"}', "ai.prompt.messages": '[{"role":"user","content":"Hi"}]',
        "ai.response.text": "Ho"},
    "adk": {"gcp.vertex.agent.llm_request": json.dumps({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}),
        "gcp.vertex.agent.llm_response": json.dumps({"content": {"role": "model", "parts": [{"text": "Ho"}]}})},
    "prompt as text": {"gen_ai.prompt": '[{"role":"user","content":"Hi"}]', "gen_ai.completion": "Ho"},
    "open inference, values": {"openinference.span.kind": "LLM", "input.value": "Hi", "output.value": "Ho"},
    "open inference, nested": {"openinference": {"span": {"kind": "LLM"}}, "input": {"value": "Hi"},
        "output": {"value": "Ho"}},
    "logfire": {"gen_ai.system": "openai", "events": json.dumps([ASKED, CHOSEN])},
    "pydantic ai": {"gen_ai.system": "x", "pydantic_ai.all_messages": json.dumps(json.loads(parts("user", "Hi")) +
        json.loads(parts("assistant", "Ho")))},
}  # fmt: skip


def test_an_answer_alone_and_texts_of_json_are_read() -> None:
    answer = json.dumps({"parts": [{"text": "Ho"}]})
    told = {**CALL, "gen_ai.output.messages": answer, "gen_ai.system_instructions": json.dumps('Be "kind".')}
    workspace = load(span(told))
    assert said(workspace) == [("system", 'Be "kind".'), *SAID]
    assert not workspace.problems


def test_a_list_of_otlp_without_its_type_is_a_list() -> None:
    tool = json.dumps({"type": "function", "name": "look", "inputSchema": {"type": "object"}})
    given = {**FRAMEWORKS["ai sdk"], "ai.prompt.tools": {"values": [{"stringValue": tool}]}}
    workspace = load(span(given))
    assert len(workspace.tools) == 1
    assert not workspace.problems


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_attributes_of_every_framework_are_read(name: str) -> None:
    workspace = load(span(FRAMEWORKS[name]))
    assert said(workspace) == SAID
    assert not workspace.problems


def test_calls_of_the_ai_sdk_and_its_tools_are_read() -> None:
    calls = json.dumps([{"toolCallId": "c", "toolName": "look", "input": "{}"}])
    tools = [json.dumps({"type": "function", "name": "look", "inputSchema": {"type": "object"}})]
    workspace = load(span({"ai.prompt": '{"prompt":"Hi"}', "ai.response.toolCalls": calls, "ai.prompt.tools": tools}))
    asked, answer = workspace.conversations[0].messages
    assert (asked.content, [call.name for call in answer.tool_calls]) == ("Hi", ["look"])
    assert [tool.schema["function"]["name"] for tool in workspace.tools] == ["look"]


def event(name: str, **attributes: Any) -> dict[str, Any]:
    return {"name": name, "attributes": attributes}


DETAILS = "gen_ai.client.inference.operation.details"
EVENTS: dict[str, list[dict[str, Any]]] = {
    "messages": [event("gen_ai.user.message", content="Hi"), event("gen_ai.choice", message="Ho", finish_reason="end")],
    "messages as JSON": [
        event("gen_ai.user.message", content="Hi", role="user"),
        event("gen_ai.choice", message=json.dumps({"role": "assistant", "content": "Ho"})),
    ],
    "contents": [
        event("gen_ai.content.prompt", **{"gen_ai.prompt": json.dumps([{"role": "user", "content": "Hi"}])}),
        event("gen_ai.content.completion", **{"gen_ai.completion": "Ho"}),
    ],
    "details": [
        event(DETAILS, **{"gen_ai.input.messages": parts("user", "Hi")}),
        event(DETAILS, **{"gen_ai.output.messages": parts("assistant", "Ho")}),
    ],
}


@pytest.mark.parametrize("name", EVENTS)
def test_messages_in_events_of_a_span_are_read(name: str) -> None:
    workspace = load(span(CONVENTIONS, events=EVENTS[name]))
    assert said(workspace) == SAID
    assert workspace.conversations[0].messages[1].metadata["recorded_prompt_tokens"] == 3


def test_calls_and_results_in_events_are_linked() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    told = [
        event("gen_ai.assistant.message", tool_calls=json.dumps([call])),
        event("gen_ai.tool.message", id="c", content="x"),
    ]
    caller, answer = load(span(CONVENTIONS, events=told)).conversations[0].messages
    assert (caller.tool_calls[0].id, answer.role, answer.tool_call_id) == ("c", "tool", "c")


def otlp(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": otlp(one)} for key, one in value.items()]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": otlp(value)} for key, value in attributes.items()]


def log(body: Any, span_id: str = "s", **attributes: Any) -> dict[str, Any]:
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return {"timeUnixNano": "5", "traceId": "t", "spanId": span_id, "body": otlp(body), "attributes": pairs(named)}


def logs(*records: dict[str, Any]) -> dict[str, Any]:
    return {"resourceLogs": [{"resource": {}, "scopeLogs": [{"scope": {}, "logRecords": list(records)}]}]}


MESSAGES = (
    log({"content": "Hi"}, event__name="gen_ai.user.message"),
    log({"index": 0, "message": {"role": "assistant", "content": "Ho"}}, event__name="gen_ai.choice"),
)


def test_records_of_logs_of_a_span_are_its_messages() -> None:
    assert said(load(logs(*MESSAGES))) == SAID
    workspace = load(span(CONVENTIONS), logs(*MESSAGES))
    assert [chat.title for chat in workspace.conversations] == ["chat m"]
    assert said(workspace) == SAID


def test_a_log_that_repeats_its_span_is_not_read_twice() -> None:
    record = {"hrTime": [1, 2], "spanContext": {"spanId": "s"}, "body": "GenAI inference: m", "attributes": CALL}
    workspace = load(span(CALL), record)
    assert len(workspace.conversations) == 1
    assert said(load(record)) == SAID


def test_logs_without_a_span_are_a_chat_each() -> None:
    record = {"body": "GenAI inference: m", "attributes": CALL | {"event.name": DETAILS}}
    assert len(load(record, record).conversations) == 2


def test_metrics_between_spans_say_nothing() -> None:
    workspace = load({"resource": {}, "scopeMetrics": []}, span(CALL))
    assert said(workspace) == SAID
    assert not workspace.problems


def test_agents_and_tools_repeat_what_calls_hold() -> None:
    agent = span(CALL | {"gen_ai.operation.name": "invoke_agent"}, spanId="a")
    assert [chat.id for chat in load(agent, span(CALL)).conversations] == ["s"]
    assert [chat.id for chat in load(agent).conversations] == ["a"]


def test_chains_and_tools_of_open_inference_are_not_read() -> None:
    with pytest.raises(UnreadableError, match="CAPTURE_MESSAGE_CONTENT"):
        load(span({"openinference.span.kind": "TOOL", "input.value": "Hi", "output.value": "Ho"}))


JAEGER = {"traceID": "t", "spanID": "s", "operationName": "chat m", "startTime": 5, "duration": 1}
WRAPPED: dict[str, Any] = {
    "jaeger": {"data": [{"traceID": "t", "spans": [{**JAEGER, "tags": [
        {"key": key, "type": "string", "value": value} for key, value in CALL.items()]}]}]},
    "tempo": {"batches": [{"resource": {}, "scopeSpans": [{"spans": [{"spanId": "s", "attributes": pairs(CALL)}]}]}]},
    "a trace": {"trace": {"resourceSpans": [{"scopeSpans": [{"spans": [
        {"spanId": "s", "attributes": pairs(CALL)}]}]}]}},
    "a first library": {"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": [
        {"spanId": "s", "attributes": pairs(CALL)}]}]}]},
}  # fmt: skip


@pytest.mark.parametrize("name", WRAPPED)
def test_traces_of_every_viewer_are_read(name: str) -> None:
    workspace = load(WRAPPED[name])
    assert said(workspace) == SAID
    assert workspace.conversations[0].messages[1].metadata["recorded_prompt_tokens"] == 3

"""Spans of model calls: OpenInference and OpenTelemetry's conventions, as OTLP, as printed, and as rows."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import spans
from inspector.formats.traces.attributes import nested
from inspector.model import Call, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format

CALLED = "llm.output_messages.0.message.tool_calls.0.tool_call"
OPEN_INFERENCE: dict[str, Any] = {
    "openinference.span.kind": "LLM",
    "llm.model_name": "gpt-4o",
    "llm.token_count.prompt": 9,
    "llm.token_count.completion": 2,
    "llm.tools.0.tool.json_schema": '{"type": "function", "function": {"name": "look"}}',
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "Be kind.",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.contents.0.message_content.type": "text",
    "llm.input_messages.1.message.contents.0.message_content.text": "Hi",
    "llm.input_messages.1.message.contents.1.message_content.type": "image",
    "llm.input_messages.1.message.contents.1.message_content.image.image.url": "data:image/png;base64,iVBO",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "Ho",
    f"{CALLED}.id": "c1",
    f"{CALLED}.function.name": "look",
    f"{CALLED}.function.arguments": '{"at": "sea"}',
}
PARTS: list[dict[str, Any]] = [
    {
        "role": "user",
        "parts": [{"type": "text", "content": "Hi"}, {"type": "uri", "modality": "image", "uri": "a.png"}],
    },
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"at": "sea"}}]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": {"seen": "waves"}}]},
]
ANSWER = [{"type": "reasoning", "content": "Hm"}, {"type": "text", "content": "Ho"}]
GEN_AI: dict[str, Any] = {
    "gen_ai.request.model": "gpt-4o",
    "gen_ai.usage.input_tokens": 9,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be kind."}]),
    "gen_ai.input.messages": json.dumps(PARTS),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": ANSWER, "finish_reason": "stop"}]),
}


def printed(attributes: Any, id_: str = "0x1", began: str = "2025-08-22T09:00:00Z") -> dict[str, Any]:
    return {"name": "chat", "context": {"span_id": id_}, "start_time": began, "attributes": attributes}


def _typed(value: Any) -> dict[str, Any]:
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def otlp(attributes: dict[str, Any]) -> dict[str, Any]:
    written = [{"key": key, "value": _typed(value)} for key, value in attributes.items()]
    span = {"spanId": "0x1", "name": "chat", "startTimeUnixNano": "1755853200000000000", "attributes": written}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span, {"name": "other", "attributes": []}]}]}]}


def row(attributes: dict[str, Any]) -> dict[str, Any]:
    """A row of Phoenix, whose lists are not taken apart."""
    tree = nested(attributes)
    inside = {f"attributes.llm.{name}": value for name, value in tree["llm"].items()}
    return {"name": "chat", "context.span_id": "0x1", "span_kind": "LLM", **inside}


def load(value: Any) -> Workspace:
    source = FileSource("spans.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is spans.FORMAT
    return spans.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


LAYOUTS = [printed, otlp, row, lambda attributes: {"data": [printed(attributes)]}, lambda held: [printed(held)]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_call_in_open_inference_is_a_conversation(layout: Any) -> None:
    workspace = load(layout(OPEN_INFERENCE))
    (chat,) = workspace.conversations
    assert (chat.id, chat.title, chat.model) == ("0x1", "chat", "gpt-4o")
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    assert workspace.characters[0].system_prompt == "Be kind."
    asked, answer = chat.messages
    assert (asked.images, answer.tool_calls) == (1, (Call("c1", "look", '{"at": "sea"}'),))
    assert (answer.metadata["recorded_prompt_tokens"], answer.metadata["recorded_tokens"]) == (9, 2)
    assert [tool.schema["type"] for tool in workspace.tools] == ["function"]
    assert workspace.problems == ()


@pytest.mark.parametrize("layout", [printed, otlp])
def test_a_call_by_the_conventions_for_generative_ai(layout: Any) -> None:
    workspace = load(layout(GEN_AI))
    assert said(workspace) == [("user", "Hi"), ("assistant", ""), ("tool", '{"seen":"waves"}'), ("assistant", "Ho")]
    assert workspace.characters[0].system_prompt == "Be kind."
    asked, call, result, answer = workspace.conversations[0].messages
    assert (asked.images, call.tool_calls[0].name, result.tool_call_id) == (1, "look", "c1")
    assert (answer.reasoning, answer.metadata["recorded_prompt_tokens"]) == ("Hm", 9)
    assert workspace.problems == ()


def test_the_older_conventions_number_prompts_and_completions() -> None:
    older = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Hi",
        "gen_ai.completion.0.content": "Ho",
        "gen_ai.completion.0.tool_calls.0.name": "look",
        "gen_ai.completion.0.tool_calls.0.arguments": "{}",
    }
    workspace = load(printed(older))
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    assert workspace.conversations[0].messages[1].tool_calls == (Call("", "look", "{}"),)


def test_messages_may_stand_alone() -> None:
    assert said(load(PARTS)) == [("user", "Hi"), ("assistant", ""), ("tool", '{"seen":"waves"}')]


def test_calls_stand_in_the_order_of_their_times() -> None:
    later = printed(OPEN_INFERENCE, "b", "2025-08-22T10:00:00Z")
    workspace = load([later, printed({"http.method": "GET"}, "c"), printed(OPEN_INFERENCE, "a")])
    assert [chat.id for chat in workspace.conversations] == ["a", "b"]


def test_more_than_ten_messages_stay_in_their_order() -> None:
    many = {f"llm.input_messages.{number}.message.role": "user" for number in range(12)}
    texts = {f"llm.input_messages.{number}.message.content": str(number) for number in range(12)}
    assert [content for _, content in said(load(printed({**many, **texts})))] == list(map(str, range(12)))


def test_what_is_unknown_costs_itself_only() -> None:
    odd = [{"role": "ghost", "parts": []}, {"role": "user", "parts": [{"type": "smell"}, PARTS[0]["parts"][0]]}]
    workspace = load([printed({"gen_ai.input.messages": odd}), 5])
    assert said(workspace) == [("user", "Hi")]
    assert [problem.place for problem in workspace.problems] == [
        "$[1]",
        "$[0].attributes.gen_ai.input.messages[0].role",
        "$[0].attributes.gen_ai.input.messages[1].parts[0]",
    ]


def test_names_may_contradict_each_other() -> None:
    assert nested({"a": 1, "a.b": 2, "c.0": 1, "c.x": 2}) == {"a": 1, "c": {"0": 1, "x": 2}}
    assert nested([{"key": "a.1", "value": {"arrayValue": {"values": [{"boolValue": True}]}}}, {"key": 5}, 5]) == {
        "a": [[True]]
    }


@pytest.mark.parametrize("value", [{"attributes": {"a": 1}}, {"data": [{"attributes": 5}]}, {"resourceSpans": []}])
def test_spans_of_other_things_are_refused(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert spans.sniff(source) <= 0.5
    with pytest.raises(UnreadableError):
        spans.load(source)


def test_it_keeps_what_formats_promise(tmp_path: Any) -> None:
    for name, value in {"otlp.json": otlp(GEN_AI), "printed.json": printed(OPEN_INFERENCE)}.items():
        (tmp_path / name).write_text(json.dumps(value))
    check_format(spans.FORMAT, tmp_path / "otlp.json", tmp_path / "printed.json")

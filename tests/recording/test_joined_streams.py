"""Streams joined: what a broken stream had said is kept, and the pieces of odd servers fall into place."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.recording.apis import Api, api_of
from inspector.recording.streams.answer import read_answer, usage_in
from inspector.recording.streams.events import events_of


def stream(*values: Any, end: str = "\n") -> bytes:
    return "".join(f"data: {json.dumps(value)}{end}{end}" for value in values).encode()


def delta(**fields: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": fields}]}


def message(*values: Any) -> dict[str, Any]:
    return read_answer("chat", stream(*values)).value["choices"][0]["message"]


@pytest.mark.parametrize(
    ("method", "path", "api"),
    [
        ("POST", "/v1/chat/completions", "chat"),
        ("POST", "/openai/deployments/gpt/chat/completions", "chat"),
        ("POST", "/backend-api/codex/responses", "responses"),
        ("POST", "/v1/messages", "anthropic"),
        ("POST", "/v1beta/models/gemini-2.5-pro:generateContent", "gemini"),
        ("POST", "/v1beta/models/gemini-2.5-pro:streamGenerateContent", "gemini"),
        ("POST", "/api/chat", "ollama"),
        ("POST", "/api/generate", "ollama"),
        ("GET", "/v1/responses", None),
        ("POST", "/v1/threads/t1/messages", None),
        ("POST", "/v1/messages/count_tokens", None),
        ("POST", "/v1beta/models/gemini-2.5-pro:countTokens", None),
        ("POST", "/api/pull", None),
        ("POST", "/v1/embeddings", None),
    ],
)
def test_the_requests_that_ask_a_model_are_known_by_their_addresses(method: str, path: str, api: Api | None) -> None:
    assert api_of(method, path) == api


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_three_ways_and_no_other(end: str) -> None:
    text = "a\u2028b\u0085c\x0bd"
    body = f": a comment{end}event: x{end}id: 1{end}".encode() + stream({"a": text}, {"b": 2}, end=end)
    assert events_of(body).found == ({"a": text}, {"b": 2})


def test_the_lines_of_an_event_belong_together_and_a_cut_one_is_counted() -> None:
    events = events_of(b'data: {"a":\ndata:  1}\n\ndata: [DONE]\n\ndata: {"b"')
    assert (events.found, events.broken, events.is_done) == (({"a": 1},), 1, True)


def test_events_without_the_blank_lines_between_them_are_told_apart() -> None:
    body = b'data: {"a": 1}\ndata: {"b": 2}\ndata: [DONE]\n'
    assert events_of(body).found == ({"a": 1}, {"b": 2})


def test_calls_that_all_have_the_number_0_are_told_apart_by_their_ids() -> None:
    calls = [
        {"index": 0, "id": f"t{number}", "type": "function", "function": {"name": "look", "arguments": f"[{number}]"}}
        for number in range(3)
    ]
    found = message(*(delta(tool_calls=[call]) for call in calls))["tool_calls"]
    assert [(one["id"], one["function"]) for one in found] == [(one["id"], one["function"]) for one in calls]


def test_calls_in_turns_grow_each_for_itself() -> None:
    begun = [{"index": n, "id": f"t{n}", "function": {"name": f"f{n}", "arguments": ""}} for n in range(2)]
    pieces = [{"index": n, "function": {"arguments": piece}} for piece in ("[", "1", "]") for n in range(2)]
    found = message(delta(tool_calls=begun), *(delta(tool_calls=[piece]) for piece in pieces))["tool_calls"]
    assert [one["function"] for one in found] == [{"name": f"f{n}", "arguments": "[1]"} for n in range(2)]


def test_thoughts_and_a_repeated_role_stay_what_they_are() -> None:
    found = message(*(delta(role="assistant", content=None, reasoning_content=piece) for piece in ("a", "b")))
    assert found == {"role": "assistant", "content": None, "reasoning_content": "ab"}


def test_choices_in_turns_are_several_answers() -> None:
    values = [{"choices": [{"index": n, "delta": {"content": piece}}]} for piece in "xy" for n in (1, 0)]
    answer = read_answer("chat", stream(*values)).value
    assert [(one["index"], one["message"]["content"]) for one in answer["choices"]] == [(0, "xy"), (1, "xy")]


def test_a_broken_stream_of_responses_keeps_what_came() -> None:
    item = {"type": "message", "role": "assistant", "content": []}
    value = read_answer(
        "responses",
        stream(
            {"type": "response.created", "response": {"id": "r", "object": "response", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "summary": []}},
            {"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "Hm"},
            {"type": "response.output_item.added", "output_index": 1, "item": item},
            {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "Hel"},
            {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "lo"},
            {"type": "response.output_item.added", "output_index": 2, "item": {"type": "function_call", "name": "f"}},
            {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": "{"},
        ),
    ).value
    thought, said, call = value["output"]
    assert thought["summary"] == [{"type": "summary_text", "text": "Hm"}]
    assert said["content"] == [{"type": "output_text", "text": "Hello"}]
    assert call["arguments"] == "{"


def test_a_broken_stream_of_anthropic_keeps_the_input_so_far_as_text() -> None:
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    value = read_answer(
        "anthropic",
        stream(
            {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
            {"type": "content_block_start", "index": 0, "content_block": call},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"a'}},
            {"type": "error", "error": {"type": "overloaded_error"}},
        ),
    ).value
    assert value["content"] == [{**call, "input": '{"a'}]
    assert value["error"] == {"type": "overloaded_error"}


GEMINI = [
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hm", "thought": True}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": ".", "thought": True}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "I "}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "look"}, {"functionCall": {"name": "f"}}]}}]},
    {
        "candidates": [{"content": {"parts": [{"text": "!"}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 4},
        "modelVersion": "gemini-x",
    },
]
JOINED = [{"text": "Hm.", "thought": True}, {"text": "I look"}, {"functionCall": {"name": "f"}}, {"text": "!"}]


@pytest.mark.parametrize("body", [stream(*GEMINI), json.dumps(GEMINI).encode()], ids=["events", "an array"])
def test_geminis_pieces_are_parts_in_order(body: bytes) -> None:
    answer = read_answer("gemini", body)
    assert answer.value["candidates"][0]["content"]["parts"] == JOINED
    assert (usage_in(answer.value), answer.has_ended) == ({"promptTokenCount": 4}, True)


def test_an_array_of_gemini_that_was_cut_gives_its_whole_pieces() -> None:
    text = json.dumps(GEMINI)
    answer = read_answer("gemini", text[: text.index('"I "')].encode())
    assert answer.value["candidates"][0]["content"]["parts"] == JOINED[:1]
    assert (answer.note, answer.has_ended) == ("an event of the stream could not be read", False)


def test_text_of_ollama_without_messages_is_joined() -> None:
    lines = [{"response": "a", "done": False}, {"response": "b", "done": False}, {"done": True, "eval_count": 2}]
    answer = read_answer("ollama", "\n".join(map(json.dumps, lines)).encode())
    assert (answer.value["response"], usage_in(answer.value)) == ("ab", {"eval_count": 2})
    assert read_answer("ollama", json.dumps(lines[0]).encode()).has_ended is False


texts = some.text(max_size=30)


@given(some.lists(texts, min_size=1), some.data())
def test_a_text_is_the_same_however_it_was_cut(pieces: list[str], data: some.DataObject) -> None:
    whole = "".join(pieces)
    expected = {
        "chat": message(*(delta(content=piece) for piece in pieces))["content"],
        "ollama": read_answer(
            "ollama", "\n".join(json.dumps({"response": piece, "done": False}) for piece in pieces).encode()
        ).value["response"],
    }
    assert set(expected.values()) == {whole}
    body = stream(*(delta(content=piece) for piece in pieces))
    cut = read_answer("chat", body[: data.draw(some.integers(0, len(body)))])
    if isinstance(cut.value, dict):
        assert whole.startswith(cut.value["choices"][0]["message"].get("content") or "")


@given(some.sampled_from(["chat", "responses", "anthropic", "gemini", "ollama"]), some.binary(max_size=80), some.data())
def test_no_bytes_of_a_server_are_too_odd(api: Api, noise: bytes, data: some.DataObject) -> None:
    leaves = some.none() | some.booleans() | some.integers(-9, 9) | texts
    keys = some.sampled_from(
        ["type", "choices", "delta", "message", "index", "content", "parts", "candidates", "output_index", "item"]
    )
    kinds = some.sampled_from(["message_start", "content_block_delta", "message_delta", "response.output_text.delta"])
    odd = some.recursive(leaves | kinds, lambda held: some.lists(held) | some.dictionaries(keys, held), max_leaves=9)
    events = data.draw(some.lists(odd, max_size=4))
    for body in (read_answer(api, noise), read_answer(api, stream(*events) + noise)):
        assert json.loads(json.dumps(body.value)) == body.value

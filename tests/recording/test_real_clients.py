"""Real clients through the proxy: they get what they got before, and what is kept is what they read."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces.requests import FORMAT
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.recording.exchange import Exchange
from inspector.recording.record import line_of
from tests.recording.stand_in import Asked, chunked, head, proxy, stand_in, with_length
from tests.servers import recorded

KEY = "sk-abcdefghij1234567890"
MESSAGES: list[Any] = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Weather in Oslo?"}]
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}}
CALL = '{"city": "Oslo"}'


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded.only_loopback(monkeypatch)


def events(*values: Any, named: bool = False, done: bool = False) -> list[bytes]:
    names = [f"event: {value['type']}\n" if named else "" for value in values]
    pieces = [f"{name}data: {json.dumps(value)}\n\n".encode() for name, value in zip(names, values, strict=True)]
    return [*pieces, *([b"data: [DONE]\n\n"] if done else [])]


def streaming(pieces: list[bytes], kind: str = "text/event-stream") -> Callable[[Asked], AsyncIterator[bytes]]:
    """Answer with a stream, cut at places that are none of its own."""
    body = b"".join(pieces)

    async def answering(_: Asked) -> AsyncIterator[bytes]:
        yield head(kind)
        for piece in chunked(*(body[at : at + 37] for at in range(0, len(body), 37))):
            yield piece
            await asyncio.sleep(0)

    return answering


class Kept(list[Exchange]):
    """What was kept, as lines and as what they open as."""

    @property
    def file(self) -> bytes:
        return b"".join(map(line_of, self))

    @property
    def line(self) -> dict[str, Any]:
        (exchange,) = self
        return json.loads(line_of(exchange))

    def opened(self) -> Workspace:
        source = FileSource("recorded.jsonl", self.file)
        assert rank_formats(source, built_in_formats())[0][0] is FORMAT
        workspace = FORMAT.load(source)
        assert KEY.encode() not in self.file
        assert not [one for one in workspace.problems if one.severity != "info"], workspace.problems
        return workspace


def told(workspace: Workspace) -> list[tuple[str, str, str, str]]:
    (chat,) = workspace.conversations
    return [
        (message.role, message.content, message.thinking, "".join(call.name for call in message.tool_calls))
        for message in chat.messages
    ]


def chunk(delta: Any, **more: Any) -> dict[str, Any]:
    frame = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5-mini"}
    return {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None, **more}]}


def call_piece(**function: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": 0, "function": function}]}


BEGUN = {"index": 0, "id": "t1", "type": "function", "function": {"name": "look", "arguments": ""}}
USAGE = {"prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 30}
COMPLETION = [
    chunk({"role": "assistant", "content": ""}),
    *(chunk({"content": piece}) for piece in ("Let me ", "look — ", "☂.")),
    chunk({"tool_calls": [BEGUN]}),
    chunk(call_piece(arguments=CALL[:6])),
    chunk(call_piece(arguments=CALL[6:])),
    chunk({}, finish_reason="tool_calls"),
    {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5-mini", "choices": [], "usage": USAGE},
]
TOOL: Any = {"type": "function", "function": {"name": "look", "parameters": PARAMETERS}}


def test_the_client_of_openai_chats_by_a_stream() -> None:
    from openai import OpenAI

    kept = Kept()
    with (
        stand_in(streaming(events(*COMPLETION, done=True))) as server,
        proxy(server.address, kept.append) as address,
        OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0) as client,
        client.chat.completions.stream(model="gpt-5-mini", messages=MESSAGES, tools=[TOOL]) as stream,
    ):
        final = stream.get_final_completion()
    answer = kept.line["response"]["choices"][0]
    message = final.choices[0].message
    assert answer["message"]["content"] == message.content == "Let me look — ☂."
    assert message.tool_calls is not None
    assert answer["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": CALL}
    assert message.tool_calls[0].function.arguments == CALL
    assert (kept.line["usage"], answer["finish_reason"], kept.line.get("note")) == (USAGE, "tool_calls", None)
    workspace = kept.opened()
    assert told(workspace) == [
        ("user", "Weather in Oslo?", "", ""),
        ("assistant", "Let me look — ☂.", "", "look"),
    ]
    assert workspace.characters[0].system_prompt == "Be kind."
    assert [tool.schema for tool in workspace.tools] == [TOOL]
    (chat,) = workspace.conversations
    assert chat.model == "gpt-5-mini"
    assert chat.messages[-1].metadata["recorded_prompt_tokens"] == 21
    assert chat.messages[-1].time is not None


RESPONSE = {"id": "r1", "object": "response", "created_at": 1, "model": "gpt-5", "parallel_tool_calls": True}
FRAME = {**RESPONSE, "tool_choice": "auto", "tools": [], "output": []}
SAID = {"type": "output_text", "text": "Look.", "annotations": []}
ITEM = {"id": "m1", "type": "message", "role": "assistant", "status": "completed", "content": [SAID]}
ASKED = {"id": "f1", "type": "function_call", "call_id": "t1", "name": "look", "arguments": CALL, "status": "completed"}
OF_RESPONSE = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}
RESPONDED: list[dict[str, Any]] = [
    {"type": "response.created", "response": {**FRAME, "status": "in_progress"}},
    {"type": "response.output_item.added", "output_index": 0, "item": {**ITEM, "content": []}},
    {
        "type": "response.content_part.added",
        "output_index": 0,
        "content_index": 0,
        "item_id": "m1",
        "part": {**SAID, "text": ""},
    },
    *(
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "m1", "delta": piece}
        for piece in ("Lo", "ok.")
    ),
    {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
    {"type": "response.output_item.added", "output_index": 1, "item": {**ASKED, "arguments": ""}},
    *(
        {"type": "response.function_call_arguments.delta", "output_index": 1, "item_id": "f1", "delta": piece}
        for piece in (CALL[:4], CALL[4:])
    ),
    {"type": "response.output_item.done", "output_index": 1, "item": ASKED},
    {
        "type": "response.completed",
        "response": {**FRAME, "status": "completed", "output": [ITEM, ASKED], "usage": OF_RESPONSE},
    },
]


def test_the_client_of_openai_responds_by_a_stream() -> None:
    from openai import OpenAI

    kept = Kept()
    numbered = [{**event, "sequence_number": number} for number, event in enumerate(RESPONDED)]
    with (
        stand_in(streaming(events(*numbered, named=True))) as server,
        proxy(server.address, kept.append) as address,
        OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0) as client,
    ):
        kinds = [
            event.type
            for event in client.responses.create(
                model="gpt-5", instructions="Be kind.", input="Weather in Oslo?", stream=True
            )
        ]
    assert kinds == [event["type"] for event in RESPONDED]
    assert kept.line["usage"] == OF_RESPONSE
    assert told(kept.opened()) == [("user", "Weather in Oslo?", "", ""), ("assistant", "Look.", "", "look")]


STARTED = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-of-tests", "content": []}
STREAMED: list[dict[str, Any]] = [
    {
        "type": "message_start",
        "message": {
            **STARTED,
            "stop_reason": None,
            "usage": {"input_tokens": 7, "cache_read_input_tokens": 4, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    {"type": "ping"},
    *(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": piece}}
        for piece in ("Os", "lo?")
    ),
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    *(
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": piece}}
        for piece in ("I ", "look.")
    ),
    {"type": "content_block_stop", "index": 1},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
    },
    *(
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": piece}}
        for piece in ("", CALL[:5], CALL[5:])
    ),
    {"type": "content_block_stop", "index": 2},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 31},
    },
    {"type": "message_stop"},
]


def test_the_client_of_anthropic_reads_a_stream() -> None:
    from anthropic import Anthropic

    kept = Kept()
    with (
        stand_in(streaming(events(*STREAMED, named=True))) as server,
        proxy(server.address, kept.append) as address,
        Anthropic(base_url=address, api_key=KEY, max_retries=0) as client,
    ):
        tool: Any = {"name": "look", "input_schema": PARAMETERS}
        with client.messages.stream(
            model="claude-of-tests", max_tokens=99, system="Be kind.", messages=MESSAGES[1:], tools=[tool]
        ) as stream:
            final = stream.get_final_message()
    shown = final.model_dump(include={"id", "content", "stop_reason"}, exclude_none=True, mode="json")
    answer = kept.line["response"]
    kinds = ("thinking", "signature", "text", "id", "name", "input")
    for ours, theirs in zip(answer["content"], shown["content"], strict=True):
        assert {key: ours[key] for key in kinds if key in ours} == {key: theirs[key] for key in kinds if key in theirs}
    assert (answer["id"], answer["stop_reason"]) == (shown["id"], shown["stop_reason"])
    assert kept.line["usage"] == {"input_tokens": 7, "cache_read_input_tokens": 4, "output_tokens": 31}
    workspace = kept.opened()
    assert told(workspace) == [("user", "Weather in Oslo?", "", ""), ("assistant", "I look.", "Oslo?", "look")]
    assert workspace.characters[0].system_prompt == "Be kind."
    assert workspace.conversations[0].messages[-1].metadata["recorded_prompt_tokens"] == 11


def ollama_lines() -> Iterator[bytes]:
    frame = {"model": "qwen3", "created_at": "2026-01-02T03:04:05Z"}
    for message in ({"thinking": "Os"}, {"thinking": "lo?"}, {"content": "I "}, {"content": "look."}):
        yield json.dumps({**frame, "message": {"role": "assistant", "content": "", **message}, "done": False}).encode()
    call = {"function": {"name": "look", "arguments": {"city": "Oslo"}}}
    calling = {"role": "assistant", "content": "", "tool_calls": [call]}
    yield json.dumps({**frame, "message": calling, "done": False}).encode()
    counts = {"prompt_eval_count": 26, "eval_count": 12, "total_duration": 5}
    end = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
    yield json.dumps({**frame, **end, **counts}).encode()


def test_the_client_of_ollama_reads_a_stream() -> None:
    from ollama import Client

    kept = Kept()
    with (
        stand_in(streaming([line + b"\n" for line in ollama_lines()], "application/x-ndjson")) as server,
        proxy(server.address, kept.append) as address,
    ):
        client = Client(host=address)
        read = list(
            client.chat(model="qwen3", messages=MESSAGES, tools=[TOOL], stream=True, options={"num_ctx": 4_096})
        )
        client._client.close()
    said = "".join(piece.message.content or "" for piece in read)
    assert kept.line["response"]["message"]["content"] == said == "I look."
    workspace = kept.opened()
    assert told(workspace) == [("user", "Weather in Oslo?", "", ""), ("assistant", "I look.", "Oslo?", "look")]
    (chat,) = workspace.conversations
    assert (chat.model, chat.context_window) == ("qwen3", 4_096)
    assert chat.messages[-1].metadata["recorded_prompt_tokens"] == 26
    assert kept.line["usage"] == {"prompt_eval_count": 26, "eval_count": 12, "total_duration": 5}


@pytest.mark.parametrize("status", ["401 Unauthorized", "429 Too Many Requests", "500 Oh"])
def test_an_error_reaches_the_client_and_its_key_no_file(status: str) -> None:
    from openai import APIStatusError, OpenAI

    error = {"error": {"message": f"Incorrect API key provided: {KEY}", "type": "invalid_request_error"}}

    async def refuse(_: Asked) -> AsyncIterator[bytes]:
        yield with_length(json.dumps(error).encode(), "application/json", status)

    kept = Kept()
    with (
        stand_in(refuse) as server,
        proxy(server.address, kept.append) as address,
        OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0) as client,
        pytest.raises(APIStatusError) as raised,
    ):
        client.chat.completions.create(model="m", messages=MESSAGES)
    assert raised.value.status_code == int(status[:3])
    assert KEY in str(raised.value), "what the application gets is not changed"
    workspace = kept.opened()
    assert told(workspace) == [("user", "Weather in Oslo?", "", "")]
    assert any("was answered by status" in problem.message for problem in workspace.problems)

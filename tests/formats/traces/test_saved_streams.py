"""Streamed answers as saved: the same answer as text, lines and a list, of each API, whole and cut."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, candidates
from inspector.formats.traces.saved_streams import FORMAT
from inspector.model import Call, Message, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError

Event = dict[str, Any]


def _chunk(delta: Event, reason: str | None = None, id_: str = "chatcmpl-1") -> Event:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    told = {"object": "chat.completion.chunk", "created": 1_700_000_000, "model": "gpt-4o", "system_fingerprint": "f"}
    return {"id": id_, **told, "choices": [choice]}


def _call_piece(arguments: str, **begun: Any) -> Event:
    name = {"name": begun.pop("name")} if "name" in begun else {}
    return _chunk({"tool_calls": [{"index": 0, **begun, "function": {**name, "arguments": arguments}}]})


CHAT: list[Event] = [
    _chunk({"role": "assistant", "content": "", "refusal": None}),
    _chunk({"content": "It is "}),
    _chunk({"content": "Paris."}),
    _call_piece("", id="c1", type="function", name="look"),
    _call_piece('{"at": '),
    _call_piece('"the map."}'),
    _chunk({}, "tool_calls"),
    {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "choices": [],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2},
    },
]
ANTHROPIC: list[Event] = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "claude-3",
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Look at it."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "It is "}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Paris."}},
    {"type": "content_block_stop", "index": 1},
    {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "c1", "name": "look"}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"at": '}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '"the map."}'}},
    {"type": "content_block_stop", "index": 2},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]
_ITEM = {"id": "i", "type": "message", "role": "assistant"}
_CALLED = {"id": "f", "type": "function_call", "call_id": "c1", "name": "look", "arguments": ""}
_OUTPUT = [
    {**_ITEM, "content": [{"type": "output_text", "text": "It is Paris."}]},
    {**_CALLED, "arguments": '{"at": "the map."}'},
]
_RESPONSE = {"id": "resp_1", "object": "response", "model": "gpt-5", "created_at": 1_700_000_000}
RESPONSES: list[Event] = [
    {"type": "response.created", "response": {**_RESPONSE, "output": []}},
    {"type": "response.output_item.added", "output_index": 0, "item": {**_ITEM, "content": []}},
    {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "It is "},
    {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Paris."},
    {"type": "response.output_item.added", "output_index": 1, "item": _CALLED},
    {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"at": "the map."}'},
    {
        "type": "response.completed",
        "response": {**_RESPONSE, "output": _OUTPUT, "usage": {"input_tokens": 9, "output_tokens": 2}},
    },
]


def _piece(part: Event, **more: Any) -> Event:
    candidate = {"content": {"role": "model", "parts": [part]}, "index": 0, **more}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2", "responseId": "r1"}


GEMINI: list[Event] = [
    _piece({"text": "It is "}),
    _piece({"text": "Paris."}),
    _piece({"functionCall": {"id": "c1", "name": "look", "args": {"at": "the map."}}}, finishReason="STOP"),
]


def _line(message: Event, **more: Any) -> Event:
    told = {"model": "llama3", "created_at": "2024-01-01T00:00:00Z"}
    return {**told, "message": {"role": "assistant", **message}, "done": False, **more}


OLLAMA: list[Event] = [
    _line({"content": "It is "}),
    _line({"content": "Paris."}),
    _line({"content": "", "tool_calls": [{"function": {"name": "look", "arguments": {"at": "the map."}}}]}),
    _line({"content": ""}, done=True, done_reason="stop", prompt_eval_count=9, eval_count=2),
]
STREAMS = {"chat": CHAT, "anthropic": ANTHROPIC, "responses": RESPONSES, "gemini": GEMINI, "ollama": OLLAMA}


def text_of(events: Sequence[Event], end: str = "\n", named: bool = False, closing: str = "") -> str:
    """The events as servers send them."""
    names = [f"event: {event['type']}{end}" if named and "type" in event else "" for event in events]
    return "".join(f"{n}data: {json.dumps(e)}{end}{end}" for n, e in zip(names, events, strict=True)) + closing


def _forms(events: Sequence[Event]) -> dict[str, str]:
    return {
        "lines": "\n".join(map(json.dumps, events)),
        "list": json.dumps(events),
        "text": text_of(events),
        "text with names and an end": text_of(events, named=True, closing="data: [DONE]\n\n"),
        "text with carriage returns": text_of(events, "\r\n"),
        "text without blank lines": text_of(events).replace("\n\n", "\n"),
        "text below headers": "HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\n" + text_of(events),
        "text below a comment": ": connected\n\n" + text_of(events),
        "lines with names": "\n".join(json.dumps({"event": "message", "data": event}) for event in events),
        "lines with texts": "\n".join(json.dumps({"event": "message", "data": json.dumps(one)}) for one in events),
    }


def opened(text: str) -> Workspace:
    return load_unnamed(text.encode(), "saved").workspace


def _shown(message: Message) -> tuple[str, str, list[tuple[str, str]]]:
    calls = [(part.name, part.arguments) for part in message.parts if isinstance(part, Call)]
    text = message.content or "".join(
        getattr(part, "text", "") for part in message.parts if not isinstance(part, Thought)
    )
    return message.role, text, calls


@pytest.mark.parametrize("form", _forms(CHAT))
@pytest.mark.parametrize("api", STREAMS)
def test_each_form_of_a_stream_gives_the_answer(api: str, form: str) -> None:
    found = opened(_forms(STREAMS[api])[form])
    assert [one.format for one in found.sources] == ["streams"]
    (chat,) = found.conversations
    (message,) = chat.messages
    role, text, calls = _shown(message)
    assert (role, text) == ("assistant", "It is Paris.")
    assert [(name, json.loads(arguments)) for name, arguments in calls] == [("look", {"at": "the map."})]
    assert (message.metadata["recorded_prompt_tokens"], message.metadata["recorded_tokens"]) == (9, 2)
    assert chat.model == {"chat": "gpt-4o", "anthropic": "claude-3", "responses": "gpt-5"}.get(api, chat.model)
    assert not [one for one in found.problems if one.severity != "info"]
    assert [one.message for one in found.problems] == (
        ["the first of 2 lines outside the events"] if "headers" in form else []
    )


def test_a_thought_is_kept() -> None:
    parts = opened(text_of(ANTHROPIC)).conversations[0].messages[0].parts
    assert [part.text for part in parts if isinstance(part, Thought)] == ["Look at it."]


@pytest.mark.parametrize("api", STREAMS)
def test_a_cut_stream_says_so(api: str) -> None:
    events = STREAMS[api][: {"chat": 3, "anthropic": 8, "responses": 4, "gemini": 2, "ollama": 2}[api]]
    for text in (text_of(events), "\n".join(map(json.dumps, events))):
        found = opened(text)
        assert _shown(found.conversations[0].messages[0])[1] == "It is Paris."
        assert [one.message for one in found.problems] == [
            "the last event of this answer is missing: the answer may not be whole"
        ]


def test_several_answers_are_a_conversation_each() -> None:
    second = [{**one, "id": "chatcmpl-2"} for one in CHAT]
    by_turns = [one for pair in zip(CHAT, second, strict=True) for one in pair]
    for events in (CHAT + second, by_turns, ANTHROPIC + ANTHROPIC, RESPONSES + RESPONSES, OLLAMA + OLLAMA):
        found = opened(text_of(events))
        assert [_shown(chat.messages[0])[1] for chat in found.conversations] == ["It is Paris."] * 2
        assert not found.problems
    without_ids = [{key: value for key, value in one.items() if key != "id"} for one in CHAT]
    assert len(opened(text_of(without_ids * 2)).conversations) == 2


def test_further_choices_are_other_branches() -> None:
    second = [json.loads(json.dumps(one).replace('"index": 0, "delta"', '"index": 1, "delta"')) for one in CHAT[:-1]]
    (chat,) = opened(text_of(CHAT[:-1] + second)).conversations
    assert chat.tree is not None
    assert len(chat.tree.messages) == 2


def test_a_broken_event_and_a_foreign_one_cost_themselves() -> None:
    lines = text_of(CHAT).split("\n\n")
    lines.insert(2, 'data: {"choices": [{"del')
    lines.insert(4, 'data: {"tongue": "Maltese"}')
    found = opened("\n\n".join(lines))
    assert _shown(found.conversations[0].messages[0])[1] == "It is Paris."
    assert sorted(problem.place[:6] for problem in found.problems) == ["line 5", "line 9"]


def test_an_error_is_told() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    found = opened(text_of([*ANTHROPIC[:8], error], named=True))
    assert [one.message for one in found.problems] == ["the stream broke off with an error: Overloaded"]
    only = opened(text_of([*ANTHROPIC[:1], error], named=True))
    assert not any(chat.messages for chat in only.conversations)
    assert any("Overloaded" in one.message for one in only.problems)


def test_a_text_of_an_unknown_event_is_reported() -> None:
    unknown = {"type": "response.song.delta", "output_index": 0, "text": "A song about the sea."}
    found = opened(text_of([*RESPONSES[:4], unknown]))
    assert any("A song about the sea." in one.message and one.place.startswith("line 9") for one in found.problems)


def test_instructions_and_tools_that_an_answer_repeats_are_kept() -> None:
    tool = {"type": "function", "name": "look", "parameters": {}}
    told = {"instructions": "Be kind to all.", "tools": [tool]}
    events = [
        {**event, "response": {**event["response"], **told}} if "response" in event else event for event in RESPONSES
    ]
    workspace = load_unnamed(text_of(events).encode(), "x").workspace
    assert workspace.characters[0].system_prompt == "Be kind to all."
    assert [one.schema["name"] for one in workspace.tools] == ["look"]
    assert not workspace.problems


def test_whole_answers_in_a_list_stay_what_they_are() -> None:
    whole = [
        {key: value for key, value in _piece({"text": text}, finishReason="STOP").items() if key != "responseId"}
        for text in "ab"
    ]
    sure = candidates(FileSource("a.json", json.dumps(whole).encode()), built_in_formats())[0]
    assert [one.format.name for one in sure if one.is_sure] == ["gemini"]
    for text in ("data: a\ndata: b\n", "event: fair\ndata: 5\n", "data:\n  key: value\n", "id: 7\nname: Ana\n"):
        assert FORMAT.sniff(FileSource("a.txt", text.encode())) == 0


def test_a_stream_without_an_answer_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected events of a stream"):
        FORMAT.load(FileSource("a.txt", b'data: {"type": "ping"}\n\n'))


@given(some.lists(some.text(min_size=1), min_size=1, max_size=6))
def test_the_pieces_add_up_to_the_text(pieces: list[str]) -> None:
    events = [_chunk({"role": "assistant"}), *(_chunk({"content": one}) for one in pieces), _chunk({}, "stop")]
    source = FileSource("a.sse", text_of(events).encode())
    (chat,) = FORMAT.load(source).conversations
    wanted = "".join(pieces).replace("\0", "")
    assert chat.messages[0].content.replace("\ufffd", "") == wanted.replace("\ufffd", "")


def test_streams_of_code_assist_and_those_under_a_key_are_read() -> None:
    pieces = [{"response": event, "traceId": "t", "metadata": {}} for event in STREAMS["gemini"]]
    text = text_of(pieces)
    whole = load_unnamed(text_of(STREAMS["gemini"]).encode(), "x").workspace.conversations
    for held in (text, json.dumps({"requestType": "checkpoint", "requestModel": "m", "chunks": text})):
        workspace = load_unnamed(held.encode(), "x").workspace
        assert [source.format for source in workspace.sources] == ["streams"]
        assert workspace.conversations == whole

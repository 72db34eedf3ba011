"""Requests and answers of Anthropic's API, as bodies, batches, logs and lists of messages."""

import json
from typing import Any

import pytest

from inspector.formats.claude import api
from inspector.formats.openai import chats
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Call, Workspace
from inspector.reading.source import FileSource
from inspector.testing import check_format

CACHED = {"type": "ephemeral"}
CALL = {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "sea"}}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Waves"}, PICTURE]}
TOOL = {"name": "look", "input_schema": {"type": "object"}}
ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5",
    "content": [{"type": "thinking", "thinking": "Hm", "signature": "E"}, {"type": "text", "text": "Ho"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 3},
}
REQUEST: dict[str, Any] = {
    "model": "claude",
    "max_tokens": 100,
    "system": [{"type": "text", "text": "Be kind.", "cache_control": CACHED}, {"type": "text", "text": "Be brief."}],
    "tools": [TOOL],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Look", "cache_control": CACHED}]},
        {"role": "assistant", "content": [CALL]},
        {"role": "user", "content": [RESULT, {"type": "text", "text": "And?"}]},
    ],
}


def load(value: Any, name: str = "body.json") -> Workspace:
    data = b"\n".join(json.dumps(line).encode() for line in value) if name.endswith("l") else json.dumps(value).encode()
    source = FileSource(name, data)
    assert rank_formats(source, built_in_formats())[0][0] is api.FORMAT
    return api.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


def test_the_system_prompt_and_the_tools_stand_outside_of_the_messages() -> None:
    workspace = load(REQUEST)
    assert workspace.characters[0].system_prompt == "Be kind.\nBe brief."
    assert [tool.schema for tool in workspace.tools] == [TOOL]
    assert said(workspace) == [("user", "Look"), ("assistant", ""), ("tool", "Waves"), ("user", "And?")]
    assert workspace.problems == ()


def test_a_result_has_its_own_pictures_and_names_its_call() -> None:
    asked, call, result, more = load(REQUEST).conversations[0].messages
    assert asked.metadata == {"cache_control": CACHED}
    assert call.tool_calls == (Call("t1", "look", '{"at":"sea"}'),)
    assert (result.tool_call_id, result.images, more.images) == ("t1", 1, 0)


def test_an_answer_has_the_counts_of_its_maker() -> None:
    (chat,) = load({"request": REQUEST, "response": {"status": 200, "body": json.dumps(ANSWER)}}).conversations
    answer = chat.messages[-1]
    assert (chat.id, chat.model, chat.title) == ("msg_1", "claude", "Look")
    assert (answer.content, answer.reasoning) == ("Ho", "Hm")
    assert (answer.metadata["recorded_prompt_tokens"], answer.metadata["recorded_tokens"]) == (15, 3)


def test_an_answer_alone_is_a_chat() -> None:
    assert said(load(ANSWER)) == [("assistant", "Ho")]


def test_an_answer_that_the_request_begins_is_marked() -> None:
    begun = {**REQUEST, "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "The sea"}]}
    first, last = load(begun).conversations[0].messages
    assert ("prefill" in first.metadata, last.metadata["prefill"]) == (False, True)


def test_batches_have_a_chat_for_each_line() -> None:
    asked = load([{"custom_id": "a", "params": REQUEST}, {"custom_id": "b", "params": REQUEST}], "batch.jsonl")
    assert [chat.id for chat in asked.conversations] == ["a", "b"]
    failed = {"custom_id": "b", "result": {"type": "errored", "error": {"type": "invalid_request"}}}
    answered = load([{"custom_id": "a", "result": {"type": "succeeded", "message": ANSWER}}, failed], "results.jsonl")
    assert [chat.id for chat in answered.conversations] == ["a"]
    assert [problem.place for problem in answered.problems] == ["line 2: $"]


def test_events_name_their_method() -> None:
    workspace = load([["messages.create", REQUEST], ["message", ANSWER]], "events.jsonl")
    assert [len(chat.messages) for chat in workspace.conversations] == [4 + 1, 1]


def test_messages_may_stand_alone() -> None:
    workspace = load([*REQUEST["messages"], ANSWER], "chat.json")
    assert [len(chat.messages) for chat in workspace.conversations] == [4, 1]
    assert said(load(REQUEST["messages"], "chat.jsonl")) == said(load(REQUEST))


def test_a_page_that_was_found_is_text() -> None:
    page = {"type": "search_result", "source": "a.org", "title": "Tea", "content": [{"type": "text", "text": "Hot."}]}
    body = {**REQUEST, "messages": [{"role": "user", "content": [page]}]}
    assert said(load(body)) == [("user", "Tea\na.org\nHot.")]


def test_what_is_unknown_costs_itself_only() -> None:
    odd = [{"role": "ghost", "content": "Boo"}, {"role": "user", "content": [{"type": "smell"}, *_text("Hi")]}]
    workspace = load({**REQUEST, "messages": odd})
    assert said(workspace) == [("user", "Hi")]
    assert [problem.place for problem in workspace.problems] == ["$.messages[0].role", "$.messages[1].content[0]"]


def _text(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"role": "user", "content": "Hi"}]},
        {"messages": [{"role": "system", "content": "x"}], "tools": [{"type": "function", "function": {}}]},
        {"messages": [{"role": "assistant", "tool_calls": []}, {"role": "user", "content": [CALL]}]},
        {"choices": [{"message": {"role": "assistant", "content": "Ho"}}]},
    ],
)
def test_bodies_of_others_are_not_claimed(value: Any) -> None:
    source = FileSource("body.json", json.dumps(value).encode())
    assert api.sniff(source) == 0
    assert chats.FORMAT.sniff(source) > 0


def test_it_keeps_what_formats_promise(tmp_path: Any) -> None:
    for name, value in {"request.json": REQUEST, "log.json": {"request": REQUEST, "response": ANSWER}}.items():
        (tmp_path / name).write_text(json.dumps(value))
    check_format(api.FORMAT, tmp_path / "request.json", tmp_path / "log.json")

"""The Responses API: items that are no messages join those that are."""

import json
from typing import Any

from inspector.formats.openai.chats import FORMAT
from inspector.model import Call, Thought, Workspace
from inspector.reading.source import FileSource


def load(body: Any) -> Workspace:
    file = FileSource("body.json", json.dumps(body).encode())
    assert FORMAT.sniff(file) > 0.5
    return FORMAT.load(file)


def test_items_become_messages() -> None:
    workspace = load(
        {"model": "gpt-5", "instructions": "Be kind.", "tools": [{"type": "function", "name": "f"}], "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Hi"},
                                         {"type": "input_image", "image_url": "x"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}], "encrypted_content": "gAAA"},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
            {"type": "function_call", "call_id": "2", "name": "g", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "1", "output": "ok"},
            {"type": "custom_tool_call", "call_id": "3", "name": "h", "input": "words"},
            {"type": "custom_tool_call_output", "call_id": "3", "output": [{"type": "input_text", "text": "done"}]},
            {"type": "message", "id": "msg", "role": "assistant", "content": [{"type": "output_text", "text": "Ho"}]},
        ]}
    )  # fmt: skip
    assert workspace.problems == ()
    assert workspace.characters[0].system_prompt == "Be kind."
    assert len(workspace.tools) == 1
    ask, call, result, other, done, answer = workspace.conversations[0].messages
    assert (ask.content, ask.images) == ("Hi", 1)
    assert call.tool_calls == (Call("1", "f", "{}"), Call("2", "g", "{}"))
    assert call.reasoning == "Hm"
    assert (result.role, result.content, result.tool_call_id) == ("tool", "ok", "1")
    assert other.tool_calls == (Call("3", "h", "words"),)
    assert done.content == "done"
    assert (answer.id, answer.content) == ("msg", "Ho")


def test_built_in_calls_say_what_they_were_asked() -> None:
    workspace = load(
        {"model": "m", "input": [
            {"type": "web_search_call", "id": "w", "status": "completed", "action": {"query": "tea"}},
            {"type": "file_search_call", "id": "s", "queries": ["a"], "results": [{"text": "found"}]},
            {"type": "mcp_call", "id": "x", "name": "look", "arguments": "{}", "output": "seen"},
        ]}
    )  # fmt: skip
    roles = [message.role for message in workspace.conversations[0].messages]
    assert roles == ["assistant", "tool", "assistant", "tool"]
    first, found, look, seen = workspace.conversations[0].messages
    assert first.tool_calls == (
        Call("w", "web_search", '{"action":{"query":"tea"}}'),
        Call("s", "file_search", '{"queries":["a"]}'),
    )
    assert (found.content, found.tool_call_id) == ('[{"text":"found"}]', "s")
    assert look.tool_calls == (Call("x", "look", "{}"),)
    assert seen.content == "seen"


def test_what_is_not_in_the_file_is_a_problem() -> None:
    workspace = load(
        {"model": "m", "previous_response_id": "r", "input": [
            {"type": "item_reference", "id": "i"}, {"type": "compaction", "encrypted_content": "x"},
            {"role": "user", "content": "Hi"}]}
    )  # fmt: skip
    assert sorted(problem.place for problem in workspace.problems) == [
        "$.input[0]",
        "$.input[1]",
        "$.previous_response_id",
    ]
    assert len(workspace.conversations[0].messages) == 1


def test_reasoning_at_the_end_is_not_lost() -> None:
    message = (
        load({"model": "m", "input": [{"type": "reasoning", "encrypted_content": "x"}]}).conversations[0].messages[0]
    )
    assert (message.role, message.content, message.reasoning) == ("assistant", "", "")
    (thought,) = message.parts
    assert isinstance(thought, Thought)
    assert (thought.encrypted, thought.bytes) == (True, 1)


def test_an_answer_alone_has_its_instructions_and_counts() -> None:
    said = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "Ho"}]}
    body = {"object": "response", "model": "gpt-4.1", "instructions": "Be kind.", "output": [said]}
    workspace = load({**body, "usage": {"input_tokens": 36, "output_tokens": 87}})
    (answer,) = workspace.conversations[0].messages
    assert (answer.content, workspace.characters[0].system_prompt) == ("Ho", "Be kind.")
    assert (answer.metadata["recorded_prompt_tokens"], answer.metadata["recorded_tokens"]) == (36, 87)
    logged = load({"request": {"model": "gpt-4.1", "input": "Hi"}, "response": body})
    assert [message.content for message in logged.conversations[0].messages][-2:] == ["Hi", "Ho"]


def test_a_completion_has_the_counts_of_its_maker() -> None:
    answer = {"role": "assistant", "content": "Ho"}
    usage = {"prompt_tokens": 9, "completion_tokens": 3}
    body = {"object": "chat.completion", "choices": [{"message": answer}], "usage": usage}
    (message,) = load(body).conversations[0].messages
    assert (message.metadata["recorded_prompt_tokens"], message.metadata["recorded_tokens"]) == (9, 3)

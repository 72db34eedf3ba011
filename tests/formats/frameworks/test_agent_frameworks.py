"""Histories of Pydantic AI, sessions of Google's ADK, and lists of OpenAI's API, in the forms of their types."""

import json
from typing import Any

import pytest

from inspector.formats.format import Format
from inspector.formats.frameworks import adk, pydantic_ai
from inspector.formats.openai import lists
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Result, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError

_T = "2025-01-01T00:00:00Z"
PYDANTIC: list[dict[str, Any]] = [
    {
        "parts": [
            {"content": "Answer in one word.", "part_kind": "system-prompt", "timestamp": _T},
            {"content": "What is the capital of France?", "part_kind": "user-prompt", "timestamp": _T},
        ],
        "instructions": "Be brief.",
        "kind": "request",
    },
    {
        "parts": [
            {"content": "Let me look.", "part_kind": "thinking"},
            {"tool_name": "capital", "args": '{"of":"France"}', "tool_call_id": "c1", "part_kind": "tool-call"},
        ],
        "usage": {"input_tokens": 10, "output_tokens": 5},
        "model_name": "gpt-4o",
        "timestamp": _T,
        "kind": "response",
    },
    {
        "parts": [
            {"tool_name": "capital", "content": "It is Paris.", "tool_call_id": "c1", "part_kind": "tool-return"}
        ],
        "kind": "request",
    },
    {"parts": [{"content": "Paris.", "part_kind": "text"}], "model_name": "gpt-4o", "kind": "response"},
]
ADK: dict[str, Any] = {
    "id": "s1",
    "appName": "maps",
    "userId": "u",
    "state": {},
    "events": [
        {
            "author": "user",
            "content": {"role": "user", "parts": [{"text": "What is the capital of France?"}]},
            "timestamp": 1_750_000_000.0,
        },
        {
            "author": "guide",
            "content": {
                "role": "model",
                "parts": [{"functionCall": {"id": "c1", "name": "capital", "args": {"of": "France"}}}],
            },
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2},
            "timestamp": 1_750_000_001.0,
        },
        {
            "author": "guide",
            "content": {
                "role": "user",
                "parts": [
                    {"functionResponse": {"id": "c1", "name": "capital", "response": {"result": "It is Paris."}}}
                ],
            },
            "timestamp": 1_750_000_002.0,
        },
        {
            "author": "guide",
            "partial": True,
            "content": {"role": "model", "parts": [{"text": "Pa"}]},
            "timestamp": 1_750_000_003.0,
        },
        {
            "author": "guide",
            "content": {"role": "model", "parts": [{"text": "Paris."}]},
            "timestamp": 1_750_000_004.0,
        },
    ],
}
ITEMS = {
    "object": "list",
    "data": [
        {"type": "message", "id": "msg_2", "role": "assistant", "content": [{"type": "output_text", "text": "Paris."}]},
        {
            "type": "message",
            "id": "msg_1",
            "role": "user",
            "content": [{"type": "input_text", "text": "What is the capital of France?"}],
        },
    ],
    "has_more": False,
}
STORED = {
    "object": "list",
    "data": [
        {
            "object": "chat.completion",
            "id": "chatcmpl-1",
            "model": "gpt-4o",
            "usage": {"prompt_tokens": 13, "completion_tokens": 18},
            "choices": [{"index": 0, "message": {"content": "Paris.", "role": "assistant"}}],
        }
    ],
}
SAID = [
    ("user", "What is the capital of France?"),
    ("assistant", ""),
    ("tool", "It is Paris."),
    ("assistant", "Paris."),
]


def load(kind: Format, value: Any) -> Workspace:
    source = FileSource("x.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


@pytest.mark.parametrize("value", [PYDANTIC, {"messages": PYDANTIC}], ids=["a list", "in an object"])
def test_a_history_of_pydantic_ai_is_read(value: Any) -> None:
    workspace = load(pydantic_ai.FORMAT, value)
    found = said(workspace)
    assert found[-4:] == SAID
    prompts = [text for role, text in found if role == "system"]
    assert sorted([*prompts, *(one.system_prompt for one in workspace.characters)]) == [
        "Answer in one word.",
        "Be brief.",
    ]
    calling = next(one for one in workspace.conversations[0].messages if one.tool_calls)
    assert [one.text for one in calling.parts if isinstance(one, Thought)] == ["Let me look."]
    assert workspace.conversations[0].model == "gpt-4o"
    assert not workspace.problems


def test_contents_of_a_prompt_and_retries_are_read() -> None:
    contents = ["See:", {"kind": "image-url", "url": "https://e.org/a.png"}, {"kind": "binary", "data": "aGk="}]
    asked = {"part_kind": "user-prompt", "content": [*contents, {"kind": "new", "x": 1}]}
    retry = {
        "part_kind": "retry-prompt",
        "content": [{"msg": "bad"}],
        "tool_name": "capital",
        "tool_call_id": "c",
    }
    workspace = load(pydantic_ai.FORMAT, [{"kind": "request", "parts": [asked, retry]}, *PYDANTIC[1:2]])
    first, second, _ = workspace.conversations[0].messages
    assert (first.content, first.images) == ("See:", 1)
    assert second.role == "tool"
    assert "bad" in second.content
    assert [problem.place for problem in workspace.problems] == ["$[0].parts[0].content[3]"]


def test_a_session_of_adk_is_read_without_pieces_of_streams() -> None:
    workspace = load(adk.FORMAT, ADK)
    assert said(workspace) == SAID
    messages = workspace.conversations[0].messages
    assert messages[1].name == "guide"
    assert messages[1].tool_calls[0].name == "capital"
    assert messages[2].tool_call_id == "c1"
    assert all(message.time for message in messages)
    assert not workspace.problems


def test_a_list_of_items_begins_with_the_newest() -> None:
    workspace = load(lists.FORMAT, ITEMS)
    assert said(workspace) == [SAID[0], SAID[3]]
    older = {**ITEMS, "data": ITEMS["data"][::-1]}  # pyright: ignore[reportIndexIssue]
    assert said(load(lists.FORMAT, older)) == [SAID[0], SAID[3]]


def test_stored_completions_say_that_the_question_is_not_there() -> None:
    workspace = load(lists.FORMAT, STORED)
    assert said(workspace) == [SAID[3]]
    assert "holds the answer only" in workspace.problems[0].message


@pytest.mark.parametrize("kind", [pydantic_ai.FORMAT, adk.FORMAT, lists.FORMAT])
def test_a_file_without_messages_is_refused(kind: Format) -> None:
    with pytest.raises(UnreadableError):
        kind.load(FileSource("x.json", b'{"object": "list"}'))


def pydantic(*messages: dict[str, Any]) -> Workspace:
    source = FileSource("history.json", json.dumps(messages).encode())
    assert pydantic_ai.sniff(source) > 0.9
    return pydantic_ai.load(source)


def test_files_in_prompts_and_results_are_media_and_marks_of_a_cache_are_nothing() -> None:
    picture = {"kind": "binary", "data": "iVBORw0KGgo=", "media_type": "image/png"}
    uploaded = {
        "kind": "uploaded-file",
        "file_id": "file-1",
        "provider_name": "openai",
        "media_type": "application/pdf",
    }
    said = [
        {"kind": "text-content", "content": "Look", "metadata": {"a": 1}},
        {"kind": "cache-point"},
        picture,
        uploaded,
    ]
    result = {"tool_name": "draw", "tool_call_id": "c", "part_kind": "tool-return"}
    workspace = pydantic(
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": said}]},
        {"kind": "request", "parts": [{**result, "content": ["Drawn", picture]}, {**result, "content": picture}]},
        {"kind": "request", "parts": [{**result, "content": ["a", "b"]}, {**result, "content": {"x": 1}}]},
    )
    prompt, drawn, alone, several, data = workspace.conversations[0].messages
    assert prompt.content == "Look"
    assert [type(part).__name__ for part in prompt.parts] == ["Text", "Image", "DocumentPart"]
    assert [message.content for message in (drawn, alone, several, data)] == ["Drawn", "", '["a","b"]', '{"x":1}']
    for message in (drawn, alone):
        (held,) = (part for part in message.parts if isinstance(part, Result))
        assert [type(part).__name__ for part in held.parts] == ["Image"]
    assert workspace.problems == ()


def test_a_request_to_try_again_has_the_words_that_are_sent() -> None:
    error = {"type": "missing", "loc": ["a"], "msg": "Field required", "input": {"b": 1}, "ctx": {"c": 2}}
    retry = {"part_kind": "retry-prompt"}
    parts = [{**retry, "content": "No"}, {**retry, "content": "No", "tool_name": "t", "tool_call_id": "c"}]
    parts += [{**retry, "content": [error]}, {**retry, "content": [error, error], "tool_name": "t"}]
    texts = [one.content for one in pydantic({"kind": "request", "parts": parts}).conversations[0].messages]
    assert texts[:2] == [
        "Validation feedback:\nNo\n\nFix the errors and try again.",
        "No\n\nFix the errors and try again.",
    ]
    assert texts[2].startswith('1 validation error:\n```json\n[\n  {\n    "type": "missing"')
    assert ('"input"' in texts[2], '"input"' in texts[3], "ctx" in "".join(texts)) == (False, True, False)
    assert texts[3].startswith("2 validation errors:")


def test_a_compaction_summarizes_what_is_before_it() -> None:
    asked = {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Long ago"}]}
    hidden = {"part_kind": "compaction", "provider_name": "openai", "provider_details": {"encrypted_content": "QUJD"}}
    for part, text in (({"part_kind": "compaction", "content": "Summed"}, "Summed"), (hidden, "")):
        workspace = pydantic(asked, {"kind": "response", "parts": [part]}, asked)
        first, summary, last = workspace.conversations[0].messages
        assert (summary.content, len(summary.parts) + bool(text)) == (text, 1)
        actions = [one.metadata["recorded"]["action"] for one in (first, last)]
        assert (actions, workspace.problems) == (["summarized", "kept"], ())


def test_calls_of_a_providers_tools_have_kinds_of_their_own() -> None:
    call = {"part_kind": "native-tool-call", "tool_name": "web_search", "args": {"q": "x"}, "tool_call_id": "c"}
    answer = {"part_kind": "native-tool-return", "tool_name": "web_search", "content": "Found", "tool_call_id": "c"}
    answered, result = pydantic({"kind": "response", "parts": [call, answer]}).conversations[0].messages
    assert ([one.name for one in answered.tool_calls], result.content) == (["web_search"], "Found")

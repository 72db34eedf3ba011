"""Messages of the AI SDK: UI messages of two generations, and model messages."""

import json
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.vercel import messages
from inspector.model import Call, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format

LOOKED = {"toolCallId": "c1", "state": "output-available", "input": {"at": "sea"}, "output": {"seen": "waves"}}
UI: list[dict[str, Any]] = [
    {
        "id": "u",
        "role": "user",
        "metadata": {"createdAt": "2025-08-22T09:00:00Z"},
        "parts": [
            {"type": "text", "text": "Look"},
            {"type": "file", "mediaType": "image/png", "filename": "a.png", "url": "data:image/png;base64,iVBO"},
        ],
    },
    {
        "id": "a",
        "role": "assistant",
        "metadata": {"totalUsage": {"inputTokens": 9, "outputTokens": 2}},
        "parts": [
            {"type": "step-start"},
            {"type": "reasoning", "text": "Hm"},
            {"type": "tool-look", **LOOKED},
            {"type": "dynamic-tool", "toolName": "ask", **LOOKED, "toolCallId": "c2", "state": "input-available"},
            {"type": "step-start"},
            {"type": "source-url", "sourceId": "s", "url": "https://a.org"},
            {"type": "data-weather", "data": {"a": 1}},
            {"type": "text", "text": "Waves.", "state": "done"},
        ],
    },
]
del UI[1]["parts"][3]["output"]
CALLED = {"toolCallId": "c1", "toolName": "look"}
INVOKED = {**CALLED, "state": "result", "args": {"at": "sea"}, "result": {"seen": "waves"}}
OLD_UI: list[dict[str, Any]] = [
    {"id": "u", "role": "user", "content": "Look", "createdAt": "2025-08-22T09:00:00Z", "parts": [],
     "experimental_attachments": [{"name": "a.png", "contentType": "image/png", "url": "data:image/png;base64,iVBO"}]},
    {"id": "a", "role": "assistant", "content": "Waves.", "parts": [
        {"type": "tool-invocation", "toolInvocation": INVOKED}, {"type": "text", "text": "Waves."}]},
    {"id": "b", "role": "assistant", "content": "And wind.", "toolInvocations": [INVOKED]},
]  # fmt: skip
SEEN = {"type": "json", "value": {"seen": "waves"}}
CORE: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image", "image": "iVBO"}]},
    {"role": "assistant", "content": [
        {"type": "reasoning", "text": "Hm"}, {"type": "tool-call", **CALLED, "input": {"at": "sea"}}]},
    {"role": "tool", "content": [{"type": "tool-result", **CALLED, "output": SEEN}]},
    {"role": "assistant", "content": "Waves."},
]  # fmt: skip
SAID = [("user", "Look"), ("assistant", ""), ("tool", '{"seen":"waves"}'), ("assistant", "Waves.")]


def load(value: Any) -> Workspace:
    source = FileSource("chat.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is messages.FORMAT
    return messages.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


def test_the_steps_of_an_answer_are_turns_with_their_results() -> None:
    workspace = load(UI)
    assert said(workspace) == SAID
    asked, called, result, answer = workspace.conversations[0].messages
    assert (asked.id, asked.images, asked.time is not None) == ("u", 1, True)
    assert called.tool_calls == (Call("c1", "look", '{"at":"sea"}'), Call("c2", "ask", '{"at":"sea"}'))
    assert (called.id, called.reasoning, result.tool_call_id) == ("a", "Hm", "c1")
    assert answer.metadata["recorded_tokens"] == 2
    assert "recorded_prompt_tokens" not in answer.metadata  # a total of several requests is the prompt of none
    assert workspace.problems == ()


def test_messages_of_version_4_have_invocations() -> None:
    workspace = load(OLD_UI)
    again = [("assistant", ""), ("tool", '{"seen":"waves"}'), ("assistant", "And wind.")]
    assert said(workspace) == [*SAID, *again]
    assert workspace.conversations[0].messages[0].images == 1
    assert workspace.problems == ()


def test_model_messages_have_calls_and_results() -> None:
    workspace = load(CORE)
    assert said(workspace) == SAID
    assert workspace.characters[0].system_prompt == "Be kind."
    assert [message.images for message in workspace.conversations[0].messages] == [1, 0, 0, 0]
    assert workspace.problems == ()


def test_a_result_may_be_content_text_or_an_error() -> None:
    pieces = [{"type": "text", "text": "Waves"}, {"type": "media", "data": "iVBO", "mediaType": "image/png"}]
    outputs: list[Any] = [{"type": "content", "value": pieces}, {"type": "error-text", "value": "No sea"}, "plain"]
    results = [{"type": "tool-result", **CALLED, "output": output} for output in outputs]
    found = load([*CORE[:3], {"role": "tool", "content": results}]).conversations[0].messages[-3:]
    assert [(one.content, one.images) for one in found] == [("Waves", 1), ("No sea", 0), ("plain", 0)]


def test_a_failed_tool_answers_its_error() -> None:
    failed = {"type": "tool-look", "toolCallId": "c", "state": "output-error", "input": {}, "errorText": "No sea"}
    assert said(load([{"id": "a", "role": "assistant", "parts": [failed]}])) == [("assistant", ""), ("tool", "No sea")]


def test_chats_name_themselves() -> None:
    workspace = load([{"id": "c", "title": "Sea", "messages": UI}, {"id": "d", "system": "Be kind.", "messages": UI}])
    assert [(chat.id, chat.title) for chat in workspace.conversations] == [("c", "Sea"), ("d", "Look")]
    assert workspace.conversations[1].messages[0].content == "Be kind."


def test_what_is_unknown_costs_itself_only() -> None:
    odd = {"id": "x", "role": "user", "parts": [{"type": "smell", "text": "rose"}, 5, {"type": "text", "text": "Hi"}]}
    workspace = load([odd, {"id": "y", "role": "ghost", "parts": []}, {"id": "z", "role": "user", "content": 5}])
    assert said(workspace) == [("user", "Hi")]
    places = [problem.place for problem in workspace.problems]
    assert places == ["$[0].parts[0]", "$[0].parts[1]", "$[1].role", "$[2].content"]


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "parts": [{"text": "Hi"}]}],
        [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}],
        [{"role": "user", "content": "Hi"}],
    ],
)
def test_messages_of_others_are_not_claimed(value: Any) -> None:
    assert messages.sniff(FileSource("chat.json", json.dumps(value).encode())) == 0


def test_no_messages_are_refused() -> None:
    with pytest.raises(UnreadableError):
        messages.load(FileSource("chat.json", b"[{}]"))


def test_it_keeps_what_formats_promise(tmp_path: Any) -> None:
    for name, value in {"ui.json": UI, "old.json": OLD_UI, "core.json": CORE}.items():
        (tmp_path / name).write_text(json.dumps(value))
    check_format(messages.FORMAT, tmp_path / "ui.json", tmp_path / "old.json", tmp_path / "core.json")


@pytest.mark.parametrize("value", [OLD_UI, UI])
def test_lists_of_messages_are_chats_of_their_own(value: list[dict[str, Any]]) -> None:
    alone = said(load(value))
    for several in ([value], [value, value]):
        workspace = load_unnamed(json.dumps(several).encode(), "x.json").workspace
        assert [source.format for source in workspace.sources] == ["ai_sdk"]
        assert [[(one.role, one.content) for one in chat.messages] for chat in workspace.conversations] == [
            alone for _ in several
        ]
        assert workspace.problems == ()

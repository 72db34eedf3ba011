"""The requests that Goose logs: bodies in the layouts of the providers, and answers in pieces, whole, or missing."""

from pathlib import Path
from typing import Any

import pytest

from inspector.model import Call, Conversation, Workspace
from inspector.model.usage import recorded_usage
from tests.formats.agents.goose_and_crush_examples import ANSWERED, ASKED, SEEN, text
from tests.formats.agents.goose_and_crush_examples import said as goose
from tests.formats.agents.test_goose_and_crush import chat_of, opened, said, warnings

SYSTEM = "You are a general-purpose agent."
_USED = {"input_tokens": 20, "output_tokens": 2, "total_tokens": 22, "cache_read_input_tokens": 15}
_SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
_FUNCTION = {"name": "shell", "description": "Runs.", "parameters": _SCHEMA}
_CHAT = {
    "model": "gpt-x",
    "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ASKED}],
    "tools": [{"type": "function", "function": _FUNCTION}],
    "stream": True,
}
_RESPONSES = {
    "model": "gpt-x",
    "instructions": SYSTEM,
    "input": [{"role": "user", "content": [{"type": "input_text", "text": ASKED}]}],
    "tools": [{"type": "function", **_FUNCTION}],
    "store": False,
}
_ANTHROPIC = {
    "model": "claude-x",
    "max_tokens": 8192,
    "system": [{"type": "text", "text": SYSTEM, "cache_control": {"type": "ephemeral"}}],
    "messages": [{"role": "user", "content": [{"type": "text", "text": ASKED}]}],
    "tools": [{"name": "shell", "description": "Runs.", "input_schema": _SCHEMA}],
}
_GEMINI = {
    "systemInstruction": {"parts": [{"text": SYSTEM}]},
    "contents": [{"role": "user", "parts": [{"text": ASKED}]}],
    "tools": [{"functionDeclarations": [_FUNCTION]}],
}
BODIES = {"chat": _CHAT, "responses": _RESPONSES, "anthropic": _ANTHROPIC, "gemini": _GEMINI}


def request(body: dict[str, Any]) -> dict[str, Any]:
    """The first line of a log."""
    return {"model_config": {"model_name": "gpt-x", "context_limit": 128000, "temperature": None}, "input": body}


def piece(*blocks: dict[str, Any], usage: Any = None) -> dict[str, Any]:
    return {"data": {**goose(1, "assistant", *blocks), "id": "a1", "metadata": SEEN}, "usage": usage}


PIECES = [piece(text("Par")), piece(text("is.")), {"data": None, "usage": {"model": "gpt-x", "usage": _USED}}]


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_request_opens_with_its_prompt_tools_and_answer(tmp_path: Path, body: dict[str, Any]) -> None:
    workspace = opened(tmp_path, [request(body), *PIECES])
    (chat,) = workspace.conversations
    assert _prompts(workspace) == [SYSTEM]
    assert said(chat) == [("user", ASKED), ("assistant", ANSWERED)]
    assert (chat.model, chat.context_window) == ("gpt-x", 128000)
    assert ["shell" in str(tool.schema) for tool in workspace.tools] == [True]
    told = recorded_usage(chat.messages[-1].metadata)
    assert (told.fresh, told.cached, told.answer) == (5, 15, 2)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_request_without_an_answer_opens_alone(tmp_path: Path, body: dict[str, Any]) -> None:
    workspace = opened(tmp_path, [request(body)])
    assert (_prompts(workspace), said(workspace.conversations[0])) == ([SYSTEM], [("user", ASKED)])
    assert warnings(workspace) == []


def _prompts(workspace: Workspace) -> list[str]:
    return [one.system_prompt for one in workspace.characters]


def _answered(tmp_path: Path, *lines: dict[str, Any]) -> Conversation:
    return chat_of(tmp_path, [request(_CHAT), *lines], "goose")


def test_an_answer_as_the_provider_wrote_it_is_read(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": "{}"}}
    message = {"role": "assistant", "content": ANSWERED, "tool_calls": [call]}
    answer = {"id": "r1", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}
    chat = _answered(tmp_path, {"data": answer, "usage": _USED})
    assert chat.messages[-1].content == ANSWERED
    assert [part.name for part in chat.messages[-1].parts if isinstance(part, Call)] == ["shell"]
    assert recorded_usage(chat.messages[-1].metadata).output == 2


def test_an_answer_of_anthropic_is_read(tmp_path: Path) -> None:
    block = {"type": "text", "text": ANSWERED}
    answer = {"type": "message", "role": "assistant", "content": [block], "stop_reason": "end_turn", "usage": _USED}
    chat = chat_of(tmp_path, [request(_ANTHROPIC), {"data": answer, "usage": _USED}], "goose")
    assert chat.messages[-1].content == ANSWERED
    assert recorded_usage(chat.messages[-1].metadata).output == 2


def test_an_error_is_told_and_unknown_lines_are_named(tmp_path: Path) -> None:
    workspace = opened(tmp_path, [request(_CHAT), {"error": "Rate limit exceeded"}, {"hologram": "Lost it."}])
    assert said(workspace.conversations[0])[-1] == ("user", ASKED)
    assert any("Rate limit exceeded" in one.message for one in workspace.problems)
    assert any("hologram" in one for one in warnings(workspace))


def test_logs_in_one_file_are_a_conversation_each(tmp_path: Path) -> None:
    workspace = opened(tmp_path, [request(_CHAT), *PIECES, request(_ANTHROPIC), *PIECES])
    assert [len(chat.messages) for chat in workspace.conversations] == [2, 2]
    assert len({chat.id for chat in workspace.conversations}) == 2


def test_a_body_in_an_unknown_layout_is_named(tmp_path: Path) -> None:
    workspace = opened(tmp_path, [request({"command": "claude"}), *PIECES])
    assert said(workspace.conversations[0]) == [("assistant", ANSWERED)]
    assert any("holds no message that could be read" in one for one in warnings(workspace))
    alone = opened(tmp_path, [request({"command": "claude"})])
    assert any("expected messages of a session of Goose" in one for one in warnings(alone))

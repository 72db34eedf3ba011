"""Recorded requests as conversations: bodies of each maker, requests that failed, and lines that are none."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.formats import load_workspace
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces.requests import FORMAT
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

ASKED = {"role": "user", "content": "Hi"}
CHAT = {"model": "gpt-5", "messages": [{"role": "system", "content": "Be kind."}, ASKED]}
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "Ho"}}]}


def record(path: str, request: Any, response: Any, **more: Any) -> dict[str, Any]:
    fields = {"usage": None, "status": 200, "seconds": 1.5, **more}
    return {"time": "2026-01-02T03:04:05.000+00:00", "path": path, "request": request, "response": response, **fields}


def load(*records: Any) -> Workspace:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in records)
    source = FileSource("recorded.jsonl", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


GEMINI = {
    "systemInstruction": {"parts": [{"text": "Be kind."}]},
    "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
    "tools": [{"functionDeclarations": [{"name": "look"}]}],
}
OF_GEMINI = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Ho"}]}}]}
OF_ANTHROPIC = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Ho"}]}
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ho"}]}
OF_MAKERS: dict[str, tuple[str, Any, Any]] = {
    "chat": ("/v1/chat/completions", CHAT, ANSWER),
    "responses": (
        "/v1/responses",
        {"model": "gpt-5", "instructions": "Be kind.", "input": "Hi"},
        {"object": "response", "output": [ITEM]},
    ),
    "anthropic": (
        "/v1/messages",
        {"model": "claude", "max_tokens": 9, "system": "Be kind.", "messages": [ASKED]},
        OF_ANTHROPIC,
    ),
    "gemini": ("/v1beta/models/gemini-2.5-pro:generateContent", GEMINI, OF_GEMINI),
    "ollama": (
        "/api/chat",
        {**CHAT, "options": {"num_ctx": 4_096}},
        {"message": {"role": "assistant", "content": "Ho"}},
    ),
    "generate": ("/api/generate", {"model": "qwen3", "system": "Be kind.", "prompt": "Hi"}, {"response": "Ho"}),
}
RECORDED: list[Any] = [record(*one) for one in OF_MAKERS.values()]
MODELS = {"gemini": "gemini-2.5-pro", "anthropic": "claude", "generate": "qwen3"}


@pytest.mark.parametrize("maker", OF_MAKERS)
def test_a_request_is_a_conversation_with_its_answer(maker: str) -> None:
    workspace = load(record(*OF_MAKERS[maker], usage={"prompt_tokens": 7, "completion_tokens": 2}))
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    (chat,) = workspace.conversations
    assert (chat.title, chat.model) == ("Hi", MODELS.get(maker, "gpt-5"))
    answer = chat.messages[-1]
    assert answer.metadata["recorded_prompt_tokens"] == 7
    assert answer.time is not None
    assert answer.time.isoformat() == "2026-01-02T03:04:06.500000+00:00"
    assert not workspace.problems


def test_what_a_maker_has_beside_the_texts_is_kept() -> None:
    gemini, ollama = load(record(*OF_MAKERS["gemini"])), load(record(*OF_MAKERS["ollama"]))
    assert gemini.tools[0].schema["function"]["name"] == "look"
    assert ollama.conversations[0].context_window == 4_096


def test_requests_are_conversations_in_the_order_in_which_they_ended() -> None:
    more = [{"role": "assistant", "content": "Ho"}, {**ASKED, "content": "Bye"}]
    longer = {**CHAT, "messages": [*CHAT["messages"], *more]}
    workspace = load(*(record("/v1/chat/completions", one, ANSWER) for one in (CHAT, longer)))
    assert [(chat.id, chat.title) for chat in workspace.conversations] == [("recorded-1", "Hi"), ("recorded-2", "Bye")]


def test_other_choices_are_other_branches() -> None:
    others = [{"message": {"role": "assistant", "content": text}} for text in ("Ho", "Hey")]
    both = {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}} for text in ("Ho", "Hey")]}
    for path, request, answer in (
        ("/v1/chat/completions", CHAT, {"choices": others}),
        ("/v1beta/models/g:generateContent", GEMINI, both),
    ):
        (chat,) = load(record(path, request, answer)).conversations
        assert [message.content for message in chat.messages] == ["Hi", "Ho"]
        assert chat.tree is not None
        assert {message.content for message in chat.tree.messages} == {"Hi", "Ho", "Hey"}


@pytest.mark.parametrize("maker", OF_MAKERS)
@pytest.mark.parametrize("status", [429, None])
def test_a_request_that_failed_is_kept_with_the_reason(maker: str, status: int | None) -> None:
    path, request, _ = OF_MAKERS[maker]
    workspace = load(record(path, request, {"error": {"message": "too much"}}, status=status, note="broken off"))
    assert said(workspace) == [("user", "Hi")]
    assert workspace.conversations[0].messages[-1].time is None
    told = [problem.message for problem in workspace.problems]
    assert any(text.startswith("was answered by status") and text.endswith("too much") for text in told)
    assert "broken off" in told


@pytest.mark.parametrize("maker", OF_MAKERS)
def test_the_error_of_a_server_is_told_once(maker: str, tmp_path: Path) -> None:
    """Its text is in the problem about the request, and so not a text that nobody read."""
    path, request, _ = OF_MAKERS[maker]
    text = "The limit of this organization is thirty thousand tokens a minute. Please try again later."
    failed = record(path, request, {"type": "error", "error": {"type": "rate_limit", "message": text}}, status=429)
    file = tmp_path / "recorded.jsonl"
    file.write_text(json.dumps(failed) + "\n")
    told = [(problem.severity, text in problem.message) for problem in load_workspace([str(file)]).problems]
    assert told == [("info", True)]


def test_a_request_that_is_no_json_and_a_torn_line_are_problems() -> None:
    good = record("/v1/chat/completions", CHAT, ANSWER)
    torn = json.dumps(good)[:50]
    workspace = load(good, record("/v1/chat/completions", "hello", None), {"another": 1}, torn, good)
    assert len(workspace.conversations) == 2
    places = [problem.place for problem in workspace.problems]
    assert [place for place in places if place.startswith(("line 2", "line 3", "line 4"))] == places
    assert len(places) >= 3


def test_a_file_without_a_message_says_so() -> None:
    source = FileSource("recorded.jsonl", json.dumps(record("/v1/chat/completions", "hello", None)).encode())
    with pytest.raises(UnreadableError, match="found none that holds a message"):
        FORMAT.load(source)


odd = some.recursive(
    some.none() | some.booleans() | some.integers(-9, 10**20) | some.floats() | some.text(max_size=5),
    lambda held: some.lists(held, max_size=3) | some.dictionaries(some.text(max_size=5), held, max_size=3),
    max_leaves=5,
)
FIELDS = ("messages", "input", "contents", "content", "parts", "choices", "message", "output", "candidates", "system")


@given(some.sampled_from(sorted(OF_MAKERS)), some.data())
def test_odd_values_cost_a_problem_and_no_failure(maker: str, data: some.DataObject) -> None:
    path, request, response = OF_MAKERS[maker]

    def mangled(value: Any) -> Any:
        if data.draw(some.integers(0, 9)) == 0:
            return data.draw(odd | some.dictionaries(some.sampled_from(FIELDS), odd, max_size=3))
        if isinstance(value, dict):
            return {key: mangled(one) for key, one in value.items()}
        return [mangled(one) for one in value] if isinstance(value, list) else value

    more = {key: data.draw(odd) for key in ("usage", "status", "seconds", "time")}
    line = {**record(path, mangled(request), mangled(response)), **more}
    source = FileSource("recorded.jsonl", (json.dumps(line) + "\n").encode())
    try:
        found = len(FORMAT.load(source).conversations)
    except UnreadableError:
        found = 0
    assert found in (0, 1)

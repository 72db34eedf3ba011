"""Runs of agents and evaluations, and recorded calls: ATIF, Inspect AI and LHAR, in the forms of their types."""

import io
import json
import zipfile
from typing import Any

import pytest

from inspector.formats.format import Format
from inspector.formats.frameworks import atif, inspect_ai, lhar
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format

SAID = [("user", "Where?"), ("assistant", ""), ("tool", "Rome"), ("assistant", "In Rome.")]


def load(kind: Format, value: Any) -> Workspace:
    if isinstance(value, tuple):
        value = "\n".join(map(json.dumps, value)).encode()
    source = FileSource("x", value if isinstance(value, bytes) else json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


def calls(workspace: Workspace) -> list[tuple[str, str, Any]]:
    messages = workspace.conversations[0].messages
    return [(call.id, call.name, json.loads(call.arguments)) for one in messages for call in one.tool_calls]


STEPS: list[dict[str, Any]] = [
    {"step_id": 1, "source": "system", "message": "Be kind."},
    {"step_id": 2, "source": "user", "message": "Where?", "timestamp": "2025-01-01T10:00:00Z"},
    {
        "step_id": 3,
        "source": "agent",
        "message": "",
        "reasoning_content": "Hm",
        "tool_calls": [{"tool_call_id": "c", "function_name": "look", "arguments": {"at": 1}}],
        "observation": {"results": [{"source_call_id": "c", "content": "Rome"}]},
        "metrics": {"prompt_tokens": 9, "completion_tokens": 2, "cached_tokens": 4},
    },
    {"step_id": 4, "source": "agent", "message": [{"type": "text", "text": "In Rome."}]},
]
AGENT = {"name": "terminus", "version": "2", "model_name": "m", "tool_definitions": [{"name": "look"}]}
TRAJECTORY = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": AGENT, "steps": STEPS}


def test_a_trajectory_is_a_conversation() -> None:
    workspace = load(atif.FORMAT, TRAJECTORY)
    (chat,) = workspace.conversations
    assert said(workspace) == SAID
    assert calls(workspace) == [("c", "look", {"at": 1})]
    assert (chat.id, chat.title, chat.model, workspace.characters[0].system_prompt) == (
        "s",
        "terminus",
        "m",
        "Be kind.",
    )
    assert isinstance(chat.messages[1].parts[0], Thought)
    assert chat.messages[1].metadata["recorded_prompt_tokens"] == 9
    assert chat.messages[2].tool_call_id == "c"
    assert [tool.schema for tool in workspace.tools] == [{"name": "look"}]
    assert not workspace.problems


def test_an_observation_without_a_call_is_what_the_agent_is_sent() -> None:
    step = {"source": "agent", "message": "ls", "observation": {"results": [{"content": "a b"}]}}
    assert said(load(atif.FORMAT, {**TRAJECTORY, "steps": [step]})) == [("assistant", "ls"), ("user", "a b")]


def test_subagents_are_conversations_and_an_odd_step_is_said() -> None:
    inner = {"trajectory_id": "i", "agent": {"name": "sub"}, "steps": [{"source": "user", "message": "Do."}]}
    value = {**TRAJECTORY, "steps": [*STEPS, {"source": "ghost", "message": "x"}], "subagent_trajectories": [inner]}
    workspace = load(atif.FORMAT, value)
    assert [chat.id for chat in workspace.conversations] == ["s", "i"]
    assert [problem.place for problem in workspace.problems if problem.severity != "info"] == ["$.steps[4].source"]


EVENT = {"event": "model", "tools": [{"name": "look", "description": "attachment://a", "parameters": {}}]}
SAMPLE: dict[str, Any] = {
    "id": "one",
    "epoch": 1,
    "input": "Where?",
    "target": "Rome",
    "messages": [
        {"id": "m1", "role": "user", "content": "attachment://q", "source": "input"},
        {
            "id": "m2",
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "function": "look", "arguments": {"at": 1}, "type": "function"}],
        },
        {"id": "m3", "role": "tool", "content": "Rome", "tool_call_id": "c", "function": "look"},
        {"id": "m4", "role": "assistant", "content": [{"type": "text", "text": "In Rome."}], "model": "m"},
    ],
    "output": {"usage": {"input_tokens": 9, "output_tokens": 2}},
    "events": [EVENT, EVENT],
    "attachments": {"q": "Where?", "a": "Looks."},
}
LOG = {"version": 2, "status": "success", "eval": {"task": "find", "model": "x/m"}, "samples": [SAMPLE]}


def packed(*members: tuple[str, Any]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members:
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return file.getvalue()


HEADER = {key: LOG[key] for key in ("version", "status", "eval")}
LOGS: dict[str, Any] = {
    "json": LOG,
    "a zip": packed(("header.json", HEADER), ("samples/one_epoch_1.json", SAMPLE)),
    "a zip that is not finished": packed(("_journal/start.json", HEADER), ("samples/one_epoch_1.json", SAMPLE)),
}


@pytest.mark.parametrize("name", LOGS)
def test_a_sample_is_a_conversation(name: str) -> None:
    workspace = load(inspect_ai.FORMAT, LOGS[name])
    (chat,) = workspace.conversations
    assert said(workspace) == SAID
    assert calls(workspace) == [("c", "look", {"at": 1})]
    assert (chat.id, chat.title, chat.model) == ("one-1", "find one epoch 1", "x/m")
    assert chat.messages[3].metadata["recorded_prompt_tokens"] == 9
    assert [tool.schema["function"]["description"] for tool in workspace.tools] == ["Looks."]
    assert not workspace.problems


def test_a_sample_may_stand_alone() -> None:
    assert said(load(inspect_ai.FORMAT, SAMPLE)) == SAID


def test_contents_of_inspect_are_kept() -> None:
    content = [
        {"type": "reasoning", "reasoning": "Hm", "signature": "s"},
        {"type": "reasoning", "reasoning": "x" * 9, "redacted": True},
        {"type": "image", "image": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"},
        {"type": "document", "document": "https://example.org/a.pdf", "filename": "a.pdf"},
        {"type": "data", "data": {"a": 1}},
        {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "search", "arguments": "{}", "result": "r"},
    ]
    workspace = load(inspect_ai.FORMAT, {**SAMPLE, "messages": [{"role": "assistant", "content": content}]})
    first, second = workspace.conversations[0].messages
    kinds = [type(part).__name__ for part in first.parts]
    assert kinds == ["Thought", "Thought", "Image", "DocumentPart", "Text", "Call"]
    assert (second.role, second.content) == ("tool", "r")
    assert not workspace.problems


def test_the_error_of_a_tool_is_its_result() -> None:
    failed = {"role": "tool", "content": "", "tool_call_id": "c", "error": {"type": "timeout", "message": "Too long"}}
    workspace = load(inspect_ai.FORMAT, {**SAMPLE, "messages": [SAMPLE["messages"][1], failed]})
    assert said(workspace)[1] == ("tool", "Too long")


def test_a_broken_member_is_said_and_the_others_open() -> None:
    log = packed(("header.json", HEADER), ("samples/a.json", b"{"), ("samples/b.json", SAMPLE))
    workspace = load(inspect_ai.FORMAT, log)
    assert said(workspace) == SAID
    assert [problem.place for problem in workspace.problems] == ["samples/a.json"]


REQUEST: dict[str, Any] = {
    "model": "claude-x",
    "system": [{"type": "text", "text": "Be kind."}],
    "tools": [{"name": "look", "input_schema": {}}],
    "messages": [
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "look", "input": {"at": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "Rome"}]},
    ],
}
ANSWER = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "In Rome."}]}
SESSION = {"type": "session", "trace_id": "t", "started_at": "2026-02-10T12:00:00Z", "tool": "claude", "model": "m"}


def entry(request: Any, answer: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "entry",
        "id": "e1",
        "trace_id": "t",
        "sequence": 3,
        "source": {"tool": "claude"},
        "gen_ai": {"request": {"model": "m"}, "usage": {"input_tokens": 5, "output_tokens": 2}},
        "usage_ext": {"cache_read_tokens": 4},
        "context_lens": {"window_size": 200000},
        "raw": {"request_body": request, "response_body": answer},
        **more,
    }


def stream(*events: Any) -> str:
    return "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n"


ANTHROPIC = stream(
    {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 5}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "In "}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Rome."}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
)
CHAT = stream(
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "In "}}]},
    {"choices": [{"index": 0, "delta": {"content": "Rome."}}]},
    {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
)
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "In Rome."}]}
RESPONSES = stream(
    {"type": "response.created", "response": {"id": "r", "output": []}},
    {"type": "response.output_text.delta", "delta": "In "},
    {"type": "response.output_item.done", "item": ITEM},
    {"type": "response.completed", "response": {"object": "response", "output": []}},
)
GEMINI = stream(
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "In "}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Rome."}]}}]},
)


@pytest.mark.parametrize("answer", [ANSWER, json.dumps(ANSWER), ANTHROPIC, CHAT, RESPONSES, GEMINI])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_call_in_an_archive_is_a_conversation(answer: Any, wrapped: bool) -> None:
    one = entry(REQUEST, answer)
    archive = {"lhar": {"version": "0.1.0", "sessions": [SESSION], "entries": [one]}}
    workspace = load(lhar.FORMAT, archive if wrapped else (SESSION, one))
    (chat,) = workspace.conversations
    assert said(workspace) == SAID
    assert calls(workspace) == [("c", "look", {"at": 1})]
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert (chat.id, chat.title, chat.model, chat.context_window) == ("e1", "claude 3", "m", 200000)
    assert [tool.schema["name"] for tool in workspace.tools] == ["look"]
    assert "recorded_prompt_tokens" in chat.messages[3].metadata
    assert not workspace.problems


def test_calls_and_thoughts_of_a_stream_are_put_together() -> None:
    events = stream(
        {"type": "message_start", "message": {"role": "assistant"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm"}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "c", "name": "look"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"at"'}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ": 1}"}},
    )
    of_chat = stream(
        {"choices": [{"delta": {"reasoning_content": "Hm"}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "look"}}]}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": '{"at": 1}'}}]}}]},
    )
    for answer in (events, of_chat):
        workspace = load(lhar.FORMAT, (SESSION, entry({"messages": [{"role": "user", "content": "Where?"}]}, answer)))
        assert calls(workspace) == [("c", "look", {"at": 1})]
        assert isinstance(workspace.conversations[0].messages[1].parts[0], Thought)


@pytest.mark.parametrize(
    "request_",
    [
        {"instructions": "Be kind.", "input": [{"role": "user", "content": "Where?"}]},
        {"systemInstruction": {"parts": [{"text": "Be kind."}]}, "contents": [{"parts": [{"text": "Where?"}]}]},
        {"model": "g", "request": {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]}},
    ],
)
def test_requests_of_every_maker_are_read(request_: Any) -> None:
    workspace = load(lhar.FORMAT, (SESSION, entry(request_, None)))
    assert said(workspace) == [("user", "Where?")]
    assert not workspace.problems


def test_an_archive_without_bodies_says_how_to_keep_them() -> None:
    with pytest.raises(UnreadableError, match="CONTEXT_LENS_PRIVACY=full"):
        load(lhar.FORMAT, (SESSION, entry(None, None)))
    workspace = load(lhar.FORMAT, (SESSION, entry(None, None), entry(REQUEST, None)))
    assert "1 calls were not kept" in workspace.problems[0].message


@pytest.mark.parametrize("kind", [atif.FORMAT, inspect_ai.FORMAT, lhar.FORMAT])
def test_nothing_else_is_claimed(kind: Format) -> None:
    for value in ({"steps": [], "schema_version": "1"}, {"samples": [], "eval": {}}, {"type": "session", "id": 1}, []):
        assert kind.sniff(FileSource("x.json", json.dumps(value).encode())) == 0


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (atif.FORMAT, json.dumps(TRAJECTORY).encode()),
        (inspect_ai.FORMAT, LOGS["a zip"]),
        (inspect_ai.FORMAT, json.dumps(LOG).encode()),
        (lhar.FORMAT, "\n".join(map(json.dumps, (SESSION, entry(REQUEST, ANTHROPIC)))).encode()),
    ],
)
def test_the_format_keeps_the_rules_of_formats(kind: Format, content: bytes, tmp_path: Any) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    check_format(kind, file)

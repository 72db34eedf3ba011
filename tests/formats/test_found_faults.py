"""What was once mistaken or lost, in every format in which it could be: each is opened as a person would open it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inspector.cli import group
from inspector.formats import load_workspace
from inspector.model import Message, Workspace

MARK = "what-an-unknown-part-holds"
ODD_PART = {"type": "hologram", "data": {"bytes": MARK}}
_ROLES = ("user", "assistant")


def turns() -> list[tuple[str, str]]:
    return [(_ROLES[number % 2], f"turn {number}") for number in range(99)]


def _chatgpt(said: list[tuple[str, Any]]) -> Any:
    nodes = {
        f"n{number}": {
            "id": f"n{number}",
            "parent": f"n{number - 1}" if number else None,
            "children": [f"n{number + 1}"] if number < len(said) - 1 else [],
            "message": {
                "id": f"n{number}",
                "author": {"role": role},
                "content": {"content_type": "multimodal_text", "parts": parts if isinstance(parts, list) else [parts]},
            },
        }
        for number, (role, parts) in enumerate(said)
    }
    return [{"title": "T", "mapping": nodes, "current_node": f"n{len(said) - 1}"}]


def _claude(said: list[tuple[str, Any]]) -> Any:
    names = {"user": "human", "assistant": "assistant"}
    listed = [
        {"uuid": f"m{number}", "sender": names.get(role, role), "text": "", "content": _blocks(parts)}
        for number, (role, parts) in enumerate(said)
    ]
    return [{"uuid": "c", "name": "T", "chat_messages": listed}]


def _claude_design(said: list[tuple[str, Any]]) -> Any:
    listed = [
        {"uuid": f"m{number}", "role": role, "content": {"role": role, "content": _blocks(parts)}}
        for number, (role, parts) in enumerate(said)
    ]
    return {"uuid": "d", "project": {"name": "P"}, "messages": listed}


def _blocks(parts: Any) -> list[Any]:
    return parts if isinstance(parts, list) else [{"type": "text", "text": parts}]


def _anthropic(said: list[tuple[str, Any]]) -> Any:
    messages = [{"role": role, "content": _blocks(parts)} for role, parts in said]
    return {"model": "claude", "max_tokens": 5, "system": "s", "anthropic_version": "x", "messages": messages}


def _openai(said: list[tuple[str, Any]]) -> Any:
    return [{"role": role, "content": _blocks(parts)} for role, parts in said]


def _jan(said: list[tuple[str, Any]]) -> Any:
    return [
        {"id": f"m{number}", "object": "thread.message", "thread_id": "t", "role": role, "content": _values(parts)}
        for number, (role, parts) in enumerate(said)
    ]


def _values(parts: Any) -> list[Any]:
    return parts if isinstance(parts, list) else [{"type": "text", "text": {"value": parts, "annotations": []}}]


def _claude_code(said: list[tuple[str, Any]]) -> Any:
    return [
        {
            "type": role,
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "s",
            "timestamp": f"2026-01-02T03:{number // 60:02}:{number % 60:02}Z",
            "message": {"role": role, "content": _blocks(parts)},
        }
        for number, (role, parts) in enumerate(said)
    ]


def _codex(said: list[tuple[str, Any]]) -> Any:
    def item(role: str, parts: Any) -> dict[str, Any]:
        kind = "output_text" if role == "assistant" else "input_text"
        content = parts if isinstance(parts, list) else [{"type": kind, "text": parts}]
        payload = {"type": "message", "role": role, "content": content}
        return {"timestamp": "2026-01-02T03:04:05Z", "type": "response_item", "payload": payload}

    meta = {"timestamp": "2026-01-02T03:04:05Z", "type": "session_meta", "payload": {"id": "s"}}
    return [meta, *(item(role, parts) for role, parts in said)]


def _gemini(said: list[tuple[str, Any]]) -> Any:
    names = {"user": "user", "assistant": "model"}
    return {
        "contents": [
            {"role": names.get(role, role), "parts": parts if isinstance(parts, list) else [{"text": parts}]}
            for role, parts in said
        ]
    }


def _open_webui(said: list[tuple[str, Any]]) -> Any:
    nodes = {
        f"n{number}": {
            "id": f"n{number}",
            "parentId": f"n{number - 1}" if number else None,
            "childrenIds": [],
            "role": role,
            "content": parts,
        }
        for number, (role, parts) in enumerate(said)
    }
    return [{"id": "c", "title": "T", "chat": {"history": {"messages": nodes, "currentId": f"n{len(said) - 1}"}}}]


def _llamacpp(said: list[tuple[str, Any]]) -> Any:
    listed = [
        {"id": number + 1, "convId": "c", "type": "text", "role": role, "content": parts, "parent": number}
        for number, (role, parts) in enumerate(said)
    ]
    root = {"id": 0, "convId": "c", "type": "root", "role": "system", "content": "", "parent": -1}
    return {"conv": {"id": "c", "name": "T", "currNode": len(said)}, "messages": [root, *listed]}


def _librechat(said: list[tuple[str, Any]]) -> Any:
    listed = [
        {
            "messageId": f"m{number}",
            "parentMessageId": f"m{number - 1}" if number else "",
            "isCreatedByUser": role == "user",
            "text": "",
            "content": _blocks(parts),
        }
        for number, (role, parts) in enumerate(said)
    ]
    return {"conversationId": "c", "title": "T", "messages": listed}


def _grok(said: list[tuple[str, Any]]) -> Any:
    names = {"user": "human", "assistant": "ASSISTANT"}
    listed = [
        {
            "response": {
                "response_id": f"r{number}",
                "parent_response_id": f"r{number - 1}" if number else None,
                "sender": names.get(role, role),
                "message": parts,
            }
        }
        for number, (role, parts) in enumerate(said)
    ]
    return {"conversations": [{"conversation": {"title": "T"}, "responses": listed}]}


def _langchain(said: list[tuple[str, Any]]) -> Any:
    names = {"user": "human", "assistant": "ai"}
    return [{"type": names.get(role, role), "data": {"content": _blocks(parts)}} for role, parts in said]


def _ai_sdk(said: list[tuple[str, Any]]) -> Any:
    return [{"id": f"m{number}", "role": role, "parts": _blocks(parts)} for number, (role, parts) in enumerate(said)]


def _chatbox(said: list[tuple[str, Any]]) -> Any:
    listed = [
        {"id": f"m{number}", "role": role, "contentParts": _blocks(parts)} for number, (role, parts) in enumerate(said)
    ]
    return {"session:s": {"id": "s", "name": "T", "messages": listed}}


def _lobechat(said: list[tuple[str, Any]]) -> Any:
    listed = [
        {"id": f"m{number}", "role": role, "content": parts, "createdAt": 1_700_000_000_000 + number}
        for number, (role, parts) in enumerate(said)
    ]
    return {"exportedAt": "2026-01-02T03:04:05Z", "version": "2.0", "title": "T", "messages": listed}


def _chatwise(said: list[tuple[str, Any]]) -> Any:
    time = {"createdAt": "2026-01-02T03:04:05Z"}
    listed = [{"id": f"m{number}", "role": role, "content": parts, **time} for number, (role, parts) in enumerate(said)]
    return {"id": "c", "title": "T", "systemInstruction": "", **time, "messages": listed}


Writer = Callable[[list[tuple[str, Any]]], Any]

WITH_ROLES: dict[str, Writer] = {
    "openai": _openai,
    "claude": _claude,
    "anthropic": _anthropic,
    "codex": _codex,
    "gemini": _gemini,
    "open_webui": _open_webui,
    "llamacpp": _llamacpp,
    "grok": _grok,
    "jan": _jan,
    "langchain": _langchain,
    "ai_sdk": _ai_sdk,
    "chatbox": _chatbox,
    "lobechat": _lobechat,
    "chatwise": _chatwise,
    "chatgpt": _chatgpt,
}
"""Formats whose messages name a role."""

WITH_PARTS: dict[str, Writer] = {
    **{name: WITH_ROLES[name] for name in ("openai", "claude", "anthropic", "codex", "gemini", "jan")},
    **{name: WITH_ROLES[name] for name in ("chatgpt", "langchain", "ai_sdk", "chatbox")},
    "claude design": _claude_design,
    "claude_code": _claude_code,
    "librechat": _librechat,
}
"""Formats whose messages may be lists of parts."""

_LINES = ("codex", "claude_code")


def opened(tmp_path: Path, name: str, value: Any) -> Workspace:
    lines = "\n".join(map(json.dumps, value)) if name in _LINES else json.dumps(value)
    (tmp_path / "chat.json").write_text(lines)
    workspace = load_workspace([tmp_path / "chat.json"])
    assert [source.format for source in workspace.sources] == [name.split()[0]]
    return workspace


def messages_of(workspace: Workspace) -> Iterator[Message]:
    for chat in workspace.conversations:
        yield from chat.messages
        yield from chat.tree.messages if chat.tree else ()


@pytest.mark.parametrize("name", WITH_ROLES)
def test_one_message_of_an_unknown_role_keeps_the_other_99(tmp_path: Path, name: str) -> None:
    workspace = opened(tmp_path, name, WITH_ROLES[name]([*turns(), ("oracle", "?")]))
    said = [message.content for chat in workspace.conversations for message in (chat.tree or chat).messages]
    assert said == [text for _, text in turns()]
    (problem,) = [problem for problem in workspace.problems if problem.severity != "info"]
    assert problem.place


@pytest.mark.parametrize("name", WITH_PARTS)
def test_an_unknown_part_is_a_problem_with_its_place_and_is_not_counted(tmp_path: Path, name: str) -> None:
    known = {"gemini": {"text": "known"}, "chatgpt": "known"}.get(name, {"type": "text", "text": "known"})
    odd: Any = {"content_type": "hologram", "data": MARK} if name == "chatgpt" else ODD_PART
    odd = {"hologram": {"data": MARK}} if name == "gemini" else odd
    workspace = opened(tmp_path, name, WITH_PARTS[name]([("user", "Hi"), ("assistant", [known, odd])]))
    assert [message.content for message in workspace.conversations[0].messages] == ["Hi", "known"]
    assert not any(MARK in repr((one.content, one.tool_calls)) for one in messages_of(workspace))
    (problem,) = [problem for problem in workspace.problems if problem.severity != "info"]
    assert problem.place
    assert "hologram" in problem.message or name == "chatgpt"  # whose parts say nothing but whether they are pictures


def test_a_side_branch_of_llamacpp_is_no_turn_and_nothing_of_the_chat_is_lost(tmp_path: Path) -> None:
    value = _llamacpp([("user", "Hi"), ("assistant", "Ho")])
    side = {"id": 9, "convId": "c", "type": "text", "role": "assistant", "content": "No", "parent": 1}
    value["messages"][2]["reasoningContent"] = "Hm"
    (chat,) = opened(tmp_path, "llamacpp", {**value, "messages": [*value["messages"], side]}).conversations
    assert [message.content for message in chat.messages] == ["Hi", "Ho"]
    assert (chat.title, chat.messages[1].reasoning) == ("T", "Hm")


def test_what_cline_condensed_or_cut_away_was_never_sent(data_folder: Path) -> None:
    (chat,) = load_workspace([data_folder / "cline/derived/task/api_conversation_history.json"]).conversations
    actions = [message.metadata.get("recorded", {}).get("action") for message in chat.messages]
    assert sorted(action for action in actions if action != "kept" and action) == ["dropped", "summarized"]


def test_the_answers_of_whisperengine_are_there(data_folder: Path) -> None:
    (chat,) = load_workspace(
        [data_folder / "whisperengine_runs/derived/elena_20251016_142233_user1.json"]
    ).conversations
    assert chat.messages[-1].role == "assistant"
    (run,) = load_workspace([data_folder / "whisperengine_runs/llama-3.3-70b_emotion_rep2.json"]).conversations
    assert sum(message.role == "assistant" and bool(message.content) for message in run.messages) == 20


# What has columns or keys of memories by chance.
_TABLES = (
    "id,text,label\n1,Good film,pos\n2,Bad film,neg\n",
    "date,content,price\n2024-01-01,Tea,3\n",
    json.dumps([{"id": 1, "name": "left-pad", "data": "x"}]),
    json.dumps([{"document": "invoice.pdf", "amount": 3}]),
    json.dumps({"facts": ["Tea is hot."]}),
)


@pytest.mark.parametrize("text", _TABLES)
def test_tables_that_are_no_memories_are_not_read_as_memories(tmp_path: Path, text: str) -> None:
    (tmp_path / "table").write_text(text)
    assert load_workspace([tmp_path / "table"]).memory_sets == ()


@pytest.mark.parametrize("name", ["malformed/derived/zip_bomb_50MB_from_50KB.zip", "qdrant/derived/local"])
def test_a_command_that_could_open_nothing_ends_with_2(data_folder: Path, name: str) -> None:
    assert CliRunner().invoke(group, ["search", "x", str(data_folder / name)]).exit_code == 2


_SECRET = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
_ASKED = {"role": "user", "content": f"Hi, {_SECRET}"}
_DEEP_TOOL = {"type": "function", "function": {"name": "f", "parameters": {"x": MARK}}}


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"model": "m", "messages": [_ASKED], "tools": [_DEEP_TOOL]}, id="openai"),
        pytest.param(
            {
                "contents": [{"role": "user", "parts": [{"text": _ASKED["content"]}]}],
                "tools": [{"functionDeclarations": [_DEEP_TOOL["function"]]}],
            },
            id="gemini",
        ),
        pytest.param(
            {
                "trace": {"id": "t"},
                "observations": [{"type": "GENERATION", "input": {"messages": [_ASKED], "tools": [_DEEP_TOOL]}}],
            },
            id="langfuse",
        ),
    ],
)
def test_a_tool_that_is_nested_too_deep_leaves_the_chat_and_what_is_said_of_its_secrets(
    tmp_path: Path, document: Any
) -> None:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(document).replace(f'"{MARK}"', "[" * 980 + "]" * 980))
    workspace = load_workspace([file])
    assert [message.content for message in workspace.conversations[0].messages] == [_ASKED["content"]]
    assert any("nested deeper" in problem.message for problem in workspace.problems)
    assert any("holds 1 secret" in problem.message for problem in workspace.problems)

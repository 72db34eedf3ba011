"""Events that coding agents print: pieces are joined, calls are answered, sub-agents and compactions are kept."""

from pathlib import Path
from typing import Any

import pytest

from inspector.model import Conversation
from tests.formats.agents.agent_examples import (
    ANSWERED,
    ASKED,
    CLAUDE_EVENTS,
    CODEX_EVENTS,
    CODEX_OLD_EVENTS,
    CURSOR_EVENTS,
    DROID_EVENTS,
    GEMINI_EVENTS,
)
from tests.formats.agents.test_agent_sessions import changed_at, only_chat, opened, recorded, said

_STREAMS = {
    "claude": CLAUDE_EVENTS,
    "gemini": GEMINI_EVENTS,
    "droid": DROID_EVENTS,
    "cursor": CURSOR_EVENTS,
    "codex": CODEX_OLD_EVENTS,
}


def chat_of(tmp_path: Path, events: list[dict[str, Any]]) -> Conversation:
    return only_chat(opened(tmp_path, events))


@pytest.mark.parametrize("name", _STREAMS)
def test_a_run_is_the_question_the_call_its_result_and_a_single_answer(tmp_path: Path, name: str) -> None:
    chat = chat_of(tmp_path, _STREAMS[name])
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    (call,) = [call for message in chat.messages for call in message.tool_calls]
    (result,) = [message for message in chat.messages if message.role == "tool"]
    assert call.id == result.tool_call_id != ""
    assert "capitals.txt" in call.arguments


def test_what_codex_prints_today_has_no_question_and_takes_the_last_state_of_an_item(tmp_path: Path) -> None:
    chat = chat_of(tmp_path, CODEX_EVENTS)
    assert said(chat) == [("tool", "Paris"), ("assistant", ANSWERED)]
    assert chat.messages[0].thinking == "Look it up."
    assert "recorded_tokens" not in chat.messages[-1].metadata  # the usage is that of two requests


def test_a_turn_of_codex_that_is_a_single_request_has_its_usage(tmp_path: Path) -> None:
    last = chat_of(tmp_path, [CODEX_EVENTS[0], *CODEX_EVENTS[5:]]).messages[-1]
    assert (last.metadata["recorded_prompt_tokens"], last.metadata["recorded_tokens"]) == (30, 6)


def test_a_command_that_failed_without_output_and_a_change_of_files_are_answered(tmp_path: Path) -> None:
    failed = {**CODEX_EVENTS[4]["item"], "aggregated_output": "", "exit_code": 1, "status": "failed"}
    change = {"id": "item_9", "type": "file_change", "changes": [{"path": "a", "kind": "add"}], "status": "completed"}
    events = [*changed_at(CODEX_EVENTS, 4, item=failed), {"type": "item.completed", "item": change}]
    results = [one for one in chat_of(tmp_path, events).messages if one.role == "tool"]
    assert [(one.content, one.metadata) for one in results] == [("", {"is_error": True}), ("completed", {})]


def test_an_item_of_an_unknown_type_is_a_problem_and_the_others_stay(tmp_path: Path) -> None:
    workspace = opened(tmp_path, changed_at(CODEX_EVENTS, 2, item={"id": "x", "type": "hologram", "text": "Lost it."}))
    assert ("assistant", ANSWERED) in said(only_chat(workspace))
    assert any("hologram" in problem.message for problem in workspace.problems)


def test_the_result_alone_is_the_answer(tmp_path: Path) -> None:
    assert said(chat_of(tmp_path, CLAUDE_EVENTS[-1:])) == [("assistant", ANSWERED)]


def test_the_work_of_a_sub_agent_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    inner = {"role": "assistant", "id": "m9", "content": [{"type": "text", "text": "Found it."}]}
    event = {"type": "assistant", "message": inner, "parent_tool_use_id": "c1", "session_id": "s1"}
    main, sub = opened(tmp_path, [*CLAUDE_EVENTS[:4], event, *CLAUDE_EVENTS[4:]]).conversations
    assert (sub.id, said(sub)) == ("s1/c1", [("assistant", "Found it.")])
    assert said(main) == said(chat_of(tmp_path, CLAUDE_EVENTS))


def test_a_compaction_is_recorded(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "compact_metadata": {"pre_tokens": 9}}
    text = "This session is being continued from a previous conversation. Asked for a capital."
    summary = {"type": "user", "message": {"role": "user", "content": text}, "session_id": "s1"}
    chat = chat_of(tmp_path, [*CLAUDE_EVENTS[:5], boundary, summary, *CLAUDE_EVENTS[5:]])
    fates = recorded(chat)
    assert fates[ASKED]["action"] == "summarized"
    assert fates[ANSWERED] is None or fates[ANSWERED]["action"] == "kept"
    assert next(one for one in chat.messages if one.content == text).metadata["compaction"] == {"pre_tokens": 9}


def test_thoughts_that_are_printed_in_pieces_belong_to_the_answer_after_them(tmp_path: Path) -> None:
    pieces = [
        {"type": "thinking", "subtype": "delta", "text": text, "session_id": "c6"} for text in ("Look ", "it up.")
    ]
    chat = chat_of(tmp_path, [*CURSOR_EVENTS[:4], *pieces, *CURSOR_EVENTS[4:]])
    assert [one.thinking for one in chat.messages if one.thinking] == ["Look it up."]
    assert said(chat)[-1] == ("assistant", ANSWERED)


def test_thoughts_before_a_call_belong_to_it(tmp_path: Path) -> None:
    thought = {"type": "thinking", "subtype": "delta", "text": "Look it up.", "session_id": "c6"}
    chat = chat_of(tmp_path, [*CURSOR_EVENTS[:2], thought, *CURSOR_EVENTS[2:]])
    assert [bool(one.tool_calls) for one in chat.messages if one.thinking] == [True]
    assert said(chat) == said(chat_of(tmp_path, CURSOR_EVENTS))


def test_a_failed_tool_and_an_error_of_the_program_are_told(tmp_path: Path) -> None:
    failed = {"type": "tool_result", "tool_id": "c1", "status": "error", "error": {"type": "E", "message": "No file."}}
    error = {"type": "error", "severity": "error", "message": "Stopped here."}
    workspace = opened(tmp_path, [*GEMINI_EVENTS[:3], failed, error, *GEMINI_EVENTS[4:]])
    (result,) = [one for one in only_chat(workspace).messages if one.role == "tool"]
    assert (result.content, result.metadata) == ("No file.", {"is_error": True})
    assert any("Stopped here." in problem.message for problem in workspace.problems)


def test_calls_with_a_function_and_results_by_name_are_joined(tmp_path: Path) -> None:
    events = [
        {"timestamp": "2025-09-10T12:00:00Z", "role": "user", "message": ASKED, "model": "gpt-4o-mini"},
        {"type": "function_call", "function": {"name": "look"}, "arguments": {"path": "capitals.txt"}},
        {"type": "function_result", "name": "look", "result": "Paris"},
        {"timestamp": "2025-09-10T12:00:02Z", "role": "assistant", "content": ANSWERED},
        {"type": "odd_state", "payload": {"text": "of the program"}},
    ]
    workspace = opened(tmp_path, events)
    chat = only_chat(workspace)
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert chat.messages[1].tool_calls[0].id == chat.messages[2].tool_call_id
    assert any("odd_state" in problem.message for problem in workspace.problems)


def test_a_run_that_is_opened_twice_is_the_same(tmp_path: Path) -> None:
    first, second = opened(tmp_path, CURSOR_EVENTS), opened(tmp_path, CURSOR_EVENTS)
    assert first == second


def test_a_session_that_claude_code_kept_is_not_printed_events(tmp_path: Path) -> None:
    kept = {"uuid": "u1", "parentUuid": None, "sessionId": "s1", "isSidechain": False}
    record = {**kept, "type": "user", "session_id": "s1", "message": {"role": "user", "content": ASKED}}
    workspace = opened(tmp_path, [record, {**record, "uuid": "u2", "parentUuid": "u1"}])
    assert [source.format for source in workspace.sources] == ["claude_code"]


def test_questions_that_codex_asks_with_a_tool_are_a_call_in_their_place(tmp_path: Path) -> None:
    asked = {"type": "request_user_input", "id": "t1", "call_id": "q1", "questions": [{"question": "Which capital?"}]}
    end = next(number for number, event in enumerate(CODEX_EVENTS) if event["type"] == "turn.completed")
    chat = only_chat(opened(tmp_path, [*CODEX_EVENTS[:end], asked, *CODEX_EVENTS[end:]]))
    calls = [call for message in chat.messages for call in message.tool_calls]
    assert (calls[-1].id, calls[-1].name) == ("q1", "request_user_input")
    assert "Which capital?" in calls[-1].arguments

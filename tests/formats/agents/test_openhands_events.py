"""Events of OpenHands as its own code makes messages of them: what it adds to prompts, messages and results."""

import json
from typing import Any

from inspector.formats.opening import load_unnamed
from inspector.model import Conversation, Workspace
from tests.formats.agents.agent_examples import ASKED, OPENHANDS

SYSTEM, MESSAGE, ACTION, OBSERVATION, *_ = OPENHANDS
_ADDED = [{"type": "text", "text": "<EXTRA>Use French.</EXTRA>"}]


def opened(*events: Any) -> Workspace:
    return load_unnamed(json.dumps(events).encode(), "events.json").workspace


def only(workspace: Workspace) -> Conversation:
    (chat,) = workspace.conversations
    return chat


def loud(workspace: Workspace) -> list[str]:
    return [one.message for one in workspace.problems if one.severity != "info"]


def test_the_dynamic_context_follows_the_system_prompt() -> None:
    workspace = opened({**SYSTEM, "dynamic_context": {"type": "text", "text": "Today is Monday."}}, MESSAGE)
    assert workspace.characters[0].system_prompt == "Answer in one word.\nToday is Monday."
    assert loud(workspace) == []


def test_what_is_added_to_a_message_or_result_follows_it() -> None:
    workspace = opened(
        {**MESSAGE, "extended_content": _ADDED, "sender": "ann"}, ACTION, {**OBSERVATION, "extended_content": _ADDED}
    )
    asked, _, answered = only(workspace).messages
    assert (asked.content, asked.name) == (f"{ASKED}\n<EXTRA>Use French.</EXTRA>", "ann")
    assert answered.content == "Paris\n<EXTRA>Use French.</EXTRA>"
    assert loud(workspace) == []


def test_a_result_that_is_no_list_keeps_its_text_before_what_is_added() -> None:
    told = {**OBSERVATION, "observation": {"kind": "ReadObservation", "output": "Paris"}, "extended_content": _ADDED}
    assert only(opened(MESSAGE, ACTION, told)).messages[-1].content == "Paris\n<EXTRA>Use French.</EXTRA>"


def test_a_rejected_action_is_told_as_it_is_sent() -> None:
    rejected = {key: OBSERVATION[key] for key in ("id", "timestamp", "source", "tool_name", "tool_call_id")}
    rejected |= {"kind": "UserRejectObservation", "rejection_reason": "Not now.", "action_id": "h2"}
    assert only(opened(MESSAGE, ACTION, rejected)).messages[-1].content == "Action rejected: Not now."


def test_calls_behind_the_protocol_of_clients_have_their_results() -> None:
    block = {"type": "content", "content": {"type": "text", "text": "Paris"}}
    call = {"id": "a1", "timestamp": "2026-05-01T10:00:03", "source": "agent", "kind": "ACPToolCallEvent"}
    call |= {"tool_call_id": "t1", "title": "Read capitals.txt", "raw_input": {"path": "capitals.txt"}}
    for told in ({"content": [block]}, {"raw_output": "Paris", "content": None}):
        workspace = opened(MESSAGE, {**call, "status": "completed", **told})
        _, called, answered = only(workspace).messages
        assert [(one.name, one.arguments) for one in called.tool_calls] == [
            ("Read capitals.txt", '{"path":"capitals.txt"}')
        ]
        assert (answered.content, answered.tool_call_id) == ("Paris", "t1")
        assert loud(workspace) == []
    assert loud(opened(MESSAGE, {**call, "status": "completed"})) == [
        "expected the output of a call, found none; it is empty"
    ]


def test_the_output_of_a_terminal_has_the_state_that_is_sent_with_it() -> None:
    state = {
        "exit_code": 1,
        "pid": 5,
        "working_dir": "/w",
        "py_interpreter_path": None,
        "prefix": "",
        "suffix": "\n[Done]",
    }
    inner = {"kind": "TerminalObservation", "content": [{"type": "text", "text": "Paris"}], "metadata": state}
    told = only(opened(MESSAGE, ACTION, {**OBSERVATION, "observation": {**inner, "is_error": True}})).messages[-1]
    assert told.content == (
        "[An error occurred during execution.]\n\n"
        "Paris\n[Done]\n[Current working directory: /w]\n[Command finished with exit code 1]"
    )
    running = {**inner, "metadata": {**state, "exit_code": -1, "working_dir": None, "suffix": ""}}
    assert only(opened(MESSAGE, ACTION, {**OBSERVATION, "observation": running})).messages[-1].content == "Paris"

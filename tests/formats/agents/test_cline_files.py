"""The files of Cline and Roo: tasks with the files beside them, and sessions of Cline 4 with their compactions."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.assembly.own_policy import own_policy
from inspector.formats import load_workspace
from inspector.formats.looking import find
from inspector.model import Image, Message, Result, Workspace
from tests.formats.agents.agent_examples import ANSWERED, ASKED, CLINE_4, CLINE_COMPACTION, ROO_2
from tests.formats.agents.test_agent_sessions import only_chat, recorded, said

TASK = "api_conversation_history.json"
OLD: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": f"<task>\n{ASKED}\n</task>"},
            {"type": "text", "text": "<environment_details>\nNothing open\n</environment_details>"},
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "Look."}], "modelInfo": {"modelId": "m", "mode": "act"}},
    {"role": "user", "content": "More?"},
    {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
    {"role": "user", "content": "And?"},
    {"role": "assistant", "content": ANSWERED},
]
SHOWN: list[dict[str, Any]] = [
    {"ts": 1, "type": "say", "say": "text", "text": ASKED},
    {"ts": 2, "type": "say", "say": "api_req_started", "text": "{}", "conversationHistoryDeletedRange": [2, 3]},
]
BESIDE: dict[str, Any] = {
    "ui_messages.json": SHOWN,
    "task_metadata.json": {"files_in_context": [], "model_usage": [{"ts": 1, "model_id": "used", "mode": "act"}]},
    "context_history.json": [[1, [0, [[0, [[5, "text", ["Some history was removed."], []]]]]]]],
}
ROO_SAID = [
    ("user", f"<task>\n{ASKED}\n</task>\n<environment_details>\nNothing open\n</environment_details>"),
    ("tool", "Paris"),
    ("assistant", ANSWERED),
]


def write(folder: Path, files: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in files.items():
        (folder / name).write_text(value if isinstance(value, str) else json.dumps(value))
    return folder


def policy_of(workspace: Workspace) -> str:
    own = own_policy(workspace, only_chat(workspace))
    return own.policy if own else ""


def media_of(message: Message) -> list[object]:
    return [inner for part in message.parts if isinstance(part, Result) for inner in part.parts]


def loud(workspace: Workspace) -> list[str]:
    return [problem.message for problem in workspace.problems if problem.severity != "info"]


@pytest.mark.parametrize("named", ["folder", "file"])
def test_a_task_has_what_the_files_beside_it_record(tmp_path: Path, named: str) -> None:
    folder = write(tmp_path / "1777", {TASK: OLD, **BESIDE})
    path = folder if named == "folder" else folder / TASK
    workspace = load_workspace([path])
    assert workspace == load_workspace([path])
    chat = only_chat(workspace)
    actions = [message.metadata["recorded"]["action"] for message in chat.messages]
    assert actions == ["kept", "kept", "dropped", "dropped", "kept", "kept"]
    assert not any(message.excluded for message in chat.messages)
    assert (chat.id, chat.model, policy_of(workspace)) == ("1777", "m", "cline_truncate")
    assert loud(workspace) == []
    assert [one.message[:9] for one in workspace.problems if one.place == "$.context_history"] == ["1 message"]


def test_only_the_task_is_a_candidate_of_its_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "1777", {TASK: OLD, **BESIDE})
    assert list(find([folder]).files) == [folder / TASK]
    (folder / TASK).unlink()
    assert {file.name for file in find([folder]).files} == set(BESIDE)


def test_a_task_alone_has_no_record_and_its_model_is_that_of_the_folder(tmp_path: Path) -> None:
    alone = load_workspace([write(tmp_path / "a", {TASK: OLD})])
    assert said(only_chat(alone))[-1] == ("assistant", ANSWERED)
    assert not any("recorded" in message.metadata for message in only_chat(alone).messages)
    plain = [{key: value for key, value in one.items() if key != "modelInfo"} for one in OLD]
    assert only_chat(load_workspace([write(tmp_path / "b", {TASK: plain, **BESIDE})])).model == "used"


@pytest.mark.parametrize("bad", [[2, 99], [3, 2], [2], "x", [2, None], {"a": 1}])
def test_a_range_of_no_messages_is_a_problem_and_records_nothing(tmp_path: Path, bad: Any) -> None:
    shown = [{**SHOWN[1], "conversationHistoryDeletedRange": bad}]
    workspace = load_workspace([write(tmp_path, {TASK: OLD, "ui_messages.json": shown})])
    assert ["the first and last" in words for words in loud(workspace)] == [True]
    assert not any("recorded" in message.metadata for message in only_chat(workspace).messages)


def test_a_broken_file_beside_a_task_costs_that_file(tmp_path: Path) -> None:
    folder = write(tmp_path, {TASK: OLD, "ui_messages.json": "{", "task_metadata.json": "[]"})
    workspace = load_workspace([folder])
    assert said(only_chat(workspace))[-1] == ("assistant", ANSWERED)
    assert [Path(one.file).name for one in workspace.problems if one.severity == "warning"] == ["ui_messages.json"]


def test_version_2_of_roo_has_its_thoughts_calls_and_results(tmp_path: Path) -> None:
    workspace = load_workspace([write(tmp_path, {TASK: ROO_2}) / TASK])
    chat = only_chat(workspace)
    assert said(chat) == ROO_SAID
    assert chat.messages[1].thinking == "Look it up."
    assert [call.name for call in chat.messages[1].tool_calls] == ["read_file"]
    assert chat.messages[2].tool_call_id == "c1"
    assert ([source.format for source in workspace.sources], loud(workspace)) == (["cline"], [])


def test_thoughts_without_an_answer_are_not_lost(tmp_path: Path) -> None:
    thought = ROO_2["messages"][1]
    before_user = {
        "version": 2,
        "messages": [ROO_2["messages"][0], thought, {"role": "user", "content": "Hm?", "ts": 9}],
    }
    at_end = {"version": 2, "messages": [ROO_2["messages"][0], thought]}
    for value, roles in ((before_user, ["user", "assistant", "user"]), (at_end, ["user", "assistant"])):
        messages = only_chat(load_workspace([write(tmp_path, {TASK: value}) / TASK])).messages
        assert [message.role for message in messages] == roles
        assert messages[1].thinking == "Look it up."


def test_version_2_keeps_the_marks_of_roo(tmp_path: Path) -> None:
    first, *rest = ROO_2["messages"]
    summary = {"role": "user", "content": "So far", "isSummary": True, "condenseId": "s", "ts": 5}
    value = {"version": 2, "messages": [first, *({**one, "condenseParent": "s"} for one in rest), summary]}
    workspace = load_workspace([write(tmp_path, {TASK: value}) / TASK])
    excluded = [message.excluded for message in only_chat(workspace).messages]
    assert excluded == [False, True, True, True, False]
    assert policy_of(workspace) == "roo_context"


@pytest.mark.parametrize("named", ["folder", "file"])
def test_a_session_of_cline_4_has_its_compaction(tmp_path: Path, named: str) -> None:
    manifest = {"version": 1, "session_id": "s", "model": "first", "metadata": {"title": "Capital"}, "cwd": "/w"}
    files = {"s.messages.json": CLINE_4, "s.compaction.json": CLINE_COMPACTION, "s.json": manifest}
    folder = write(tmp_path / "s", files)
    workspace = load_workspace([folder if named == "folder" else folder / "s.messages.json"])
    chat = only_chat(workspace)
    assert said(chat) == [
        ("user", ASKED),
        ("tool", "Paris"),
        ("user", "Context summary: France."),
        (
            "assistant",
            ANSWERED,
        ),
    ]
    actions = {words: (note or {}).get("action") for words, note in recorded(chat).items()}
    assert actions[ASKED] == "summarized"
    assert (actions["Paris"], actions[ANSWERED]) == ("kept", "kept")
    assert (chat.title, chat.model, policy_of(workspace)) == ("Capital", "model-x", "cline_compact")
    assert workspace.characters[0].system_prompt == "Answer in one word."
    assert loud(workspace) == []


def test_parts_usage_and_pictures_of_cline_4(tmp_path: Path) -> None:
    chat = only_chat(load_workspace([write(tmp_path, {"s.messages.json": CLINE_4})]))
    _, called, answered, _ = chat.messages
    assert (called.thinking, called.tool_calls[0].name) == ("Look it up.", "read_files")
    assert (called.metadata["recorded_prompt_tokens"], called.metadata["recorded_tokens"]) == (30, 5)
    pictures = [part for part in media_of(answered) if isinstance(part, Image)]
    assert [picture.bytes for picture in pictures] == [8, 20000]
    assert all(message.time for message in chat.messages if message.role != "tool")


@pytest.mark.parametrize("number", [5, -1, "x", None])
def test_a_compaction_of_another_state_is_named_and_left_out(tmp_path: Path, number: Any) -> None:
    files = {"s.messages.json": CLINE_4, "s.compaction.json": {**CLINE_COMPACTION, "source_message_count": number}}
    workspace = load_workspace([write(tmp_path, files)])
    assert len(only_chat(workspace).messages) == 4
    assert ["the compaction was left out" in words for words in loud(workspace)] == [True]


def test_sub_agents_of_a_session_are_chats_of_their_own(tmp_path: Path) -> None:
    sub = {**CLINE_4, "agent": "subagent", "taskType": "subagent_task"}
    workspace = load_workspace([write(tmp_path, {"s.messages.json": CLINE_4, "agent_1.messages.json": sub})])
    assert sorted(chat.id for chat in workspace.conversations) == [CLINE_4["sessionId"], "agent_1"]


@pytest.mark.parametrize(("path", "known"), [("/w/map.txt", True), (None, False), (5, False)])
def test_a_file_is_the_text_that_is_sent(tmp_path: Path, path: Any, known: bool) -> None:
    file = {"type": "file", "path": path, "content": "A map of France."}
    value = {**CLINE_4, "messages": [{"role": "user", "content": [file], "id": "a"}]}
    workspace = load_workspace([write(tmp_path, {"s.messages.json": value})])
    (message,) = only_chat(workspace).messages
    assert (
        message.content == f'<file_content path="{path if known else (path or "")}">\nA map of France.\n</file_content>'
    )
    assert ["the path of a file" in words for words in loud(workspace)] == [True] * (not known)


def test_a_compaction_alone_opens_as_what_was_sent(tmp_path: Path) -> None:
    chat = only_chat(load_workspace([write(tmp_path, {"s.compaction.json": CLINE_COMPACTION})]))
    assert said(chat) == [("user", "Context summary: France."), ("tool", "Paris")]

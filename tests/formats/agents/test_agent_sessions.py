"""Sessions of coding agents: what was said, called, thought and summarized, as each program wrote it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import FileSource, built_in_formats, load_workspace
from inspector.formats.registry import candidates
from inspector.model import Conversation, Message, Workspace
from tests.formats.agents.agent_examples import (
    AMP,
    ANSWERED,
    ANTIGRAVITY,
    ASKED,
    COPILOT,
    CURSOR_LINES,
    CURSOR_MESSAGES,
    DROID,
    EXAMPLES,
    KIMI_CONTEXT,
    KIMI_OLD_WIRE,
    KIMI_WIRE,
    OPENCODE,
    OPENHANDS,
    OPENHANDS_OLD,
    PI,
    QWEN,
    REPLAY,
    REPLAY_SENT,
    SWE_AGENT,
    VSCODE,
    VSCODE_LOG,
    VSCODE_ROUNDS,
    cursor_store,
    grok_tables,
    hermes_tables,
    opencode_tables,
)
from tests.formats.agents.test_agent_databases import database_of

FILES = [(kind, name) for kind, files in EXAMPLES.items() for name in files]
_SUMMARY = "Asked for a capital."
_SUMMARIZED = ("qwen_code", "pi", "copilot_cli", "antigravity", "droid", "amp", "opencode", "openhands")


def opened(tmp_path: Path, value: Any) -> Workspace:
    lines = value if isinstance(value, list) else [value]
    content = value if isinstance(value, bytes) else "\n".join(map(json.dumps, lines)).encode()
    (tmp_path / "file").write_bytes(content)
    return load_workspace([tmp_path / "file"])


def only_chat(workspace: Workspace) -> Conversation:
    (chat,) = workspace.conversations
    return chat


def said(chat: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in chat.messages if message.content]


def recorded(chat: Conversation) -> dict[str, Any]:
    return {message.content: message.metadata.get("recorded") for message in chat.messages}


def changed_at(records: list[dict[str, Any]], number: int, **fields: Any) -> list[dict[str, Any]]:
    return [{**record, **fields} if place == number else record for place, record in enumerate(records)]


def with_data(records: list[dict[str, Any]], number: int, **fields: Any) -> list[dict[str, Any]]:
    return changed_at(records, number, data={**records[number]["data"], **fields})


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_each_example_is_surely_of_its_program(tmp_path: Path, kind: str, name: str) -> None:
    workspace = opened(tmp_path, EXAMPLES[kind][name])
    assert [source.format for source in workspace.sources] == [kind]
    found, problems = candidates(FileSource("x", (tmp_path / "file").read_bytes()), built_in_formats())
    assert (found[0].format.name, found[0].is_sure, problems) == (kind, True, [])
    assert not [problem for problem in workspace.problems if problem.severity != "info"]


_ASKED_AND_THOUGHT = [file for file in FILES if file[0] not in ("cursor_cli", "agent_events", "codex_exec")]


@pytest.mark.parametrize(("kind", "name"), _ASKED_AND_THOUGHT)
def test_the_question_the_call_its_result_and_the_answer_are_there(tmp_path: Path, kind: str, name: str) -> None:
    chat = only_chat(opened(tmp_path, EXAMPLES[kind][name]))
    assert ("user", ASKED) in said(chat)
    assert said(chat).index(("tool", "Paris")) < said(chat).index(("assistant", ANSWERED))
    (called,) = [call for message in chat.messages for call in message.tool_calls]
    (result,) = [message for message in chat.messages if message.role == "tool"]
    assert called.id == result.tool_call_id != ""
    assert "capitals.txt" in called.arguments or name == "sent.json"
    if kind != "chat_replay" and name != "trajectory.json":
        assert [message.thinking for message in chat.messages if message.thinking] == ["Look it up."]


@pytest.mark.parametrize("kind", _SUMMARIZED)
def test_what_a_compaction_replaced_is_recorded(tmp_path: Path, kind: str) -> None:
    chat = only_chat(opened(tmp_path, next(iter(EXAMPLES[kind].values()))))
    fates = recorded(chat)
    (summary,) = [message for message in chat.messages if _SUMMARY in message.content]
    assert fates[ASKED] == {"action": "summarized", "by": summary.id}
    assert fates[ANSWERED] == fates[summary.content] == {"action": "kept"}


def messages(tmp_path: Path, value: Any) -> tuple[Message, ...]:
    return only_chat(opened(tmp_path, value)).messages


def test_copilot_is_silent_about_the_beginning_of_a_call_unless_no_message_asks_for_it(tmp_path: Path) -> None:
    told = {"toolCallId": "c1", "toolName": "view", "arguments": {"command": "cat the capitals"}}
    begun = {**COPILOT[5], "id": "e5b", "type": "tool.execution_start", "data": told}
    before = {one.message for one in opened(tmp_path, COPILOT).problems}
    after = {one.message for one in opened(tmp_path, [*COPILOT[:5], begun, *COPILOT[5:]]).problems} - before
    assert [one for one in after if "left out" not in one or "no message" in one] == []
    other = {**begun, "data": {**told, "toolCallId": "c9"}}
    after = {one.message for one in opened(tmp_path, [*COPILOT[:5], other, *COPILOT[5:]]).problems}
    assert "1 call began that no message asks for; left out" in after


def test_blocks_that_antigravity_puts_around_a_request_are_no_lost_text(tmp_path: Path) -> None:
    content = (
        f"{ANTIGRAVITY[0]['content']}\n<USER_SETTINGS_CHANGE>\nThe user changed a setting.\n</USER_SETTINGS_CHANGE>"
    )
    problems = opened(tmp_path, [{**ANTIGRAVITY[0], "content": content}, *ANTIGRAVITY[1:]]).problems
    assert [one.message for one in problems if "did not read" in one.message] == []
    assert any("blocks of the program" in one.message for one in problems)


def test_copilot_tells_usage_files_and_what_was_sent_around_a_message(tmp_path: Path) -> None:
    workspace = opened(tmp_path, COPILOT)
    chat = only_chat(workspace)
    asked, called, *_ = chat.messages
    assert (chat.id, chat.model, chat.context_window) == ("s1", "gpt-5", 200)
    assert asked.metadata["files"] == ["a.txt"]
    assert (called.metadata["recorded_prompt_tokens"], called.metadata["recorded_tokens"]) == (25, 6)
    assert any("transformedContent" in problem.message for problem in workspace.problems)


def test_the_work_of_a_sub_agent_of_copilot_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    lines = with_data(COPILOT, 7, parentToolCallId="c1", content="Found it.")
    main, sub = opened(tmp_path, lines).conversations
    assert said(sub) == [("assistant", "Found it.")]
    assert sub.id == "s1/c1"
    assert ("user", ASKED) in said(main)


def test_copilot_goes_back_to_before_an_event_and_keeps_the_branch(tmp_path: Path) -> None:
    rewind = {**COPILOT[8], "type": "session.snapshot_rewind", "data": {"upToEventId": "e7", "eventsRemoved": 1}}
    again = {**COPILOT[7], "id": "e9", "data": {"content": "Rome."}}
    chat = only_chat(opened(tmp_path, [*COPILOT[:8], rewind, again]))
    assert said(chat)[-1] == ("assistant", "Rome.")
    assert chat.tree is not None
    assert [one.content for one in chat.tree.messages].count(ANSWERED) == 1


def test_a_failed_compaction_of_copilot_replaces_nothing_and_a_failed_call_says_why(tmp_path: Path) -> None:
    failed = with_data(with_data(COPILOT, 6, success=False), 5, success=False, result=None, error={"message": "No."})
    found = messages(tmp_path, failed)
    assert not any("recorded" in message.metadata for message in found)
    (result,) = [message for message in found if message.role == "tool"]
    assert (result.content, result.metadata) == ("No.", {"is_error": True})


def test_a_picture_sent_to_copilot_is_a_picture(tmp_path: Path) -> None:
    blob = {"type": "blob", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    asked = messages(tmp_path, with_data(COPILOT, 2, attachments=[blob]))[0]
    assert asked.images == 1


def test_qwen_keeps_branches_titles_and_usage(tmp_path: Path) -> None:
    title = {**QWEN[4], "subtype": "custom_title", "systemPayload": {"customTitle": "Capitals"}}
    other = {**QWEN[3], "uuid": "u9", "message": {"role": "model", "parts": [{"text": "Lyon."}]}}
    chat = only_chat(opened(tmp_path, [*QWEN[:3], other, QWEN[3], title]))
    assert chat.title == "Capitals"
    assert said(chat)[-1] == ("assistant", ANSWERED)
    assert chat.tree is not None
    assert "Lyon." in [one.content for one in chat.tree.messages]
    assert chat.messages[1].metadata["recorded_cached_tokens"] == 8


def test_messages_of_a_compressed_history_of_qwen_that_are_in_the_session_were_kept(tmp_path: Path) -> None:
    chat = only_chat(opened(tmp_path, QWEN))
    assert said(chat)[-2:] == [("user", _SUMMARY), ("assistant", "Got it.")]
    assert [one.content for one in chat.messages].count(ANSWERED) == 1


def test_work_of_a_sub_agent_of_qwen_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    aside = {**QWEN[3], "uuid": "x", "parentUuid": None, "agentId": "explore", "isSidechain": True}
    main, sub = opened(tmp_path, [*QWEN[:4], aside]).conversations
    assert (len(main.messages), said(sub)) == (4, [("assistant", ANSWERED)])


def test_a_record_of_qwen_that_cannot_be_read_takes_nothing_else_with_it(tmp_path: Path) -> None:
    workspace = opened(tmp_path, [QWEN[0], *QWEN[2:4]])
    assert [text for _, text in said(only_chat(workspace))] == [ASKED, "Paris", ANSWERED]
    told = [problem.message for problem in workspace.problems if problem.severity == "warning"]
    assert len(told) == 2
    assert "follows the one before" in told[0]
    assert "answers the call" in told[1]


def test_pi_counts_tokens_of_the_cache_beside_the_others(tmp_path: Path) -> None:
    called = messages(tmp_path, PI)[1]
    assert (called.metadata["recorded_prompt_tokens"], called.metadata["recorded_cached_tokens"]) == (42, 30)


def test_pi_of_version_1_has_no_ids_and_numbers_what_it_kept(tmp_path: Path) -> None:
    old = [{key: value for key, value in one.items() if key not in ("id", "parentId", "version")} for one in PI[1:]]
    old[-1] = {**{key: value for key, value in old[-1].items() if key != "firstKeptEntryId"}, "firstKeptEntryIndex": 5}
    chat = only_chat(opened(tmp_path, [{**PI[0], "version": 1}, *old]))
    fates = recorded(chat)
    assert (fates[ASKED]["action"], fates[ANSWERED]["action"]) == ("summarized", "kept")


def test_a_command_that_pi_kept_from_the_model_is_excluded(tmp_path: Path) -> None:
    run = {"role": "bashExecution", "command": "ls", "output": "a.txt", "exitCode": 1, "excludeFromContext": True}
    lines = [*PI[:3], {**PI[3], "message": run}, {**PI[4], "message": {**run, "excludeFromContext": False}}]
    _, hidden, sent = messages(tmp_path, lines)
    assert (hidden.excluded, hidden.metadata["recorded"]["action"], sent.excluded) == (True, "dropped", False)
    assert sent.content == "Ran `ls`\n```\na.txt\n```\n\nCommand exited with code 1"


def test_pi_sends_summaries_of_branches_and_own_messages_as_the_users(tmp_path: Path) -> None:
    branch = {**PI[5], "type": "branch_summary", "id": "g", "parentId": "b", "summary": "Tried Lyon."}
    own = {**PI[5], "type": "custom_message", "id": "h", "parentId": "g", "content": "Mind the map."}
    chat = only_chat(opened(tmp_path, [*PI[:6], branch, own]))
    assert said(chat) == [("user", ASKED), ("user", "Tried Lyon."), ("user", "Mind the map.")]
    assert chat.tree is not None


def test_openclaw_names_the_session_and_calls_as_parents(tmp_path: Path) -> None:
    call = next(part["id"] for part in PI[3]["message"]["content"] if part["type"] == "toolCall")
    lines = [PI[0], {**PI[1], "parentId": "p1"}, {**PI[2], "parentId": "p1"}, PI[3], {**PI[4], "parentId": call}]
    workspace = opened(tmp_path, [*lines, *PI[5:6]])
    assert [role for role, _ in said(only_chat(workspace))] == ["user", "tool", "assistant"]
    assert not [one for one in workspace.problems if one.severity != "info"]


def test_what_pi_prints_in_json_is_its_messages(tmp_path: Path) -> None:
    events = [{"type": kind, "message": one["message"]} for one in PI[2:6] for kind in ("message_start", "message_end")]
    printed = [{"type": "session", "version": 3, "id": "p9"}, {"type": "agent_start"}, *events, {"type": "agent_end"}]
    workspace = opened(tmp_path, printed)
    assert [source.format for source in workspace.sources] == ["pi"]
    assert said(only_chat(workspace)) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]


def test_a_first_kept_entry_that_is_not_there_is_said(tmp_path: Path) -> None:
    workspace = opened(tmp_path, changed_at(PI, 6, firstKeptEntryId="gone"))
    assert any('is "gone"' in problem.message for problem in workspace.problems)
    assert recorded(only_chat(workspace))[ANSWERED]["action"] == "summarized"


def test_antigravity_writes_arguments_twice_in_its_shorter_transcript(tmp_path: Path) -> None:
    calls = [{"name": "view_file", "args": {"AbsolutePath": '"/capitals.txt"', "IsArtifact": "false"}}]
    called = messages(tmp_path, changed_at(ANTIGRAVITY, 2, tool_calls=calls))[1]
    assert json.loads(called.tool_calls[0].arguments) == {"AbsolutePath": "/capitals.txt", "IsArtifact": False}


def test_blocks_that_antigravity_puts_around_a_request_are_said(tmp_path: Path) -> None:
    setting = "The user changed setting `Model Selection` from None to Gemini 3.5 Flash (High). No need to comment."
    content = f"{ANTIGRAVITY[0]['content']}\n<USER_SETTINGS_CHANGE>\n{setting}\n</USER_SETTINGS_CHANGE>"
    workspace = opened(tmp_path, changed_at(ANTIGRAVITY, 0, content=content))
    chat = only_chat(workspace)
    assert (chat.messages[0].content, chat.model) == (ASKED, "Gemini 3.5 Flash (High)")
    assert any("blocks of the program" in problem.message for problem in workspace.problems)


def test_antigravity_names_its_conversations_by_their_folders(tmp_path: Path) -> None:
    folder = tmp_path / "brain" / "g1" / ".system_generated" / "logs"
    folder.mkdir(parents=True)
    (folder / "transcript.jsonl").write_text("\n".join(map(json.dumps, ANTIGRAVITY)))
    for opening in (folder, folder / "transcript.jsonl"):
        assert only_chat(load_workspace([opening])).id == "g1"


def test_vscode_is_read_equal_from_its_three_layouts(tmp_path: Path) -> None:
    shown, logged = (only_chat(opened(tmp_path, value)) for value in (VSCODE, VSCODE_LOG))
    assert shown == logged
    assert (shown.id, shown.title, shown.model) == ("v1", "Capitals", "copilot/gpt-5")
    assert shown.messages[0].metadata["files"] == ["capitals.txt"]
    rounds = [one for one in said(only_chat(opened(tmp_path, VSCODE_ROUNDS))) if one[1] != _SUMMARY]
    assert rounds == said(shown)


def test_a_summary_of_vscode_stands_for_its_round_and_all_before(tmp_path: Path) -> None:
    fates = recorded(only_chat(opened(tmp_path, VSCODE_ROUNDS)))
    assert fates["Paris"]["action"] == "summarized"
    assert fates[ANSWERED] == {"action": "kept"}


def vscode_with(**fields: Any) -> dict[str, Any]:
    return {**VSCODE, "requests": [{**VSCODE["requests"][0], **fields}]}


def test_vscode_has_prompts_as_text_taken_back_and_with_pictures(tmp_path: Path) -> None:
    pixels = {"0": 137, "1": 80, "2": 78, "3": 71}
    variables = {"variables": [{"kind": "image", "name": "a.png", "value": pixels, "mimeType": "image/png"}]}
    asked, *others = messages(tmp_path, vscode_with(message=ASKED, isHidden=True, variableData=variables))
    assert (asked.content, asked.excluded, asked.images) == (ASKED, True, 1)
    assert all(message.excluded for message in others)


def test_the_usage_of_a_request_of_vscode_is_that_of_its_last_answer(tmp_path: Path) -> None:
    *_, last = messages(tmp_path, vscode_with(promptTokens=100, completionTokens=20))
    assert (last.metadata["recorded_prompt_tokens"], last.metadata["recorded_tokens"]) == (100, 20)
    assert last.metadata["model"] == "copilot/gpt-5"
    first, *_ = messages(tmp_path, vscode_with(promptTokens=100, completionTokens=20, response=[]))
    assert "recorded_prompt_tokens" not in first.metadata


def test_a_tree_of_a_prompt_in_a_result_of_vscode_is_its_text(tmp_path: Path) -> None:
    node = {"type": 1, "children": [{"type": 2, "text": "Par"}, {"type": 2, "text": "is", "lineBreakBefore": False}]}
    request = VSCODE_ROUNDS["requests"][0]
    metadata = {**request["result"]["metadata"], "toolCallResults": {"c1": {"content": [{"value": {"node": node}}]}}}
    found = messages(tmp_path, {**VSCODE_ROUNDS, "requests": [{**request, "result": {"metadata": metadata}}]})
    assert "Paris" in [message.content for message in found if message.role == "tool"]


def test_text_of_vscode_after_the_last_round_is_not_lost(tmp_path: Path) -> None:
    request = VSCODE_ROUNDS["requests"][0]
    metadata = {**request["result"]["metadata"], "toolCallRounds": request["result"]["metadata"]["toolCallRounds"][:1]}
    chat = only_chat(opened(tmp_path, {**VSCODE_ROUNDS, "requests": [{**request, "result": {"metadata": metadata}}]}))
    assert said(chat)[-1] == ("assistant", ANSWERED)


def test_a_change_that_does_not_fit_a_session_of_vscode_is_said(tmp_path: Path) -> None:
    odd = [
        {"kind": 2, "k": ["requests", 7, "response"], "v": [1]},
        {"kind": 9, "k": ["x"]},
        {"kind": 1, "k": [], "v": 5},
    ]
    workspace = opened(tmp_path, [*VSCODE_LOG, *odd[:2]])
    assert len([problem for problem in workspace.problems if "expected a change" in problem.message]) == 2
    assert ("assistant", ANSWERED) in said(only_chat(workspace))


def test_a_replay_is_the_conversation_as_it_was_sent(tmp_path: Path) -> None:
    workspace = opened(tmp_path, REPLAY_SENT)
    assert workspace.characters[0].system_prompt == "Answer in one word."
    assert only_chat(workspace).messages[-1].metadata["recorded_prompt_tokens"] == 20
    prompt = REPLAY["prompts"][0]
    assert said(only_chat(opened(tmp_path, prompt))) == said(only_chat(workspace))


def test_the_store_of_cursor_is_read_by_its_root(tmp_path: Path) -> None:
    workspace = opened(tmp_path, database_of(cursor_store()))
    chat = only_chat(workspace)
    assert [source.format for source in workspace.sources] == ["cursor_cli"]
    assert (chat.id, chat.title, chat.model) == ("k1", "Capitals", "gpt-5")
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert workspace.characters[0].system_prompt == "Answer in one word."
    assert any("1 messages of earlier states" in problem.message for problem in workspace.problems)


def test_the_store_of_cursor_without_a_root_shows_all_messages(tmp_path: Path) -> None:
    workspace = opened(tmp_path, database_of(cursor_store(CURSOR_MESSAGES[1:], rooted=False)))
    assert said(only_chat(workspace)) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert any("names no root" in problem.message for problem in workspace.problems)


def test_a_transcript_of_cursor_is_its_lines(tmp_path: Path) -> None:
    assert said(only_chat(opened(tmp_path, CURSOR_LINES))) == [("user", ASKED), ("assistant", ANSWERED)]


@pytest.mark.parametrize("lines", [KIMI_CONTEXT, KIMI_WIRE])
def test_kimi_has_its_system_prompt(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    workspace = opened(tmp_path, lines)
    assert workspace.characters[0].system_prompt == "Answer in one word."


def test_a_compaction_of_kimi_replaces_the_first_messages(tmp_path: Path) -> None:
    chat = only_chat(opened(tmp_path, KIMI_WIRE))
    fates = recorded(chat)
    assert [fates[text]["action"] for text in (ASKED, "Paris", ANSWERED, _SUMMARY)] == ["summarized"] * 2 + ["kept"] * 2
    assert chat.messages[3].metadata["recorded_prompt_tokens"] == 42


@pytest.mark.parametrize(
    ("head", "kept"), [({}, ["Second.", "Third."]), ({"keptHeadUserMessageCount": 1}, [ASKED, "Third."])]
)
def test_a_newer_compaction_of_kimi_keeps_messages_of_the_user(
    tmp_path: Path, head: dict[str, Any], kept: list[str]
) -> None:
    told = [{**KIMI_WIRE[2], "message": {"role": "user", "content": text}} for text in ("Second.", "Third.")]
    injected = {"role": "user", "content": "Remember.", "origin": {"kind": "injection"}}
    compaction = {**KIMI_WIRE[-2], "contextSummary": "What was sent.", "keptUserMessageCount": 2, **head}
    lines = [*KIMI_WIRE[:-2], *told, {**KIMI_WIRE[2], "message": injected}, compaction]
    fates = recorded(only_chat(opened(tmp_path, lines)))
    assert [text for text, fate in fates.items() if fate["action"] == "kept"] == [*kept, "What was sent."]
    assert fates["Remember."]["action"] == fates["Paris"]["action"] == "summarized"


def test_the_older_wire_of_kimi_has_usage_and_arguments_in_pieces(tmp_path: Path) -> None:
    found = messages(tmp_path, KIMI_OLD_WIRE)
    assert json.loads(found[1].tool_calls[0].arguments) == {"path": "capitals.txt"}
    assert found[-1].metadata["recorded_prompt_tokens"] == 42


def test_kimi_takes_turns_back_and_begins_anew(tmp_path: Path) -> None:
    again = {**KIMI_WIRE[2], "message": {"role": "user", "content": "And of Italy?"}}
    undone = only_chat(opened(tmp_path, [*KIMI_WIRE[:11], {"type": "context.undo", "count": 1, "time": 1}, again]))
    cleared = only_chat(opened(tmp_path, [*KIMI_WIRE[:11], {"type": "context.clear", "time": 1}, again]))
    for chat in (undone, cleared):
        assert said(chat) == [("user", "And of Italy?")]
        assert chat.tree is not None
        assert len(chat.tree.messages) == 5


def test_droid_keeps_what_its_compaction_did_not_remove_and_older_ones_tell_no_number(tmp_path: Path) -> None:
    old = {
        "type": "compaction_state",
        "timestamp": "2026-05-01T10:00:05Z",
        "summary": {"title": "Capitals", "body": _SUMMARY},
    }
    chat = only_chat(opened(tmp_path, [{"type": "session_start", "session": {"id": "d9"}}, *DROID[1:5], old]))
    assert chat.id == "d9"
    assert recorded(chat)[ANSWERED]["action"] == "summarized"
    assert chat.messages[-1].content == f"Capitals\n{_SUMMARY}"


@pytest.mark.parametrize(
    ("run", "text"),
    [
        ({"status": "error", "error": {"message": "No file."}}, "No file."),
        ({"status": "done", "result": {"lines": 2}}, '{"lines":2}'),
        ({"status": "cancelled"}, "cancelled"),
        ({"status": "done", "progress": "half"}, "half"),
    ],
)
def test_a_result_of_amp_is_that_of_its_run(tmp_path: Path, run: dict[str, Any], text: str) -> None:
    block = {"type": "tool_result", "toolUseID": "c1", "run": run}
    results = [{**one, "content": [block]} if one["messageId"] == 2 else one for one in AMP["messages"]]
    (result,) = [one for one in messages(tmp_path, {**AMP, "messages": results}) if one.role == "tool"]
    assert result.content.replace(" ", "") == text.replace(" ", "")


def test_the_database_of_opencode_is_read_like_its_export(tmp_path: Path) -> None:
    exported, stored = (only_chat(opened(tmp_path, value)) for value in (OPENCODE, database_of(opencode_tables())))
    assert (stored.messages, stored.title, stored.model) == (exported.messages, exported.title, exported.model)
    assert exported.messages[1].metadata["recorded_prompt_tokens"] == 42


def test_messages_of_opencode_without_their_session_are_said_and_shown(tmp_path: Path) -> None:
    workspace = opened(tmp_path, database_of({**opencode_tables(), "session": [{"id": "ses_2", "title": "x"}]}))
    assert only_chat(workspace).id == "ses_1"
    assert any("which is not there" in problem.message for problem in workspace.problems)


def test_what_opencode_ignored_or_cleared_was_not_sent(tmp_path: Path) -> None:
    first, called, *others = OPENCODE["messages"]
    hidden = {**first, "parts": [*first["parts"], {"type": "text", "text": "Hidden", "ignored": True}]}
    state = {**called["parts"][2]["state"], "time": {"compacted": 5}}
    cleared = {**called, "parts": [{**part, "state": state} if "state" in part else part for part in called["parts"]]}
    found = messages(tmp_path, {**OPENCODE, "messages": [hidden, cleared, *others]})
    assert [message.content for message in found if message.role in ("user", "tool")][:2] == [
        ASKED,
        "[Old tool result content cleared]",
    ]


def test_files_of_the_storage_of_opencode_are_named(tmp_path: Path) -> None:
    part = {"id": "prt_1", "messageID": "msg_1", "sessionID": "ses_1", "type": "text", "text": "Hi"}
    for value in (part, OPENCODE["messages"][0]["info"], {**OPENCODE["info"], "projectID": "p", "directory": "/"}):
        (problem,) = opened(tmp_path, value).problems
        assert "of opencode" in problem.message


def test_events_of_openhands_are_read_as_a_list_as_lines_and_one_by_one(tmp_path: Path) -> None:
    listed = only_chat(opened(tmp_path, OPENHANDS)).messages
    (tmp_path / "file").write_text(json.dumps(OPENHANDS))
    assert only_chat(load_workspace([tmp_path / "file"])).messages == listed
    assert said(only_chat(opened(tmp_path, OPENHANDS[1]))) == [("user", ASKED)]


def test_an_older_trajectory_of_openhands_has_its_usage_and_forgets_a_range(tmp_path: Path) -> None:
    chat = only_chat(opened(tmp_path, {"trajectory": OPENHANDS_OLD}))
    assert (chat.model, chat.messages[1].metadata["recorded_prompt_tokens"]) == ("gpt-5", 20)
    assert recorded(chat)["Paris"]["action"] == "summarized"
    bare = [{key: value for key, value in one.items() if key != "tool_call_metadata"} for one in OPENHANDS_OLD]
    found = messages(tmp_path, {"history": bare})
    assert found[1].tool_calls[0].id == found[2].tool_call_id == "event2"
    assert json.loads(found[1].tool_calls[0].arguments) == {"path": "capitals.txt"}


def test_a_trajectory_of_swe_agent_without_a_history_is_its_steps(tmp_path: Path) -> None:
    steps = {key: value for key, value in SWE_AGENT.items() if key != "history"}
    assert said(only_chat(opened(tmp_path, steps))) == [("assistant", "Look."), ("user", "Paris")]
    assert opened(tmp_path, SWE_AGENT).characters[0].system_prompt == "Answer in one word."


def test_the_database_of_grok_cli_has_usage_and_compactions(tmp_path: Path) -> None:
    workspace = opened(tmp_path, database_of(grok_tables()))
    chat = only_chat(workspace)
    assert ([source.format for source in workspace.sources], chat.title, chat.model) == (
        ["grok_cli"],
        "Capitals",
        "grok-4",
    )
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED), ("user", _SUMMARY)]
    assert [recorded(chat)[text]["action"] for text in (ASKED, "Paris", ANSWERED)] == [
        "summarized",
        "summarized",
        "kept",
    ]
    assert chat.messages[3].metadata["recorded_prompt_tokens"] == 20


def test_the_database_of_hermes_keeps_what_was_taken_back_as_a_branch(tmp_path: Path) -> None:
    workspace = opened(tmp_path, database_of(hermes_tables()))
    chat = only_chat(workspace)
    assert ([source.format for source in workspace.sources], chat.title, chat.model) == (
        ["hermes"],
        "Capitals",
        "hermes-4",
    )
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert chat.tree is not None
    assert "Lyon." in [message.content for message in chat.tree.messages]
    assert (chat.messages[1].thinking, workspace.characters[0].system_prompt) == ("Look it up.", "Answer in one word.")


def test_a_broken_column_of_a_database_costs_one_message(tmp_path: Path) -> None:
    tables = grok_tables()
    tables["messages"][1]["message_json"] = "{"
    workspace = opened(tmp_path, database_of(tables))
    assert said(only_chat(workspace))[:2] == [("tool", "Paris"), ("assistant", ANSWERED)]
    assert any("expected an object as JSON" in problem.message for problem in workspace.problems)


def test_early_sessions_of_qwen_code_are_those_of_gemini_with_answers_of_its_own(tmp_path: Path) -> None:
    listed = [{"id": "1", "type": "user", "content": ASKED}, {"id": "2", "type": "qwen", "content": ANSWERED}]
    workspace = opened(tmp_path, {"sessionId": "s", "projectHash": "h", "messages": listed})
    assert [source.format for source in workspace.sources] == ["gemini_cli"]
    assert said(only_chat(workspace)) == [("user", ASKED), ("assistant", ANSWERED)]


ROLES: dict[str, Callable[[], Any]] = {
    "qwen": lambda: changed_at(QWEN[:4], 3, message={"role": "oracle", "parts": [{"text": "?"}]}),
    "pi": lambda: changed_at(PI[:6], 5, message={"role": "oracle", "content": "?"}),
    "droid": lambda: changed_at(DROID[:5], 4, message={"role": "oracle", "content": []}),
    "amp": lambda: {**AMP, "messages": [*AMP["messages"][:3], {**AMP["messages"][4], "role": "oracle"}]},
    "kimi": lambda: changed_at(KIMI_CONTEXT, 5, role="oracle"),
    "cursor": lambda: changed_at(CURSOR_LINES, 1, role="oracle"),
}


@pytest.mark.parametrize("name", ROLES)
def test_a_message_of_an_unknown_role_is_a_problem_and_the_others_stay(tmp_path: Path, name: str) -> None:
    workspace = opened(tmp_path, ROLES[name]())
    assert ("user", ASKED) in said(only_chat(workspace))
    assert any("oracle" in problem.message for problem in workspace.problems)


_OF_TYPES = [(kind, name) for kind, name in FILES if name.endswith(".jsonl") and kind != "vscode_chat"]


@pytest.mark.parametrize(("kind", "name"), _OF_TYPES)
def test_records_of_unknown_types_are_named(tmp_path: Path, kind: str, name: str) -> None:
    lines = EXAMPLES[kind][name]
    head = lines[-1] if kind == "qwen_code" else {"source": "X"}
    odd = {**head, "type": "hologram", "subtype": "hologram", **({"kind": "hologram"} if kind == "openhands" else {})}
    workspace = opened(tmp_path, [*lines, odd])
    assert any("hologram" in problem.message and problem.severity == "warning" for problem in workspace.problems)


def test_files_of_the_same_marks_and_no_messages_are_refused(tmp_path: Path) -> None:
    for value in (COPILOT[:2], [PI[0]], [DROID[0]], {**VSCODE, "requests": []}, ANTIGRAVITY[1:2]):
        workspace = opened(tmp_path, value)
        assert (workspace.sources, [problem.severity for problem in workspace.problems][:1]) == ((), ["error"])


def test_small_files_of_each_kind_are_right(data_folder: Path) -> None:
    folder = data_folder.parent / "trials" / "unseen"
    names = ("copilot_cli_events", "qwen_code_session", "pi_agent_session", "antigravity_transcript")
    files = [folder / f"{name}.jsonl" for name in names]
    if not all(file.exists() for file in files):
        pytest.skip("the small files are not here")
    for file in files:
        chat = only_chat(load_workspace([file]))
        assert said(chat)[0] == ("user", ASKED)
        assert ("assistant", ANSWERED) in said(chat)

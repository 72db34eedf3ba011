"""Sessions of Goose and Crush: databases, logs and exports of their versions, and their compactions."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.model import Conversation, DocumentPart, Image, Message, Result, Unknown, Workspace
from tests.formats.agents.goose_and_crush_examples import (
    ANSWERED,
    ASKED,
    CRUSH_SHOWN,
    FOR_AGENT,
    GOOSE_EXPORT,
    GOOSE_LOG,
    GOOSE_MESSAGES,
    HIDDEN,
    PIXEL,
    SUMMARY,
    TEXT_FILE,
    crush_row,
    crush_tables,
    goose_tables,
    text,
)
from tests.formats.agents.goose_and_crush_examples import said as goose
from tests.formats.agents.test_agent_databases import database_of

Tables = dict[str, list[dict[str, Any]]]


def opened(tmp_path: Path, value: Any, name: str = "file") -> Workspace:
    lines = value if isinstance(value, list) else [value]
    content = value if isinstance(value, bytes) else "\n".join(map(json.dumps, lines)).encode()
    (tmp_path / name).write_bytes(content)
    return load_workspace([tmp_path / name])


def chat_of(tmp_path: Path, value: Any, kind: str) -> Conversation:
    workspace = opened(tmp_path, value)
    assert [source.format for source in workspace.sources] == [kind]
    (chat,) = workspace.conversations
    return chat


def said(chat: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in chat.messages if message.content]


def warnings(workspace: Workspace) -> list[str]:
    return [one.message for one in workspace.problems if one.severity != "info"]


def fates(chat: Conversation) -> dict[str, Any]:
    return {one.content: one.metadata["recorded"] for one in chat.messages if "recorded" in one.metadata}


def goose_chat(tmp_path: Path, *messages: dict[str, Any]) -> Conversation:
    return chat_of(tmp_path, {**GOOSE_EXPORT, "conversation": list(messages)}, "goose")


@pytest.mark.parametrize("value", [database_of(goose_tables()), GOOSE_EXPORT], ids=["database", "export"])
def test_what_goose_summarized_is_recorded_and_the_summary_is_sent(tmp_path: Path, value: Any) -> None:
    chat = chat_of(tmp_path, value, "goose")
    found = fates(chat)
    summary = next(one for one in chat.messages if one.content == SUMMARY)
    assert found[ASKED] == found["Paris"] == {"action": "summarized", "by": summary.id}
    assert found[SUMMARY] == found[ANSWERED] == {"action": "kept"}
    assert (chat.title, chat.model) == ("Capitals", "claude-x")


def test_goose_tells_its_window_its_instructions_and_the_usage_of_the_last_request(tmp_path: Path) -> None:
    chat = chat_of(tmp_path, GOOSE_EXPORT, "goose")
    assert chat.context_window == 200_000
    told = chat.messages[-1].metadata
    assert (told["recorded_prompt_tokens"], told["recorded_tokens"]) == (20, 2)
    workspace = opened(tmp_path, database_of(goose_tables()))
    assert [one.system_prompt for one in workspace.characters] == ["Answer in one word."]


def test_usage_of_a_session_of_goose_that_ends_with_a_question_belongs_to_no_answer(tmp_path: Path) -> None:
    chat = goose_chat(tmp_path, *GOOSE_MESSAGES, goose(7, "user", text("And Spain?")))
    assert not any("recorded_tokens" in one.metadata for one in chat.messages)


def test_a_log_of_goose_has_the_last_of_each_message_and_what_is_for_the_user_alone_is_left_out(tmp_path: Path) -> None:
    workspace = opened(tmp_path, GOOSE_LOG)
    (chat,) = workspace.conversations
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert any("1 block for the user alone" in one.message for one in workspace.problems)
    assert warnings(workspace) == []


def test_a_log_of_goose_without_its_first_line_opens(tmp_path: Path) -> None:
    assert said(chat_of(tmp_path, GOOSE_LOG[1:], "goose"))[0] == ("user", ASKED)
    (chat,) = opened(tmp_path, [GOOSE_LOG[1], GOOSE_LOG[-1]]).conversations
    assert said(chat) == [("user", ASKED), ("assistant", ANSWERED)]


def test_goose_summarized_twice(tmp_path: Path) -> None:
    gone = {"userVisible": False, "agentVisible": False}
    first = [{**one, "metadata": gone} for one in GOOSE_MESSAGES[3:5]]
    then = [
        goose(7, "user", text("Second summary."), **FOR_AGENT),
        goose(8, "assistant", text("Go on."), **FOR_AGENT),
        goose(9, "user", text("And Spain?")),
    ]
    past = {**GOOSE_MESSAGES[5], "metadata": HIDDEN}
    found = fates(goose_chat(tmp_path, *GOOSE_MESSAGES[:3], *first, past, *then))
    assert found[ASKED]["action"] == found[SUMMARY]["action"] == found[ANSWERED]["action"] == "summarized"
    assert found[ASKED]["by"] != found[SUMMARY]["by"] == found[ANSWERED]["by"]
    assert found["Second summary."] == found["And Spain?"] == {"action": "kept"}


def test_what_goose_hides_from_the_agent_since_its_last_summary_was_not_sent(tmp_path: Path) -> None:
    chat = goose_chat(tmp_path, GOOSE_LOG[1], {**GOOSE_LOG[-1], "metadata": HIDDEN}, goose(7, "user", text("Again")))
    assert [(one.content, one.excluded) for one in chat.messages] == [
        (ASKED, False),
        (ANSWERED, True),
        ("Again", False),
    ]


def result_of(tmp_path: Path, told: Any) -> tuple[Message, Workspace]:
    response = goose(3, "user", {"type": "toolResponse", "id": "c1", "toolResult": told})
    workspace = opened(tmp_path, {**GOOSE_EXPORT, "conversation": [*GOOSE_LOG[1:3], response]})
    (message,) = [one for one in workspace.conversations[0].messages if one.role == "tool"]
    return message, workspace


def test_results_of_goose_have_pictures_resources_and_errors(tmp_path: Path) -> None:
    resource = {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "A page."}}
    blob = {"type": "resource", "resource": {"uri": "file:///a.png", "mimeType": "image/png", "blob": PIXEL}}
    image = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    link = {"type": "resource_link", "uri": "file:///b.txt", "name": "b"}
    message, workspace = result_of(tmp_path, {"status": "success", "value": {"content": [resource, image, blob, link]}})
    (result,) = message.parts
    assert isinstance(result, Result)
    assert result.content == "A page."
    assert [type(one) for one in result.parts] == [Image, Image, DocumentPart]
    assert warnings(workspace) == []
    failed, _ = result_of(tmp_path, {"status": "error", "error": "-32603: No such tool"})
    assert failed.content == "-32603: No such tool"
    assert "expected the blocks of a result, found none; it is empty" in warnings(result_of(tmp_path, {"x": 1})[1])


def test_a_call_that_goose_could_not_read_is_named(tmp_path: Path) -> None:
    bad = goose(2, "assistant", {"type": "toolRequest", "id": "c", "toolCall": {"status": "error", "error": "-1: Bad"}})
    workspace = opened(tmp_path, {**GOOSE_EXPORT, "conversation": [GOOSE_LOG[1], bad]})
    assert ("tool", "-1: Bad") in said(workspace.conversations[0])
    assert any("holds no call that Goose could read" in one for one in warnings(workspace))


def test_marks_on_the_screen_of_goose_are_counted_and_unknown_blocks_named(tmp_path: Path) -> None:
    marks = [
        {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "Compacted"},
        {"type": "contextLengthExceeded", "msg": "Too long"},
        {"type": "toolConfirmationRequest", "id": "c1", "toolName": "shell", "arguments": {}, "prompt": None},
    ]
    unknown = {"type": "hologram", "content": "Lost it."}
    blocks = [text("Hi"), *marks, unknown, {"type": "reasoning", "text": "Hm."}]
    workspace = opened(tmp_path, {**GOOSE_EXPORT, "conversation": [goose(1, "assistant", *blocks)]})
    (message,) = workspace.conversations[0].messages
    assert (message.content, message.thinking) == ("Hi", "Hm.")
    assert any(isinstance(one, Unknown) for one in message.parts)
    assert any("hologram" in one for one in warnings(workspace))
    assert any("systemNotification" in one.message for one in workspace.problems)


def test_the_sessions_of_subagents_of_goose_are_conversations(tmp_path: Path) -> None:
    child = {**GOOSE_EXPORT, "id": "sub", "name": "Look", "conversation": GOOSE_LOG[1:]}
    artifact = {"path": "/spill.txt", "sha256": "a", "content": "A long output."}
    workspace = opened(tmp_path, {**GOOSE_EXPORT, "child_sessions": [child], "artifacts": [artifact]})
    assert [one.id for one in workspace.conversations] == ["20260501_1", "sub"]
    assert warnings(workspace) == []


def test_a_table_of_goose_of_the_first_version_and_a_row_that_cannot_be_read(tmp_path: Path) -> None:
    tables: Tables = goose_tables()
    for row in tables["messages"]:
        del row["message_id"], row["metadata_json"]
    for row in tables["sessions"]:
        row["description"], row["name"] = row["name"], ""
    tables["messages"][3]["content_json"] = "["
    workspace = opened(tmp_path, database_of(tables))
    (chat,) = workspace.conversations
    assert (chat.title, len(chat.messages)) == ("Capitals", 5)
    assert any("expected a list as JSON" in one for one in warnings(workspace))


def test_what_crush_summarized_is_recorded(tmp_path: Path) -> None:
    chat = chat_of(tmp_path, database_of(crush_tables()), "crush")
    found = fates(chat)
    assert found[ASKED] == found["Paris"] == {"action": "summarized", "by": "m4"}
    assert found[SUMMARY] == found[ANSWERED] == {"action": "kept"}
    assert [one.role for one in chat.messages if one.content == SUMMARY] == ["user"]
    assert (chat.title, chat.model, chat.messages[1].thinking) == ("Capitals", "gpt-x", "Look it up.")


def test_a_summary_of_crush_of_older_versions_is_named_by_its_session_alone(tmp_path: Path) -> None:
    tables = crush_tables()
    for row in tables["messages"]:
        del row["is_summary_message"], row["provider"]
    assert fates(chat_of(tmp_path, database_of(tables), "crush"))[ASKED]["by"] == "m4"
    assert fates(chat_of(tmp_path, database_of({**tables, **_without_summary(tables)}), "crush")) == {}


def _without_summary(tables: Tables) -> Tables:
    return {
        "sessions": [{key: value for key, value in one.items() if "summary" not in key} for one in tables["sessions"]]
    }


def test_the_database_of_the_first_opencode_opens_as_that_of_crush(tmp_path: Path) -> None:
    tables = crush_tables()
    newer = {"provider", "is_summary_message"}
    rows = [{key: value for key, value in row.items() if key not in newer} for row in tables["messages"]]
    chat = chat_of(tmp_path, database_of({**tables, "messages": rows}), "crush")
    assert said(chat)[-1] == ("assistant", ANSWERED)
    assert fates(chat)[ASKED]["by"] == "m4"


def test_a_summary_of_crush_that_failed_replaces_nothing(tmp_path: Path) -> None:
    tables = crush_tables(summary=None)
    ended = {"type": "finish", "data": {"reason": "error", "message": "Summarization Error", "details": "No."}}
    tables["messages"][3]["parts"] = json.dumps([{"type": "text", "data": {"text": SUMMARY}}, ended])
    chat = chat_of(tmp_path, database_of(tables), "crush")
    assert fates(chat) == {}
    assert chat.messages[3].metadata["error"] == "Summarization Error: No."


def test_attachments_commands_and_pictures_of_crush_are_what_the_model_reads(tmp_path: Path) -> None:
    picture = {"type": "binary", "data": {"Path": "a.png", "MIMEType": "image/png", "Data": PIXEL}}
    shell = {"type": "shell_command", "data": {"command": "ls", "output": "a.png", "exit_code": 0}}
    linked = {"type": "image_url", "data": {"url": "https://x/a.png"}}
    parts = [{"type": "text", "data": {"text": "Look"}}, {"type": "binary", "data": TEXT_FILE}, picture, linked, shell]
    seen = {"tool_call_id": "c1", "name": "view", "content": "Loaded", "data": PIXEL, "mime_type": "image/png"}
    rows = [
        crush_row(6, "user", parts),
        crush_row(7, "tool", [{"type": "tool_result", "data": seen}]),
        crush_row(8, "user", [{"type": "hologram", "data": {"content": "Lost."}}]),
    ]
    workspace = opened(tmp_path, database_of(crush_tables(*rows)))
    asked, result, _ = workspace.conversations[0].messages[-3:]
    assert asked.images == 2
    assert [one.text for one in asked.parts if isinstance(one, DocumentPart)] == ["A note."]
    assert "$ ls\na.png\n(exit code 0)" in asked.content
    (shown,) = result.parts
    assert isinstance(shown, Result)
    assert ([type(one) for one in shown.parts], shown.content) == ([Image], "")
    assert any("hologram" in one for one in warnings(workspace))


def test_an_attachment_of_crush_that_is_no_base64_is_named(tmp_path: Path) -> None:
    bad = {"type": "binary", "data": {**TEXT_FILE, "Data": "§"}}
    workspace = opened(tmp_path, database_of(crush_tables(crush_row(6, "user", [bad]))))
    assert any("expected base64" in one for one in warnings(workspace))


def test_messages_of_crush_are_in_the_order_of_their_times_and_sessions_are_apart(tmp_path: Path) -> None:
    early = crush_row(9, "user", [{"type": "text", "data": {"text": "First"}}], created_at=5)
    other = crush_row(10, "user", [{"type": "text", "data": {"text": "Elsewhere"}}], session_id="s2")
    workspace = opened(tmp_path, database_of(crush_tables(early, other)))
    first, second = workspace.conversations
    assert (said(first)[0], said(second)) == (("user", "First"), [("user", "Elsewhere")])


def test_a_session_that_crush_printed_has_its_time_and_no_summary(tmp_path: Path) -> None:
    chat = chat_of(tmp_path, CRUSH_SHOWN, "crush")
    assert (chat.id, chat.title) == ("s1", "Capitals")
    assert all(one.time for one in chat.messages)

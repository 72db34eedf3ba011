"""Databases of tools for developers: Cursor's chats and the log of the llm command line."""

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from inspector.formats.agents import cursor, llm_log
from inspector.formats.format import Format
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Call, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format

Tables = dict[str, list[dict[str, Any]]]

TIME = "2025-08-22T09:00:00"
TOLD = {"conversation_id": "c", "model": "gpt-4o", "datetime_utc": TIME, "system": "Be kind."}
LLM: Tables = {
    "conversations": [{"id": "c", "name": "Sea", "model": "gpt-4o"}],
    "responses": [
        {"id": "r1", "prompt": "Look", "response": "", "input_tokens": 9, "output_tokens": 2, **TOLD},
        {"id": "r2", "prompt": "", "response": "Waves.", "input_tokens": None, "output_tokens": None, **TOLD},
        {"id": "r3", "prompt": "Hi", "response": "Ho", "input_tokens": 1, "output_tokens": 1,
         **TOLD, "conversation_id": None, "system": None},
    ],
    "tool_calls": [{"response_id": "r1", "name": "look", "arguments": '{"at": "sea"}', "tool_call_id": "t"}],
    "tool_results": [{"response_id": "r2", "name": "look", "output": "waves", "tool_call_id": "t"}],
    "prompt_attachments": [{"response_id": "r1", "attachment_id": "a"}],
    "fragments": [{"id": 1, "content": "A map."}, {"id": 2, "content": "A key."}],
    "prompt_fragments": [{"response_id": "r1", "fragment_id": 2, "order": 1},
                         {"response_id": "r1", "fragment_id": 1, "order": 0}],
}  # fmt: skip


def kept(**values: Any) -> Tables:
    return {"cursorDiskKV": [{"key": key.replace("__", ":"), "value": value} for key, value in values.items()]}


TOOL = {"name": "read_file", "toolCallId": "t", "rawArgs": '{"path": "a"}', "result": '{"contents": "x"}'}
ASKED = {"bubbleId": "b1", "type": 1, "text": "Fix it", "createdAt": "2025-08-22T09:00:00Z"}
CALLED = {"bubbleId": "b2", "type": 2, "text": "", "thinking": {"text": "Hm"}, "toolFormerData": TOOL}
DONE = {"bubbleId": "b3", "type": 2, "text": "Done.", "tokenCount": {"inputTokens": 9, "outputTokens": 2}}
NAMED = [{"bubbleId": name, "type": 1 + (name != "b1")} for name in ("b1", "b2", "b3")]
CURSOR = kept(
    composerData__c=json.dumps({"composerId": "c", "name": "Fix", "fullConversationHeadersOnly": NAMED}),
    bubbleId__c__b1=json.dumps(ASKED),
    bubbleId__c__b2=json.dumps(CALLED).encode(),
    bubbleId__c__b3=json.dumps(DONE),
    composerData__old=json.dumps({"conversation": [ASKED, DONE]}),
    composerData__empty=json.dumps({"conversation": []}),
    composerData__gone=None,
    other="x",
)


def database_of(tables: Tables) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, rows in tables.items():
            columns = ", ".join(f'"{column}"' for column in rows[0])
            connection.execute(f"CREATE TABLE {name} ({columns})")
            for row in rows:
                connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
        connection.commit()
        return connection.serialize()


def load(tables: Tables, kind: Format) -> Workspace:
    source = FileSource("state.db", database_of(tables))
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


def test_the_responses_of_a_conversation_are_one_chat() -> None:
    workspace = load(LLM, llm_log.FORMAT)
    chat = workspace.conversations[0]
    assert (chat.id, chat.title, chat.model) == ("c", "Sea", "gpt-4o")
    asked = "A map.\nA key.\nLook"
    assert said(workspace) == [
        ("system", "Be kind."), ("user", asked), ("assistant", ""), ("tool", "waves"), ("assistant", "Waves.")
    ]  # fmt: skip
    _, question, call, result, _ = chat.messages
    assert (question.images, call.tool_calls) == (1, (Call("t", "look", '{"at": "sea"}'),))
    assert (result.tool_call_id, call.metadata["recorded_prompt_tokens"]) == ("t", 9)


def test_a_response_of_no_conversation_is_a_chat() -> None:
    assert said(load(LLM, llm_log.FORMAT), 1) == [("user", "Hi"), ("assistant", "Ho")]


def test_older_logs_have_fewer_tables() -> None:
    old = [{key: row[key] for key in ("id", "prompt", "response", *TOLD)} for row in LLM["responses"]]
    assert said(load({"responses": old}, llm_log.FORMAT))[1] == ("user", "Look")


def test_the_bubbles_of_a_chat_are_its_turns() -> None:
    workspace = load(CURSOR, cursor.FORMAT)
    assert [(chat.id, chat.title) for chat in workspace.conversations] == [("c", "Fix"), ("old", "Fix it")]
    expected = [("user", "Fix it"), ("assistant", ""), ("tool", '{"contents": "x"}'), ("assistant", "Done.")]
    assert said(workspace) == expected
    asked, called, result, done = workspace.conversations[0].messages
    assert (asked.id, asked.time is not None, called.reasoning) == ("b1", True, "Hm")
    assert called.tool_calls == (Call("t", "read_file", '{"path": "a"}'),)
    assert (result.tool_call_id, done.metadata["recorded_prompt_tokens"]) == ("t", 9)
    assert workspace.problems == ()


def test_older_chats_have_their_bubbles_inside() -> None:
    assert said(load(CURSOR, cursor.FORMAT), 1) == [("user", "Fix it"), ("assistant", "Done.")]


def test_bubbles_that_are_missing_or_broken_are_said_and_the_others_open() -> None:
    headers = {"fullConversationHeadersOnly": NAMED}
    tables = kept(composerData__c=json.dumps(headers), bubbleId__c__b1=json.dumps(ASKED), bubbleId__c__b2="{")
    workspace = load(tables, cursor.FORMAT)
    assert said(workspace) == [("user", "Fix it")]
    assert [problem.place.split(": ")[1] for problem in workspace.problems] == ["bubbleId:c:b2", "bubbleId:c:b3"]


SILENT = {"responses": [{**LLM["responses"][2], "prompt": "", "response": ""}]}


@pytest.mark.parametrize(("tables", "kind"), [(kept(composerData__c="{}"), cursor.FORMAT), (SILENT, llm_log.FORMAT)])
def test_without_messages_the_file_is_refused(tables: Tables, kind: Format) -> None:
    with pytest.raises(UnreadableError, match="found none"):
        load(tables, kind)


def test_they_keep_what_formats_promise(tmp_path: Any) -> None:
    for name, tables in {"logs.db": LLM, "state.vscdb": CURSOR}.items():
        (tmp_path / name).write_bytes(database_of(tables))
    check_format(llm_log.FORMAT, tmp_path / "logs.db")
    check_format(cursor.FORMAT, tmp_path / "state.vscdb")

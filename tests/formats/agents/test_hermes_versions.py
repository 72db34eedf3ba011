"""The database and the exports of Hermes Agent as its versions write them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.agents.agent_examples import ANSWERED, ASKED, hermes_tables
from tests.formats.agents.test_agent_databases import database_of
from tests.formats.agents.test_agent_sessions import only_chat, opened, recorded, said

Tables = dict[str, list[dict[str, Any]]]
SUMMARY = "[CONTEXT COMPACTION - REFERENCE ONLY] A capital was asked."


def row(number: int, role: str, content: str, **fields: Any) -> dict[str, Any]:
    """A row of version 30, of the second `number`."""
    empty = dict.fromkeys(("tool_call_id", "tool_calls", "tool_name", "reasoning", "api_content"))
    state = {"active": 1, "compacted": 0, "_compressed_summary": 0}
    head = {"id": number, "session_id": "h1", "role": role, "content": content, "timestamp": 1_760_000_000.0 + number}
    return {**head, **empty, **state, **fields}


def tables(*rows: dict[str, Any], **session: Any) -> Tables:
    about = {"id": "h1", "source": "cli", "title": "Capitals", "model": "hermes-4", "system_prompt": None}
    return {"sessions": [{**about, "system_prompt_hash": None, **session}], "messages": [*rows]}


def archived(number: int, role: str, content: str) -> dict[str, Any]:
    return row(number, role, content, active=0, compacted=1)


def copy_of(one: dict[str, Any], number: int) -> dict[str, Any]:
    return {**one, "id": number, "active": 1, "compacted": 0}


def test_a_prompt_in_the_table_of_prompts_is_the_system_prompt(tmp_path: Path) -> None:
    found = {
        **tables(row(1, "user", ASKED), system_prompt_hash="x"),
        "system_prompts": [{"hash": "x", "prompt": "Brief."}],
    }
    workspace = opened(tmp_path, database_of(found))
    assert [one.system_prompt for one in workspace.characters] == ["Brief."]
    lost = opened(tmp_path, database_of({**found, "system_prompts": [{"hash": "y", "prompt": "Other."}]}))
    assert any("names a system prompt that is not" in one.message for one in lost.problems)


@pytest.mark.parametrize("prefix", ["\x00json:", "\x01json:"])
def test_a_content_of_several_parts_is_read(tmp_path: Path, prefix: str) -> None:
    parts = [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]
    chat = only_chat(opened(tmp_path, database_of(tables(row(1, "user", prefix + json.dumps(parts))))))
    assert (chat.messages[0].content, chat.messages[0].images) == ("Look", 1)


def test_what_was_sent_is_the_text_and_what_was_shown_is_kept(tmp_path: Path) -> None:
    sent = row(1, "user", ASKED, api_content=f"<memory/>\n{ASKED}")
    (message,) = only_chat(opened(tmp_path, database_of(tables(sent)))).messages
    assert (message.content, message.metadata["shown"]) == (f"<memory/>\n{ASKED}", ASKED)


def compressed(marked: bool = True) -> Tables:
    """A session compressed in place: the first message and the last were written again."""
    first, middle, last = archived(1, "user", ASKED), archived(2, "assistant", ANSWERED), archived(3, "user", "Thanks")
    summary = row(6, "user", SUMMARY, _compressed_summary=1)
    found = tables(first, middle, last, copy_of(first, 4), copy_of(last, 5), summary, row(7, "assistant", "Welcome."))
    for one in () if marked else found["messages"]:
        del one["_compressed_summary"]
    return found


@pytest.mark.parametrize("marked", [True, False])
def test_a_compression_in_place_is_recorded_and_copies_are_not_said_twice(tmp_path: Path, marked: bool) -> None:
    workspace = opened(tmp_path, database_of(compressed(marked)))
    chat = only_chat(workspace)
    assert [text for _, text in said(chat)] == [ASKED, ANSWERED, "Thanks", SUMMARY, "Welcome."]
    fates = recorded(chat)
    summary = next(one for one in chat.messages if one.content == SUMMARY)
    assert fates.pop(ANSWERED) == {"action": "summarized", "by": summary.id}
    assert set(map(json.dumps, fates.values())) == {json.dumps({"action": "kept"})}
    assert any("2 archived copy of a message that was kept" in one.message for one in workspace.problems)


def test_a_session_that_goes_on_after_a_compression_begins_with_the_summary(tmp_path: Path) -> None:
    found = tables(row(1, "user", SUMMARY, _compressed_summary=1), row(2, "assistant", ANSWERED))
    assert recorded(only_chat(opened(tmp_path, database_of(found))))[SUMMARY] == {"action": "kept"}


def exported(**fields: Any) -> dict[str, Any]:
    """A session as `hermes sessions export` writes it."""
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    messages = [
        row(1, "user", ASKED),
        row(2, "assistant", "", tool_calls=[call]),
        row(3, "tool", "Paris", tool_call_id="c1"),
        row(4, "assistant", ANSWERED),
    ]
    about = {
        "id": "h1",
        "source": "cli",
        "started_at": 1.0,
        "title": "Capitals",
        "model": "m",
        "system_prompt": "Brief.",
    }
    return {**about, "messages": messages, **fields}


def test_an_export_has_the_prompt_and_the_rows(tmp_path: Path) -> None:
    workspace = opened(tmp_path, exported())
    chat = only_chat(workspace)
    assert [source.format for source in workspace.sources] == ["hermes"]
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert ([one.system_prompt for one in workspace.characters], chat.title) == (["Brief."], "Capitals")
    assert [one.message for one in workspace.problems] == []


def test_the_sessions_of_a_lineage_are_conversations_of_their_own(tmp_path: Path) -> None:
    joined = exported(segments=[exported(id="a"), exported(id="b")])
    workspace = opened(tmp_path, [joined, exported(id="c")])
    assert [one.id for one in workspace.conversations] == ["a", "b", "c"]


def test_the_tables_of_the_first_versions_open_as_before(tmp_path: Path) -> None:
    found = hermes_tables()
    for one in found["messages"]:
        del one["active"]
    assert ("assistant", "Lyon.") in said(only_chat(opened(tmp_path, database_of(found))))

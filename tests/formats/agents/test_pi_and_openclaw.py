"""Sessions of pi and OpenClaw by their types: answers that broke off, branches, labels, pictures, and the database."""

import json
from pathlib import Path
from typing import Any

from inspector.model import Image, Result
from tests.formats.agents.agent_examples import ANSWERED, ASKED, PI, openclaw_tables
from tests.formats.agents.test_agent_databases import database_of
from tests.formats.agents.test_agent_sessions import only_chat, opened, recorded, said


def entry(kind: str, id_: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": id_, "parentId": parent, "timestamp": "2026-05-01T10:00:09.000Z", **fields}


def message(id_: str, parent: str | None, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return entry("message", id_, parent, message={"role": role, "content": content, **fields})


def test_an_answer_that_broke_off_is_shown_and_not_sent(tmp_path: Path) -> None:
    text = [{"type": "text", "text": "Par"}]
    broken = message("x", "d", "assistant", text, model="gpt-5", stopReason="aborted", errorMessage="Stopped")
    again = message("y", "x", "assistant", [{"type": "text", "text": ANSWERED}], stopReason="stop")
    chat = only_chat(opened(tmp_path, [*PI[:5], broken, again]))
    assert [(one.content, one.excluded) for one in chat.messages[-2:]] == [("Par", True), (ANSWERED, False)]
    assert chat.messages[-2].metadata["error"] == "Stopped"
    assert chat.messages[-2].metadata["recorded"]["action"] == "dropped"


def test_the_output_of_a_command_that_was_cut_names_its_file(tmp_path: Path) -> None:
    run = {"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0, "cancelled": False}
    cut = {**run, "truncated": True, "fullOutputPath": "/tmp/out.log", "timestamp": 1}
    chat = only_chat(opened(tmp_path, [*PI[:6], entry("message", "x", "e", message=cut)]))
    assert chat.messages[-1].content.endswith("[Output truncated. Full output: /tmp/out.log]")


def test_levels_labels_and_names_are_no_messages_and_a_name_is_the_title(tmp_path: Path) -> None:
    beside = [
        entry("thinking_level_change", "t", "e", thinkingLevel="high"),
        entry("label", "l", "t", targetId="b", label="Start"),
        entry("session_info", "i", "l", name="Capitals"),
        entry("custom", "k", "i", customType="todo", data={"items": ["look"]}),
        message("z", "k", "user", "Thanks"),
    ]
    workspace = opened(tmp_path, [*PI[:6], *beside])
    chat = only_chat(workspace)
    assert chat.title == "Capitals"
    assert said(chat)[-2:] == [("assistant", ANSWERED), ("user", "Thanks")]
    assert [one.message for one in workspace.problems if one.severity != "info"] == []


def test_a_branch_that_was_left_and_its_summary(tmp_path: Path) -> None:
    left = message("x", "b", "assistant", [{"type": "text", "text": "Lyon."}])
    back = entry("branch_summary", "s", "b", fromId="x", summary="Tried Lyon.", details={"read": []})
    then = message("y", "s", "assistant", [{"type": "text", "text": ANSWERED}])
    chat = only_chat(opened(tmp_path, [*PI[:3], left, back, then]))
    assert said(chat) == [("user", ASKED), ("user", "Tried Lyon."), ("assistant", ANSWERED)]
    assert chat.tree is not None
    assert "Lyon." in [one.content for one in chat.tree.messages]


def test_results_and_own_messages_have_pictures(tmp_path: Path) -> None:
    picture = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    result = {**PI[4], "message": {**PI[4]["message"], "content": [{"type": "text", "text": "Paris"}, picture]}}
    own = entry("custom_message", "o", "d", customType="map", content=[picture], display=True)
    found = only_chat(opened(tmp_path, [*PI[:4], result, own])).messages
    (told,) = found[-2].parts
    assert isinstance(told, Result)
    assert [type(one) for one in told.parts] == [Image]
    assert (found[-1].role, found[-1].images) == ("user", 1)


def test_the_database_of_openclaw_has_its_sessions_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    workspace = opened(tmp_path, database_of(openclaw_tables()))
    assert [source.format for source in workspace.sources] == ["pi"]
    first, second = sorted(workspace.conversations, key=lambda chat: chat.id)
    assert (first.id, second.id, said(second)) == ("p1", "p2", [("user", ASKED)])
    assert said(first) == said(only_chat(opened(tmp_path, PI)))
    summary = next(one for one in first.messages if one.content == "Asked for a capital.")
    assert recorded(first)[ASKED] == {"action": "summarized", "by": summary.id}


def test_a_row_of_openclaw_that_cannot_be_read_is_named_and_costs_one_message(tmp_path: Path) -> None:
    tables = openclaw_tables()
    row = next(one for one in tables["transcript_events"] if json.loads(one["event_json"])["id"] == "e")
    row["event_json"] = "{"
    workspace = opened(tmp_path, database_of(tables))
    assert any("expected an object as JSON" in one.message for one in workspace.problems)
    assert any(("user", ASKED) in said(chat) for chat in workspace.conversations)

"""LobeChat's exports, written here as the application writes them: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.lobechat.export import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError


def message(id_: str, role: str, content: Any, at: int, **more: Any) -> dict[str, Any]:
    return {"id": id_, "role": role, "content": content, "createdAt": 1_700_000_000_000 + at, "sessionId": "s", **more}


TOOL = {"id": "t", "identifier": "sea", "apiName": "look", "arguments": '{"at": 1}', "type": "default"}
FILES = {"fileList": [{"id": "f", "name": "a.txt", "content": "Notes"}], "imageList": [{"id": "i", "url": "x"}]}
ASKED = message("u", "user", "Hi", 1, topicId="t1", **FILES)
CALLED = message("a", "assistant", "Wait.", 2, topicId="t1", tools=[TOOL], reasoning={"content": "Hm", "duration": 5})
RESULT = message("r", "tool", "Sea", 3, topicId="t1", tool_call_id="t", plugin={"apiName": "look"})
COUNTED = {"model": "gpt-4o", "metadata": {"totalInputTokens": 9, "totalOutputTokens": 2}}
ANSWER = message("b", "assistant", "The sea.", 4, topicId="t1", **COUNTED)
LOOSE = message("l", "user", "Alone", 5)
MESSAGES = [ANSWER, ASKED, CALLED, RESULT, LOOSE]
STATE: dict[str, Any] = {
    "sessions": [{"id": "s", "meta": {"title": "Sailor"}, "config": {"systemRole": "Be kind.", "model": "gpt-4o"}}],
    "topics": [{"id": "t1", "title": "Tea", "sessionId": "s"}],
    "messages": MESSAGES,
    "settings": {"keyVaults": {"openai": {"apiKey": "a secret"}}},
}
EXPORT: dict[str, Any] = {"exportType": "all", "state": STATE, "version": 7}
BACKUP: dict[str, Any] = {
    "data": {
        **STATE,
        "sessions": [{"id": "s", "title": "Sailor"}],
        "agents": [{"id": "ag", "systemRole": "Be kind.", "model": "gpt-4o"}],
        "agentsToSessions": [{"agentId": "ag", "sessionId": "s"}],
    },
    "mode": "pglite",
    "schemaHash": "x",
}
TOPIC: dict[str, Any] = {
    "exportedAt": "2026-01-02T03:04:05.000Z",
    "version": "2.0",
    "title": "Tea",
    "messages": [ASKED, CALLED, RESULT, ANSWER],
}


def load(value: Any) -> Workspace:
    source = FileSource("lobe.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


TALK = [("user", "Hi"), ("assistant", "Wait."), ("tool", "Sea"), ("assistant", "The sea.")]


@pytest.mark.parametrize("value", [EXPORT, BACKUP])
def test_messages_are_chats_by_session_and_topic(value: Any) -> None:
    workspace = load(value)
    talk, loose = workspace.conversations
    assert [(one.role, one.content) for one in talk.messages] == TALK
    assert (talk.id, talk.title, talk.model) == ("t1", "Tea", "gpt-4o")
    assert (loose.title, loose.messages[0].content) == ("Sailor", "Alone")
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert "secret" not in repr(workspace)
    assert workspace.problems == ()
    asked = talk.messages[0].id
    assert [(one.conversations, one.message_id) for one in workspace.attachments] == [(("t1",), asked)]


def test_what_a_message_holds_beside_its_text() -> None:
    asked, called, result, answer = load(TOPIC).conversations[0].messages
    assert (asked.images, asked.metadata["files"]) == (1, ["a.txt"])
    assert [(one.path, one.content) for one in load(TOPIC).attachments] == [("a.txt", "Notes")]
    assert (called.tool_calls[0].name, called.tool_calls[0].id) == ("look", "t")
    assert called.reasoning == "Hm"
    assert (result.name, result.tool_call_id) == ("look", "t")
    assert answer.metadata == {"model": "gpt-4o", "recorded_prompt_tokens": 9, "recorded_tokens": 2}


def test_an_answer_in_steps_has_its_results_between_them() -> None:
    steps = [
        {"id": "x", "content": "Wait.", "tools": [{**TOOL, "result": {"content": "Sea"}}]},
        {"content": "The sea."},
    ]
    grouped = message("g", "assistantGroup", "", 2, topicId="t1", children=steps)
    (chat,) = load({**TOPIC, "messages": [ASKED, grouped]}).conversations
    assert [(one.role, one.content) for one in chat.messages] == TALK


def test_bad_messages_leave_the_others() -> None:
    odd = [5, message("x", "oracle", "?", 6), message("y", "user", ["?"], 7)]
    workspace = load({**TOPIC, "messages": [ASKED, *odd]})
    chats = [[one.content for one in chat.messages] for chat in workspace.conversations]
    assert [content for chat in chats for content in chat] == ["Hi"]
    places = ["$.messages[1]", "$.messages[2].role", "$.messages[3].content"]
    assert [problem.place for problem in workspace.problems] == places


@pytest.mark.parametrize("value", [{**EXPORT, "exportType": "settings", "state": {"settings": {}}}, {}])
def test_files_without_messages_are_refused(value: Any) -> None:
    with pytest.raises(UnreadableError, match="expected messages of LobeChat"):
        FORMAT.load(FileSource("x.json", json.dumps(value).encode()))

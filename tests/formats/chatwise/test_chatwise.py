"""ChatWise's exports, written here as they are described: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.chatwise.chats import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped

TIME = {"createdAt": "2025-01-02T03:04:05.000Z"}
ASKED = {"id": "u", "role": "user", "content": "Hi", **TIME, "files": [{"name": "a.txt", "path": "/tmp/a.txt"}]}
ANSWER = "@message_part::reasoning-1_0\n@message_part::text-1\nHo"
ANSWERED = {"id": "a", "role": "assistant", "content": ANSWER, "reasoningContent": "Hm", "model": "claude", **TIME}
CHAT: dict[str, Any] = {
    "id": "c",
    "title": "Tea",
    **TIME,
    "updatedAt": TIME["createdAt"],
    "model": "claude",
    "systemInstruction": "Be kind.",
    "messages": [ASKED, ANSWERED],
}
KEYS = b'{"providers": [{"apiKey": "a secret"}]}'


def archive(*chats: Any) -> bytes:
    files = {f"chat-{number}.json": json.dumps(chat).encode() for number, chat in enumerate(chats)}
    return zipped({**files, "providers.json": KEYS, "config.json": KEYS, "assistants.json": b"[]"})


def load(data: bytes) -> Workspace:
    source = FileSource("chatwise.zip", data)
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


@pytest.mark.parametrize("data", [json.dumps(CHAT).encode(), archive(CHAT)])
def test_a_chat_alone_and_in_the_archive(data: bytes) -> None:
    workspace = load(data)
    (chat,) = workspace.conversations
    assert [(one.role, one.content) for one in chat.messages] == [("user", "Hi"), ("assistant", "Ho")]
    assert (chat.id, chat.title, chat.model) == ("c", "Tea", "claude")
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert chat.messages[0].metadata == {"files": ["a.txt"]}
    assert (chat.messages[1].reasoning, chat.messages[1].metadata) == ("Hm", {"model": "claude"})
    assert workspace.problems == ()


def test_files_with_keys_are_never_opened() -> None:
    source = FileSource("chatwise.zip", archive(CHAT, {**CHAT, "id": "d", "systemInstruction": ""}))
    workspace = FORMAT.load(source)
    assert source.archive.was_read == {"chat-0.json", "chat-1.json"}
    assert [chat.id for chat in workspace.conversations] == ["c", "d"]


CALL = {"id": "toolu_01E3ggHq", "type": "tool", "toolName": "tide", "input": {"day": 1}, "output": "high"}
OPENAI = {"id": "toolu_01E3ggHq", "function": {"name": "tide", "arguments": '{"day":1}'}, "result": "high"}
INNER = {"toolInvocation": {"toolName": "tide", "args": {"day": 1}, "result": "high"}}


@pytest.mark.parametrize("parts", [[CALL], {"toolu_01E3ggHq": INNER}, {"toolu_01E3ggHq": json.dumps(CALL)}, [OPENAI]])
def test_calls_of_tools_are_turns_with_their_results(parts: Any) -> None:
    told = "@message_part::text-1\nWait.\n@message_part::toolu_01E3ggHq\n@message_part::text-2\nThe sea."
    called = {**ANSWERED, "content": told, "meta": {"parts": parts}}
    workspace = load(json.dumps({**CHAT, "messages": [ASKED, called]}).encode())
    _, wait, result, said = workspace.conversations[0].messages
    (call,) = wait.tool_calls
    assert (wait.content, call.id, call.name, json.loads(call.arguments)) == ("Wait.", CALL["id"], "tide", {"day": 1})
    assert (result.role, result.name, result.content, result.tool_call_id) == ("tool", "tide", "high", CALL["id"])
    assert (said.id, said.content, said.time) == ("a", "The sea.", wait.time)
    assert (said.reasoning, said.metadata) == ("Hm", {"model": "claude"})
    assert workspace.problems == ()


def test_a_call_without_an_answer_ends_a_message() -> None:
    part = {key: CALL[key] for key in ("id", "toolName", "input")}
    called = {**ANSWERED, "content": "Wait.\n@message_part::toolu_01E3ggHq", "meta": {"parts": [part, 5]}}
    workspace = load(json.dumps({**CHAT, "messages": [ASKED, called]}).encode())
    (_, wait) = workspace.conversations[0].messages
    assert (wait.id, wait.content, len(wait.tool_calls)) == ("a", "Wait.", 1)


def test_calls_of_tools_are_named_and_their_marks_are_no_text() -> None:
    called = {**ANSWERED, "content": "Wait.\n@message_part::toolu_01E3ggHq\nThe sea."}
    workspace = load(json.dumps({**CHAT, "messages": [ASKED, called]}).encode())
    assert workspace.conversations[0].messages[1].content == "Wait.\nThe sea."
    (problem,) = workspace.problems
    assert (problem.place, problem.severity) == ("$.messages[1].meta.parts", "warning")


def test_a_broken_chat_leaves_the_others() -> None:
    files = {"chat-1.json": b'{"id": ', "chat-2.json": b"[]", "chat-3.json": json.dumps(CHAT).encode()}
    workspace = load(zipped({**files, "config.json": KEYS}))
    assert [chat.id for chat in workspace.conversations] == ["c"]
    assert [problem.file for problem in workspace.problems] == ["chatwise.zip/chat-1.json", "chatwise.zip/chat-2.json"]


def test_what_only_looks_alike_is_not_claimed() -> None:
    plain = {"id": "c", "title": "Tea", "messages": [{"role": "user", "content": "Hi"}]}
    assert FORMAT.sniff(FileSource("x.json", json.dumps(plain).encode())) == 0
    assert FORMAT.sniff(FileSource("x.zip", zipped({"chat-1.json": b"{}"}))) == 0
    with pytest.raises(UnreadableError, match="expected a chat of ChatWise"):
        FORMAT.load(FileSource("x.zip", zipped({"chat-1.json": b"{}", "config.json": b"{}"})))

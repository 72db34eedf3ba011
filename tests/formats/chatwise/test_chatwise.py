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
    assert chat.messages[1].metadata == {"reasoning": "Hm", "model": "claude"}
    assert workspace.problems == ()


def test_files_with_keys_are_never_opened() -> None:
    source = FileSource("chatwise.zip", archive(CHAT, {**CHAT, "id": "d", "systemInstruction": ""}))
    workspace = FORMAT.load(source)
    assert source.archive.was_read == {"chat-0.json", "chat-1.json"}
    assert [chat.id for chat in workspace.conversations] == ["c", "d"]


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

"""Chatbox's exported data, written here as the application writes it: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.chatbox.export import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError


def message(id_: str, role: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "role": role, "timestamp": 1_700_000_000_000, "contentParts": [_text(text)], **more}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


CALL = {
    "type": "tool-call",
    "state": "result",
    "toolCallId": "t",
    "toolName": "look",
    "args": {"at": 1},
    "result": "Sea",
}
PARTS = [{"type": "reasoning", "text": "Hm"}, _text("Wait."), CALL, {"type": "info", "text": "i"}, _text("The sea.")]
ASKED = message("u", "user", "Hi", files=[{"name": "a.txt"}], links=[{"url": "https://example.org"}])
ANSWERED = {
    **message("a", "assistant", "", model="gpt-4o", usage={"inputTokens": 12, "outputTokens": 4}),
    "contentParts": PARTS,
}
SESSION: dict[str, Any] = {
    "id": "s",
    "name": "Tea",
    "settings": {"provider": "openai", "modelId": "gpt-4o"},
    "messages": [message("sys", "system", "Be kind."), ASKED, ANSWERED],
    "threads": [{"id": "t1", "name": "Before", "messages": [message("tu", "user", "Old")]}],
    "messageForksHash": {
        "u": {"position": 1, "lists": [{"id": "f", "messages": [message("fa", "assistant", "No")]}, {"messages": []}]},
        "fa": {"position": 1, "lists": [{"id": "g", "messages": [message("fu", "user", "Why?")]}, {"messages": []}]},
    },
}
EXPORT: dict[str, Any] = {
    "__exported_items": ["setting", "conversations", "key"],
    "settings": {"providers": {"openai": {"apiKey": "a secret"}}},
    "chat-sessions-list": [{"id": "s", "name": "Tea"}],
    "session:s": SESSION,
}


def load(value: Any) -> Workspace:
    source = FileSource("chatbox-exported-data.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


def said(chat: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in chat.messages]


@pytest.mark.parametrize(
    "value", [EXPORT, {"session:s": json.dumps(SESSION)}, {"chat-sessions": [SESSION], "configs": {}}]
)
def test_sessions_and_their_threads_are_chats(value: Any) -> None:
    workspace = load(value)
    chat, before = workspace.conversations
    talk = [("user", "Hi"), ("assistant", "Wait."), ("tool", "Sea"), ("assistant", "The sea.")]
    assert said(chat)[-4:] == talk
    assert (chat.id, chat.title, chat.model, before.title) == ("s", "Tea", "gpt-4o", "Before")
    asked, call, result, answer = chat.messages[-4:]
    assert asked.metadata == {"files": ["a.txt", "https://example.org"]}
    assert (call.reasoning, call.tool_calls[0].arguments) == ("Hm", '{"at":1}')
    assert result.tool_call_id == "t"
    assert answer.metadata == {"model": "gpt-4o", "recorded_prompt_tokens": 12, "recorded_tokens": 4}
    assert "secret" not in repr(workspace)
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_lines_that_are_not_shown_are_branches() -> None:
    tree = load(EXPORT).conversations[0].tree
    assert tree is not None
    assert {"No", "Why?"} <= {one.content for one in tree.messages}
    parents = dict(zip((one.id for one in tree.messages), tree.parents, strict=True))
    assert (parents["fa"], parents["fu"]) == ("u", "fa")


def test_what_was_condensed_is_recorded() -> None:
    summary = message("sum", "assistant", "They said hi.", isSummary=True)
    points = [{"summaryMessageId": "sum", "boundaryMessageId": "a", "createdAt": 1}]
    talk = {"id": "s", "name": "Tea", "compactionPoints": points}
    chat = load({"session:s": {**talk, "messages": [ASKED, ANSWERED, summary, message("u2", "user", "So?")]}})
    recorded = [one.metadata["recorded"] for one in chat.conversations[0].messages]
    assert recorded == [{"action": "summarized", "by": "sum"}] * 4 + [{"action": "kept"}] * 2


def test_older_messages_have_text_and_pictures_beside_it() -> None:
    old = {"id": "o", "role": "assistant", "content": "Ho", "reasoningContent": "Hm", "pictures": [{"url": "x"}]}
    (answer,) = load({"chat-sessions": [{"id": "s", "name": "x", "messages": [old]}]}).conversations[0].messages
    assert (answer.content, answer.reasoning, answer.images) == ("Ho", "Hm", 1)


def test_bad_messages_and_sessions_leave_the_others() -> None:
    odd = [message("x", "oracle", "?"), 5, {"id": "n", "role": "user"}, message("y", "user", "")]
    odd[3]["contentParts"] = [{"type": "hologram"}, _text("Hi")]
    workspace = load({"session:a": 5, "session:s": {"id": "s", "name": "x", "messages": odd}})
    assert said(workspace.conversations[0]) == [("user", "Hi")]
    assert [problem.place for problem in workspace.problems] == [
        "$.session:a",
        "$.session:s.messages[0].role",
        "$.session:s.messages[1].role",
        "$.session:s.messages[2].contentParts",
        "$.session:s.messages[3].contentParts[0]",
    ]


def test_settings_alone_are_refused() -> None:
    source = FileSource("x.json", json.dumps({"__exported_items": ["setting"], "settings": {}}).encode())
    assert FORMAT.sniff(source) == 0.9
    with pytest.raises(UnreadableError, match="expected a session of Chatbox"):
        FORMAT.load(source)


def test_messages_that_share_an_id_have_their_own_in_no_time() -> None:
    lines = [{"id": "f", "messages": [message("fa", "assistant", "No")] * 20_000}]
    tree = load({"session:s": {**SESSION, "messageForksHash": {"u": {"position": 1, "lists": lines}}}}).conversations[0]
    assert tree.tree is not None
    assert len({one.id for one in tree.tree.messages}) == len(tree.tree.messages) > 20_000

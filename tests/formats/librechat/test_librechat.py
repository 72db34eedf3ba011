"""LibreChat's exports, written here as the application writes them: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.librechat import export as librechat
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError

ROOT = "00000000-0000-0000-0000-000000000000"


def message(id_: str, parent: str, text: Any, by_user: bool = False, **more: Any) -> dict[str, Any]:
    times = {"createdAt": "2026-01-02T03:04:05.000Z"}
    named = {"messageId": id_, "parentMessageId": parent, "isCreatedByUser": by_user}
    return {**named, **times, "text": text, "sender": "User" if by_user else "GPT", **more}


ASKED = message("a", ROOT, "Hi", True, tokenCount=3)
ANSWERED = message("b", "a", "Ho", model="gpt-4o", tokenCount=5)
CALLED = {"type": "tool_call", "tool_call": {"id": "t", "name": "look", "args": '{"at": 1}', "output": "Sea"}}
PARTS = [
    {"type": "think", "think": "Hm"},
    {"type": "text", "text": "Wait."},
    CALLED,
    {"type": "text", "text": {"value": "The sea."}},
]
ABOUT: dict[str, Any] = {
    "conversationId": "c",
    "endpoint": "openAI",
    "title": "Tea",
    "exportAt": "16:33:32",
    "branches": True,
    "options": {"model": "gpt-4o", "promptPrefix": "Be kind.", "maxContextTokens": 8000},
}
FLAT: dict[str, Any] = {**ABOUT, "recursive": False, "messages": [ASKED, ANSWERED]}
TREE: dict[str, Any] = {
    **ABOUT,
    "recursive": True,
    "messagesTree": [{**ASKED, "children": [{**ANSWERED, "children": []}, message("d", "a", "", content=PARTS)]}],
}


def load(value: Any) -> Workspace:
    source = FileSource("talk.json", json.dumps(value).encode())
    assert librechat.sniff(source) == 0.95
    return librechat.load(source)


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in conversation.messages]


@pytest.mark.parametrize("value", [FLAT, [FLAT], {**FLAT, "messages": [ANSWERED, ASKED]}])
def test_messages_in_a_list(value: Any) -> None:
    workspace = load(value)
    (talk,) = workspace.conversations
    assert said(talk) == [("user", "Hi"), ("assistant", "Ho")]
    assert (talk.id, talk.title, talk.model, talk.context_window) == ("c", "Tea", "gpt-4o", 8000)
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert talk.messages[1].metadata == {"model": "gpt-4o", "recorded_tokens": 5}
    assert workspace.problems == ()


def test_messages_inside_of_messages_with_their_parts() -> None:
    (talk,) = load(TREE).conversations
    assert said(talk) == [("user", "Hi"), ("assistant", "Wait."), ("tool", "Sea"), ("assistant", "The sea.")]
    (call,) = talk.messages[1].tool_calls
    assert (call.id, call.name, call.arguments) == ("t", "look", '{"at": 1}')
    assert talk.messages[2].tool_call_id == "t"
    assert talk.messages[1].reasoning == "Hm"
    assert talk.tree is not None
    assert len(talk.tree.messages) == 5


def test_pictures_and_files_are_no_text() -> None:
    given = message("a", ROOT, "Look", True, files=[{"type": "image/png"}, {"type": "text/plain", "filename": "a.txt"}])
    (one,) = load({**FLAT, "messages": [given]}).conversations[0].messages
    assert (one.content, one.images, one.metadata) == ("Look", 1, {"files": ["a.txt"]})


def test_a_message_thousand_deep_is_read() -> None:
    inner: dict[str, Any] = message("m400", "m399", "400")
    for number in reversed(range(400)):
        inner = {**message(f"m{number}", "", str(number), number % 2 == 0), "children": [inner]}
    assert len(load({**ABOUT, "messagesTree": [inner]}).conversations[0].messages) == 401


def test_one_bad_message_keeps_the_others() -> None:
    odd = message("x", "a", "", content=[{"type": "hologram", "data": "x"}])
    workspace = load({**FLAT, "messages": [ASKED, message("n", "a", None), 5, odd, ANSWERED]})
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert [one.place for one in workspace.problems if one.severity != "info"] == [
        "$.messages[1].text",
        "$.messages[2]",
        "$.messages[3].content[0]",
    ]


@pytest.mark.parametrize("value", [{}, [], {"messagesTree": []}, {"messages": [{"messageId": "a"}]}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert librechat.sniff(source) == 0
    with pytest.raises(UnreadableError):
        librechat.load(source)

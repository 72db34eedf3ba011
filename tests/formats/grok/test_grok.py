"""Grok's export: branches of responses, senders in any case, pictures, thinking; what is broken costs one message."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.grok import export as grok
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError


def response(id_: str, parent: str | None, sender: str, message: Any, **more: Any) -> dict[str, Any]:
    fields = {"response_id": id_, "parent_response_id": parent, "sender": sender, "message": message, **more}
    return {"response": fields, "share_link": None}


ASKED = response(
    "q",
    None,
    "human",
    "Hi",
    create_time="2026-01-02T03:04:05Z",
    metadata={"requestModelDetails": {"modelId": "grok-3"}},
)
ANSWERED = response("a", "q", "ASSISTANT", "Ho", create_time={"$date": {"$numberLong": "1767323046000"}})


def chat(*responses: Any, **about: Any) -> dict[str, Any]:
    named = {"conversation_id": "c", "title": "Tea", "leaf_response_id": None, **about}
    return {"conversation": named, "responses": list(responses)}


EXPORT = {"conversations": [chat(ASKED, ANSWERED)], "projects": [], "tasks": []}


def load(value: Any) -> Workspace:
    source = FileSource("grok.json", json.dumps(value).encode())
    assert grok.sniff(source) == 0.95
    return grok.load(source)


def first(*responses: Any, **about: Any) -> Conversation:
    return load({"conversations": [chat(*responses, **about)]}).conversations[0]


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


@pytest.mark.parametrize("value", [EXPORT, EXPORT["conversations"], EXPORT["conversations"][0]])
def test_a_chat(value: Any) -> None:
    (conversation,) = load(value).conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert (conversation.id, conversation.title, conversation.model) == ("c", "Tea", "grok-3")
    assert [message.time.year for message in conversation.messages if message.time] == [2026, 2026]
    assert conversation.tree is None


def test_the_branch_that_the_file_names_is_taken_else_the_newest() -> None:
    again = response("b", "q", "assistant", "Hey", create_time="2026-01-02T03:05:00Z")
    assert said(first(ASKED, ANSWERED, again)) == [("user", "Hi"), ("assistant", "Hey")]
    named = first(ASKED, ANSWERED, again, leaf_response_id="a")
    assert said(named) == [("user", "Hi"), ("assistant", "Ho")]
    assert named.tree is not None
    assert [message.id for message in named.tree.messages] == ["q", "a", "b"]


def test_thinking_files_and_pictures_are_no_text() -> None:
    given = response(
        "q", None, "human", "Look", image_attachments=["i"], file_attachments=[{"file_name": "a.txt"}, "f"]
    )
    thought = response(
        "a", "q", "assistant", "Ho", thinking_trace="Hm", generated_image_urls=["u", "v"], model="grok-4"
    )
    question, answer = first(given, thought).messages
    assert (question.content, question.images, question.metadata) == ("Look", 1, {"files": ["a.txt", "f"]})
    assert (answer.content, answer.images) == ("Ho", 2)
    assert (answer.reasoning, answer.metadata) == ("Hm", {"model": "grok-4"})


def test_one_bad_response_keeps_the_others() -> None:
    odd = response("x", "q", "ghost", "Boo")
    silent = response("s", "a", "human", {"text": "?"})
    workspace = load({"conversations": [chat(ASKED, odd, ANSWERED, silent, 5), "no chat"]})
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho"), ("user", "")]
    assert [problem.place for problem in workspace.problems if problem.severity != "info"] == [
        "$.conversations[0].responses[1].response.sender",
        "$.conversations[0].responses[3].response.message",
        "$.conversations[0].responses[4].response.sender",
        "$.conversations[1]",
    ]


@pytest.mark.parametrize("value", [[], {}, {"conversations": []}, {"conversations": [{"responses": []}]}, [5]])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert grok.sniff(source) == 0
    with pytest.raises(UnreadableError):
        grok.load(source)


def test_the_real_export(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "grok/owi_grok_example.json"])
    (conversation,) = workspace.conversations
    assert [message.role for message in conversation.messages] == ["user", "assistant"] * 5
    assert conversation.title.startswith("Photosynthesis")
    assert workspace.problems == ()

"""llama.cpp's conversations: the shown branch of the tree, sessions line by line, thinking, attached texts."""

import json
from typing import Any

import pytest

from inspector.formats.llamacpp import chats as llamacpp
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError


def record(id_: Any, parent: Any, role: str, content: str, **more: Any) -> dict[str, Any]:
    kind = "root" if role == "root" else "text"
    role = "system" if role == "root" else role
    return {"id": id_, "convId": "c", "type": kind, "role": role, "content": content, "parent": parent, **more}


ROOT = record("r", None, "root", "")
ASKED = record("u", "r", "user", "Hi", timestamp=1_674_230_640_000, extra=[])
ANSWERED = record(
    "a", "u", "assistant", "Ho", model="gguf", reasoningContent="Hm", timings={"prompt_n": 5, "predicted_n": 9}
)
OTHER = record("b", "u", "assistant", "Another one")
TREE = {
    "conv": {"id": "c", "name": "Talk", "lastModified": 1, "currNode": "a"},
    "messages": [ROOT, ASKED, OTHER, ANSWERED],
}
SESSION = [
    {"type": "session", "harness": "llama.app", "id": "c", "name": "Talk"},
    {"type": "message", "message": ASKED},
    {"type": "message", "message": {"role": "assistant", "content": "Ho", "reasoningContent": "Hm"}},
]


def load(source: FileSource) -> Workspace:
    assert rank_formats(source, built_in_formats())[0][0] is llamacpp.FORMAT
    return llamacpp.load(source)


def tree(value: Any) -> Workspace:
    return load(FileSource("conversation.json", json.dumps(value).encode()))


def lines(*values: Any) -> Workspace:
    return load(FileSource("session.jsonl", "\n".join(map(json.dumps, values)).encode()))


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


def test_a_side_branch_is_no_turn() -> None:
    (conversation,) = tree(TREE).conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert (conversation.id, conversation.title, conversation.model) == ("c", "Talk", "gguf")
    assert conversation.tree is not None
    assert (conversation.tree.parents, conversation.tree.leaf) == (("", "u", "u"), "a")
    assert conversation.messages[1].metadata == {
        "model": "gguf",
        "recorded_tokens": 9,
        "recorded_prompt_tokens": 5,
    }
    assert conversation.messages[0].time is not None
    assert [one.id for one in tree([TREE, TREE]).conversations] == ["c", "c-2"]


def test_a_session_is_read_line_by_line() -> None:
    (conversation,) = lines(*SESSION).conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert (conversation.title, conversation.tree) == ("Talk", None)
    assert conversation.messages[1].reasoning == "Hm"
    two = lines(*SESSION, *SESSION)
    assert [(one.id, len(one.messages)) for one in two.conversations] == [("c", 2), ("c-2", 2)]


def test_a_system_message_at_the_head_is_the_system_prompt() -> None:
    rules = {**record("s", "r", "system", "Be kind."), "type": "system"}
    value = {**TREE, "messages": [ROOT, rules, {**ASKED, "parent": "s"}, ANSWERED]}
    workspace = tree(value)
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert said(workspace.conversations[0])[0] == ("user", "Hi")


def test_texts_that_were_attached_are_kept_and_pictures_counted() -> None:
    extra = [
        {"type": "TEXT", "name": "a.txt", "content": "Words"},
        {"type": "imageFile", "name": "b.png", "base64Url": "data:image/png;base64," + "A" * 5_000},
        {"type": "context", "name": "c", "content": "More words"},
    ]
    workspace = tree({**TREE, "messages": [ROOT, {**ASKED, "extra": extra}, ANSWERED]})
    message = workspace.conversations[0].messages[0]
    assert (message.content, message.images) == ("Hi", 1)
    assert [(one.path, one.content) for one in workspace.attachments] == [("u/a.txt", "Words"), ("u/c", "More words")]
    with_file = {**TREE, "messages": [ROOT, {**ASKED, "extra": extra[:1]}, ANSWERED]}
    many = lines(TREE, {**with_file, "conv": {**TREE["conv"], "id": "other"}})
    assert [(one.path, one.message_id, one.conversations) for one in many.attachments] == [("u/a.txt", "u", ("other",))]


def test_tool_calls_are_json_text() -> None:
    written = json.dumps([{"id": "t", "type": "function", "function": {"name": "look", "arguments": "{}"}}])
    calling = {**ANSWERED, "toolCalls": written}
    result = record("t", "a", "tool", "Sea", toolCallId="t")
    value = {"conv": {"id": "c", "currNode": "t"}, "messages": [ROOT, ASKED, calling, result]}
    _, asked, answered = tree(value).conversations[0].messages
    assert [(call.id, call.name, call.arguments) for call in asked.tool_calls] == [("t", "look", "{}")]
    assert (answered.role, answered.tool_call_id) == ("tool", "t")
    cut = tree({**value, "messages": [ROOT, ASKED, {**calling, "toolCalls": "[{"}, result]})
    assert cut.problems[0].place == "$.messages[2].toolCalls"


def test_the_first_layout_numbers_its_messages() -> None:
    value = {
        "conv": {"id": "conv-1", "currNode": 2},
        "messages": [
            {"id": 0, "convId": "conv-1", "type": "root", "role": "system", "content": "", "parent": -1},
            {"id": 1, "convId": "conv-1", "type": "text", "role": "user", "content": "Hi", "parent": 0},
            {"id": 2, "convId": "conv-1", "type": "text", "role": "assistant", "content": "Ho", "parent": 1},
        ],
    }
    assert said(tree(value).conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]


def test_what_is_broken_is_a_problem_and_the_rest_opens() -> None:
    ghost = record("g", "u", "ghost", "Boo")
    value = {**TREE, "messages": [ROOT, ASKED, ghost, {**ANSWERED, "parent": "g"}, "x"]}
    workspace = tree(value)
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert [problem.place for problem in workspace.problems] == ["$.messages[2].role", "$.messages[4]"]
    session = lines(*SESSION, {"type": "party"}, {"type": "message", "message": 5})
    assert said(session.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert [problem.place.split(":")[0] for problem in session.problems] == ["line 4", "line 5"]
    circle = tree({**TREE, "messages": [{**ASKED, "parent": "a"}, ANSWERED]})
    assert "cycle" in circle.problems[0].message


def test_many_messages_may_have_one_id() -> None:
    workspace = tree({**TREE, "messages": [ROOT, *[ASKED] * 20_000]})
    found = workspace.conversations[0].tree
    assert found is not None
    assert [message.id for message in found.messages[:3]] == ["u", "u-2", "u-3"]


@pytest.mark.parametrize("value", [[], {"conv": {}, "messages": []}, {"conv": {"id": "c"}}, {"type": "session"}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert llamacpp.sniff(source) == 0
    with pytest.raises(UnreadableError):
        llamacpp.load(source)

"""Open WebUI's exports: the branch that is shown, siblings, thinking and tool calls inside an answer, files."""

import json
from typing import Any

import pytest

from inspector.formats.open_webui import chats as open_webui
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.formats.agents.test_agent_databases import database_of


def node(id_: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id_, "parentId": parent, "childrenIds": [], "role": role, "content": content, **more}


ASKED = node("u", None, "user", "Hi", timestamp=1_700_000_000)
ANSWERED = node("a", "u", "assistant", "Ho", model="m", modelIdx=0, usage={"prompt_tokens": 9, "completion_tokens": 2})


def chat(*nodes: dict[str, Any], leaf: Any = None, **more: Any) -> dict[str, Any]:
    history = {"messages": {one["id"]: one for one in nodes}, "currentId": leaf or nodes[-1]["id"]}
    return {"id": "", "title": "T", "models": ["m"], "params": {}, "history": history, "messages": [], **more}


def wrapped(inner: dict[str, Any], id_: str = "c") -> dict[str, Any]:
    return {"id": id_, "title": "T", "chat": inner, "archived": False}


EXPORT = [wrapped(chat(ASKED, ANSWERED))]


def load(value: Any) -> Workspace:
    source = FileSource("export.json", json.dumps(value).encode())
    assert open_webui.sniff(source) == 0.95
    return open_webui.load(source)


def first(*nodes: dict[str, Any], **more: Any) -> Conversation:
    return load([wrapped(chat(*nodes, **more))]).conversations[0]


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


def test_a_chat_is_read_with_or_without_its_wrapper() -> None:
    for value in (EXPORT, EXPORT[0], chat(ASKED, ANSWERED), [chat(ASKED, ANSWERED)]):
        (conversation,) = load(value).conversations
        assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
        assert (conversation.title, conversation.model, conversation.tree) == ("T", "m", None)
    question, answer = load(EXPORT).conversations[0].messages
    assert question.time is not None
    assert answer.metadata == {"model": "m", "recorded_tokens": 2, "recorded_prompt_tokens": 9}


def test_answers_of_other_models_stay_in_the_tree() -> None:
    other = node("b", "u", "assistant", "Of another model", model="n", modelIdx=1)
    workspace = load([wrapped(chat(ASKED, ANSWERED, other, leaf="a"))])
    (conversation,) = workspace.conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert conversation.tree is not None
    assert [message.id for message in conversation.tree.messages] == ["u", "a", "b"]
    assert (conversation.tree.parents, conversation.tree.leaf) == (("", "u", "u"), "a")
    assert "1 messages beside" in workspace.problems[0].message


def test_thinking_and_code_are_not_content() -> None:
    content = (
        '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n'
        '> a &lt; b\n> so c\n</details>\nHo\n<details type="code_interpreter" done="true">\n'
        "<summary>Analyzed</summary>\n1 + 1\n</details>\nThere."
    )
    answer = first(ASKED, node("a", "u", "assistant", content)).messages[1]
    assert answer.content == "Ho\nThere."
    assert (answer.reasoning, answer.metadata) == ("a < b\nso c", {"code_interpreter": ["1 + 1"]})


def test_tool_calls_in_an_answer_are_calls_with_results() -> None:
    block = (
        '<details type="tool_calls" done="true" id="t1" name="look" '
        'arguments="&quot;{\\&quot;at\\&quot;: 1}&quot;" result="&quot;Sea&quot;">\n'
        "<summary>Tool Executed</summary>\n</details>"
    )
    other = node("x", "a", "user", "Thanks")
    conversation = first(ASKED, node("a", "u", "assistant", f"Wait.\n{block}\nThe sea."), other)
    assert said(conversation) == [
        ("user", "Hi"),
        ("assistant", "Wait."),
        ("tool", "Sea"),
        ("assistant", "The sea."),
        ("user", "Thanks"),
    ]
    call, result = conversation.messages[1].tool_calls[0], conversation.messages[2]
    assert (call.id, call.name, call.arguments) == ("t1", "look", '{"at": 1}')
    assert result.tool_call_id == "t1"
    assert [message.id for message in conversation.messages] == ["u", "a.1", "a.2", "a", "x"]


@pytest.mark.parametrize(
    "content",
    ['```\n<details type="reasoning">x</details>\n```', '<details type="reasoning" x', "<details>x</details>"],
)
def test_what_only_looks_like_thinking_is_text(content: str) -> None:
    assert first(ASKED, node("a", "u", "assistant", content)).messages[1].content == content


def test_system_prompts_and_windows_stand_among_the_settings() -> None:
    set_up = chat(ASKED, ANSWERED, params={"system": "Be kind.", "num_ctx": 4096})
    workspace = load([wrapped(set_up)])
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert workspace.conversations[0].context_window == 4096
    assert said(workspace.conversations[0])[0] == ("user", "Hi")
    mixed = load([wrapped(set_up), wrapped(chat(ASKED, ANSWERED), "d")])
    assert mixed.characters == ()
    assert [said(one)[0] for one in mixed.conversations] == [("system", "Be kind."), ("user", "Hi")]


def test_files_of_one_chat_are_documents_and_pictures_are_counted() -> None:
    text = {"type": "file", "name": "a.txt", "file": {"filename": "a.txt", "data": {"content": "Words"}}}
    picture = {"type": "image", "url": "data:image/png;base64," + "A" * 5_000}
    given = node("u", None, "user", "Look", files=[picture, text])
    workspace = load([wrapped(chat(given, files=[text]))])
    message = workspace.conversations[0].messages[0]
    assert (message.content, message.images, message.metadata) == ("Look", 1, {"files": ["a.txt"]})
    assert [(one.title, one.content) for one in workspace.documents] == [("a.txt", "Words")]
    many = load([wrapped(chat(given)), wrapped(chat(ASKED), "d")])
    assert [(one.content, one.conversations) for one in many.documents] == [("Words", ("c",))]
    assert many.problems == ()


def test_what_is_broken_is_a_problem_and_the_rest_opens() -> None:
    odd = node("g", "u", "ghost", "Boo")
    pictured = node("a", "g", "assistant", [{"type": "text", "text": "Ho"}, {"type": "hologram", "data": "x" * 99}])
    workspace = load([wrapped(chat(ASKED, odd, pictured)), "x"])
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert [problem.place for problem in workspace.problems] == [
        "$[0].chat.history.messages.g.role",
        "$[0].chat.history.messages.a.content[1]",
        "$[1]",
    ]
    lost = load([wrapped(chat(ASKED, ANSWERED, leaf="nowhere"))])
    assert said(lost.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert lost.problems[0].place == "$[0].chat.history.currentId"
    orphan = load([wrapped(chat(node("a", "gone", "user", "Hi")))])
    assert "gone" in orphan.problems[0].message


@pytest.mark.parametrize("value", [[], {}, {"history": []}, {"chat": {"history": {"messages": []}}}, {"chat": 5}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert open_webui.sniff(source) == 0
    with pytest.raises(UnreadableError):
        open_webui.load(source)


def row(id_: str, text: Any) -> dict[str, Any]:
    return {"id": id_, "user_id": "u", "title": "T", "chat": text, "created_at": 1, "archived": 0}


DATABASE = {"chat": [row("c", json.dumps(EXPORT[0]["chat"])), row("d", "{"), row("e", None)]}


def test_the_database_of_the_application_holds_the_same_chats() -> None:
    source = FileSource("webui.db", database_of(DATABASE))
    assert open_webui.sniff(source) == 1
    workspace = open_webui.load(source)
    assert [(one.id, said(one)) for one in workspace.conversations] == [("c", said(first(ASKED, ANSWERED)))]
    assert [problem.place for problem in workspace.problems] == ["chat: d", "chat: e"]
    assert open_webui.sniff(FileSource("x.db", database_of({"chat": [{"id": 1, "text": "x"}]}))) == 0

"""LM Studio's conversations: selected versions, steps that were left out, settings, tools and files."""

import json
from typing import Any

import pytest

from inspector.formats.lmstudio import chats as lmstudio
from inspector.model import Call, Message, Workspace
from inspector.reading.source import FileSource, UnreadableError


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def asked(words: str) -> dict[str, Any]:
    return {"type": "singleStep", "role": "user", "content": [text(words)]}


def block(*content: Any, included: bool = True, **more: Any) -> dict[str, Any]:
    return {"type": "contentBlock", "content": list(content), "shouldIncludeInContext": included, **more}


def thinking(words: str, included: bool = False) -> dict[str, Any]:
    return block(text(words), included=included, style={"type": "thinking"}, prefix="<think>", suffix="</think>")


def answer(*steps: Any) -> dict[str, Any]:
    return {"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "qwen"}, "steps": list(steps)}


def message(*versions: Any, selected: Any = 0) -> dict[str, Any]:
    return {"versions": list(versions), "currentlySelected": selected}


def fields(**values: Any) -> dict[str, Any]:
    return {"fields": [{"key": f"llm.{key.replace('__', '.')}", "value": value} for key, value in values.items()]}


CHAT: dict[str, Any] = {
    "name": "Talk",
    "createdAt": 1_709_251_200_000,
    "systemPrompt": "Not this",
    "messages": [message(asked("Hi")), message(answer(thinking("Hm"), block(text("Ho", tokensCount=2))))],
    "perChatPredictionConfig": fields(prediction__systemPrompt="Be kind."),
    "lastUsedModel": {"identifier": "qwen3", "instanceLoadTimeConfig": fields(load__contextLength=8192)},
}


def load(*messages: Any, **changes: Any) -> Workspace:
    value = {**CHAT, **({"messages": list(messages)} if messages else {}), **changes}
    source = FileSource("1.conversation.json", json.dumps(value).encode())
    assert lmstudio.sniff(source) == 0.95
    return lmstudio.load(source)


def messages_of(*messages: Any) -> tuple[Message, ...]:
    return load(*messages).conversations[0].messages


def test_a_conversation_and_its_settings() -> None:
    workspace = load()
    (conversation,) = workspace.conversations
    assert (conversation.title, conversation.model, conversation.context_window) == ("Talk", "qwen3", 8192)
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    question, reply = conversation.messages
    assert (question.id, question.role, question.content) == ("m0", "user", "Hi")
    assert (reply.id, reply.role, reply.content) == ("m1", "assistant", "Ho")
    assert (reply.reasoning, reply.metadata) == ("Hm", {"recorded_tokens": 2, "steps_left_out": 1})
    plain = load(perChatPredictionConfig={}, systemPrompt="Be terse.")
    assert [one.system_prompt for one in plain.characters] == ["Be terse."]


def test_the_selected_version_counts_and_the_others_stay_in_the_tree() -> None:
    versions = message(answer(block(text("Old"))), answer(block(text("New"))), selected=1)
    (conversation,) = load(message(asked("Hi")), versions, message(asked("Bye"))).conversations
    assert [one.content for one in conversation.messages] == ["Hi", "New", "Bye"]
    assert conversation.tree is not None
    assert [one.id for one in conversation.tree.messages] == ["m0", "m1.version0", "m1", "m2"]
    assert (conversation.tree.parents, conversation.tree.leaf) == (("", "m0", "m0", "m1"), "m2")


@pytest.mark.parametrize("selected", [7, -1, None, "x"])
def test_a_selection_that_is_none_is_said(selected: Any) -> None:
    workspace = load(message(asked("Hi"), selected=selected))
    assert workspace.conversations[0].messages[0].content == "Hi"
    assert workspace.problems[0].place == "$.messages[0].currentlySelected"


def test_a_step_that_was_left_out_is_an_excluded_message() -> None:
    steps = answer(block(text("Kept")), block(text("Gone"), included=False), block(text("Kept, too")))
    found = messages_of(message(steps))
    assert [(one.content, one.excluded) for one in found] == [("Kept", False), ("Gone", True), ("Kept, too", False)]
    assert found[1].metadata["recorded"] == {"action": "dropped", "reason": "left out of the context"}
    assert found[2].metadata == {"steps_left_out": 1}


def test_thinking_that_was_sent_back_is_content() -> None:
    (found,) = messages_of(message(answer(thinking("Hm", included=True), block(text("Ho")))))
    assert (found.content, found.parts) == ("<think>Hm</think>\nHo", ())
    (alone,) = messages_of(message(answer(thinking("Hm"))))
    assert (alone.content, alone.reasoning) == ("", "Hm")


def test_tools_and_files() -> None:
    call = {"type": "toolCallRequest", "callId": 5, "name": "look", "parameters": {"at": 1}}
    result = {"type": "toolCallResult", "callId": 5, "content": "Sea"}
    given = [text("See"), {"type": "file", "fileType": "image", "fileIdentifier": "a.png"}]
    given.append({"type": "file", "fileType": "text/plain", "fileIdentifier": "b.txt"})
    question, called, answered, reply = messages_of(
        message({"type": "singleStep", "role": "user", "content": given}),
        message(answer(block(text("Wait"), call), block(result), block(text("The sea.")))),
    )
    assert (question.content, question.images, question.metadata) == ("See", 1, {"files": ["b.txt"]})
    assert (called.content, called.tool_calls) == ("Wait", (Call("5", "look", '{"at":1}'),))
    assert (answered.role, answered.content, answered.tool_call_id) == ("tool", "Sea", "5")
    assert reply.content == "The sea."


def test_what_is_broken_is_a_problem_and_the_rest_opens() -> None:
    odd = message({"type": "singleStep", "role": "ghost", "content": [text("Boo")]})
    parts = message(answer(block({"type": "hologram", "data": "x" * 99}, text("Ho")), {"type": "dance"}))
    workspace = load(message(asked("Hi")), odd, parts, "x")
    assert [one.content for one in workspace.conversations[0].messages] == ["Hi", "Ho"]
    assert [problem.place for problem in workspace.problems] == [
        "$.messages[1].versions[0].role",
        "$.messages[2].versions[0].steps[0].content[0]",
        "$.messages[2].versions[0].steps[1]",
        "$.messages[3]",
    ]


@pytest.mark.parametrize("value", [[], {"messages": []}, {"messages": [{"versions": []}]}, {"messages": [5]}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert lmstudio.sniff(source) == 0
    with pytest.raises(UnreadableError):
        lmstudio.load(source)

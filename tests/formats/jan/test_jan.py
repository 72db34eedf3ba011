"""Jan's threads, written here as the application writes them: no real file is here."""

import inspect
import json
import sys
from typing import Any

import pytest

from inspector.formats.jan import threads as jan
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError


def text(value: Any) -> dict[str, Any]:
    return {"type": "text", "text": {"value": value, "annotations": []}}


def message(id_: str, role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    named = {"id": id_, "object": "thread.message", "thread_id": "t", "role": role, "content": list(parts)}
    return {**named, "created_at": 1_700_000_000_000, "status": "ready", **more}


CALLED = {"type": "tool_call", "tool_call_id": "k", "tool_name": "look", "input": '{"at": 1}', "output": "Sea"}
THOUGHT = {"type": "reasoning", "text": {"value": "Hm", "annotations": []}}
USED = {"usage": {"promptTokens": 90, "completionTokens": 4}}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 5_000}}
MESSAGES = [
    message("a", "user", text("Hi"), PICTURE),
    message("b", "assistant", THOUGHT, text("Ho"), metadata=USED),
    message("c", "assistant", text("Wait."), CALLED),
]
THREAD: dict[str, Any] = {
    "id": "t",
    "object": "thread",
    "title": "Tea",
    "assistants": [
        {
            "assistant_id": "jan",
            "assistant_name": "Jan",
            "instructions": "Be kind.",
            "model": {"id": "llama", "settings": {"ctx_len": 4096}},
        }
    ],
}


def load(*values: Any) -> Workspace:
    source = FileSource("t/messages.jsonl", b"\n".join(json.dumps(value).encode() for value in values))
    assert jan.sniff(source) == 0.95
    return jan.load(source)


def test_the_messages_of_a_thread() -> None:
    workspace = load(*MESSAGES)
    (talk,) = workspace.conversations
    assert [(one.role, one.content) for one in talk.messages] == [
        ("user", "Hi"),
        ("assistant", "Ho"),
        ("assistant", "Wait."),
        ("tool", "Sea"),
    ]
    question, answer, call, result = talk.messages
    assert (question.images, question.time is not None) == (1, True)
    recorded = {"recorded_tokens": 4, "recorded_prompt_tokens": 90}
    assert (answer.reasoning, answer.metadata) == ("Hm", {"status": "ready", **recorded})
    assert [(one.id, one.name, one.arguments) for one in call.tool_calls] == [("k", "look", '{"at": 1}')]
    assert result.tool_call_id == "k"
    assert (talk.id, talk.title, workspace.problems) == ("t", "Hi", ())


def test_several_threads_in_a_file_are_several_conversations() -> None:
    other = message("x", "user", text("And?"), thread_id="u")
    assert [(one.id, len(one.messages)) for one in load(*MESSAGES[:2], other).conversations] == [("t", 2), ("u", 1)]


def test_a_thread_names_its_assistants() -> None:
    (character,) = load(THREAD).characters
    assert (character.id, character.system_prompt) == ("Jan", "Be kind.")
    assert character.preferred_llm == {"model": "llama", "context_window": 4096}


@pytest.mark.parametrize("room", range(4, 80, 4))
def test_a_name_without_a_text_is_passed_over(room: int) -> None:
    """A list that is nested as deep as can be read, and too deep to be written as a text."""
    depth = sys.getrecursionlimit() - len(inspect.stack(0)) - room
    named = json.dumps({**THREAD, "assistants": [{"assistant_name": "deep", "name": "Jan", "instructions": ""}]})
    data = named.replace('"deep"', "[" * depth + "]" * depth).encode()
    try:
        (character,) = jan.load(FileSource("t/thread.json", data)).characters
    except UnreadableError:
        return
    assert character.id == "Jan" or character.id.startswith("[[")


def test_one_bad_message_keeps_the_others() -> None:
    unknown = message("x", "user", text("So"), {"type": "hologram", "data": "x"})
    workspace = load(*MESSAGES[:1], {"id": 5}, message("y", "ghost", text("Boo")), unknown)
    assert [one.content for one in workspace.conversations[0].messages] == ["Hi", "So"]
    assert [one.place for one in workspace.problems] == ["line 2: $", "line 3: $.role", "line 4: $.content[1]"]


@pytest.mark.parametrize("value", [{}, [], {"object": "thread"}, {"object": "thread.message"}, {"assistants": [{}]}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert jan.sniff(source) == 0
    with pytest.raises(UnreadableError):
        jan.load(source)


def test_a_list_of_the_assistants_api_begins_with_the_newest_message() -> None:
    def spoken(number: int, role: str, text: str) -> dict[str, Any]:
        content = [{"type": "text", "text": {"value": text, "annotations": []}}]
        ids = {"id": f"msg_{number}", "thread_id": "thread_1", "assistant_id": None, "run_id": None}
        return {**ids, "object": "thread.message", "created_at": number // 2, "role": role, "content": content}

    newest_first = [spoken(4, "user", "Why?"), spoken(3, "assistant", "Ho"), spoken(2, "user", "Hi")]
    (chat,) = load({"object": "list", "data": newest_first, "has_more": False}).conversations
    assert [message.content for message in chat.messages] == ["Hi", "Ho", "Why?"]
    assert chat.id == "thread_1"

"""Messages of Haystack in their three forms, and states of AutoGen's agents and teams."""

import json
from typing import Any

import pytest

from inspector.formats.frameworks import autogen, haystack
from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Call, Image, Message, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError

_ASKED = "What is the capital of France?"
_CALL = {"tool_name": "capital", "arguments": {"of": "France"}, "id": "c1"}
_USAGE = {"prompt_tokens": 9, "completion_tokens": 2}
_ABOUT = {"model": "gpt-4o", "usage": _USAGE}


def _said(role: str, *parts: dict[str, Any], **about: Any) -> dict[str, Any]:
    return {"role": role, "meta": about, "name": None, "content": list(parts)}


HAYSTACK: list[dict[str, Any]] = [
    _said("system", {"text": "Answer in one word."}),
    _said("user", {"text": _ASKED}),
    _said("assistant", {"reasoning": {"reasoning_text": "Let me look.", "extra": {}}}, {"tool_call": _CALL}, **_ABOUT),
    _said("tool", {"tool_call_result": {"result": "It is Paris.", "origin": _CALL, "error": False}}),
    _said("assistant", {"text": "Paris."}, **_ABOUT),
]
UNDERLINED = [{f"_{key}": value for key, value in one.items()} for one in HAYSTACK]
_THREAD = [
    {"source": "user", "models_usage": None, "metadata": {}, "content": _ASKED, "type": "TextMessage"},
    {"source": "guide", "models_usage": _USAGE, "metadata": {}, "content": "Paris.", "type": "TextMessage"},
]
_LLM: list[dict[str, Any]] = [
    {"content": "Answer in one word.", "type": "SystemMessage"},
    {"content": _ASKED, "source": "user", "type": "UserMessage"},
    {
        "content": [{"id": "c1", "name": "capital", "arguments": '{"of":"France"}'}],
        "thought": "Let me look.",
        "source": "guide",
        "type": "AssistantMessage",
    },
    {
        "content": [{"content": "It is Paris.", "name": "capital", "call_id": "c1", "is_error": False}],
        "type": "FunctionExecutionResultMessage",
    },
    {"content": "Paris.", "thought": None, "source": "guide", "type": "AssistantMessage"},
]
AGENT: dict[str, Any] = {"type": "AssistantAgentState", "version": "1.0.0", "llm_context": {"messages": _LLM}}
TEAM: dict[str, Any] = {
    "type": "TeamState",
    "version": "1.0.0",
    "agent_states": {
        "guide/7": {"type": "ChatAgentContainerState", "agent_state": AGENT, "message_buffer": []},
        "RoundRobinGroupChatManager/7": {"type": "RoundRobinManagerState", "message_thread": _THREAD},
    },
}
RESULT: dict[str, Any] = {"messages": _THREAD, "stop_reason": "done"}
HAYSTACKS: dict[str, Any] = {"now": HAYSTACK, "2.9 to 2.11": UNDERLINED, "in an object": {"messages": HAYSTACK}}
AGENTS: dict[str, Any] = {
    "a state": AGENT,
    "an older state": {"type": "AssistantAgentState", "version": "1.0.0", "llm_messages": _LLM},
    "a state inside": {"type": "SocietyOfMindAgentState", "inner_team_state": {"agent_states": {"guide": AGENT}}},
    "a list": _LLM,
}


def opened(name: str, value: Any) -> Workspace:
    source = FileSource("saved.json", json.dumps(value).encode())
    first = rank_formats(source, built_in_formats())[0][0]
    assert first.name == name
    found = load_unnamed(source.data, "saved.json").workspace
    assert load_unnamed(source.data, "saved.json").workspace == found
    return found


def _told(message: Message) -> tuple[str, str]:
    calls = (f"{part.name} {part.arguments}" for part in message.parts if isinstance(part, Call))
    return message.role, message.content or "".join(calls)


_CHAT = [
    ("user", _ASKED),
    ("assistant", 'capital {"of":"France"}'),
    ("tool", "It is Paris."),
    ("assistant", "Paris."),
]


@pytest.mark.parametrize("form", HAYSTACKS)
def test_each_form_of_haystack_is_the_same_chat(form: str) -> None:
    found = opened("haystack", HAYSTACKS[form])
    (chat,) = found.conversations
    assert [_told(message) for message in chat.messages] == _CHAT
    assert found.characters[0].system_prompt == "Answer in one word."
    assert [part.text for part in chat.messages[1].parts if isinstance(part, Thought)] == ["Let me look."]
    assert chat.messages[3].metadata["recorded_prompt_tokens"] == 9
    assert chat.model == "gpt-4o"
    assert not found.problems


@pytest.mark.parametrize("form", AGENTS)
def test_each_form_of_autogens_states_is_the_same_chat(form: str) -> None:
    found = opened("autogen", AGENTS[form])
    (chat,) = found.conversations
    assert [_told(message) for message in chat.messages] == _CHAT
    assert [message.name for message in chat.messages[:2]] == ["user", "guide"]
    assert found.characters[0].system_prompt == "Answer in one word."
    assert [part.text for part in chat.messages[1].parts if isinstance(part, Thought)] == ["Let me look."]
    assert not found.problems


def test_a_team_has_a_chat_for_each_agent_and_its_thread() -> None:
    found = opened("autogen", TEAM)
    assert [chat.title for chat in found.conversations] == ["guide", "RoundRobinGroupChatManager"]
    thread = found.conversations[1].messages
    assert [(message.role, message.name, message.content) for message in thread] == [
        ("user", "user", _ASKED),
        ("assistant", "guide", "Paris."),
    ]
    assert thread[1].metadata["recorded_tokens"] == 2
    assert [_told(one) for one in opened("autogen", RESULT).conversations[0].messages] == [_CHAT[0], _CHAT[3]]


def test_events_of_calls_and_pictures_are_kept() -> None:
    events = [
        {**_LLM[2], "type": "ToolCallRequestEvent", "thought": None},
        {**_LLM[3], "type": "ToolCallExecutionEvent", "source": "guide"},
        {"type": "MultiModalMessage", "source": "user", "content": ["Look at this.", {"data": "iVBORw0KGgo="}]},
    ]
    (chat,) = opened("autogen", {"messages": events}).conversations
    assert [_told(message) for message in chat.messages] == [*_CHAT[1:3], ("user", "Look at this.")]
    assert any(isinstance(part, Image) for part in chat.messages[2].parts)


def test_a_picture_of_haystack_is_kept_and_an_unknown_part_is_said() -> None:
    image = {"image": {"base64_image": "iVBORw0KGgo=", "mime_type": "image/png"}}
    found = opened("haystack", [_said("user", {"text": "Look at this."}, image, {"song": {"words": "A song."}})])
    assert any(isinstance(part, Image) for part in found.conversations[0].messages[0].parts)
    assert any("song" in problem.message for problem in found.problems)


def test_a_chat_result_of_the_first_version_opens() -> None:
    turns = [{"content": _ASKED, "role": "assistant", "name": "proxy"}, {"content": "Paris.", "role": "user"}]
    found = opened("openai", {"chat_id": 1, "chat_history": turns, "summary": "Paris.", "human_input": []})
    assert [message.content for message in found.conversations[0].messages] == [_ASKED, "Paris."]


@pytest.mark.parametrize("kind", [haystack, autogen])
def test_files_without_messages_are_refused(kind: Any) -> None:
    for value in ([], {"messages": []}, {"type": "TeamState", "agent_states": {}}):
        source = FileSource("saved.json", json.dumps(value).encode())
        assert kind.FORMAT.sniff(source) == 0
        with pytest.raises(UnreadableError):
            kind.FORMAT.load(source)

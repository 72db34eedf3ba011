"""Histories of frameworks: LlamaIndex, Semantic Kernel, and events of the Realtime API, in the forms of their types."""

import json
from typing import Any

import pytest

from inspector.formats.format import Format
from inspector.formats.frameworks import llama_index, semantic_kernel
from inspector.formats.openai import realtime
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Result, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format

SAID = [("user", "Where?"), ("assistant", ""), ("tool", "Rome"), ("assistant", "In Rome.")]


def load(kind: Format, value: Any) -> Workspace:
    lines = isinstance(value, tuple)
    text = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    source = FileSource("x.jsonl" if lines else "x.json", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


def calls(workspace: Workspace) -> list[tuple[str, str, Any]]:
    messages = workspace.conversations[0].messages
    return [(call.id, call.name, json.loads(call.arguments)) for one in messages for call in one.tool_calls]


def block(text: str) -> list[dict[str, str]]:
    return [{"block_type": "text", "text": text}]


OPENAI_CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
TOOL_BLOCK = {"block_type": "tool_call", "tool_call_id": "c", "tool_name": "look", "tool_kwargs": {"at": 1}}
ASKED, ANSWER = {"role": "user", "blocks": block("Where?")}, {"role": "assistant", "blocks": block("In Rome.")}
RESULT = {"role": "tool", "additional_kwargs": {"tool_call_id": "c"}, "blocks": block("Rome")}
CALLING = {"role": "assistant", "additional_kwargs": {"tool_calls": [OPENAI_CALL]}, "blocks": []}
HISTORY = [ASKED, CALLING, RESULT, ANSWER]
OLD = [
    {"role": one["role"], "content": "".join(b["text"] for b in one["blocks"]), **one}  # type: ignore[index,misc]
    for one in HISTORY
]
STORES: dict[str, Any] = {
    "a store": {"store": {"ann": HISTORY}, "class_name": "SimpleChatStore"},
    "without a class": {"store": {"ann": HISTORY}},
    "a memory": {"chat_store": {"store": {"ann": HISTORY}}, "chat_store_key": "ann", "class_name": "ChatMemoryBuffer"},
    "a memory with its store as text": {"chat_store": json.dumps({"store": {"ann": HISTORY}}), "token_limit": 9},
    "a list": HISTORY,
    "calls as blocks": [ASKED, {"role": "assistant", "blocks": [TOOL_BLOCK]}, RESULT, ANSWER],
    "before blocks": {
        "store": {"ann": [{key: one[key] for key in one if key != "blocks"} for one in OLD]},
        "class_name": "SimpleChatStore",
    },
}


@pytest.mark.parametrize("name", STORES)
def test_a_chat_of_llama_index_is_read(name: str) -> None:
    workspace = load(llama_index.FORMAT, STORES[name])
    assert said(workspace) == SAID
    assert calls(workspace) == [("c", "look", {"at": 1})]
    assert workspace.conversations[0].messages[2].tool_call_id == "c"
    assert not workspace.problems


def test_each_key_of_a_store_is_a_chat_and_an_empty_one_is_none() -> None:
    store = {"store": {"ann": [ASKED], "bob": [ANSWER], "eve": []}, "class_name": "SimpleChatStore"}
    assert [one.id for one in load(llama_index.FORMAT, store).conversations] == ["ann", "bob"]


def test_thoughts_and_pictures_of_blocks_are_kept_and_odd_ones_are_said() -> None:
    blocks = [
        {"block_type": "thinking", "content": "Hm"},
        {"block_type": "image", "url": "https://example.org/a.png"},
        {"block_type": "cheese", "smell": "strong"},
        *block("Ho"),
    ]
    workspace = load(llama_index.FORMAT, [{"role": "assistant", "blocks": blocks}])
    parts = workspace.conversations[0].messages[0].parts
    assert [type(part).__name__ for part in parts] == ["Thought", "Image", "Unknown", "Text"]
    assert "cheese" in workspace.problems[0].message


def dotnet(role: str, *items: Any, **more: Any) -> dict[str, Any]:
    return {"Role": {"Label": role}, "Items": list(items), **more}


FUNCTION = {"Id": "c", "PluginName": "maps", "FunctionName": "look"}
KERNEL = [
    dotnet("user", {"$type": "TextContent", "Text": "Where?"}),
    dotnet("assistant", {"$type": "FunctionCallContent", **FUNCTION, "Arguments": {"at": 1}}),
    dotnet("tool", {"$type": "FunctionResultContent", "CallId": "c", "FunctionName": "look", "Result": "Rome"}),
    dotnet("assistant", {"$type": "TextContent", "Text": "In Rome."}, ModelId="m"),
]


def camel(value: Any) -> Any:
    if isinstance(value, dict):
        return {key[:1].lower() + key[1:]: camel(one) for key, one in value.items()}
    return [camel(one) for one in value] if isinstance(value, list) else value


PYTHON = [
    {"role": "user", "items": [{"content_type": "text", "text": "Where?"}]},
    {"role": "assistant", "items": [{"content_type": "function_call", "id": "c", "name": "maps-look", "function_name":
        "look", "plugin_name": "maps", "arguments": '{"at": 1}'}]},
    {"role": "tool", "items": [{"content_type": "function_result", "id": "c", "name": "maps-look", "result": "Rome"}]},
    {"role": "assistant", "items": [{"content_type": "text", "text": "In Rome."}]},
]  # fmt: skip
EXTENSIONS = [
    {"role": "user", "contents": [{"$type": "text", "text": "Where?"}]},
    {"role": "assistant", "contents": [{"$type": "functionCall", "callId": "c", "name": "maps-look", "arguments":
        {"at": 1}}]},
    {"role": "tool", "contents": [{"$type": "functionResult", "callId": "c", "result": "Rome"}]},
    {"role": "assistant", "contents": [{"$type": "text", "text": "In Rome."}]},
]  # fmt: skip
KERNELS: dict[str, Any] = {
    "dotnet": KERNEL,
    "camel case": camel(KERNEL),
    "messages": {"Messages": KERNEL},
    "lines": tuple(KERNEL),
    "python": {"messages": PYTHON, "system_message": None},
    "extensions": EXTENSIONS,
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_history_of_semantic_kernel_is_read(name: str) -> None:
    workspace = load(semantic_kernel.FORMAT, KERNELS[name])
    assert said(workspace) == SAID
    assert calls(workspace) == [("c", "maps-look", {"at": 1})]
    assert workspace.conversations[0].messages[2].tool_call_id == "c"
    assert not workspace.problems


def test_an_unknown_item_of_semantic_kernel_is_said() -> None:
    workspace = load(semantic_kernel.FORMAT, [dotnet("user", {"$type": "CheeseContent", "Smell": "strong"})])
    assert "CheeseContent" in workspace.problems[0].message


def item(id_: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "type": "message", "object": "realtime.item", **more}


QUESTION = item("i1", role="user", content=[{"type": "input_audio", "transcript": None}])
EVENTS: tuple[dict[str, Any], ...] = (
    {"type": "session.created", "session": {"id": "s", "model": "m", "instructions": "Be kind.", "tools": []}},
    {"type": "session.updated", "session": {"id": "s", "instructions": "Be short.", "tools": [{"name": "look"}]}},
    {"type": "conversation.item.created", "previous_item_id": None, "item": QUESTION},
    {"type": "conversation.item.input_audio_transcription.completed", "item_id": "i1", "transcript": "Where?"},
    {"type": "response.created", "response": {"id": "r"}},
    {"type": "response.output_audio.delta", "delta": "AAAA"},
    {"type": "response.done", "response": {"id": "r", "output": [{"id": "i2", "type": "function_call", "call_id": "c",
        "name": "look", "arguments": '{"at": 1}'}]}},
    {"type": "conversation.item.create", "item": {"id": "i3", "type": "function_call_output", "call_id": "c",
        "output": "Rome"}},
    {"type": "response.output_item.done", "item": item("i4", role="assistant", content=[{"type": "audio",
        "transcript": "In Rome."}])},
    {"type": "response.done", "response": {"id": "r2", "output": [item("i4", role="assistant", content=[{"type":
        "output_audio", "transcript": "In Rome."}])], "usage": {"input_tokens": 7, "output_tokens": 3}}},
)  # fmt: skip


@pytest.mark.parametrize("wrapped", [False, True])
def test_events_of_a_session_are_a_conversation(wrapped: bool) -> None:
    events = tuple({"time": 1, "event": one} for one in EVENTS) if wrapped else EVENTS
    workspace = load(realtime.FORMAT, events)
    assert said(workspace) == SAID
    assert calls(workspace) == [("c", "look", {"at": 1})]
    assert workspace.characters[0].system_prompt == "Be short."
    assert [tool.schema for tool in workspace.tools] == [{"name": "look"}]
    assert workspace.conversations[0].messages[-1].metadata["recorded_prompt_tokens"] == 7


def test_events_may_stand_in_a_list_and_deleted_items_are_gone() -> None:
    deleted = {"type": "conversation.item.deleted", "item_id": "i1"}
    assert said(load(realtime.FORMAT, [*EVENTS, deleted])) == SAID[1:]


def test_an_item_inserted_after_another_stands_there() -> None:
    first, last, between = (item(name, role="user", content=[{"type": "input_text", "text": name}]) for name in "abc")
    created = [
        {"type": "conversation.item.added", "item": first},
        {"type": "conversation.item.added", "previous_item_id": "a", "item": last},
        {"type": "conversation.item.added", "previous_item_id": "a", "item": between},
    ]
    assert [text for _, text in said(load(realtime.FORMAT, created))] == ["a", "c", "b"]


@pytest.mark.parametrize("kind", [llama_index.FORMAT, semantic_kernel.FORMAT, realtime.FORMAT])
def test_nothing_else_is_claimed(kind: Format, tmp_path: Any) -> None:
    for value in ([], {}, [{"role": "user", "content": "Hi"}], {"store": {}}, {"type": "session.created"}):
        assert kind.sniff(FileSource("x.json", json.dumps(value).encode())) == 0
    with pytest.raises(UnreadableError):
        kind.load(FileSource("x.json", b"[]"))


@pytest.mark.parametrize(
    ("kind", "value"),
    [(llama_index.FORMAT, STORES["a store"]), (semantic_kernel.FORMAT, KERNEL), (realtime.FORMAT, list(EVENTS))],
)
def test_the_format_keeps_the_rules_of_formats(kind: Format, value: Any, tmp_path: Any) -> None:
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    check_format(kind, file)


def test_an_encrypted_thought_of_extensions_is_one_and_a_result_that_is_data_is_json() -> None:
    told = [
        {"role": "assistant", "contents": [{"$type": "reasoning", "text": "", "protectedData": "x" * 8}]},
        {"role": "tool", "contents": [{"$type": "functionResult", "callId": "c", "result": {"a": 1}}]},
    ]
    first, second = load(semantic_kernel.FORMAT, told).conversations[0].messages
    assert isinstance(first.parts[0], Thought)
    assert first.parts[0].bytes == 8
    assert isinstance(second.parts[0], Result)
    assert json.loads(second.content) == {"a": 1}

"""Files that are wrong in random places: a format opens what is good or refuses with a problem, nothing else."""

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.formats import load_file
from inspector.formats.chatgpt.export import FORMAT as CHATGPT
from inspector.formats.format import Format
from inspector.formats.native.workspace import FORMAT as NATIVE
from inspector.formats.openai.chats import FORMAT as OPENAI
from inspector.reading.source import FileSource, UnreadableError

_CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
_MESSAGES = [
    {"role": "system", "content": "Be kind."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Hi"}, {"type": "image_url", "image_url": {"url": "data:x"}}],
    },
    {"role": "assistant", "content": None, "tool_calls": [_CALL], "reasoning_details": [{"text": "Hm"}]},
    {"role": "tool", "tool_call_id": "1", "content": [{"type": "tool_result", "content": [{"text": "ok"}]}], "time": 1},
]
_ITEMS = [
    {"type": "reasoning", "summary": [{"text": "Hm"}]},
    {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "x"}]},
    {"type": "message", "role": "user", "content": "Hi"},
]
_HELD = [
    {"content_type": "user_editable_context", "user_profile": "a", "user_instructions": "b"},
    {"content_type": "model_editable_context", "model_set_context": "1. [2024-01-01]. x"},
    {"content_type": "multimodal_text", "parts": ["Hi", {"content_type": "image_asset_pointer", "asset_pointer": "x"}]},
    {"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]},
    {"content_type": "code", "text": "1"},
    {"content_type": "execution_output", "text": "2"},
]
_NODES = {
    f"n{index}": {
        "id": f"n{index}",
        "parent": f"n{index - 1}" if index else None,
        "children": [f"n{index + 1}"],
        "message": {
            "author": {"role": role, "name": None},
            "create_time": 1.7e9,
            "content": held,
            "recipient": "python" if role == "assistant" else "all",
            "metadata": {"attachments": [{"name": "a"}]},
        },
    }
    for index, (held, role) in enumerate(
        zip(_HELD, ("user", "assistant", "user", "assistant", "assistant", "tool"), strict=True)
    )
}
_WORKSPACE = {
    "format": "prompt-inspector/workspace@1",
    "conversations": [{"id": "c", "messages": [{"id": "a", "role": "user", "content": "Hi", "tool_calls": [_CALL]}],
                       "tree": {"messages": ["a"], "parents": [""], "leaf": "a"}}],
    "memory_sets": [{"id": "s", "memories": [
        {"id": "m", "content": "x", "priority": 3, "tags": ["t"], "time": "2024-01-01"}]}],
    "characters": [{"id": "n", "profile": {"facts": ["x"]}, "components": [
        {"id": "k", "type": "t", "content": "", "priority": 1}]}],
    "tools": [{"name": "f"}],
}  # fmt: skip
_SEEDS: tuple[tuple[Format, Any], ...] = (
    (OPENAI, _MESSAGES),
    (
        OPENAI,
        {"model": "m", "messages": _MESSAGES, "tools": [{"type": "function"}], "choices": [{"message": _MESSAGES[2]}]},
    ),
    (OPENAI, {"model": "m", "instructions": "x", "input": _ITEMS, "output": _ITEMS}),
    (OPENAI, {"request": {"messages": _MESSAGES}, "response": {"choices": [{"message": _MESSAGES[2]}]}}),
    (
        OPENAI,
        {"input": {"messages": _MESSAGES}, "preferred_output": _MESSAGES[1:2], "non_preferred_output": _MESSAGES[2:3]},
    ),
    (CHATGPT, [{"title": "T", "mapping": _NODES, "current_node": "n5", "conversation_id": "c"}]),
    (CHATGPT, {"mapping": _NODES, "current_node": "n5"}),
    (NATIVE, _WORKSPACE),
)
_ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1e300,
        10**30,
        "",
        "x",
        "a\0",
        "\ud83d",
        [],
        {},
        [[]],
        [None],
        {"": None},
        {"type": []},
        ["x", 5],
        "n0",
    ]
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in _places(item, (*path, key)))]


def _put(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    parent = value
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = odd
    return value


@settings(max_examples=600)
@given(st.data())
def test_a_value_of_a_wrong_kind_anywhere(data: st.DataObject) -> None:
    kind, seed = data.draw(st.sampled_from(_SEEDS))
    value = copy.deepcopy(seed)
    for _ in range(data.draw(st.integers(1, 3))):
        value = _put(value, data.draw(st.sampled_from(_places(value))), copy.deepcopy(data.draw(_ODD)))
    source = FileSource("x.json", json.dumps(value).encode())
    assert 0 <= kind.sniff(source) <= 1
    try:
        workspace = kind.load(source)
    except UnreadableError:
        return
    repr(workspace).encode()
    for conversation in workspace.conversations:
        ids = [message.id for message in conversation.messages]
        assert len(set(ids)) == len(ids)
        assert conversation.tree is None or len(conversation.tree.parents) == len(conversation.tree.messages)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bytes_cut_or_changed_anywhere(data: st.DataObject, tmp_path: Path) -> None:
    content = bytearray(json.dumps(data.draw(st.sampled_from(_SEEDS))[1]).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "x.json"
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    workspace = load_file(path)
    assert workspace.sources or [problem for problem in workspace.problems if problem.severity == "error"]
    assert not any(" failed: " in problem.message for problem in workspace.problems)

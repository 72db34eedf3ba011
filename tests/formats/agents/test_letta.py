"""Letta's agent files: of today, the flat first layout, and JSON inside a string."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.agents import letta
from inspector.model import Call, Memory, Workspace
from inspector.reading.source import FileSource, UnreadableError

BLOCKS = [
    {"id": "block-0", "label": "human", "value": "Ana.", "limit": 100, "description": "who", "tags": ["a"]},
    {"id": "block-1", "label": "persona", "value": "", "limit": 100},
    {"id": "block-2", "label": "other", "value": "of another agent"},
]
CALL = {"id": "c1", "type": "function", "function": {"name": "send_message", "arguments": '{"message": "Hi"}'}}
MESSAGES: list[dict[str, Any]] = [
    {"id": "message-0", "role": "system", "content": [{"type": "text", "text": "Be kind. <human>Ana.</human>"}]},
    {"id": "message-1", "role": "user", "content": [{"type": "text", "text": "Hello"}]},
    {"id": "message-2", "role": "assistant", "content": [], "tool_calls": [CALL]},
    {"id": "message-3", "role": "tool", "content": [{"type": "text", "text": "OK"}], "tool_call_id": "c1"},
]
AGENT: dict[str, Any] = {
    "name": "Nova",
    "system": "Be kind.",
    "llm_config": {"model": "gpt-4o", "context_window": 32000},
    "context_window_limit": None,
    "block_ids": ["block-1", "block-0"],
    "in_context_message_ids": ["message-0", "message-2", "message-3"],
    "messages": MESSAGES,
    "tool_exec_environment_variables": {"KEY": "secret"},
}
TOOLS = [{"id": "tool-0", "name": "send_message", "json_schema": {"name": "send_message", "parameters": {}}}]
FILE: dict[str, Any] = {"agents": [AGENT], "blocks": BLOCKS, "tools": TOOLS, "files": [], "sources": []}


def opened(value: Any) -> Workspace:
    source = FileSource("x/agent.af", json.dumps(value).encode())
    assert letta.sniff(source) == 0.95
    return letta.load(source)


def changed(**changes: Any) -> dict[str, Any]:
    return {**FILE, "agents": [{**AGENT, **changes}]}


@pytest.mark.parametrize("value", [FILE, json.dumps(FILE)])
def test_an_agent(value: Any) -> None:
    workspace = opened(value)
    (character,) = workspace.characters
    assert (character.id, character.name, character.system_prompt) == ("Nova", "Nova", "Be kind.")
    assert character.preferred_llm == {"model": "gpt-4o", "context_window": 32000}
    assert workspace.memory_sets[0].memories == (
        Memory("persona", "", type="core", category="persona"),
        Memory("human", "Ana.", type="core", category="human", tags=("a",)),
    )
    assert [tool.schema for tool in workspace.tools] == [{"type": "function", "function": TOOLS[0]["json_schema"]}]
    assert [problem.severity for problem in workspace.problems] == ["info"]
    assert "secret" not in repr(workspace)


def test_messages_say_what_was_in_the_context() -> None:
    (talk,) = opened(FILE).conversations
    assert (talk.model, talk.context_window) == ("gpt-4o", 32000)
    assert [(one.id, one.role, one.content, one.metadata["recorded"]["action"]) for one in talk.messages] == [
        ("message-1", "user", "Hello", "dropped"),
        ("message-2", "assistant", "", "kept"),
        ("message-3", "tool", "OK", "kept"),
    ]
    assert talk.messages[1].tool_calls == (Call("c1", "send_message", '{"message": "Hi"}'),)
    assert not any(one.excluded for one in talk.messages)


def last(*records: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Role, text and answered call of the messages that records become below the others."""
    (talk,) = opened(changed(messages=[*MESSAGES, *records])).conversations
    return [(one.role, one.content, one.tool_call_id) for one in talk.messages[3:]]


def test_results_of_several_tools_are_messages() -> None:
    returns = [{"tool_call_id": f"c{n}", "status": "success", "func_response": f"Sea {n}"} for n in (1, 2)]
    both = {"id": "message-4", "role": "tool", "content": None, "tool_returns": returns}
    assert last(both) == [("tool", "Sea 1", "c1"), ("tool", "Sea 2", "c2")]


def test_parts_of_lettas_own() -> None:
    parts = [
        {"type": "summarized_reasoning", "summary": [{"text": "Hm"}]},
        {"type": "omitted_reasoning"},
        {"type": "text", "text": "Ho"},
        {"type": "tool_call", "id": "c3", "name": "look", "input": {"at": 1}},
    ]
    returned = {"role": "tool", "content": [{"type": "tool_return", "tool_call_id": "c3", "content": "Sea"}]}
    workspace = opened(changed(messages=[*MESSAGES, {"role": "assistant", "content": parts}, returned]))
    answer, result = workspace.conversations[0].messages[3:]
    assert (answer.content, answer.reasoning, answer.tool_calls[0].name) == ("Ho", "Hm", "look")
    assert (result.content, result.tool_call_id) == ("Sea", "c3")
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_questions_for_approval_are_calls() -> None:
    asked = {"id": "message-4", "role": "approval", "content": [], "tool_calls": [CALL]}
    answered = {"id": "message-5", "role": "approval", "content": [], "approve": True}
    assert last(asked, answered) == [("assistant", "", "")]


def test_a_summary_is_marked() -> None:
    cut = {"id": "message-4", "role": "summary", "content": [{"type": "text", "text": "They met."}]}
    (talk,) = opened(changed(messages=[*MESSAGES, cut])).conversations
    assert (talk.messages[-1].role, talk.messages[-1].metadata["summary"]) == ("user", True)


def test_open_files_are_documents() -> None:
    files = [
        {"id": "f0", "file_name": "a.txt", "is_open": True, "visible_content": "Tides."},
        {"id": "f1", "file_name": "b.txt", "is_open": False, "visible_content": "Closed."},
    ]
    assert [(one.id, one.title, one.content) for one in opened(changed(files_agents=files)).documents] == [
        ("f0", "a.txt", "Tides.")
    ]
    several = opened({**FILE, "agents": [{**AGENT, "files_agents": files}, AGENT]})
    assert several.documents == ()
    assert "1 open files" in several.problems[-1].message


def test_the_model_may_stand_beside_its_settings() -> None:
    (talk,) = opened(changed(llm_config=None, model="openai/gpt-4o")).conversations
    assert talk.model == "openai/gpt-4o"


def test_an_agent_that_has_said_nothing_has_no_conversation() -> None:
    assert opened(changed(messages=MESSAGES[:1])).conversations == ()


def test_the_flat_layout_of_the_first_version() -> None:
    value = {
        "name": "Nova",
        "system": "Be kind.",
        "core_memory": [{"label": "human", "value": "Ana."}],
        "messages": MESSAGES,
        "in_context_message_indices": [0, 1],
        "tools": TOOLS,
    }
    workspace = opened(value)
    assert workspace.memory_sets[0].memories == (Memory("human", "Ana.", type="core", category="human"),)
    assert [one.metadata["recorded"]["action"] for one in workspace.conversations[0].messages] == [
        "kept",
        "dropped",
        "dropped",
    ]


def test_a_limit_of_the_agents_own_goes_before_that_of_its_model() -> None:
    assert opened(changed(context_window_limit=9000)).conversations[0].context_window == 9000


def test_several_agents_have_ids_of_their_own() -> None:
    workspace = opened({**FILE, "agents": [AGENT, AGENT]})
    assert [one.id for one in workspace.characters] == ["Nova", "Nova-2"]
    assert [one.id for one in workspace.memory_sets] == ["Nova", "Nova-2"]
    assert [one.id for one in workspace.conversations] == ["Nova", "Nova-2"]


def test_each_of_several_agents_has_its_own_memory_and_tools() -> None:
    tools = [*TOOLS, {"id": "tool-1", "json_schema": {"name": "look", "parameters": {}}}]
    speaking = [{**AGENT, "tool_ids": ids} for ids in (["tool-0"], ["tool-0", "tool-1"])]
    workspace = opened({**FILE, "agents": [*speaking, {**AGENT, "messages": []}], "tools": tools})
    assert [one.conversations for one in workspace.memory_sets] == [("Nova",), ("Nova-2",), ()]
    assert [one.conversations for one in workspace.tools] == [None, ("Nova-2",)]


@pytest.mark.parametrize(
    ("value", "place", "words"),
    [
        (changed(block_ids=["block-9", "block-0"]), "$.agents[0].block_ids", "names block-9, which no block"),
        (changed(block_ids=["block-0"], memory_blocks=[{"label": "x"}]), "$.agents[0]: block x", "a text under"),
        (changed(messages=[*MESSAGES, {"role": "ghost"}]), "$.agents[0].messages[4].role", "expected system"),
        ({**FILE, "tools": [*TOOLS, {"id": "tool-1"}]}, "$.tools[1].json_schema", "expected the definition"),
    ],
)
def test_what_is_broken_is_one_problem_and_the_rest_opens(value: Any, place: str, words: str) -> None:
    workspace = opened(value)
    (problem,) = [problem for problem in workspace.problems if problem.severity != "info"]
    assert problem.place == place
    assert words in problem.message
    assert workspace.memory_sets[0].memories
    assert len(workspace.tools) == 1


def test_no_agent_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected agents"):
        letta.load(FileSource("x", b'{"agents": [], "blocks": []}'))


@pytest.mark.parametrize("text", ["[]", '{"agents": []}', '{"agents": [{"name": "x"}]}', '{"messages": []}'])
def test_other_json_is_not_claimed(text: str) -> None:
    assert letta.sniff(FileSource("x", text.encode())) == 0


# File, messages below the system message, blocks and tools.
_REAL = (
    ("deep_research_agent", 0, 4, 5),
    ("loop", 2, 9, 9),
    ("memgpt_agent", 0, 2, 3),
    ("memgpt_agent_with_convo", 0, 2, 3),
)


@pytest.mark.parametrize(("name", "messages", "blocks", "tools"), _REAL)
def test_real_files(data_folder: Path, name: str, messages: int, blocks: int, tools: int) -> None:
    workspace = load_workspace([data_folder / f"letta_af/{name}.af"])
    assert sum(len(talk.messages) for talk in workspace.conversations) == messages
    assert sum(len(kept.memories) for kept in workspace.memory_sets) == blocks
    assert len(workspace.tools) == tools
    assert {problem.severity for problem in workspace.problems} <= {"info"}

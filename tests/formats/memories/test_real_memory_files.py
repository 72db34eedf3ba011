"""Real stores of memories: exactly the counts that their list says."""

from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.model import Workspace


def opened(data_folder: Path, name: str, kind: str) -> Workspace:
    workspace = load_workspace([data_folder / name])
    assert [source.format for source in workspace.sources] == [kind]
    assert not [problem for problem in workspace.problems if problem.severity != "info"]
    return workspace


# File, format, memories of each set, messages of all conversations, conversations.
_STORES = (
    ("brainos/derived/brain_export.json", "brain_export", [60], 58, 3),
    ("chorus/derived/chorus.db", "chorus_database", [240], 510, 1),
    ("chorus/derived/nova_backup_20251101_090000.zip", "chorus_backup", [1, 240], 510, 1),
    ("chroma/derived/locomo_conv26", "chroma", [184], 0, 0),
    ("chroma/derived/locomo_conv26/chroma.sqlite3", "chroma", [184], 0, 0),
    # One agent each: the system message of each is its system prompt; loop's other two messages are in a conversation.
    ("letta_af/deep_research_agent.af", "letta", [4], 0, 0),
    ("letta_af/loop.af", "letta", [9], 2, 1),
    ("letta_af/memgpt_agent.af", "letta", [2], 0, 0),
    ("letta_af/memgpt_agent_with_convo.af", "letta", [2], 0, 0),
    ("locomo/locomo5.json", "locomo", [184, 169, 266, 267, 240], 2_606, 5),
    ("mem0/derived/get_all.json", "mem0", [184], 0, 0),
    ("memorybank/memory_bank_en.json", "memory_bank", [], 2 * 566, 15),
    ("qdrant/derived/scroll.json", "qdrant", [40], 0, 0),
    ("zep/derived/graph_edges.json", "zep", [40], 0, 0),
)


@pytest.mark.parametrize(("name", "kind", "memories", "messages", "conversations"), _STORES)
def test_counts(
    data_folder: Path, name: str, kind: str, memories: list[int], messages: int, conversations: int
) -> None:
    # The data of LoCoMo are known for their errors, which are problems.
    workspace = load_workspace([data_folder / name]) if kind == "locomo" else opened(data_folder, name, kind)
    assert [len(one.memories) for one in workspace.memory_sets] == memories
    assert sum(len(talk.messages) for talk in workspace.conversations) == messages
    assert len(workspace.conversations) == conversations


def test_tools_and_prompts_of_letta(data_folder: Path) -> None:
    counts = {"deep_research_agent": 5, "loop": 9, "memgpt_agent": 3, "memgpt_agent_with_convo": 3}
    for name, tools in counts.items():
        workspace = opened(data_folder, f"letta_af/{name}.af", "letta")
        assert len(workspace.tools) == tools
        assert workspace.characters[0].system_prompt
        assert {memory.type for memory in workspace.memory_sets[0].memories} == {"core"}


def test_marks_of_the_chorus_database(data_folder: Path) -> None:
    workspace = opened(data_folder, "chorus/derived/chorus.db", "chorus_database")
    (talk,) = workspace.conversations
    reasons = [one.metadata["recorded"]["reason"] for one in talk.messages if one.excluded]
    assert (reasons.count("deleted"), reasons.count("a picture of the scene")) == (3, 1)
    assert sum(bool(one.summary) for one in talk.messages) == 127
    assert sum(one.emotional_weight is not None for one in talk.messages) == 170
    assert len(workspace.summaries) == 25
    memories = workspace.memory_sets[0].memories
    assert {memory.status for memory in memories} == {"approved", "pending"}
    assert {memory.durability for memory in memories} == {"ephemeral", "situational", "long_term", "identity"}
    ids = {one.id for one in talk.messages}
    assert all(set(memory.source_messages) <= ids for memory in memories)


def test_facts_name_episodes_that_are_there(data_folder: Path) -> None:
    workspace = opened(data_folder, "brainos/derived/brain_export.json", "brain_export")
    ids = {one.id for talk in workspace.conversations for one in talk.messages}
    assert all(set(memory.source_messages) <= ids for memory in workspace.memory_sets[0].memories)


def test_facts_that_are_no_longer_valid(data_folder: Path) -> None:
    memories = opened(data_folder, "zep/derived/graph_edges.json", "zep").memory_sets[0].memories
    assert sum(memory.excluded for memory in memories) == 8


def test_observations_name_their_turns(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "locomo/locomo5.json"])
    memories = [memory for one in workspace.memory_sets for memory in one.memories]
    assert sum(bool(memory.source_messages) for memory in memories) == len(memories) == 1_126


def test_a_local_qdrant_store_is_not_read(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "qdrant/derived/local/locomo_conv26"])
    refused, nothing = [problem for problem in workspace.problems if problem.severity != "info"]
    assert "pickles" in refused.message
    assert (nothing.severity, workspace.sources) == ("error", ())
    assert not workspace.memory_sets


def test_no_other_file_is_taken_for_a_list_of_memories(data_folder: Path) -> None:
    workspace = load_workspace([data_folder])
    assert not [source for source in workspace.sources if source.format == "memory_table"]

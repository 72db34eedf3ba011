"""Stores of memories that are wrong in random places: what is good opens, or there is a problem, nothing else."""

import copy
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.formats import load_file
from inspector.formats.agents.brain import FORMAT as BRAIN
from inspector.formats.agents.letta import FORMAT as LETTA
from inspector.formats.chorus.database import FORMAT as CHORUS
from inspector.formats.format import Format
from inspector.formats.memories.chroma import FORMAT as CHROMA
from inspector.formats.memories.mem0 import FORMAT as MEM0
from inspector.formats.memories.memory_bank import FORMAT as BANK
from inspector.formats.memories.qdrant import FORMAT as QDRANT
from inspector.formats.memories.table import FORMAT as TABLE
from inspector.formats.memories.zep import FORMAT as ZEP
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

_MEMORY = {"id": "a", "content": "x", "type": "fact", "priority": 3, "score": 0.5, "time": "2024-01-01", "tags": ["t"]}
_TURN = {"id": "m", "role": "user", "content": [{"type": "text", "text": "x"}], "created_at": "2024-01-01"}
_AGENT = {"name": "n", "system": "s", "block_ids": ["b"], "messages": [_TURN], "in_context_message_ids": ["m"],
          "llm_config": {"model": "x", "context_window": 3}, "core_memory": [{"label": "l", "value": ""}]}  # fmt: skip
_EPISODE = {"id": "e", "session_id": "s", "session_channel": "c", "role": "user", "content": "x", "importance": 0.5}
_FACT = {"id": "f", "subject": "a", "predicate": "b", "object": "c", "confidence": 0.5, "source_episode_id": "e"}
_PERSON = {"summary": {"2023-01-01": "s"}, "personality": {"2023-01-01": "p"}, "overall_history": "o",
           "history": {"2023-01-01": [{"query": "q", "response": "r"}]}}  # fmt: skip
_EDGE = {"uuid": "u", "fact": "f", "name": "n", "created_at": "2024-01-01", "invalid_at": None, "episodes": ["e"]}
_SEEDS: tuple[tuple[Format, Any], ...] = (
    (TABLE, [_MEMORY, _MEMORY]),
    (TABLE, {"id": "s", "title": "t", "memories": [_MEMORY, "x"]}),
    (QDRANT, {"result": {"points": [{"id": 1, "payload": _MEMORY, "score": 0.5}]}}),
    (MEM0, {"results": [{"id": "a", "memory": "x", "hash": "h", "metadata": _MEMORY, "expiration_date": "2024"}]}),
    (ZEP, {"edges": [_EDGE, _EDGE]}),
    (ZEP, {"messages": [{"uuid": "u", "role": "Ana", "role_type": "user", "content": "x"}]}),
    (BANK, {"Ana": _PERSON, "Ben": _PERSON}),
    (BRAIN, {"version": 1, "facts": [_FACT, _FACT], "episodes": [_EPISODE, _EPISODE]}),
    (LETTA, {"agents": [_AGENT, _AGENT], "blocks": [{"id": "b", "label": "l", "value": "v"}],
             "tools": [{"json_schema": {"name": "f"}}]}),
    (LETTA, {**_AGENT, "in_context_message_indices": [0]}),
)  # fmt: skip
_ODD = st.sampled_from(
    [None, True, 0, -1, 1e300, 10**30, "", "x", "a\0", "\ud83d", [], {}, [[]], [None], {"": None}, {"a": []}, ["x", 5]]
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


def _assert_sound(workspace: Workspace) -> None:
    repr(workspace).encode()
    for memories in workspace.memory_sets:
        ids = [memory.id for memory in memories.memories]
        assert all(ids)
        assert len(set(ids)) == len(ids)
        for memory in memories.memories:
            assert memory.similarity is None or 0 <= memory.similarity <= 1
            assert memory.confidence is None or 0 <= memory.confidence <= 1
            assert memory.priority is None or 0 <= memory.priority <= 100
    for conversation in workspace.conversations:
        ids = [message.id for message in conversation.messages]
        assert len(set(ids)) == len(ids)


@settings(max_examples=800)
@given(st.data())
def test_a_value_of_a_wrong_kind_anywhere(data: st.DataObject) -> None:
    kind, seed = data.draw(st.sampled_from(_SEEDS))
    value = copy.deepcopy(seed)
    for _ in range(data.draw(st.integers(1, 3))):
        value = _put(value, data.draw(st.sampled_from(_places(value))), copy.deepcopy(data.draw(_ODD)))
    source = FileSource("x.json", json.dumps(value).encode())
    for other, _ in _SEEDS:
        assert 0 <= other.sniff(source) <= 1
    try:
        workspace = kind.load(source)
    except UnreadableError:
        return
    _assert_sound(workspace)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bytes_cut_or_changed_anywhere(data: st.DataObject, tmp_path: Path) -> None:
    seed = data.draw(st.sampled_from(_SEEDS))[1]
    table = 'id,content,type,priority\na,x,fact,3\n"b","y\nz",core,4\n'
    content = bytearray(data.draw(st.sampled_from([json.dumps(seed), table])).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "x.json"
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    workspace = load_file(path)
    assert workspace.sources or [problem for problem in workspace.problems if problem.severity == "error"]
    assert not any(" failed: " in problem.message for problem in workspace.problems)
    _assert_sound(workspace)


def _statements(kind: Format) -> list[str]:
    if kind is CHORUS:
        return [
            "CREATE TABLE conversations (id, title, source)",
            "CREATE TABLE threads (id, conversation_id, title)",
            "CREATE TABLE messages (id, thread_id, role, content, preserve_full_text, metadata, emotional_weight)",
            "CREATE TABLE memories (id, character_id, memory_type, content, priority, tags)",
            "CREATE TABLE conversation_summaries (id, conversation_id, summary, key_topics)",
            "INSERT INTO conversations VALUES ('c', 't', 'web')",
            "INSERT INTO threads VALUES ('t', 'c', 'x')",
            "INSERT INTO messages VALUES ('m', 't', 'USER', 'x', '1', '{}', 0.5), ('m', 't', 'USER', 'x', '', '', 1)",
            "INSERT INTO memories VALUES ('k', 'nova', 'fact', 'x', 5, '[]'), ('l', 'nova', 'core', 'y', 6, '[]')",
            "INSERT INTO conversation_summaries VALUES ('s', 'c', 'x', '[]'), ('s', 'c', 'y', '[]')",
        ]
    return [
        "CREATE TABLE collections (id, name)",
        "CREATE TABLE segments (id, scope, collection)",
        "CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id, embedding_id, seq_id)",
        "CREATE TABLE embedding_metadata (id, key, string_value, int_value, float_value)",
        "CREATE TABLE embeddings_queue (seq_id INTEGER PRIMARY KEY, operation, topic, id, metadata)",
        "INSERT INTO collections VALUES ('c', 'n')",
        "INSERT INTO segments VALUES ('s', 'METADATA', 'c')",
        "INSERT INTO embeddings VALUES (1, 's', 'a', 1), (2, 's', 'b', 2)",
        "INSERT INTO embedding_metadata VALUES (1, 'chroma:document', 'x', NULL, NULL), (2, 'type', 'a', NULL, NULL)",
        "INSERT INTO embeddings_queue VALUES (3, 2, 'p/c', 'd', '{\"chroma:document\": \"y\"}')",
    ]


_CELLS = st.one_of(
    st.none(), st.integers(-5, 2**40), st.floats(allow_nan=False), st.text(max_size=5), st.binary(max_size=5)
)


@pytest.mark.parametrize("kind", [CHORUS, CHROMA])
@settings(max_examples=150)
@given(data=st.data())
def test_any_cell_of_a_database(kind: Format, data: st.DataObject) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in _statements(kind):
            connection.execute(statement)
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(data.draw(st.integers(0, 4))):
            table = data.draw(st.sampled_from(tables))
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[2] != "INTEGER"]
            column = data.draw(st.sampled_from(columns))
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", (data.draw(_CELLS),))
        connection.commit()
        source = FileSource("x.db", connection.serialize())
    assert kind.sniff(source) > 0
    _assert_sound(kind.load(source))

"""Chroma folders of every schema from 0.4 to 1.5: texts, metadata, late writes, vectors without text, damage."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.model import MemorySet, Workspace

_QUEUE = """CREATE TABLE embeddings_queue (seq_id INTEGER PRIMARY KEY, created_at TIMESTAMP NOT NULL DEFAULT
 CURRENT_TIMESTAMP, operation INTEGER NOT NULL, topic TEXT NOT NULL, id TEXT NOT NULL, vector BLOB, encoding TEXT,
 metadata TEXT)"""
_EMBEDDINGS = """CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL,
 seq_id BLOB NOT NULL, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE (segment_id, embedding_id))"""
_VALUES = "string_value TEXT, int_value INTEGER, float_value REAL"
_OLD = (
    "CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, topic TEXT NOT NULL, dimension INTEGER)",
    "CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, topic TEXT, collection TEXT)",
    f"CREATE TABLE embedding_metadata (id INTEGER, key TEXT NOT NULL, {_VALUES}, PRIMARY KEY (id, key))",
    "CREATE TABLE max_seq_id (segment_id TEXT PRIMARY KEY, seq_id BLOB NOT NULL)",
)
_NEW = (
    "CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER, database_id TEXT NOT NULL)",
    "CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT NOT NULL)",
    f"CREATE TABLE embedding_metadata (id INTEGER, key TEXT NOT NULL, {_VALUES}, bool_value INTEGER)",
    f"CREATE TABLE embedding_metadata_array (id INTEGER, key TEXT NOT NULL, {_VALUES}, bool_value INTEGER)",
    "CREATE TABLE max_seq_id (segment_id TEXT PRIMARY KEY, seq_id INTEGER)",
)


class Folder:
    """A Chroma folder being written: `old` as 0.4 did, else as 1.5 does."""

    def __init__(self, path: Path, old: bool = False) -> None:
        self.path = path
        self.old = old
        path.mkdir()
        self.connection = sqlite3.connect(path / "chroma.sqlite3")
        for statement in (_QUEUE, _EMBEDDINGS, *(_OLD if old else _NEW)):
            self.connection.execute(statement)

    def collection(self, id_: str, name: str) -> None:
        self._insert("collections", id=id_, name=name, **({"topic": "t"} if self.old else {"database_id": "d"}))
        for scope in ("VECTOR", "METADATA"):
            self._insert("segments", id=f"{id_}-{scope}", type="x", scope=scope, collection=id_)

    def record(self, collection: str, id_: str, metadata: dict[str, Any], number: int) -> None:
        sequence = number.to_bytes(8, "big") if self.old else number
        segment = f"{collection}-METADATA"
        row = self._insert("embeddings", segment_id=segment, embedding_id=id_, seq_id=sequence)
        for key, value in metadata.items():
            for one in value if isinstance(value, list) else [value]:
                table = "embedding_metadata_array" if isinstance(value, list) else "embedding_metadata"
                self._insert(table, id=row, key=key, **{_column(one, self.old): one})
        self.connection.execute("INSERT OR REPLACE INTO max_seq_id VALUES (?, ?)", (segment, sequence))

    def late(self, collection: str, number: int, operation: int, id_: str, metadata: dict[str, Any] | None) -> None:
        topic = f"persistent://default/default/{collection}"
        text = json.dumps(metadata) if metadata is not None else None
        self._insert("embeddings_queue", seq_id=number, operation=operation, topic=topic, id=id_, metadata=text)

    def _insert(self, table: str, **values: Any) -> Any:
        marks = ", ".join("?" * len(values))
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        return self.connection.execute(sql, tuple(values.values())).lastrowid

    def opened(self) -> Workspace:
        self.connection.commit()
        self.connection.close()
        return load_workspace([self.path])


def _column(value: Any, old: bool) -> str:
    if isinstance(value, bool) and not old:
        return "bool_value"
    names: Sequence[tuple[type, str]] = ((str, "string_value"), (int, "int_value"), (float, "float_value"))
    return next(name for kind, name in names if isinstance(value, kind))


def texts(found: MemorySet) -> dict[str, str]:
    return {memory.id: memory.content for memory in found.memories}


@pytest.mark.parametrize("old", [True, False])
def test_collections_are_memory_sets(tmp_path: Path, old: bool) -> None:
    folder = Folder(tmp_path / "store", old)
    folder.collection("c1", "likes")
    folder.collection("c2", "empty")
    folder.record("c1", "z", {"chroma:document": "Tea.", "type": "fact", "priority": 80, "confidence": 0.5}, 1)
    folder.record("c1", "a", {"pinned": True, "chroma:document": "Sails."}, 2)
    (likes, empty) = folder.opened().memory_sets
    assert (likes.id, likes.title, empty.id, empty.memories) == ("likes", "likes (store)", "empty", ())
    first, second = likes.memories
    assert (first.id, first.content, first.type, first.priority, first.confidence) == ("z", "Tea.", "fact", 80, 0.5)
    assert (second.id, second.content, second.pinned) == ("a", "Sails.", True)


def test_lists_in_the_metadata(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Tea.", "tags": ["drinks", "hot"]}, 1)
    assert folder.opened().memory_sets[0].memories[0].tags == ("drinks", "hot")


@pytest.mark.parametrize("old", [True, False])
def test_writes_that_still_wait_in_the_queue(tmp_path: Path, old: bool) -> None:
    folder = Folder(tmp_path / "store", old)
    folder.collection("c", "likes")
    for number, id_ in enumerate("abcd", 1):
        folder.record("c", id_, {"chroma:document": id_, "type": "fact", "category": "x"}, number)
    folder.late("c", 4, 3, "a", None)  # this one was done already, whatever it says
    folder.late("c", 5, 3, "b", None)
    folder.late("c", 6, 1, "c", {"chroma:document": "changed", "category": None})
    folder.late("c", 7, 2, "e", {"chroma:document": "upserted"})
    folder.late("c", 8, 0, "f", {"chroma:document": "added"})
    folder.late("c", 9, 0, "a", {"chroma:document": "not added again"})
    folder.late("c", 10, 1, "nobody", {"chroma:document": "nothing to change"})
    folder.late("other", 11, 0, "g", {"chroma:document": "of another collection"})
    (found,) = folder.opened().memory_sets
    assert texts(found) == {"a": "a", "c": "changed", "d": "d", "e": "upserted", "f": "added"}
    assert (found.memories[1].type, found.memories[1].category) == ("fact", "")


def test_vectors_without_a_text_are_counted(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Tea."}, 1)
    folder.record("c", "b", {"type": "fact"}, 2)
    workspace = folder.opened()
    assert texts(workspace.memory_sets[0]) == {"a": "Tea."}
    (problem,) = [problem for problem in workspace.problems if problem.severity == "warning"]
    assert problem.place == "likes"
    assert problem.message.startswith("1 of 2 records have no document")


def test_a_folder_without_collections_says_so(tmp_path: Path) -> None:
    (problem,) = Folder(tmp_path / "store").opened().problems
    assert "holds no collection" in problem.message


def test_fields_that_a_memory_has_not_are_named_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    for number in (1, 2):
        folder.record("c", f"m{number}", {"chroma:document": "Tea.", "mood": "calm"}, number)
    (problem,) = folder.opened().problems
    assert (problem.severity, problem.message.split(":")[0]) == ("info", "mood")


def test_a_damaged_store_is_one_error(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Tea." * 5_000}, 1)
    folder.opened()
    path = tmp_path / "store" / "chroma.sqlite3"
    path.write_bytes(path.read_bytes()[:-9_000])
    workspace = load_workspace([path])
    (problem,) = workspace.problems
    assert (problem.file, problem.severity) == (str(path), "error")
    assert "damaged SQLite database" in problem.message


def test_a_list_in_the_metadata_may_have_its_first_value_alone(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Tea.", "tags": "drinks"}, 1)
    folder.connection.execute("INSERT INTO embedding_metadata_array (id, key, string_value) VALUES (1, 'tags', 'hot')")
    assert folder.opened().memory_sets[0].memories[0].tags == ("drinks", "hot")


def test_the_store_is_read_while_it_is_written(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    folder.connection.execute("PRAGMA journal_mode = WAL")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Tea."}, 1)
    folder.connection.commit()
    with closing(folder.connection):
        assert texts(load_workspace([folder.path]).memory_sets[0]) == {"a": "Tea."}


@pytest.mark.parametrize(
    ("table", "column", "lost"),
    [
        ("max_seq_id", "seq_id", "may have reached"),
        ("max_seq_id", "segment_id", "may have reached"),
        ("embeddings_queue", "seq_id", "waiting in the queue"),
        ("embeddings_queue", "topic", "waiting in the queue"),
        ("embedding_metadata_array", "key", "lists in the metadata"),
    ],
)
def test_a_column_that_is_missing_is_named_and_the_rest_is_read(
    tmp_path: Path, table: str, column: str, lost: str
) -> None:
    folder = Folder(tmp_path / "store")
    folder.collection("c", "likes")
    folder.record("c", "a", {"chroma:document": "Tea."}, 1)
    kept = [row[1] for row in folder.connection.execute(f"PRAGMA table_info({table})") if row[1] != column]
    folder.connection.execute(f"CREATE TABLE less AS SELECT {', '.join(kept)} FROM {table}")
    folder.connection.execute(f"DROP TABLE {table}")
    folder.connection.execute(f"ALTER TABLE less RENAME TO {table}")
    workspace = folder.opened()
    assert texts(workspace.memory_sets[0]) == {"a": "Tea."}
    (problem,) = workspace.problems
    assert (problem.place, problem.severity) == (table, "warning")
    assert f"expected a table with {column}," in problem.message
    assert lost in problem.message

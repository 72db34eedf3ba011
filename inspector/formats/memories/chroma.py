"""Chroma's persistent folders: each collection of `chroma.sqlite3` is a memory set. The vectors are not read.

Layout: chromadb's own migrations, 0.4 to 1.5 (`sysdb`, `metadb`, `embeddings_queue`). The text of a record is in its
metadata under `chroma:document`. The last writes may still wait in `embeddings_queue`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.formats.unique_ids import unique_texts
from inspector.model import Memory, MemorySet, Problem, Workspace
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text, mapping, pure_path

_DOCUMENT = "chroma:document"
_VALUES = ("string_value", "int_value", "float_value", "bool_value")
_ADD, _UPDATE, _UPSERT, _DELETE = range(4)  # operations of the queue
_NEEDED = {
    "embedding_metadata_array": frozenset(("id", "key")),
    "max_seq_id": frozenset(("segment_id", "seq_id")),
    "embeddings_queue": frozenset(("seq_id", "operation", "topic", "id")),
}
_WITHOUT = {
    "embedding_metadata_array": "lists in the metadata of records were left out",
    "max_seq_id": "entries in the queue may have reached the records already",
    "embeddings_queue": "entries waiting in the queue were left out",
}
_UNTITLED = "collection"

Record = Mapping[str, Any]


def sniff(source: FileSource) -> float:
    """Return how likely this is the database of a Chroma folder."""
    found = has_tables(
        source,
        collections="id name",
        segments="id scope collection",
        embeddings="id segment_id embedding_id",
        embedding_metadata="id key string_value",
    )
    return 0.95 if found else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a memory set for each collection. Raise UnreadableError if the database is damaged."""
    with opened(source) as database:
        collections = list(database.rows("collections", "id", "name"))
        records = _records(database)
        metadata_segments = _metadata_segments(database)
        problems = [source.problem(table, said, "warning") for table, said in _lacking(database)]
    if not collections:
        problems.append(source.problem("collections", "holds no collection, so there are no memories", "warning"))
    names = [as_text(row.get("name")) or _UNTITLED for row in collections]
    sets = [
        _memory_set(id_, name, records.get(metadata_segments.get(row["id"], ""), {}), source, problems)
        for row, name, id_ in zip(collections, names, unique_texts(names), strict=True)
    ]
    return Workspace(memory_sets=tuple(sets), problems=tuple(problems))


def _memory_set(
    id_: str, name: str, records: Mapping[str, Record], source: FileSource, problems: list[Problem]
) -> MemorySet:
    """Return a collection; records that are vectors without a text are left out and counted."""
    reader = MemoryReader(source.path)
    memories: list[Memory] = []
    for record_id, fields in records.items():
        text = as_text(fields.get(_DOCUMENT))
        metadata = {key: value for key, value in fields.items() if not key.startswith("chroma:")}
        memory = reader.read({**metadata, "content": text}, f"{name}: {record_id}", record_id) if text else None
        memories += [memory] if memory else []
    problems += reader.problems()
    if missing := len(records) - len(memories):
        said = f"{missing:,} of {len(records):,} records have no document, only a vector; they were left out"
        problems.append(source.problem(name, said, "warning"))
    folder = pure_path(source.path).parent.name
    return MemorySet(id_, reader.unique(memories, name), f"{name} ({folder})" if folder else name)


def _metadata_segments(database: Database) -> dict[Any, Any]:
    """Return the segment with the texts of each collection; the other segment holds the vectors."""
    rows = database.rows("segments", "id", "scope", "collection")
    return {row["collection"]: row["id"] for row in rows if as_text(row["scope"]).upper() == "METADATA"}


def _lacking(database: Database) -> Iterator[tuple[str, str]]:
    """Yield the tables that were not read, because they lack required columns."""
    for table, needed in _NEEDED.items():
        missing = needed - database.tables.get(table, needed)
        if missing:
            columns = " and ".join(sorted(missing))
            yield table, f"expected a table with {columns}, found none of that name; {_WITHOUT[table]}"


def _rows(database: Database, table: str, *others: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table with its required columns and `others`; none if a required column is missing."""
    needed = _NEEDED[table]
    return database.rows(table, *needed, *others) if needed <= database.tables.get(table, needed) else iter(())


def _records(database: Database) -> dict[Any, dict[str, Record]]:
    """Return the metadata of each record by its id, by segment, in the order in which they were added."""
    by_number: dict[Any, dict[str, Any]] = {}
    segments: dict[Any, dict[str, Record]] = defaultdict(dict)
    last: dict[Any, int] = defaultdict(int)
    for row in database.rows("embeddings", "id", "segment_id", "embedding_id", "seq_id"):
        segments[row["segment_id"]][as_text(row["embedding_id"])] = by_number[row["id"]] = {}
        last[row["segment_id"]] = max(last[row["segment_id"]], _sequence(row.get("seq_id")))
    for row in database.rows("embedding_metadata", "id", "key", *_VALUES):
        if row["id"] in by_number:
            by_number[row["id"]][as_text(row["key"])] = _value(row)
    for row in _rows(database, "embedding_metadata_array", *_VALUES):
        if row["id"] in by_number:
            _append(by_number[row["id"]], as_text(row["key"]), _value(row))
    for row in _rows(database, "max_seq_id"):
        last[row["segment_id"]] = max(last[row["segment_id"]], _sequence(row["seq_id"]))
    _apply_queue(database, segments, last)
    return segments


def _apply_queue(database: Database, segments: dict[Any, dict[str, Record]], last: Mapping[Any, int]) -> None:
    """Apply to the records the writes queued after the last write that reached them."""
    of_collection = _metadata_segments(database)
    for row in _rows(database, "embeddings_queue", "metadata"):
        topic = as_text(row["topic"])  # persistent://default/default/ and the id of the collection
        segment = next((of_collection[id_] for id_ in of_collection if topic.endswith(as_text(id_))), None)
        if segment is not None and _sequence(row["seq_id"]) > last.get(segment, 0):
            _apply(row["operation"], as_text(row["id"]), mapping(unwrapped(row.get("metadata"))), segments[segment])


def _apply(operation: Any, id_: str, changes: Record, records: dict[str, Record]) -> None:
    """Apply a write: adding an existing record, or changing a missing record, does nothing."""
    if operation == _DELETE:
        records.pop(id_, None)
    elif operation == _UPSERT or (operation in (_ADD, _UPDATE) and (id_ in records) == (operation == _UPDATE)):
        records[id_] = {**records.get(id_, {}), **changes}  # null in a change removes a field


def _append(fields: dict[str, Any], key: str, value: Any) -> None:
    """Append a value to a field with a list; an existing single value becomes the first of it."""
    before = fields.get(key, [])
    fields[key] = [*(before if isinstance(before, list) else [before]), value]


def _sequence(value: Any) -> int:
    """Return the number of a write; until 0.5 it was stored as bytes, the highest first."""
    return int.from_bytes(value, "big") if isinstance(value, bytes) else value if isinstance(value, int) else 0


def _value(row: Mapping[str, Any]) -> Any:
    name = next((name for name in _VALUES if row.get(name) is not None), "")
    return bool(row[name]) if name == "bool_value" else row.get(name)


FORMAT = Format(
    "chroma", "Chroma folder (chroma.sqlite3)", sniff, load, "a database with collections, segments and embeddings"
)

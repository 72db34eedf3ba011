"""Memories as users write them down: a list or a memory set as JSON or YAML, JSON lines, and tables (CSV, TSV).

Fields and columns are found by their names, which `fields` knows; others are named once in a warning.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.memories.fields import CONTENT_NAMES, KNOWN, MemoryReader, are_of_memories, has_content
from inspector.formats.unique_ids import unique_texts
from inspector.model import Memory, MemorySet, Problem, Workspace, changed
from inspector.reading.memory import table_memory
from inspector.reading.source import FileSource
from inspector.reading.table import TextTable, tables_in
from inspector.reading.values import as_text, items_of, mapping, stem

_LIST = "memories"
_BARE = frozenset((*CONTENT_NAMES, "id"))
_OTHER_KINDS = frozenset(  # fields of turns of chats, lorebooks and characters
    ("role", "from", "sender", "speaker", "author", "user", "ts", "messages", "keys", "keywords", "key", "kind", "spec")
)
_TURN_TYPES = frozenset(("human", "ai", "user", "assistant", "system", "tool", "message", "text"))
_LOOKED_AT = 5
_HEAD = 20_000

Placed = tuple[str, Any]


def sniff(source: FileSource) -> float:
    """Return how likely these are memories: text with fields of memories, and without a role or keys."""
    if source.shape == "text":
        return 0.6 if _table(source.utf8[:_HEAD].decode(errors="ignore")) else 0.0
    if source.shape not in ("json", "json_lines", "yaml"):
        return 0.0
    value = source.sample
    if source.shape == "yaml" and isinstance(value, list):
        value = value[0] if value else None
    memories = items_of(mapping(value).get(_LIST))
    if memories and all(isinstance(item, str) or _sureness(item) for item in memories[:_LOOKED_AT]):
        return 0.7
    is_one = (source.shape == "yaml" and isinstance(source.sample, Mapping)) or _is_one_object(source)
    return 0.0 if is_one else _sureness(value)


def _is_one_object(source: FileSource) -> bool:
    is_whole = source.shape == "json" and source.raw_items is None and source.sample is not None
    return is_whole and isinstance(source.json, Mapping)


def _sureness(value: Any) -> float:
    if not isinstance(value, Mapping) or value.keys() & _OTHER_KINDS or not has_content(value):
        return 0.0
    if as_text(value.get("type")) in _TURN_TYPES or not are_of_memories(value):
        return 0.0
    return 0.65 if (value.keys() & KNOWN) - _BARE else 0.3


def load(source: FileSource) -> Workspace:
    """Return a workspace with the memory sets of the file. Raise UnreadableError if there is no memory."""
    reader = MemoryReader(source.path, unknown="warning")
    broken: list[Problem] = []
    sets = [_memory_set(*each, reader) for each in _sets(source, reader, broken)]
    if not any(one.memories for one in sets):
        raise source.unreadable("", _nothing(reader), broken)
    ids = unique_texts(one.id for one in sets)
    named = (changed(one, id=id_) for id_, one in zip(ids, sets, strict=True))
    return Workspace(memory_sets=tuple(one for one in named if one.memories), problems=(*reader.problems(), *broken))


def _nothing(reader: MemoryReader) -> str:
    first = next(iter(reader.problems()), None)
    return f"holds no memory; {first.place}: {first.message}" if first else "holds no memory"


def _sets(
    source: FileSource, reader: MemoryReader, broken: list[Problem]
) -> Iterator[tuple[str, str, Iterable[Placed]]]:
    """Yield the id, title and memories of each set of the file; a bare list is a set named after the file.

    Defects of lines are added to `broken` while they are read.
    """
    name = stem(source.path)
    if source.shape == "text":
        source.take(table_memory(source.text), "its rows would take about")
        yield name, name, _rows(source.text, reader)
        return
    if source.shape == "json_lines":
        yield name, name, ((f"line {record.line}: $", record.value) for record in source.records(broken))
        return
    value = source.json if source.shape == "json" else source.yaml
    values = [(f"$[{i}]", item) for i, item in enumerate(value)] if isinstance(value, list) else [("$", value)]
    sets = [(place, item) for place, item in values if isinstance(mapping(item).get(_LIST), list)]
    if not sets:
        yield name, name, values
        return
    for place, item in values:
        written = mapping(item).get(_LIST)
        if not isinstance(written, list):
            reader.note(place, "expected a memory set with a list of memories")
            continue
        id_ = as_text(item.get("id")).strip() or name
        memories = [(f"{place}.{_LIST}[{number}]", memory) for number, memory in enumerate(written)]
        yield id_, as_text(item.get("title")).strip() or id_, memories


def _memory_set(id_: str, title: str, values: Iterable[Placed], reader: MemoryReader) -> MemorySet:
    memories: list[Memory] = []
    for place, value in values:
        fields = {"content": value} if isinstance(value, str) else value
        if not isinstance(fields, Mapping):
            reader.note(place, "expected a memory: an object with content, or its text")
            continue
        memory = reader.read(fields, place, tokens=True)
        memories += [memory] if memory else []
    return MemorySet(id_, reader.unique(memories, "$"), title, score_scale=reader.scale(memories))


def _table(text: str) -> TextTable | None:
    """Return the text as a table of memories; None if its first line does not name such columns."""
    return next((table for table in tables_in(text) if _are_columns(set(table.plain))), None)


def _are_columns(columns: set[str]) -> bool:
    said = columns & set(CONTENT_NAMES) and columns & KNOWN - set(CONTENT_NAMES) and not columns & _OTHER_KINDS
    return bool(said) and are_of_memories(columns)


def _rows(text: str, reader: MemoryReader) -> Iterator[Placed]:
    table = _table(text)
    for line, cells in table.rows(reader.note) if table else ():
        yield f"line {line}", cells


FORMAT = Format(
    "memory_table",
    "List or table of memories",
    sniff,
    load,
    "rows or objects with a text and its fields, and no role",
)

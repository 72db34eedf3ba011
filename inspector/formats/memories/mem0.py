"""mem0: the results of `get_all` and `search`, of the library and of the platform (a list, or pages with `results`).

Layout: github.com/mem0ai/mem0. `score` is that of its vector store for the query of a search
(mem0/vector_stores): a similarity, or a distance.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.model import Memory, MemorySet, Problem, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import items_of, mapping, parse_time, stem

_MARKS = frozenset(("hash", "created_at", "updated_at", "user_id", "agent_id", "run_id", "score", "categories"))
_LOOKED_AT = 5
_EXPIRED = "expired"


def sniff(source: FileSource) -> float:
    """Return how likely this is a result of mem0: results, or a list, with `memory` and its usual fields."""
    if source.shape not in ("json", "json_lines"):
        return 0.0
    value = source.sample
    items = [value, *items_of(mapping(value).get("results"))[:_LOOKED_AT]]
    return 0.9 if any(_is_memory(item) for item in items) else 0.0


def _is_memory(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("memory"), str) and bool(value.keys() & _MARKS)


def load(source: FileSource) -> Workspace:
    """Return a workspace with a memory set. Raise UnreadableError if nothing in the file is a memory."""
    reader = MemoryReader(source.path)
    broken: list[Problem] = []
    memories = [memory for place, item in _items(source, broken) if (memory := _memory(item, place, reader))]
    if not memories:
        raise source.unreadable(
            "$", "expected memories with a text under `memory`, found none", (*reader.problems(), *broken)
        )
    name = stem(source.path)
    # Local vector stores such as Chroma and FAISS give distances as `score`, hosted ones similarities.
    scale = reader.scale(memories, least_rising=2)
    memory_set = MemorySet(name, reader.unique(memories, "$"), name, score_scale=scale)
    relations = items_of(mapping(source.json).get("relations")) if source.shape == "json" else ()
    problems = [*reader.problems(), *broken]
    if relations:
        said = f"{len(relations):,} relations of the graph are not memories and were left out"
        problems.append(source.problem("$.relations", said, "info"))
    return Workspace(memory_sets=(memory_set,), problems=tuple(problems))


def _items(source: FileSource, broken: list[Problem]) -> Iterator[tuple[str, Any]]:
    """Yield the memories with their places; a value may be a memory, a list of them, or a page."""
    for place, value in _values(source, broken):
        if isinstance(mapping(value).get("results"), list):
            place, value = f"{place}.results", value["results"]
        if isinstance(value, list):
            yield from ((f"{place}[{number}]", item) for number, item in enumerate(value))
        else:
            yield place, value


def _values(source: FileSource, broken: list[Problem]) -> Iterator[tuple[str, Any]]:
    if source.shape == "json":
        return iter([("$", source.json)])
    return ((f"line {record.line}: $", record.value) for record in source.records(broken))


def _memory(item: Any, place: str, reader: MemoryReader) -> Memory | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("memory"), str):
        reader.note(place, "expected an object with a text under `memory`")
        return None
    fields = {key: value for key, value in item.items() if key != "expiration_date"}
    memory = reader.read({**fields, "content": item["memory"]}, place)
    expires = parse_time(item.get("expiration_date"))
    if memory and expires and expires <= datetime.now(UTC):
        return changed(memory, status=_EXPIRED, excluded=True)
    return memory


FORMAT = Format("mem0", "mem0 memories", sniff, load, "`results`, or a list, of objects with `memory`")

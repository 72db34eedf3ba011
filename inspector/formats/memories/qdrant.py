"""Qdrant: points of its scroll, search and query results; its stores are refused.

A store of the Python client keeps each point as a pickle, which can run any code when it is read; a snapshot of a
server is a database of its own. Both are refused with the way to the points. `qdrant_server` queries a server.
"""

import io
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader, has_content
from inspector.model import Memory, MemorySet, Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.sqlite import has_tables
from inspector.reading.values import as_text, mapping, pure_path, stem

_WAY = "read the points from a running server: prompt-inspector import-memories ADDRESS COLLECTION FILE"
_LOOKED_AT = 5
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257
_SNAPSHOT_MEMBERS = 50


def sniff(source: FileSource) -> float:
    """Return how likely this holds points of Qdrant, or is an unsupported store of them."""
    if source.shape == "sqlite":
        return 0.95 if has_tables(source, points="id point") else 0.0
    if source.shape == "text":
        return 0.95 if _is_snapshot(source.data) else 0.0
    if source.shape not in ("json", "json_lines"):
        return 0.0
    value = source.sample
    if is_point(value):
        return 0.9
    points = points_of(value)
    return 0.9 if points and any(is_point(point) for point in points[:_LOOKED_AT]) else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a memory set of the points.

    Raise UnreadableError for a local store, and for a snapshot.
    """
    if source.shape == "sqlite":
        what = "is a local store of qdrant-client, whose points are pickles that can run code"
        raise source.unreadable("", f"{what}; {_WAY}")
    if source.shape == "text":
        raise source.unreadable("", f"is a snapshot of a Qdrant server; restore it into one and {_WAY}")
    broken: list[Problem] = []
    memory_set, problems = point_memories(_points(source, broken), source.path, stem(source.path))
    return Workspace(memory_sets=(memory_set,), problems=(*problems, *broken))


def _points(source: FileSource, broken: list[Problem]) -> Iterator[tuple[str, Any]]:
    if source.shape == "json_lines":
        for record in source.records(broken):
            if is_point(record.value):
                yield f"line {record.line}: $", record.value
                continue
            for number, point in enumerate(points_of(record.value) or [record.value]):
                yield f"line {record.line}: $[{number}]", point
        return
    for number, point in enumerate(points_of(source.json) or ()):
        yield f"$[{number}]", point


def is_point(value: Any) -> bool:
    """Return whether a value is a point: an id and a payload with text in it."""
    return isinstance(value, Mapping) and "id" in value and _has_text(value.get("payload"))


def _has_text(payload: Any) -> bool:
    return isinstance(payload, Mapping) and has_content(payload)


def points_of(value: Any) -> Sequence[Any] | None:
    """Return the list of points in a server's response (`result.points`, `result`, `points`) or the list itself."""
    if isinstance(value, list):
        return value
    result = mapping(value).get("result", value)
    points = mapping(result).get("points", result)
    return points if isinstance(points, list) else None


def point_memories(points: Iterable[tuple[str, Any]], file: str, name: str) -> tuple[MemorySet, tuple[Any, ...]]:
    """Return the points, each with its place, as a memory set called `name`, and the problems of `file`."""
    reader = MemoryReader(file)
    memories: list[Memory] = []
    for place, point in points:
        payload = mapping(point).get("payload")
        if not isinstance(payload, Mapping):
            reader.note(place, "expected a point with an id and a payload")
            continue
        score = {"score": point["score"]} if point.get("score") is not None else {}
        memory = reader.read({**payload, **score}, f"{place}.payload", as_text(point.get("id")))
        memories += [memory] if memory else []
    scale = reader.scale(memories)
    return MemorySet(name, reader.unique(memories, "$"), name, score_scale=scale), reader.problems()


def _is_snapshot(data: bytes) -> bool:
    """Return whether a file is a tar archive with the parts of a collection; only names of members are looked at."""
    if data[_TAR_MARK_AT : _TAR_MARK_AT + len(_TAR_MARK)] != _TAR_MARK:
        return False
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            members = [archive.next() for _ in range(_SNAPSHOT_MEMBERS)]
    except (tarfile.TarError, ValueError, OSError):
        return False
    names = [pure_path(member.name) for member in members if member]
    return any(name.name in ("config.json", "shard_config.json") for name in names) and any(
        "segments" in name.parts or "shard_key_mapping.json" in name.parts for name in names
    )


FORMAT = Format("qdrant", "Qdrant points", sniff, load, "points with an id, a payload or a vector")

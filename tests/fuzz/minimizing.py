"""Smaller inputs that do the same: parts are left out as long as what is looked for stays."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

Holds = Callable[[bytes], bool]
Items = TypeVar("Items", bytes, list[bytes])


def minimized(data: bytes, holds: Holds, seconds: float) -> bytes:
    """The smallest bytes found in this time for which `holds` says yes: fewer values, then lines, then bytes."""
    until = time.monotonic() + seconds

    def still(candidate: bytes) -> bool:
        return time.monotonic() < until and candidate != smallest and holds(candidate)

    smallest = data
    for reduce in (_fewer_values, _fewer_lines, _fewer_bytes):
        while time.monotonic() < until:
            smaller = reduce(smallest, still)
            if len(smaller) >= len(smallest):
                break
            smallest = smaller
    return smallest


def _fewer_values(data: bytes, holds: Holds) -> bytes:
    """A JSON document without what is not needed, the largest parts first."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for path in list(_paths(value)):
        without = _without(value, path)
        if without is not None and holds(written := json.dumps(without).encode()):
            value, data = without, written
    return data


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    """Where there is a value inside of a document, outer ones before inner ones, last ones before first ones."""
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    while waiting:
        path, outer = waiting.pop(0)
        keys = list(outer) if isinstance(outer, dict) else range(len(outer)) if isinstance(outer, list) else ()
        for key in reversed(keys):
            yield (*path, key)
            if len(path) < 12:
                waiting.append(((*path, key), outer[key]))


def _without(value: Any, path: tuple[Any, ...]) -> Any:
    """The document without the value at a path; None where it is gone already."""
    key, *rest = path
    try:
        inner = None if not rest else _without(value[key], tuple(rest))
    except (KeyError, IndexError, TypeError):
        return None
    if rest and inner is None:
        return None
    if isinstance(value, dict) and key in value:
        return {name: inner if name == key else item for name, item in value.items() if rest or name != key}
    if isinstance(value, list) and key < len(value):
        return [inner if place == key else item for place, item in enumerate(value) if rest or place != key]
    return None


def _fewer_lines(data: bytes, holds: Holds) -> bytes:
    return b"\n".join(_fewer(data.split(b"\n"), lambda lines: holds(b"\n".join(lines))))


def _fewer_bytes(data: bytes, holds: Holds) -> bytes:
    return _fewer(data, holds)


def _fewer(items: Items, holds: Callable[[Items], bool]) -> Items:
    """The items without those that are not needed: halves are left out, then quarters, down to single ones."""
    size = len(items) // 2
    while size:
        place = 0
        while place < len(items):
            without = items[:place] + items[place + size :]
            if holds(without):
                items = without
            else:
                place += size
        size //= 2
    return items

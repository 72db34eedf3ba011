"""Changes of a single key of a document: renamed, nested, wrapped, dropped, or with a value of another type."""

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.fuzz.made import as_json, as_lines

DEEPEST = 12
MOST_OF_A_KEY = 2
"""How often the same key of the same kind of place is changed: of a list of records, the first ones."""

Path = tuple[Any, ...]


@dataclass(frozen=True)
class KeyChange:
    """A document after the change of the key at `path`; `value` stood there."""

    kind: str
    path: Path
    value: Any
    document: Any

    @property
    def name(self) -> str:
        """The change in words."""
        return f"{self.kind} {'.'.join(map(str, self.path))}"


def key_changes(document: Any) -> Iterator[KeyChange]:
    """Every change of every key of a document, of which like places are tried only so often."""
    seen: dict[Path, int] = {}
    for path, value in _keys(document, ()):
        alike = tuple("*" if isinstance(step, int) else step for step in path)
        seen[alike] = seen.get(alike, 0) + 1
        if seen[alike] > MOST_OF_A_KEY:
            continue
        for kind, key, put in changes_of(path[-1], value):
            yield KeyChange(kind, path, value, _with(document, path, key, put))


NOTHING = object()
"""The value of a key that is left out."""


def changes_of(key: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    """The changes of a key: the kind of each, the key after it, and the value under that."""
    yield "rename", f"{key}_2", value
    yield "nest", key, {"value": value}
    yield "wrap", key, [value]
    yield "drop", key, NOTHING
    yield "null", key, None
    yield "retype", key, str(value) if isinstance(value, int | float) else 7


def _keys(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if len(path) >= DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), inner
            yield from _keys(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _keys(inner, (*path, index))


def _with(document: Any, path: Path, key: str, put: Any) -> Any:
    changed = copy.deepcopy(document)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    items = [
        (key, put) if name == path[-1] else (name, inner)
        for name, inner in holder.items()
        if name != path[-1] or put is not NOTHING
    ]
    holder.clear()
    holder.update(items)
    return changed


def document_in(data: bytes) -> tuple[Any, bool] | None:
    """The JSON document of a file, or the values of its lines and True; None for any other file."""
    try:
        return json.loads(data), False
    except (ValueError, RecursionError):
        pass
    try:
        values = [json.loads(line) for line in data.split(b"\n") if line.strip()]
    except (ValueError, RecursionError):
        return None
    return (values, True) if values else None


def written(document: Any, is_lines: bool) -> bytes:
    """A document as bytes again."""
    return as_lines(document) if is_lines else as_json(document)


_SENTENCE = re.compile(r"The tide number (\d+) was high\.")


def sentence(number: int) -> str:
    """A text that no other number has."""
    return f"The tide number {number} was high."


def numbers_in(text: str) -> list[int]:
    """The numbers of the sentences in a text."""
    return [int(number) for number in _SENTENCE.findall(text)]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text in a document, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))


def with_leaf(document: Any, path: Path, text: str) -> Any:
    """The document with another text at a path."""
    changed = copy.deepcopy(document)
    if not path:
        return text
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = text
    return changed

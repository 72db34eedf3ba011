"""Sections of a character as text: nested values are indented below their name, empty values are left out."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.reading.values import as_text, items_of

_DEEPEST = 20


def section_text(value: Any) -> str:
    """Return a value as lines of text; "" if it is empty."""
    return "\n".join(_lines(value, 0))


def _lines(value: Any, depth: int) -> Iterator[str]:
    margin = "  " * depth
    if depth < _DEEPEST and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _named(_title(key), list(_lines(inner, depth + 1)), inner, margin)
    elif depth < _DEEPEST and isinstance(value, list | tuple):
        for item in items_of(value):
            lines = list(_lines(item, depth + 1))
            if lines:
                yield f"{margin}- {lines[0].strip()}"
                yield from lines[1:]
    elif value not in (None, "", [], {}) and (text := as_text(value).strip()):
        yield from (f"{margin}{line}" for line in text.split("\n"))


def _named(name: str, lines: list[str], value: Any, margin: str) -> Iterator[str]:
    """Yield a name with its value below it, or beside it if that is a text of a single line."""
    if not lines:
        return
    if len(lines) == 1 and not isinstance(value, Mapping | list | tuple):
        yield f"{margin}{name}: {lines[0].strip()}"
        return
    yield f"{margin}{name}:"
    yield from lines


def _title(key: Any) -> str:
    return as_text(key).replace("_", " ")

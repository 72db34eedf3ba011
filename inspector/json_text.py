"""Values as JSON text, safe for terminals as well as files: no character in it is a command."""

import json
import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import orjson

from inspector.visible_text import without_commands

_ROWS = 1_000
"""The rows of a long list that are written at a time."""


def json_document(value: Any) -> bytes:
    """Return a plain value (objects, lists, text, numbers) as an indented document with a final newline."""
    return b"".join(json_pieces(value))


def json_pieces(value: Any) -> Iterator[bytes]:
    """Yield the same document in pieces, so that a long list is never in memory as text.

    The value, or a value of its object, may be an iterator instead of a list: its rows are made as they are written.
    """
    if _is_long(value):
        yield from _list_pieces(value, 1)
        yield b"\n"
    elif isinstance(value, dict) and any(map(_is_long, value.values())):
        yield from _object_pieces(value)
    else:
        yield _written(value, orjson.OPT_INDENT_2)


def json_line(value: Any) -> bytes:
    """Return a plain value as a single line of JSON, with its newline."""
    return _written(value, 0)


def _is_long(value: Any) -> bool:
    return isinstance(value, Iterator) or (isinstance(value, list) and len(value) > _ROWS)


def _object_pieces(value: dict[str, Any]) -> Iterator[bytes]:
    """Yield an object with long lists, key by key."""
    before = b"{\n"
    for key, held in value.items():
        yield before
        before = b",\n"
        if _is_long(held):
            yield b"  %b: " % json_line(key).rstrip()
            yield from _list_pieces(held, 2)
        else:
            yield _written({key: held}, orjson.OPT_INDENT_2)[len(b"{\n") : -len(b"\n}\n")]
    yield b"\n}\n"


def _list_pieces(rows: Iterable[Any], depth: int) -> Iterator[bytes]:
    """Yield a long list, which stands in `depth` - 1 others, some rows at a time."""
    left, before = iter(rows), b"[\n"
    around = b"\n" + b"  " * (depth - 1)
    head, tail = (b"[\n", b"\n]\n") if depth == 1 else (b"[\n  [\n", b"\n  ]\n]\n")
    while some := list(islice(left, _ROWS)):
        yield before
        yield _written(some if depth == 1 else [some], orjson.OPT_INDENT_2)[len(head) : -len(tail)]
        before = b",\n"
    yield b"[]" if before == b"[\n" else around + b"]"


def _written(value: Any, option: int) -> bytes:
    try:
        return without_commands(orjson.dumps(value, option=option | orjson.OPT_APPEND_NEWLINE))
    except orjson.JSONEncodeError as problem:
        if "surrogates" not in str(problem) and "64-bit" not in str(problem):
            raise
    # The name of a file that is not UTF-8 has half surrogates, which JSON can only escape; and a file may
    # have a number longer than orjson writes.
    indent, separators = (2, (",", ": ")) if option else (None, (",", ":"))
    return json.dumps(_finite(value), indent=indent, separators=separators).encode() + b"\n"


def _finite(value: Any) -> Any:
    """Return the value with null for infinities and NaN, as orjson writes it."""
    if isinstance(value, dict):
        return {key: _finite(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(held) for held in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

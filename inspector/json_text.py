"""Values as JSON text, safe for terminals as well as files: no character in it is a command."""

import json
import math
from typing import Any

import orjson

from inspector.visible_text import without_commands


def json_document(value: Any) -> bytes:
    """Return a plain value (objects, lists, text, numbers) as an indented document with a final newline."""
    return _written(value, orjson.OPT_INDENT_2)


def json_line(value: Any) -> bytes:
    """Return a plain value as a single line of JSON, with its newline."""
    return _written(value, 0)


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

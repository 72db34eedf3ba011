"""Writing answers: exactly one JSON document on standard output, without colour."""

import sys
from typing import Any

import orjson


def print_json(value: Any) -> None:
    """Write one JSON document."""
    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()

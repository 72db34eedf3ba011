"""Repairing broken JSON on the user's request: missing parts are guessed, and the file itself is not changed."""

from typing import Any

import orjson

from inspector.model import Problem, changed
from inspector.reading.source import FileSource
from inspector.reading.unreadable import UnreadableError

MOST_BYTES = 5_000_000
"""Beyond this size, nobody can check the guesses."""


def broken_place(source: FileSource) -> Problem | None:
    """Return the place where the JSON of a file is broken, if it is JSON and may be repaired."""
    if len(source.data) > MOST_BYTES:
        return None
    try:
        if source.shape == "json":
            _ = source.json
    except UnreadableError as error:
        return error.problem if error.problem.place else None  # a document too deep or too large has no place
    return None


def offered(problem: Problem) -> Problem:
    """Return the problem of a broken file, with the offer to repair it."""
    message = f"{problem.message}; it can be repaired by guessing what is missing (--repair, or Repair in the window)"
    return changed(problem, message=message, repairable=True)


def repaired(source: FileSource) -> FileSource | None:
    """Return the same file with its JSON completed; None if that is impossible."""
    from json_repair import repair_json

    try:
        value: Any = repair_json(source.utf8.decode(errors="replace"), return_objects=True, skip_json_loads=True)
        if not value or not isinstance(value, dict | list):
            return None
        return source.within(orjson.dumps(value))
    except (RecursionError, ValueError, TypeError):
        return None

"""Broken JSON that a person wants to be read all the same: what is missing is guessed, and the file stays as it is."""

from typing import Any

import orjson

from inspector.model import Problem, changed
from inspector.reading.source import FileSource
from inspector.reading.unreadable import UnreadableError

MOST_BYTES = 5_000_000
"""Of more than this nobody can look over what was guessed."""


def broken_place(source: FileSource) -> Problem | None:
    """Where the JSON of a file is broken, if it is that and may be repaired."""
    if len(source.data) > MOST_BYTES:
        return None
    try:
        if source.shape == "json":
            _ = source.json
    except UnreadableError as error:
        return error.problem if error.problem.place else None  # what is too deep or too large has no place
    return None


def offered(problem: Problem) -> Problem:
    """The problem of a broken file, which says that it can be repaired."""
    message = f"{problem.message}; it can be repaired by guessing what is missing (--repair, or Repair in the window)"
    return changed(problem, message=message, repairable=True)


def repaired(source: FileSource) -> FileSource | None:
    """The same file with its JSON completed; None where nothing comes of it."""
    from json_repair import repair_json

    try:
        value: Any = repair_json(source.utf8.decode(errors="replace"), return_objects=True, skip_json_loads=True)
        if not value or not isinstance(value, dict | list):
            return None
        return source.within(orjson.dumps(value))
    except (RecursionError, ValueError, TypeError):
        return None

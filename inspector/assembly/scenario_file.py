"""Scenario files: reading and writing them, and finding the one that belongs to what is being opened."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from inspector.assembly.scenario import SCENARIO_FORMAT, Scenario, scenario_value
from inspector.model import Problem
from inspector.reading.decode import decode, read_value
from inspector.reading.files import read_head
from inspector.reading.unreadable import UnreadableError
from inspector.reading.yaml import dump
from inspector.writing import write_file

_NAMES = ("*.scenario.yaml", "*.scenario.yml", "*.scenario.json")
_HEAD_BYTES = 4096


def read_scenario(path: str | Path) -> tuple[Scenario, tuple[Problem, ...]]:
    """The scenario of a JSON or YAML file, and a warning for each key that is not known. Raises UnreadableError."""
    return decode(read_value(path), Scenario, str(path), expected_format=SCENARIO_FORMAT)


def write_scenario(scenario: Scenario, path: str | Path, opened: Iterable[str | Path]) -> None:
    """Write a scenario as YAML, whole or not at all.

    Raises SourceProtectedError for a path that is one of the opened files, OSError where writing fails.
    """
    write_file(path, dump(scenario_value(scenario)), opened)


def files_named(scenario: Scenario, *others: str) -> list[str]:
    """The files and folders, with their files, that the names in a scenario and other ones (`gguf:FILE`) stand for."""
    names = (scenario.tokenizer, scenario.embedding, *others)
    places = [Path(place) for name in names if (place := name.partition(":")[2])]
    return [str(file) for place in places if os.path.exists(place) for file in (place, *_inside(place))]


def _inside(place: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(place) if entry.is_file()]
    except OSError:  # it is no folder, or one that may not be read
        return []


def scenario_among(paths: Sequence[str | Path]) -> Path | None:
    """The scenario to start with: the first scenario file among the paths, else the first in a folder among them."""
    given = [Path(path) for path in paths]
    files = [path for path in given if is_native(path, SCENARIO_FORMAT)]
    if files:
        return files[0]
    found = [file for path in given if os.path.isdir(path) for name in _NAMES for file in path.glob(name)]
    return min(found, default=None)


def is_native(path: Path, native_format: str) -> bool:
    """Whether a path stands for a file that says at its beginning that it has this native format."""
    try:
        return native_format.encode() in read_head(path, _HEAD_BYTES)
    except UnreadableError:
        return False

"""Scenario files: reading and writing them, and finding the scenario of the opened files."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inspector.assembly.scenario import SCENARIO_FORMAT, Scenario, scenario_value
from inspector.assembly.scenario_values import KindFor, value_troubles, with_own_names, without
from inspector.model import Problem
from inspector.reading.decode import as_one, decode, read_value
from inspector.reading.files import read_head
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import dump
from inspector.writing import write_file

_ENDINGS = (".yaml", ".yml", ".json")
_NAMES = tuple(f"*.scenario{ending}" for ending in _ENDINGS)
_OF_WORKSPACE = tuple(f".workspace{ending}" for ending in _ENDINGS)
_HEAD_BYTES = 4096


def read_scenario(path: str | Path, kind_for: KindFor) -> tuple[Scenario, tuple[Problem, ...]]:
    """Return the scenario of a JSON or YAML file, and a warning for each unknown key.

    `kind_for` returns the class whose parameters it names. Raise UnreadableError with the place of each invalid value.
    """
    return scenario_of(read_value(path), str(path), "$", kind_for)


def scenario_of(value: Any, file: str, place: str, kind_for: KindFor) -> tuple[Scenario, tuple[Problem, ...]]:
    """Return the scenario at a place of a file, as `read_scenario` does."""
    scenario, problems = decode(value, Scenario, file, place, SCENARIO_FORMAT)
    kind = kind_for(scenario)
    troubles = value_troubles(scenario, kind)
    if faults := [Problem(file, ".".join((place, *steps)), message) for steps, message in troubles]:
        raise UnreadableError(as_one(faults))
    return with_own_names(scenario, kind), problems


def sound_scenario(
    scenario: Scenario, file: str, place: str, kind_for: KindFor
) -> tuple[Scenario, tuple[Problem, ...]]:
    """Remove from a scenario each value refused by its declaration; return it with a problem for each."""
    problems, kind = [], kind_for(scenario)
    for steps, message in list(value_troubles(scenario, kind)):
        problems.append(Problem(file, ".".join((place, *steps)), f"{message}; it was left out"))
        scenario = without(scenario, steps)
    return with_own_names(scenario, kind), tuple(problems)


def write_scenario(scenario: Scenario, path: str | Path, opened: Iterable[str | Path], kind_for: KindFor) -> None:
    """Write a scenario as YAML, atomically. `kind_for` returns the class whose parameters it names.

    Raise SourceProtectedError if the path is an opened file, OSError if writing fails.
    """
    write_file(path, dump(scenario_value(scenario, kind_for(scenario))), opened)


def files_named(scenario: Scenario, *others: str) -> list[str]:
    """Return the files, and the folders with their files, named in a scenario and in `others` (`gguf:FILE`)."""
    names = (scenario.tokenizer, scenario.embedding, *others)
    places = [Path(place) for name in names if (place := name.partition(":")[2])]
    return [str(file) for place in places if os.path.exists(place) for file in (place, *_inside(place))]


def _inside(place: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(place) if entry.is_file()]
    except OSError:  # no folder, or unreadable
        return []


def scenario_among(paths: Sequence[str | Path]) -> Path | None:
    """Return the scenario to start with: the first scenario file among the paths, else the first that lies beside a
    workspace among them with its name, else the first in any folder.
    """
    given = [Path(path) for path in paths]
    files = [path for path in given if is_native(path, SCENARIO_FORMAT)]
    beside = (scenario_beside(path) for path in given)
    if named := next((file for file in (*files, *beside) if file is not None), None):
        return named
    found = [file for path in given if os.path.isdir(path) for name in _NAMES for file in path.glob(name)]
    return min(found, default=None)


def scenario_beside(workspace: str | Path) -> Path | None:
    """Return NAME.scenario.yaml (or .yml, .json) in the folder of the file NAME.workspace.yaml, if there is one."""
    file = Path(workspace)
    ending = next((ending for ending in _OF_WORKSPACE if file.name.endswith(ending)), None)
    if ending is None:
        return None
    stem = file.name.removesuffix(ending)
    names = (file.with_name(f"{stem}.scenario{ending}") for ending in _ENDINGS)
    return next((name for name in names if is_native(name, SCENARIO_FORMAT)), None)


def is_native(path: Path, native_format: str) -> bool:
    """Return whether a file declares this native format at its beginning."""
    try:
        return native_format.encode() in read_head(path, _HEAD_BYTES)
    except UnreadableError:
        return False

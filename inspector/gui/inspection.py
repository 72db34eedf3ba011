"""Inspections: a saved session as a value, its file, and whether the opened files are still what they were."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.assembly.scenario import Scenario, scenario_value
from inspector.model import Problem
from inspector.reading.decode import decode, read_value
from inspector.reading.yaml import dump
from inspector.writing import write_file

INSPECTION_FORMAT = "prompt-inspector/inspection@1"
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Inspection:
    """A session that can be saved and opened again.

    `paths` are what was opened, relative to the folder of the file (absolute where they share no drive). `notes` are
    by item id, `layout` is whatever the window keeps of its own. `stamps` are the opened files as the file that this
    was read from describes them, by their absolute paths: of those that are gone it is all that is known.
    """

    paths: tuple[str, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: Mapping[str, Scenario] = field(default_factory=dict)
    must_survive: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    layout: Mapping[str, Any] = field(default_factory=dict)
    stamps: "Mapping[str, Stamp]" = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls, opened: Sequence[str], file: str | Path, scenario: Scenario, baseline: Scenario | None = None, **rest: Any
    ) -> "Inspection":
        """The inspection of a session with these files open, to be saved as `file`; `rest` are the other fields."""
        return cls((), scenario, baseline, **rest).with_opened(opened, file)

    def with_opened(self, opened: Sequence[str], file: str | Path) -> "Inspection":
        """The same with these files open, to be saved as `file`."""
        folder = Path(file).resolve().parent
        return replace(self, paths=tuple(_relative(Path(path).resolve(), folder) for path in opened))

    def absolute_paths(self, file: str | Path) -> tuple[str, ...]:
        """The paths as they are opened, for an inspection that was read from `file` or goes there."""
        folder = Path(file).resolve().parent
        return tuple(os.path.normpath(folder / path) for path in self.paths)


@dataclass(frozen=True)
class Stamp:
    """An opened file or folder as it was when the inspection was saved; `size` in bytes."""

    path: str
    size: int | None = None
    sha256: str = ""


@dataclass(frozen=True)
class SavedInspection:
    """An inspection and the file that holds it; `is_whole` where the inspection is all that the file says."""

    file: Path
    inspection: Inspection
    is_whole: bool = True


@dataclass(frozen=True)
class _Written:
    """An inspection as its file holds it."""

    sources: tuple[Stamp, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: dict[str, Scenario] = field(default_factory=dict)
    must_survive: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)
    layout: dict[str, Any] = field(default_factory=dict)


def read_inspection(path: str | Path) -> tuple[Inspection, tuple[Problem, ...]]:
    """The inspection of a file, with a warning for each opened file that moved or changed and each unknown key.

    Raises UnreadableError where the file itself is no inspection.
    """
    file = str(path)
    value = read_value(path)
    for scenario in _scenarios(value):
        scenario.pop("format", None)
    written, problems = decode(value, _Written, file, expected_format=INSPECTION_FORMAT)
    inspection = Inspection(
        tuple(stamp.path for stamp in written.sources),
        written.scenario,
        written.baseline,
        written.snapshots,
        written.must_survive,
        written.notes,
        written.layout,
    )
    opened = inspection.absolute_paths(path)
    stamped = replace(inspection, stamps=dict(zip(opened, written.sources, strict=True)))
    return stamped, (*problems, *_differences(written.sources, opened))


def write_inspection(inspection: Inspection, path: str | Path, read: Sequence[str | Path] = ()) -> None:
    """Write an inspection as YAML, whole or not at all. An opened file that is gone is kept as it was described.

    `read` are files that must stay beside the paths of the inspection. Raises SourceProtectedError for a path that is
    one of the opened files, OSError where writing fails.
    """
    opened = inspection.absolute_paths(path)
    stamps = [inspection.stamps.get(source, Stamp(source)) for source in opened]
    value: dict[str, Any] = {
        "format": INSPECTION_FORMAT,
        "sources": list(map(_stamp_value, inspection.paths, opened, stamps)),
        "scenario": _scenario(inspection.scenario),
    }
    if inspection.baseline is not None:
        value["baseline"] = _scenario(inspection.baseline)
    others = {
        "snapshots": {name: _scenario(scenario) for name, scenario in inspection.snapshots.items()},
        "must_survive": list(inspection.must_survive),
        "notes": dict(inspection.notes),
        "layout": dict(inspection.layout),
    }
    value.update((key, held) for key, held in others.items() if held)
    write_file(path, dump(value), [*opened, *read])


def _scenario(scenario: Scenario) -> dict[str, Any]:
    value = scenario_value(scenario)
    return {key: _plain(held) for key, held in value.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value


def _scenarios(value: Any) -> Iterator[dict[str, Any]]:
    """The scenarios of an undecoded inspection, each of which may say its format."""
    if not isinstance(value, dict):
        return
    snapshots = value.get("snapshots")
    named = snapshots.values() if isinstance(snapshots, dict) else ()
    yield from (held for held in (value.get("scenario"), value.get("baseline"), *named) if isinstance(held, dict))


def _stamp_value(path: str, opened: str, before: Stamp) -> dict[str, Any]:
    size, digest = _fingerprint(Path(opened))
    if size is None:
        size, digest = before.size, before.sha256
    value: dict[str, Any] = {"path": path}
    return value if size is None else {**value, "size": size, "sha256": digest}


def _relative(path: Path, folder: Path) -> str:
    """The path seen from the folder; absolute where they share no drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path.as_posix()


def _fingerprint(path: Path) -> tuple[int | None, str]:
    """Size in bytes and SHA-256 of a file, or of all files below a folder with their names; None where it is gone."""
    files = sorted(inside for inside in path.rglob("*") if inside.is_file()) if path.is_dir() else [path]
    total, digest = 0, hashlib.sha256()
    try:
        for file in files:
            if file != path:
                digest.update(file.relative_to(path).as_posix().encode(errors="surrogateescape") + b"\0")
            with file.open("rb") as opened:
                while block := opened.read(_BLOCK):
                    digest.update(block)
                    total += len(block)
    except OSError:
        return None, ""
    return total, digest.hexdigest()


def _differences(stamps: tuple[Stamp, ...], opened: tuple[str, ...]) -> Iterator[Problem]:
    for stamp, path in zip(stamps, opened, strict=True):
        if not Path(path).exists():
            yield Problem(path, "", "is not there any more; it was moved, renamed or deleted", "warning")
        elif stamp.size is not None and _fingerprint(Path(path)) != (stamp.size, stamp.sha256):
            yield Problem(path, "", "has changed since the inspection was saved", "warning")

"""Inspections: a saved session as a value, its file, and whether the opened files are still what they were.

All of it but the values themselves touches files, and so belongs on a worker.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.assembly.scenario import Scenario, scenario_value
from inspector.gui.fingerprint import Fingerprints
from inspector.gui.layout import WindowLayout
from inspector.gui.layout_text import read_window_layout, window_layout_value
from inspector.gui.tidying import Tidying, moved
from inspector.model import Problem
from inspector.reading.decode import decode, read_value
from inspector.reading.unreadable import UnreadableError
from inspector.reading.yaml import dump
from inspector.writing import write_file

INSPECTION_FORMAT = "prompt-inspector/inspection@1"
LAYOUT = "$.layout"
MOST_BYTES = 20_000_000


@dataclass(frozen=True)
class Inspection:
    """A session that can be saved and opened again.

    `paths` are what was opened, relative to the folder of the file (absolute where they share no drive). `notes` are
    by item id, `layout` is where the docks lay. `removed` and `titles` are those of a `Tidying`, files among them as
    `paths` are. `stamps` are the opened files as the file that this was read from
    describes them, by their absolute paths: of those that are gone it is all that is known. `unsaved` is there in what
    the program wrote by itself.
    """

    paths: tuple[str, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: Mapping[str, Scenario] = field(default_factory=dict)
    must_survive: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    layout: WindowLayout | None = None
    stamps: "Mapping[str, Stamp]" = field(default_factory=dict, compare=False)
    unsaved: "Unsaved | None" = None
    removed: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, opened: Sequence[str], file: str | Path, scenario: Scenario, baseline: Scenario | None = None, **rest: Any
    ) -> "Inspection":
        """The inspection of a session with these files open, to be saved as `file`; `rest` are the other fields."""
        return cls((), scenario, baseline, **rest).with_opened(opened, file)

    def with_opened(self, opened: Sequence[str], file: str | Path) -> "Inspection":
        """The same with these files open, to be saved as `file`."""
        folder = os.path.dirname(os.path.realpath(file))
        relative = lambda path: _relative(os.path.realpath(path), folder)  # noqa: E731 - to the folder of this file
        return replace(self, paths=tuple(map(relative, opened)), removed=moved(self.removed, relative))

    def absolute_paths(self, file: str | Path) -> tuple[str, ...]:
        """The paths as they are opened, for an inspection that was read from `file` or goes there."""
        folder = os.path.dirname(os.path.realpath(file))
        return tuple(os.path.normpath(os.path.join(folder, path)) for path in self.paths)

    def tidying(self, file: str | Path) -> Tidying:
        """What was removed and called otherwise, with paths as they are opened."""
        folder = os.path.dirname(os.path.realpath(file))
        return Tidying(moved(self.removed, lambda path: os.path.normpath(os.path.join(folder, path))), self.titles)


@dataclass(frozen=True)
class Stamp:
    """An opened file or folder as it was when the inspection was saved; `size` in bytes."""

    path: str
    size: int | None = None
    sha256: str = ""


@dataclass(frozen=True)
class Unsaved:
    """What an autosaved inspection has to do with other files.

    `modified` says that something of it is in no file that a person named. `file` is the inspection file that it was
    opened from or saved as ("": none) and `sha256` what that file was then; `scenario_file` as in `Opening`.
    """

    modified: bool = True
    file: str = ""
    sha256: str = ""
    scenario_file: str = ""


@dataclass(frozen=True)
class SavedInspection:
    """An inspection and the file that holds it; `is_whole` where the inspection is all that the file says.

    `sha256` is what the file was when it was read ("": not known, or it is still to be written).
    """

    file: Path
    inspection: Inspection
    is_whole: bool = True
    sha256: str = ""


@dataclass(frozen=True)
class _Written:
    """An inspection as its file holds it."""

    sources: tuple[Stamp, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: dict[str, Scenario] = field(default_factory=dict)
    must_survive: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)
    layout: Any = None
    unsaved: Unsaved | None = None
    removed: tuple[str, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)


def read_inspection(path: str | Path, docks: Collection[str]) -> tuple[Inspection, tuple[Problem, ...]]:
    """The inspection of a file, for a window with these docks, and a warning for each key that is not understood.

    Raises UnreadableError where the file itself is no inspection.
    """
    file = str(path)
    if os.path.getsize(file) > MOST_BYTES:
        raise UnreadableError(Problem(file, "", f"is longer than the {MOST_BYTES:,} bytes that an inspection may have"))
    value = read_value(path)
    for scenario in _scenarios(value):
        scenario.pop("format", None)
    written, problems = decode(value, _Written, file, expected_format=INSPECTION_FORMAT)
    layout, misplaced = None, ()
    if written.layout is not None:
        layout, misplaced = read_window_layout(written.layout, docks, file, LAYOUT)
    inspection = Inspection(
        tuple(stamp.path for stamp in written.sources),
        written.scenario,
        written.baseline,
        written.snapshots,
        written.must_survive,
        written.notes,
        layout,
        unsaved=written.unsaved,
        removed=written.removed,
        titles=written.titles,
    )
    opened = inspection.absolute_paths(path)
    stamped = replace(inspection, stamps=dict(zip(opened, written.sources, strict=True)))
    return stamped, (*problems, *misplaced)


def differences(inspection: Inspection, go_on: Callable[[], None] = lambda: None) -> Iterator[Problem]:
    """A warning for each opened file of an inspection that is gone, or is not what it was when it was saved.

    `go_on` is called now and then while they are compared; what it raises ends the work.
    """
    fingerprints = Fingerprints(go_on)
    for path, stamp in inspection.stamps.items():
        if not os.path.exists(path):
            yield Problem(path, "", "is not there any more; it was moved, renamed or deleted", "warning")
        elif stamp.size is not None:
            found = fingerprints.of(path)
            if found is None:
                yield Problem(path, "", "cannot be compared with what it was when the inspection was saved", "warning")
            elif found != (stamp.size, stamp.sha256):
                yield Problem(path, "", "has changed since the inspection was saved", "warning")


def write_inspection(inspection: Inspection, path: str | Path, read: Sequence[str | Path] = ()) -> str:
    """Write an inspection as YAML, whole or not at all. An opened file that is gone is kept as it was described.

    `read` are files that must stay beside the paths of the inspection. Returns the SHA-256 of what was written. Raises
    SourceProtectedError for a path that is one of the opened files, OSError where writing fails.
    """
    opened, fingerprints = inspection.absolute_paths(path), Fingerprints()
    stamps = {source: _stamp(source, inspection.stamps.get(source), fingerprints) for source in opened}
    content = inspection_text(inspection, path, stamps).encode()
    write_file(path, content, [*opened, *read])
    return hashlib.sha256(content).hexdigest()


def inspection_text(inspection: Inspection, path: str | Path, stamps: "Mapping[str, Stamp]") -> str:
    """An inspection as the YAML of a file at this path, with those of its opened files described that have a stamp."""
    opened = zip(inspection.paths, inspection.absolute_paths(path), strict=True)
    value: dict[str, Any] = {
        "format": INSPECTION_FORMAT,
        "sources": [_stamp_value(name, stamps.get(source, Stamp(source))) for name, source in opened],
        "scenario": _scenario(inspection.scenario),
    }
    if inspection.baseline is not None:
        value["baseline"] = _scenario(inspection.baseline)
    others = {
        "snapshots": {name: _scenario(scenario) for name, scenario in inspection.snapshots.items()},
        "must_survive": list(inspection.must_survive),
        "notes": dict(inspection.notes),
        "removed": list(inspection.removed),
        "titles": dict(inspection.titles),
        "layout": inspection.layout and window_layout_value(inspection.layout),
        "unsaved": inspection.unsaved and asdict(inspection.unsaved),
    }
    value.update((key, held) for key, held in others.items() if held)
    return dump(value)


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


def _stamp(opened: str, before: Stamp | None, fingerprints: Fingerprints) -> Stamp:
    """An opened file as it is now; one that is gone as it was `before`."""
    if before is not None and not os.path.exists(opened):
        return before
    size, digest = fingerprints.of(opened) or (None, "")
    return Stamp(opened, size, digest)


def _stamp_value(path: str, stamp: Stamp) -> dict[str, Any]:
    value: dict[str, Any] = {"path": path}
    return value if stamp.size is None else {**value, "size": stamp.size, "sha256": stamp.sha256}


def _relative(path: str, folder: str) -> str:
    """The path seen from the folder; absolute where they share no drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return Path(path).as_posix()

"""Inspections: a saved session as a value, its file, and the changes to its opened files since.

Everything except the values themselves touches files and so belongs on a worker.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.assembly.inspection_file import (
    INSPECTION_FORMAT,
    Stamp,
    Unsaved,
    located,
    marks_value,
    plain_scenario,
    read_written,
    snapshots_value,
)
from inspector.assembly.marks import Marks
from inspector.assembly.remembered import RememberedChats
from inspector.assembly.scenario import Scenario
from inspector.assembly.snapshots import Snapshots
from inspector.assembly.tidying import Tidying, moved
from inspector.formats.tables.layout import TableLayout
from inspector.gui.files.fingerprint import Fingerprints
from inspector.gui.remembered.layout import WindowLayout
from inspector.gui.remembered.layout_text import read_window_layout, window_layout_value
from inspector.model import Problem
from inspector.plugins import kinds_known
from inspector.reading.yaml import dump
from inspector.writing import write_file

LAYOUT = "$.layout"


@dataclass(frozen=True)
class Inspection:
    """A session to be saved and opened again.

    `paths`: the opened files, relative to the folder of the inspection file (absolute across drives). `layout`: the
    layout of the window. `filter`: the filter line of the items. `chats`: the edits to conversations. `removed`,
    `titles`: those of a `Tidying`, with files named as in `paths`. `stamps`: the opened files by absolute path, as
    described in the inspection file; for deleted files nothing else is known. `unsaved`: set in files written by the
    program itself. `columns`: the user's layouts for reading tables.
    """

    paths: tuple[str, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: Snapshots = ()
    marks: Marks = field(default_factory=Marks)
    layout: WindowLayout | None = None
    filter: str = ""
    stamps: Mapping[str, Stamp] = field(default_factory=dict, compare=False)
    unsaved: Unsaved | None = None
    removed: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    chats: RememberedChats = field(default_factory=dict)
    columns: tuple[TableLayout, ...] = ()

    @classmethod
    def of(
        cls, opened: Sequence[str], file: str | Path, scenario: Scenario, baseline: Scenario | None = None, **rest: Any
    ) -> "Inspection":
        """Return the inspection of a session with these files open, to be saved as `file`. `rest`: the other fields."""
        return cls((), scenario, baseline, **rest).with_opened(opened, file)

    def with_opened(self, opened: Sequence[str], file: str | Path) -> "Inspection":
        """Return a copy with these files open, to be saved as `file`."""
        folder = os.path.dirname(os.path.realpath(file))
        relative = lambda path: _relative(os.path.realpath(path), folder)  # noqa: E731 - to the folder of this file
        return replace(self, paths=tuple(map(relative, opened)), removed=moved(self.removed, relative))

    def absolute_paths(self, file: str | Path) -> tuple[str, ...]:
        """Return the paths to open, for an inspection read from `file` or to be saved there."""
        return tuple(located(path, file) for path in self.paths)

    def tidying(self, file: str | Path) -> Tidying:
        """Return the removed and renamed parts, with the paths to open."""
        return Tidying(moved(self.removed, lambda path: located(path, file)), self.titles)


@dataclass(frozen=True)
class SavedInspection:
    """An inspection and its file. `is_whole`: the inspection holds everything in the file.

    `sha256` is the hash of the file when it was read ("": unknown, or not written yet).
    """

    file: Path
    inspection: Inspection
    is_whole: bool = True
    sha256: str = ""


def read_inspection(path: str | Path, screens: Collection[str]) -> tuple[Inspection, tuple[Problem, ...]]:
    """Return the inspection of a file, for a window with these screens, and a warning for each unknown key.

    Raises UnreadableError if the file is not an inspection.
    """
    written, problems = read_written(path, kinds_known())
    layout, misplaced = None, ()
    if written.layout is not None:
        layout, misplaced = read_window_layout(written.layout, screens, str(path), LAYOUT)
    inspection = Inspection(
        tuple(stamp.path for stamp in written.sources),
        written.scenario,
        written.baseline,
        written.named_scenarios,
        written.marks,
        layout,
        written.filter,
        unsaved=written.unsaved,
        removed=written.removed,
        titles=written.titles,
        chats=written.conversations,
        columns=written.columns,
    )
    opened = inspection.absolute_paths(path)
    stamped = replace(inspection, stamps=dict(zip(opened, written.sources, strict=True)))
    return stamped, (*problems, *misplaced)


def differences(inspection: Inspection, go_on: Callable[[], None] = lambda: None) -> Iterator[Problem]:
    """Yield a warning for each opened file of an inspection missing or changed since it was saved.

    `go_on` is called regularly during the comparison; an exception that it raises ends the work.
    """
    fingerprints = Fingerprints(go_on)
    for path, stamp in inspection.stamps.items():
        if not os.path.exists(path):
            yield Problem(path, "", "is no longer there; it was moved, renamed or deleted", "warning")
        elif stamp.size is not None:
            found = fingerprints.of(path)
            if found is None:
                yield Problem(path, "", "cannot be compared with its state when the inspection was saved", "warning")
            elif found != (stamp.size, stamp.sha256):
                yield Problem(path, "", "has changed since the inspection was saved", "warning")


def write_inspection(
    inspection: Inspection,
    path: str | Path,
    read: Sequence[str | Path] = (),
    note: Callable[[str], None] = lambda sha256: None,
) -> str:
    """Write an inspection as YAML, completely or not at all. A missing opened file keeps its previous description.

    `read` lists further files that must not be overwritten, besides the paths of the inspection. Returns the SHA-256 of
    the content, which is passed to `note` before writing. Raises SourceProtectedError if the path is one of the opened
    files, OSError if writing fails.
    """
    opened, fingerprints = inspection.absolute_paths(path), Fingerprints()
    stamps = {source: _stamp(source, inspection.stamps.get(source), fingerprints) for source in opened}
    content = inspection_text(inspection, path, stamps).encode()
    sha256 = hashlib.sha256(content).hexdigest()
    note(sha256)
    write_file(path, content, [*opened, *read])
    return sha256


def inspection_text(inspection: Inspection, path: str | Path, stamps: Mapping[str, Stamp]) -> str:
    """Return an inspection as YAML for a file at this path. Opened files with a stamp are described."""
    kind_for = kinds_known()
    opened = zip(inspection.paths, inspection.absolute_paths(path), strict=True)
    value: dict[str, Any] = {
        "format": INSPECTION_FORMAT,
        "sources": [_stamp_value(name, stamps.get(source, Stamp(source))) for name, source in opened],
        "scenario": plain_scenario(inspection.scenario, kind_for),
    }
    if inspection.baseline is not None:
        value["baseline"] = plain_scenario(inspection.baseline, kind_for)
    others = {
        **snapshots_value(inspection.snapshots, kind_for),
        **marks_value(inspection.marks),
        "conversations": {name: plain_scenario(done, kind_for) for name, done in inspection.chats.items()},
        "removed": list(inspection.removed),
        "titles": dict(inspection.titles),
        "columns": [layout.columns for layout in inspection.columns],
        "layout": inspection.layout and window_layout_value(inspection.layout),
        "filter": inspection.filter,
        "unsaved": inspection.unsaved and asdict(inspection.unsaved),
    }
    value.update((key, held) for key, held in others.items() if held)
    return dump(value)


def _stamp(opened: str, before: Stamp | None, fingerprints: Fingerprints) -> Stamp:
    """Return the stamp of an opened file as it is now, or its stamp `before` if it is gone."""
    if before is not None and not os.path.exists(opened):
        return before
    size, digest = fingerprints.of(opened) or (None, "")
    return Stamp(opened, size, digest)


def _stamp_value(path: str, stamp: Stamp) -> dict[str, Any]:
    value: dict[str, Any] = {"path": path}
    return value if stamp.size is None else {**value, "size": stamp.size, "sha256": stamp.sha256}


def _relative(path: str, folder: str) -> str:
    """Return the path relative to the folder, absolute across drives."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return Path(path).as_posix()

"""Inspections on the command line: FILE.inspection.yaml means the files opened in it, FILE.inspection.yaml#NAME the
same with the scenario of a snapshot. Without a name the inspection's own scenario is meant.
"""

from collections.abc import Sequence

from inspector import load_parts
from inspector.assembly.inspection_file import (
    WrittenInspection,
    inspection_part,
    opened_paths,
    read_written,
    tidying_of,
)
from inspector.assembly.marks import Marks
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import with_labels
from inspector.cli.failure import InputError
from inspector.cli.output import warn
from inspector.formats import UnreadableError, joined
from inspector.model import Workspace
from inspector.nearest import instead
from inspector.plugins import explained_tables, kinds_known, policies
from inspector.settings import own_presets_file


def inspection_among(paths: Sequence[str]) -> str | None:
    """Return the inspection among these paths, None for other files. End the command for a mixture."""
    found = [path for path in paths if inspection_part(path) is not None]
    if found and len(paths) > 1:
        raise InputError(f"{found[0]}: an inspection names its own files; expected no other path beside it")
    return found[0] if found else None


def file_of(path: str) -> str:
    """Return the file of a path, without the name of a snapshot."""
    part = inspection_part(path)
    return part[0] if part else path


def open_inspection(path: str) -> tuple[Workspace, Marks]:
    """Return the opened contents of an inspection and its marks. End the command if the file cannot be read."""
    file = file_of(path)
    written = _read(file, "sources")
    tidying = tidying_of(written, file)
    opened = [source for source in opened_paths(written, file) if not tidying.has_removed_file(source)]
    parts = load_parts(*opened, explained=(*written.columns, *explained_tables()[0]))
    return tidying.workspace(joined(tidying.parts(parts))), written.marks


def inspection_scenario(path: str) -> Scenario:
    """Return the scenario named by a path of an inspection. End the command for an unknown snapshot."""
    file, name = inspection_part(path) or (path, "")
    written = _read(file, *(("snapshots", name) if name else ("scenario",)))
    if name and name not in written.snapshots:
        named = instead(name, list(written.snapshots), lead="expected one of:")
        raise InputError(f"{file}: snapshots: there is no “{name}”; {named}")
    return _labelled(written.snapshots[name] if name else written.scenario)


def baseline_of(path: str) -> Scenario | None:
    """Return the baseline of an inspection, None if it has none."""
    baseline = _read(file_of(path), "baseline").baseline
    return baseline and _labelled(baseline)


def _labelled(scenario: Scenario) -> Scenario:
    """Return the scenario with an unknown preset as a label, if the file has its values."""
    return with_labels(scenario, policies()[0], load_presets(own_presets_file(), policies()[0]))


def _read(file: str, *wanted: str) -> WrittenInspection:
    """Return the contents of an inspection. End the command if the wanted part is bad; report other problems."""
    place = ".".join(("$", *wanted))
    try:
        written, problems = read_written(file, kinds_known())
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    for problem in problems:
        if problem.severity == "error" and f"{problem.place}.".startswith((f"{place}.", f"{place}[")):
            raise InputError(str(problem))
        warn(problem)
    return written

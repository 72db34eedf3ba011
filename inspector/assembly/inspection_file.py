"""Inspection files as they are written: what was opened, scenarios, marks and snapshots; what a window adds stays raw.

Known to the window, which writes them, and to the command line, which reads them.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.assembly.marked_probes import probe_value
from inspector.assembly.marks import ItemKey, Marks
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.assembly.scenario_file import is_native, sound_scenario
from inspector.assembly.scenario_values import KindFor
from inspector.assembly.snapshots import Snapshot, Snapshots
from inspector.assembly.tidying import Tidying, moved
from inspector.formats.tables.layout import TableLayout
from inspector.formats.tables.own import layouts_in
from inspector.model import Probe, Problem, changed
from inspector.reading.decode import check_format, decode, kind_of, read_value
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import YamlMapping

INSPECTION_FORMAT = "prompt-inspector/inspection@1"
MOST_BYTES = 20_000_000
_OF_PARTS = ("snapshots", "snapshot_notes", "notes", "marks_beside", "titles", "conversations")
"""The keys under which each entry stands for itself."""


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
    opened from or saved as ("": none), `sha256` what that file was then, and `writing` what it was about to be written
    as when this was written ("": nothing). `scenario_file` is as in `Opening`.
    """

    modified: bool = True
    file: str = ""
    sha256: str = ""
    scenario_file: str = ""
    writing: str = ""


@dataclass(frozen=True)
class MarksBeside:
    """The marks of one conversation, of items whose ids others have, too."""

    must_survive: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenInspection:
    """An inspection as its file holds it. `marks_beside` is by conversation, `snapshot_notes` by name.

    `conversations` are scenarios with what was done to one conversation alone, for whoever comes back to it. `filter`
    is the line by which the window chose items. `columns` are the layouts of the user by which tables were read.
    """

    sources: tuple[Stamp, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: dict[str, Scenario] = field(default_factory=dict)
    snapshot_notes: dict[str, str] = field(default_factory=dict)
    must_survive: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)
    marks_beside: dict[str, MarksBeside] = field(default_factory=dict)
    questions: tuple[Probe, ...] = ()
    layout: Any = None
    filter: str = ""
    unsaved: Unsaved | None = None
    removed: tuple[str, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)
    conversations: dict[str, Scenario] = field(default_factory=dict)
    columns: tuple[TableLayout, ...] = ()

    @property
    def marks(self) -> Marks:
        """What is marked, wherever it is written; what is of no conversation first, as it is written again."""
        beside = self.marks_beside.items()
        must_survive = [
            *map(ItemKey, self.must_survive),
            *(ItemKey(item, chat) for chat, marks in beside for item in marks.must_survive),
        ]
        must_survive.sort(key=lambda key: key.conversation != "")
        notes = {ItemKey(item): note for item, note in self.notes.items()}
        notes |= {ItemKey(item, chat): note for chat, marks in beside for item, note in marks.notes.items()}
        questions = {one.id: changed(one, origin="") for one in self.questions}
        return Marks(tuple(dict.fromkeys(must_survive)), notes, tuple(questions.values()))

    @property
    def named_scenarios(self) -> Snapshots:
        """The snapshots in their order."""
        notes = self.snapshot_notes
        return tuple(Snapshot(name, scenario, notes.get(name, "")) for name, scenario in self.snapshots.items())


def marks_value(marks: Marks) -> dict[str, Any]:
    """Marks under the keys of the file; those without anything in them are left out by whoever writes it."""
    beside: dict[str, dict[str, Any]] = {}
    for key in marks.must_survive:
        if key.conversation:
            beside.setdefault(key.conversation, {}).setdefault("must_survive", []).append(key.id)
    for key, note in marks.notes.items():
        if key.conversation:
            beside.setdefault(key.conversation, {}).setdefault("notes", {})[key.id] = note
    return {
        "must_survive": [key.id for key in marks.must_survive if not key.conversation],
        "notes": {key.id: note for key, note in marks.notes.items() if not key.conversation},
        "marks_beside": beside,
        "questions": [probe_value(question) for question in marks.questions],
    }


def snapshots_value(snapshots: Snapshots) -> dict[str, Any]:
    """Snapshots under the keys of the file."""
    return {
        "snapshots": {one.name: plain_scenario(one.scenario) for one in snapshots},
        "snapshot_notes": {one.name: one.note for one in snapshots if one.note},
    }


def plain_scenario(scenario: Scenario) -> dict[str, Any]:
    """A scenario as objects, lists and plain values."""
    return {key: _plain(held) for key, held in scenario_value(scenario).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value


def read_written(path: str | Path, kind_for: KindFor) -> tuple[WrittenInspection, tuple[Problem, ...]]:
    """What an inspection file holds, a warning for each key that is not understood, and an error for each bad part.

    A bad part is left out, and the others are there; so is a value of a scenario that its declaration refuses, for
    which `kind_for` says whose parameters it names. Raises UnreadableError where the file itself is no inspection.
    """
    file = str(path)
    if os.path.getsize(file) > MOST_BYTES:
        raise UnreadableError(Problem(file, "", f"is longer than the {MOST_BYTES:,} bytes that an inspection may have"))
    value = read_value(path)
    for scenario in _scenarios(value):
        scenario.pop("format", None)
    columns, bad = _columns(value, file)
    written, problems = _decoded(value, file)
    faults = [*bad]

    def sound(scenario: Scenario, place: str) -> Scenario:
        kept, more = sound_scenario(scenario, file, place, kind_for)
        faults.extend(more)
        return kept

    return _each_scenario(replace(written, columns=columns), sound), (*problems, *faults)


def _columns(value: Any, file: str) -> tuple[tuple[TableLayout, ...], tuple[Problem, ...]]:
    """The layouts of an undecoded inspection, which are taken out of it, and a problem for each bad one."""
    held = value.pop("columns", None) if isinstance(value, dict) else None
    if held is None or isinstance(held, list):
        return layouts_in(held or (), file, "$.columns")
    return (), (Problem(file, "$.columns", f"expected a list of layouts, found {kind_of(held)}"),)


def _decoded(value: Any, file: str) -> tuple[WrittenInspection, tuple[Problem, ...]]:
    """What a value holds that can be decoded, part by part where it cannot be as a whole."""
    try:
        return decode(value, WrittenInspection, file, expected_format=INSPECTION_FORMAT)
    except UnreadableError:
        if not isinstance(value, dict):
            raise
        check_format(value, INSPECTION_FORMAT, file, "$")
    kept, bad = _good_parts(value, file)
    written, problems = decode(kept, WrittenInspection, file, expected_format=INSPECTION_FORMAT)
    return written, (*bad, *problems)


def _good_parts(value: dict[str, Any], file: str) -> tuple[dict[str, Any], list[Problem]]:
    """Those parts of an undecoded inspection that can be decoded, and a problem for each of the others."""
    bad: list[Problem] = []

    def is_good(key: str, part: Any) -> bool:
        try:
            decode(YamlMapping({key: part}) if isinstance(value, YamlMapping) else {key: part}, WrittenInspection, file)
        except UnreadableError as error:
            bad.append(error.problem)
            return False
        return True

    kept = type(value)()
    for key, part in value.items():
        if key in _OF_PARTS and isinstance(part, dict):
            kept[key] = {name: one for name, one in part.items() if is_good(key, {name: one})}
        elif key == "format" or is_good(key, part):
            kept[key] = part
    return kept, bad


def _each_scenario(written: WrittenInspection, change: Callable[[Scenario, str], Scenario]) -> WrittenInspection:
    """The inspection with each of its scenarios changed, by its place."""

    def changed_all(name: str) -> dict[str, Scenario]:
        return {key: change(held, f"$.{name}.{key}") for key, held in getattr(written, name).items()}

    return replace(
        written,
        scenario=change(written.scenario, "$.scenario"),
        baseline=written.baseline and change(written.baseline, "$.baseline"),
        snapshots=changed_all("snapshots"),
        conversations=changed_all("conversations"),
    )


def _scenarios(value: Any) -> Iterator[dict[str, Any]]:
    """The scenarios of an undecoded inspection, each of which may say its format."""
    if not isinstance(value, dict):
        return
    by_name = (value.get(key) for key in ("snapshots", "conversations"))
    named = [held for holder in by_name if isinstance(holder, dict) for held in holder.values()]
    yield from (held for held in (value.get("scenario"), value.get("baseline"), *named) if isinstance(held, dict))


def located(path: str, file: str | Path) -> str:
    """A path of an inspection file as it is opened from here."""
    return os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(file)), path))


def opened_paths(written: WrittenInspection, file: str | Path) -> tuple[str, ...]:
    """The files and folders of an inspection as they are opened from here."""
    return tuple(located(stamp.path, file) for stamp in written.sources)


def tidying_of(written: WrittenInspection, file: str | Path) -> Tidying:
    """What was removed and called otherwise, with paths as they are opened."""
    return Tidying(moved(written.removed, lambda path: located(path, file)), written.titles)


def inspection_part(path: str) -> tuple[str, str] | None:
    """The file and the snapshot of `FILE#NAME`, "" for the inspection's own scenario; None for any other path."""
    if is_native(Path(path), INSPECTION_FORMAT):
        return path, ""
    file, mark, name = path.rpartition("#")
    return (file, name) if mark and file and is_native(Path(file), INSPECTION_FORMAT) else None

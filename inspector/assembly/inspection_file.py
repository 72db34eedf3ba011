"""Inspection files as written: opened files, scenarios, marks and snapshots; the additions of a window stay raw.

The window writes them, the command line reads them.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.assembly.marks import ItemKey, Marks, probe_value
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
_OF_PARTS = ("snapshots", "snapshot_notes", "snapshot_times", "notes", "marks_beside", "titles", "conversations")
"""The keys whose entries can be read one by one."""


@dataclass(frozen=True)
class Stamp:
    """An opened file or folder as it was when the inspection was saved; `size` in bytes."""

    path: str
    size: int | None = None
    sha256: str = ""


@dataclass(frozen=True)
class Unsaved:
    """The relation of an autosaved inspection to other files.

    `modified` is true if it has changes that no named file holds. `file` is the inspection file from which it was
    opened or to which it was saved ("" for none), `sha256` the hash of that file then, and `writing` the hash of the
    content about to be saved when this was written ("" for none). `scenario_file` is as in `Opening`.
    """

    modified: bool = True
    file: str = ""
    sha256: str = ""
    scenario_file: str = ""
    writing: str = ""


@dataclass(frozen=True)
class MarksBeside:
    """The marks of one conversation for items whose ids occur in other conversations, too."""

    must_survive: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenInspection:
    """An inspection as stored in its file. `marks_beside` is by conversation, `snapshot_notes` and `snapshot_times` by
    name.

    `conversations` are scenarios with the changes to one conversation alone, for returning to it. `filter` is the
    filter line of the window. `columns` are the user's layouts by which tables were read.
    """

    sources: tuple[Stamp, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    snapshots: dict[str, Scenario] = field(default_factory=dict)
    snapshot_notes: dict[str, str] = field(default_factory=dict)
    snapshot_times: dict[str, str] = field(default_factory=dict)
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
        """All marks, wherever they are stored; those of no conversation come first, as they are written again."""
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
        notes, times = self.snapshot_notes, self.snapshot_times
        return tuple(
            Snapshot(name, scenario, notes.get(name, ""), times.get(name, ""))
            for name, scenario in self.snapshots.items()
        )


def marks_value(marks: Marks) -> dict[str, Any]:
    """Return marks under the keys of the file; the caller leaves out empty ones."""
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


def snapshots_value(snapshots: Snapshots, kind_for: KindFor) -> dict[str, Any]:
    """Return snapshots under the keys of the file. `kind_for` returns the class whose parameters a scenario names."""
    return {
        "snapshots": {one.name: plain_scenario(one.scenario, kind_for) for one in snapshots},
        "snapshot_notes": {one.name: one.note for one in snapshots if one.note},
        "snapshot_times": {one.name: one.kept_at for one in snapshots if one.kept_at},
    }


def plain_scenario(scenario: Scenario, kind_for: KindFor) -> dict[str, Any]:
    """Return a scenario as objects, lists and plain values. `kind_for` returns the class whose parameters it names."""
    return {key: _plain(held) for key, held in scenario_value(scenario, kind_for(scenario)).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value


def read_written(path: str | Path, kind_for: KindFor) -> tuple[WrittenInspection, tuple[Problem, ...]]:
    """Read an inspection file; return it with a warning for each unknown key and an error for each bad part.

    A bad part is left out and the others are kept, likewise a value of a scenario that its declaration refuses, for
    which `kind_for` returns the class whose parameters it names. Raise UnreadableError if the file is no inspection.
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
    """Take the layouts out of an undecoded inspection; return them with a problem for each bad layout."""
    held = value.pop("columns", None) if isinstance(value, dict) else None
    if held is None or isinstance(held, list):
        return layouts_in(held or (), file, "$.columns")
    return (), (Problem(file, "$.columns", f"expected a list of layouts, found {kind_of(held)}"),)


def _decoded(value: Any, file: str) -> tuple[WrittenInspection, tuple[Problem, ...]]:
    """Decode a value, part by part if it cannot be decoded as a whole."""
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
    """Return the decodable parts of an undecoded inspection, and a problem for each of the others."""
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
    """Return the inspection with each of its scenarios changed, given its place."""

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
    """Yield the scenarios of an undecoded inspection, each of which may name its format."""
    if not isinstance(value, dict):
        return
    by_name = (value.get(key) for key in ("snapshots", "conversations"))
    named = [held for holder in by_name if isinstance(holder, dict) for held in holder.values()]
    yield from (held for held in (value.get("scenario"), value.get("baseline"), *named) if isinstance(held, dict))


def located(path: str, file: str | Path) -> str:
    """Return a path of an inspection file, resolved against the folder of the file."""
    return os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(file)), path))


def opened_paths(written: WrittenInspection, file: str | Path) -> tuple[str, ...]:
    """Return the resolved paths of the files and folders of an inspection."""
    return tuple(located(stamp.path, file) for stamp in written.sources)


def tidying_of(written: WrittenInspection, file: str | Path) -> Tidying:
    """Return the removed and renamed parts, with resolved paths."""
    return Tidying(moved(written.removed, lambda path: located(path, file)), written.titles)


def inspection_part(path: str) -> tuple[str, str] | None:
    """Return the file and the snapshot of `FILE#NAME`, "" for the inspection's own scenario; None for other paths."""
    if is_native(Path(path), INSPECTION_FORMAT):
        return path, ""
    file, mark, name = path.rpartition("#")
    return (file, name) if mark and file and is_native(Path(file), INSPECTION_FORMAT) else None

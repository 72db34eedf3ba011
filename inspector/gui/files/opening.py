"""Openings: the files and settings opened together, found from the given paths and loaded.

All of it touches files and runs on a worker, independent of Qt. `Tell` reports progress; an exception that it raises
ends the work.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

import inspector
from inspector.analysis.basis import Share
from inspector.analysis.tour import Tour, is_tour, read_tour
from inspector.assembly.answer import Answer, is_current, planned_answer
from inspector.assembly.choices import ScenarioError, name_trouble
from inspector.assembly.edits import Edit
from inspector.assembly.item_tables import has_names
from inspector.assembly.lacking import first_lacking
from inspector.assembly.marks import Marks
from inspector.assembly.own_policy import with_own
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.recorded import recorded_column
from inspector.assembly.remembered import Remembered, RememberedChats
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, OF_A_POLICY, Scenario
from inspector.assembly.scenario_file import is_native, read_scenario, scenario_among
from inspector.assembly.scenario_records import followed, record, with_labels
from inspector.assembly.snapshots import Snapshots
from inspector.assembly.tidying import Tidying
from inspector.formats import Part, UnreadableError, joined
from inspector.formats.tables.layout import TableLayout
from inspector.formats.tables.own import used
from inspector.formats.traces.reading_on import Read
from inspector.gui.files.added_presets import AddedPresets
from inspector.gui.files.fingerprint import Fingerprints
from inspector.gui.files.inspection import INSPECTION_FORMAT, LAYOUT, SavedInspection, differences, read_inspection
from inspector.gui.remembered.layout import WindowLayout
from inspector.model import Problem, Workspace
from inspector.plugins import explained_tables, kinds_known, plugin_problems
from inspector.tokens.choice import UnknownTokenizerError

Tell = Callable[[Share | None], None]
"""Reports progress (None: no news), and raises to end the work once its result is no longer wanted."""

MOST_TOLD = 50
_TELL_SECONDS = 0.05


@dataclass(frozen=True)
class Opening:
    """Everything opened together: paths, their settings, and the inspection file with all of these.

    `modified`: the scenario or the baseline differs from that file. `layout`: the layout of the window (None:
    unchanged). `filter`: the filter line of the items (None: unchanged). `named`: the paths given by the user;
    `problems`: problems with these. `scenario_file`: the file of the scenario alone ("": none). `recovered`: the
    autosaved file ("": none). `remembered`: the values tuned for policies and presets. `chats`: the edits to each
    conversation. `parts`: the files as read. `tidying`: removed and renamed parts of them. `marks`: marks on items.
    `snapshots`: named scenarios. `repairs`: the broken files that the user wants repaired. `columns`: table layouts
    with precedence over the user's own; after reading, also the layouts used. `tour`: the tour to start once everything
    is open. `follows_file`: the policy is that of the file, as the user has chosen none. `grown`: files that only grow,
    as far as they were read.
    """

    paths: tuple[str, ...] = ()
    scenario: Scenario = field(default_factory=Scenario)
    baseline: Scenario | None = None
    saved: SavedInspection | None = None
    modified: bool = False
    layout: WindowLayout | None = None
    filter: str | None = None
    named: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    scenario_file: str = ""
    remembered: Remembered = field(default_factory=dict)
    chats: RememberedChats = field(default_factory=dict)
    recovered: str = ""
    parts: tuple[Part, ...] = field(default=(), compare=False)
    tidying: Tidying = field(default_factory=Tidying)
    marks: Marks = field(default_factory=Marks)
    snapshots: Snapshots = ()
    repairs: frozenset[str] = frozenset()
    columns: tuple[TableLayout, ...] = ()
    tour: Tour | None = None
    follows_file: bool = False
    grown: Mapping[str, Read] = field(default_factory=dict, compare=False)

    @property
    def kept_columns(self) -> tuple[TableLayout, ...]:
        """The table layouts for reading again. Outside an inspection, the user's current layouts apply instead."""
        return self.columns if self.saved is not None or self.recovered else ()


def find_opening(paths: Sequence[str], scenario_file: str | None, screens: Collection[str], tell: Tell) -> Opening:
    """Return the opening for these paths in a window with these screens: an inspection, a tour, or files to read.

    A scenario file among them, beside a workspace of its name, or in a folder among them, is the starting scenario.
    Raises UnreadableError if there is nothing to open.
    """
    good = [path for path in paths if "\0" not in path]
    refused = tuple(Problem(path, "", "no file can have this name") for path in paths if "\0" in path)
    if not good:
        raise UnreadableError(refused[0])
    named = tuple(os.path.realpath(path) for path in good)
    if len(good) == 1 and is_native(Path(good[0]), INSPECTION_FORMAT):
        return replace(_inspection(Path(good[0]), screens, tell), named=named)
    if len(good) == 1 and is_tour(good[0]):
        return find_tour(good[0])
    found = Path(scenario_file) if scenario_file else scenario_among(good)
    scenario, problems = (Scenario(), ()) if found is None else _scenario(found)
    chats = tuple(path for path in good if found is None or Path(path) != found)
    return Opening(chats, scenario, named=named, problems=_told([*refused, *problems]), scenario_file=str(found or ""))


def find_tour(path: str) -> Opening:
    """Return the opening of a tour, with its starting scenario. Raises UnreadableError if the file is not a tour."""
    tour, problems = read_tour(path)
    scenario, more = _scenario(Path(tour.scenario)) if tour.scenario else (Scenario(), ())
    told = _told([*problems, *more])
    named = (os.path.realpath(path),)
    return Opening(tour.open, scenario, named=named, problems=told, scenario_file=tour.scenario, tour=tour)


def _scenario(file: Path) -> tuple[Scenario, Sequence[Problem]]:
    try:
        scenario, problems = read_scenario(file, kinds_known())
    except UnreadableError as error:
        return Scenario(), (error.problem,)
    kept, more = _kept_here(scenario, file)
    return kept, (*problems, *more)


def _inspection(file: Path, screens: Collection[str], tell: Tell) -> Opening:
    found = Fingerprints(partial(tell, None)).of(str(file))  # before reading, to notice changes in between
    inspection, problems = read_inspection(file, screens)
    # The layout of the window is not part of the inspected contents: saving replaces it in any case.
    is_understood = all(f"{problem.place}.".startswith(f"{LAYOUT}.") for problem in problems)
    scenario, sends = _kept_here(inspection.scenario, file)
    baseline, baseline_sends = (None, ()) if inspection.baseline is None else _kept_here(inspection.baseline, file)
    is_whole = is_understood and not sends and not baseline_sends
    tell(Share(what="Comparing the opened files"))
    changed = differences(inspection, partial(tell, None))
    return Opening(
        inspection.absolute_paths(file),
        scenario,
        baseline,
        SavedInspection(file, inspection, is_whole, found[1] if found else ""),
        layout=inspection.layout,
        filter=inspection.filter,
        problems=_told([*problems, *sends, *baseline_sends, *changed]),
        tidying=inspection.tidying(file),
        marks=inspection.marks,
        snapshots=inspection.snapshots,
        chats=inspection.chats,
        columns=inspection.columns,
    )


def _kept_here(scenario: Scenario, file: Path) -> tuple[Scenario, Sequence[Problem]]:
    """Return a file's scenario without its request for summaries by a server: only the user may start sending chats."""
    if scenario.summaries != "endpoint":
        return scenario, ()
    message = "asks a server for summaries; nothing is sent until you choose that in the panel Summaries"
    return replace(scenario, summaries=None), (Problem(str(file), "summaries", message, "warning"),)


def _told(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the first of many problems: a file may hold a million, too many to read."""
    return tuple(islice(problems, MOST_TOLD))


@dataclass(frozen=True, eq=False)
class Loaded:
    """An opening ready to be shown. If its scenario is refused, there is no answer, and `trouble` gives the reason.

    `unread` lists the files that could not be read. `renews` is the state in which reading again or adding was
    requested. `use` puts the added parts to use; undoing takes `presets` away again.
    """

    opening: Opening
    pipeline: Pipeline
    answer: Answer | None
    trouble: str
    baseline: Answer | None
    baseline_trouble: str
    baseline_pipeline: Pipeline
    unread: tuple[Problem, ...] = ()
    renews: Opening | None = None
    use: Callable[[Scenario], Edit] | None = None
    presets: AddedPresets | None = None


def unread(opening: Opening, workspace: Workspace) -> tuple[Problem, ...]:
    """Return the first problem of each file that could not be read, and of each empty folder."""
    read = {source.path for source in workspace.sources}
    lost = [one for one in workspace.problems if one.severity == "warning" and one.file not in read]
    errors = [one for one in (*opening.problems, *workspace.problems) if one.severity == "error"]
    found = {one.file: one for one in reversed([*errors, *lost])}
    return tuple(reversed(found.values()))


def listed_problems(workspace: Workspace, lost: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems of plug-ins, of the open workspace and of lost files, without duplicates."""
    return tuple(dict.fromkeys((*plugin_problems(), *workspace.problems, *lost)))


def load(opening: Opening, make_pipeline: Callable[[Workspace], Pipeline], tell: Tell) -> Loaded:
    """Read the files of an opening, and compute all slow parts of the first picture."""
    parts, known = read_files(opening.paths, opening.columns, opening.repairs, tell, lists=True)
    tell(Share(1.0, what="Preparing the conversation"))
    opening = replace(opening, parts=parts, columns=columns_of(parts, opening.columns, known))
    workspace = opened_workspace(opening)
    pipeline = make_pipeline(workspace)
    opening = _with_own_policy(_with_values(opening, pipeline), workspace)
    return replace(prepared(opening, pipeline), unread=unread(opening, workspace))


def _with_own_policy(opening: Opening, workspace: Workspace) -> Opening:
    """Return the opening of files alone with the policy of the program that wrote the first chat, if it is known."""
    if opening.saved is not None or opening.recovered or opening.scenario_file or opening.tour is not None:
        return opening
    return replace(opening, scenario=with_own(opening.scenario, workspace), follows_file=True)


def read_files(
    paths: Sequence[str], columns: Sequence[TableLayout], repairs: frozenset[str], tell: Tell, lists: bool = False
) -> tuple[tuple[Part, ...], tuple[TableLayout, ...]]:
    """Return the files as they are now, and the known table layouts: `columns`, then the user's."""
    known = (*columns, *explained_tables()[0])
    told = now_and_then(tell)
    return inspector.load_parts(*paths, on_progress=told, repairs=repairs, lists=lists, explained=known), known


def columns_of(
    parts: Iterable[Part], first: Sequence[TableLayout], known: Iterable[TableLayout]
) -> tuple[TableLayout, ...]:
    """Return the layouts of these files: the `first` ones, then the `known` ones used to read them."""
    sources = (source for part in parts for source in part.workspace.sources)
    return tuple(dict.fromkeys((*first, *used(known, sources))))


def _with_values(opening: Opening, pipeline: Pipeline) -> Opening:
    """Return the opening of an inspection with stored values in its scenarios, even if an earlier version wrote names.

    The current scenario follows names again. Each name unknown here is a problem; the scenario is then decided by the
    usual values.
    """
    if opening.saved is None and not opening.recovered:
        return opening
    choices, file = pipeline.choices, opening.recovered or str(opening.saved and opening.saved.file)
    kept = partial(with_labels, policies=choices.policies, presets=choices.presets)
    scenario, problems = kept(opening.scenario), list[Problem]()
    if trouble := name_trouble(scenario, choices.policies, choices.presets):
        problems.append(Problem(file, "scenario", f"{trouble}; the usual values are used"))
        is_known = (scenario.policy or DEFAULT_POLICY) in choices.policies
        scenario = replace(scenario, **({"base": DEFAULT_PRESET} if is_known else OF_A_POLICY))
    baseline = opening.baseline and record(pipeline, kept(opening.baseline))
    snapshots = tuple(replace(one, scenario=record(pipeline, kept(one.scenario))) for one in opening.snapshots)
    for name, other in (("baseline", baseline), *((f"snapshots.{one.name}", one.scenario) for one in snapshots)):
        if other and (trouble := name_trouble(other, choices.policies, choices.presets)):
            problems.append(Problem(file, name, trouble))
    saved = opening.saved and replace(opening.saved, is_whole=opening.saved.is_whole and not problems)
    return replace(
        opening,
        scenario=followed(pipeline, scenario),
        baseline=baseline,
        snapshots=snapshots,
        saved=saved,
        problems=_told([*opening.problems, *problems]),
    )


def load_whole(now: Opening, make_pipeline: Callable[[Workspace], Pipeline], tell: Tell) -> Loaded:
    """Return `now` with its large files, so far only listed, read completely."""
    parts: list[Part] = []
    for place, part in enumerate(now.parts):
        tell(Share(place / len(now.parts), what="Reading all conversations"))
        parts.append(part.completed())
    opening = replace(now, parts=tuple(parts), named=())
    known = unread(Opening(), joined(now.parts))
    lost = tuple(one for one in unread(Opening(), joined(opening.parts)) if one not in known)
    loaded = prepared(opening, make_pipeline(opened_workspace(opening)))
    return replace(loaded, unread=lost, renews=now)


def opened_workspace(opening: Opening) -> Workspace:
    """Return the workspace of an opening, without its removed parts and with its new titles."""
    return opening.tidying.workspace(joined(opening.tidying.parts(opening.parts)))


def prepared(opening: Opening, pipeline: Pipeline) -> Loaded:
    """Return an opening whose files are read, with the answers to both scenarios."""
    pipeline.known.marks = opening.marks
    answer, trouble = current_answer(pipeline, opening.scenario, None, for_views=True)
    apart = pipeline.fork()  # a pipeline caches the stages of a single scenario
    baseline, baseline_trouble = answer_or_trouble(apart, opening.baseline) if opening.baseline else (None, "")
    return Loaded(opening, pipeline, answer, trouble, baseline, baseline_trouble, apart)


def current_answer(
    pipeline: Pipeline, scenario: Scenario, before: Answer | None, for_views: bool = False
) -> tuple[Answer | None, str]:
    """Return `answer_or_trouble`. If the scenario is refused and `before` is out of date, recompute `before`.

    With `for_views`, the values needed for every row are computed in advance.
    """
    answer, trouble = answer_or_trouble(pipeline, scenario)
    if answer is None and before is not None and not is_current(pipeline, before):
        answer = planned_answer(pipeline, pipeline.case(before.scenario))
    if answer is not None and for_views:
        _ask_of_every_row(pipeline, answer)
    return answer, trouble


def _ask_of_every_row(pipeline: Pipeline, answer: Answer) -> None:
    """Compute these values now, so that they are cached."""
    assembly = answer.assembly
    first_lacking(pipeline, answer.case)
    has_names(assembly.candidates.items)
    recorded_column(assembly.candidates.items)
    _ = assembly.order, assembly.fate_counts, assembly.section_counts


def answer_or_trouble(pipeline: Pipeline, scenario: Scenario) -> tuple[Answer | None, str]:
    """Return the planned answer to a scenario, or None and the reason for refusing it."""
    try:
        return planned_answer(pipeline, pipeline.case(scenario)), ""
    except (ScenarioError, UnknownTokenizerError) as problem:
        return None, str(problem)


def now_and_then(tell: Tell) -> Callable[[str, float], None]:
    """Return a progress callback that reports only some files: a folder may hold thousands of small ones."""
    last = 0.0

    def on_progress(_: str, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        is_due = now - last >= _TELL_SECONDS
        last = now if is_due else last
        tell(Share(share, what="Loading") if is_due else None)

    return on_progress

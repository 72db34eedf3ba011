"""What is opened together: found out from the paths that a person gave, and loaded. Touches files, and knows no Qt.

All of it is done on a worker. `Tell` is how it says how far it is; what that raises ends the work.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

import inspector
from inspector.analysis.tour import Tour, is_tour, read_tour
from inspector.assembly.answer import Answer, is_current, planned_answer
from inspector.assembly.choices import ScenarioError, name_trouble
from inspector.assembly.edits import Edit
from inspector.assembly.item_tables import has_names
from inspector.assembly.lacking import first_lacking
from inspector.assembly.marks import Marks
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
from inspector.gui.fingerprint import Fingerprints
from inspector.gui.inspection import INSPECTION_FORMAT, LAYOUT, SavedInspection, differences, read_inspection
from inspector.gui.layout import WindowLayout
from inspector.gui.progress import Progress
from inspector.model import Problem, Workspace
from inspector.plugins import explained_tables, kinds_known, plugin_problems
from inspector.tokens.choice import UnknownTokenizerError

Tell = Callable[[Progress | None], None]
"""Says how far the work is (None: no news); raises what ends it, once nobody wants the result any longer."""

MOST_TOLD = 50
_TELL_SECONDS = 0.05


@dataclass(frozen=True)
class Opening:
    """What is opened together: paths, what they are shown with, and the inspection file that all this comes from.

    `modified` says that the scenario or the baseline is not what that file holds. `layout` is how the docks are to lie
    (None: as they do), `filter` the line by which items are chosen (None: as it is), `named` the paths that the person
    gave, `problems` what was wrong with them. `scenario_file` is the file that the scenario alone was read from ("":
    none), `recovered` the autosaved one ("": none), `remembered` what was tuned for policies and presets, `chats` what
    was done to each conversation. `parts` are the files as they were read, `tidying` is what of them was removed, or
    called otherwise. `marks` are on items, `snapshots` are scenarios under names, `repairs` are the broken files that
    the person wants to have repaired. `columns` are the layouts of tables that go before the user's own; once all is
    read, also those by which it was. `tour` is given once all is open.
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

    @property
    def kept_columns(self) -> tuple[TableLayout, ...]:
        """The layouts by which it is read again; what is in no inspection is read as the user explains it by then."""
        return self.columns if self.saved is not None or self.recovered else ()


def find_opening(paths: Sequence[str], scenario_file: str | None, docks: Collection[str], tell: Tell) -> Opening:
    """What these paths stand for, in a window with these docks: an inspection, a tour, or files with a scenario.

    A scenario file among them, or in a folder among them, is the starting scenario. Raises UnreadableError where there
    is nothing to open.
    """
    good = [path for path in paths if "\0" not in path]
    refused = tuple(Problem(path, "", "no file can have this name") for path in paths if "\0" in path)
    if not good:
        raise UnreadableError(refused[0])
    named = tuple(os.path.realpath(path) for path in good)
    if len(good) == 1 and is_native(Path(good[0]), INSPECTION_FORMAT):
        return replace(_inspection(Path(good[0]), docks, tell), named=named)
    if len(good) == 1 and is_tour(good[0]):
        return find_tour(good[0])
    found = Path(scenario_file) if scenario_file else scenario_among(good)
    scenario, problems = (Scenario(), ()) if found is None else _scenario(found)
    chats = tuple(path for path in good if found is None or Path(path) != found)
    return Opening(chats, scenario, named=named, problems=_told([*refused, *problems]), scenario_file=str(found or ""))


def find_tour(path: str) -> Opening:
    """What a tour is about, with the scenario that it starts from. Raises UnreadableError for what is no tour."""
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


def _inspection(file: Path, docks: Collection[str], tell: Tell) -> Opening:
    found = Fingerprints(partial(tell, None)).of(str(file))  # before it is read: a change in between is then noticed
    inspection, problems = read_inspection(file, docks)
    # Where the docks lay is no part of what was inspected: saving replaces it, whatever it said.
    is_understood = all(f"{problem.place}.".startswith(f"{LAYOUT}.") for problem in problems)
    scenario, sends = _kept_here(inspection.scenario, file)
    baseline, baseline_sends = (None, ()) if inspection.baseline is None else _kept_here(inspection.baseline, file)
    is_whole = is_understood and not sends and not baseline_sends
    tell(Progress("Comparing the opened files"))
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
    """The scenario of a file, without its wish that a server summarizes: a chat is sent when a person says so."""
    if scenario.summaries != "endpoint":
        return scenario, ()
    message = "asks a server for summaries; nothing is sent until you choose that in the panel Summaries"
    return replace(scenario, summaries=None), (Problem(str(file), "summaries", message, "warning"),)


def _told(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The first of many problems: a file may hold a million, and nobody reads them."""
    return tuple(islice(problems, MOST_TOLD))


@dataclass(frozen=True, eq=False)
class Loaded:
    """What was opened, ready to be shown. Where the scenario is refused there is no answer, and `trouble` says why.

    `unread` is what could not be read. What is read again, or added, `renews` what was open when that was asked for,
    and `use` says how what was added gets used.
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


def unread(opening: Opening, workspace: Workspace) -> tuple[Problem, ...]:
    """What could not be read of what was opened, and folders that held nothing: the first problem of each."""
    read = {source.path for source in workspace.sources}
    lost = [one for one in workspace.problems if one.severity == "warning" and one.file not in read]
    errors = [one for one in (*opening.problems, *workspace.problems) if one.severity == "error"]
    found = {one.file: one for one in reversed([*errors, *lost])}
    return tuple(reversed(found.values()))


def listed_problems(workspace: Workspace, lost: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems of plug-ins, of the open workspace and of lost files; each once."""
    return tuple(dict.fromkeys((*plugin_problems(), *workspace.problems, *lost)))


def load(opening: Opening, make_pipeline: Callable[[Workspace], Pipeline], tell: Tell) -> Loaded:
    """Read what is opened, and make everything that the first picture needs and takes long."""
    parts, known = read_files(opening.paths, opening.columns, opening.repairs, tell, lists=True)
    tell(Progress("Preparing the conversation", 1.0))
    opening = replace(opening, parts=parts, columns=columns_of(parts, opening.columns, known))
    workspace = opened_workspace(opening)
    pipeline = make_pipeline(workspace)
    return replace(prepared(_with_values(opening, pipeline), pipeline), unread=unread(opening, workspace))


def read_files(
    paths: Sequence[str], columns: Sequence[TableLayout], repairs: frozenset[str], tell: Tell, lists: bool = False
) -> tuple[tuple[Part, ...], tuple[TableLayout, ...]]:
    """Files as they are now, and the layouts by which tables among them could be read: `columns`, then the user's."""
    known = (*columns, *explained_tables()[0])
    told = now_and_then(tell)
    return inspector.load_parts(*paths, on_progress=told, repairs=repairs, lists=lists, explained=known), known


def columns_of(
    parts: Iterable[Part], first: Sequence[TableLayout], known: Iterable[TableLayout]
) -> tuple[TableLayout, ...]:
    """The layouts that go with these files: the first ones, and those that are known by which the files were read."""
    sources = (source for part in parts for source in part.workspace.sources)
    return tuple(dict.fromkeys((*first, *used(known, sources))))


def _with_values(opening: Opening, pipeline: Pipeline) -> Opening:
    """An inspection with what it keeps by its values, also where an earlier version wrote names, and a scenario that
    follows names. A problem for each name that means nothing here; the scenario is then decided by usual values."""
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
    """What is open `now` with everything read of the large files that were only listed."""
    parts: list[Part] = []
    for place, part in enumerate(now.parts):
        tell(Progress("Reading all conversations", place / len(now.parts)))
        parts.append(part.completed())
    opening = replace(now, parts=tuple(parts), named=())
    known = unread(Opening(), joined(now.parts))
    lost = tuple(one for one in unread(Opening(), joined(opening.parts)) if one not in known)
    loaded = prepared(opening, make_pipeline(opened_workspace(opening)))
    return replace(loaded, unread=lost, renews=now)


def opened_workspace(opening: Opening) -> Workspace:
    """What was read, without what was removed and with the titles that were given."""
    return opening.tidying.workspace(joined(opening.tidying.parts(opening.parts)))


def prepared(opening: Opening, pipeline: Pipeline) -> Loaded:
    """A workspace that was read, with the answers to both scenarios."""
    pipeline.known.marks = opening.marks
    answer, trouble = current_answer(pipeline, opening.scenario, None, for_views=True)
    apart = pipeline.fork()  # a pipeline remembers the stages of one scenario
    baseline, baseline_trouble = answer_or_trouble(apart, opening.baseline) if opening.baseline else (None, "")
    return Loaded(opening, pipeline, answer, trouble, baseline, baseline_trouble, apart)


def current_answer(
    pipeline: Pipeline, scenario: Scenario, before: Answer | None, for_views: bool = False
) -> tuple[Answer | None, str]:
    """As `answer_or_trouble`; where the scenario is refused the answer of `before`, if that would be another one now.

    What is asked of every row `for_views` is made already.
    """
    answer, trouble = answer_or_trouble(pipeline, scenario)
    if answer is None and before is not None and not is_current(pipeline, before):
        answer = planned_answer(pipeline, pipeline.case(before.scenario))
    if answer is not None and for_views:
        _ask_of_every_row(pipeline, answer)
    return answer, trouble


def _ask_of_every_row(pipeline: Pipeline, answer: Answer) -> None:
    """Have these values made: they are remembered."""
    assembly = answer.assembly
    first_lacking(pipeline, answer.case)
    has_names(assembly.candidates.items)
    recorded_column(assembly.candidates.items)
    _ = assembly.order, assembly.fate_counts, assembly.section_counts


def answer_or_trouble(pipeline: Pipeline, scenario: Scenario) -> tuple[Answer | None, str]:
    """The planned answer to a scenario, or None and why it is refused."""
    try:
        return planned_answer(pipeline, pipeline.case(scenario)), ""
    except (ScenarioError, UnknownTokenizerError) as problem:
        return None, str(problem)


def now_and_then(tell: Tell) -> Callable[[str, float], None]:
    """Tells of files, but not of each: a folder may hold thousands of small ones."""
    last = 0.0

    def on_progress(_: str, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        is_due = now - last >= _TELL_SECONDS
        last = now if is_due else last
        tell(Progress("Loading", share) if is_due else None)

    return on_progress

"""Prompt Inspector: see what context-window policies keep, summarize and drop, and why.

The Python interface is six functions; importing the package imports nothing else:

    import inspector

    workspace = inspector.load("chat.jsonl", "memories.json")
    answer = inspector.assemble(workspace, {"policy": "ratio", "parameters": {"memory_share": 0.3}})
    rows = inspector.sweep(workspace, {"context_window": "4096:32768:4096"}, {"policy": "ratio"})
    steps = inspector.sweep_archive(["chats"], {"memory_share": "0.1:0.5:0.1"}, "rows.parquet")
    recall = inspector.recall(workspace, {"policy": "window_rag"}, "questions.probes.yaml")
    advice = inspector.recommend(workspace, "questions.probes.yaml", windows=(4096, 8192))
"""

from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from inspector.analysis.archive.sweep import Step
    from inspector.assembly.answered import Answered
    from inspector.assembly.pipeline import Pipeline
    from inspector.assembly.scenario import Scenario
    from inspector.formats import Part
    from inspector.formats.tables.layout import TableLayout
    from inspector.model import Probe, Workspace

__version__ = "0.1.0"


def load(
    *paths: str | PathLike[str],
    on_progress: Callable[[str, float], None] | None = None,
    repairs: Container[str] = (),
    lists: bool = True,
) -> "Workspace":
    """Load these files, folders and archives as a workspace. Unreadable files are listed in its `problems`.

    Raise FileNotFoundError for a missing path.

    With `lists`, the chats of an export of 4 MB or more (smaller ones are read in the time that this would save) are
    listed, and each is read when its messages are asked for, if it can be used without the others. They are the same
    as without; the problems found in a chat are then in its `problems_on_demand` and not in those of the workspace.

    The formats are the built-in ones and those of plug-ins; `opening_bytes` of the user's settings limits the memory
    used. `on_progress(path, share)` is called before each file with the share of files already done. Broken JSON is
    repaired in the files named in `repairs`, by guessing the missing parts.
    """
    import errno
    import os

    from inspector.formats import joined

    for path in paths:
        if not os.path.lexists(path):
            raise FileNotFoundError(errno.ENOENT, "there is no such file or folder", fspath(path))
    parts = load_parts(*paths, on_progress=on_progress, repairs=repairs, lists=lists)
    return joined(part.usable() for part in parts)


def load_parts(
    *paths: str | PathLike[str],
    on_progress: Callable[[str, float], None] | None = None,
    repairs: Container[str] = (),
    lists: bool = False,
    explained: "Sequence[TableLayout] | None" = None,
) -> "tuple[Part, ...]":
    """Load the same file by file, for callers who add or leave out some of the parts before `inspector.formats.joined`.

    With `lists`, the conversations of large files may be unread at first; a part's `completed` reads them. Tables are
    read by the layouts `explained`, by default as the user explained them.
    """
    from inspector.formats import Part, opening
    from inspector.formats.settings import read_opening_bytes
    from inspector.model import Workspace
    from inspector.plugins import explained_tables, formats
    from inspector.settings import settings_file

    allowed, problems = read_opening_bytes(settings_file())
    problems = (*problems, *explained_tables()[1])
    of_settings = (Part("", Workspace(problems=problems)),) if problems else ()
    names = [fspath(path) for path in paths]
    listed_from = opening.LISTED_FROM if lists else None
    return (*of_settings, *opening.load_parts(names, on_progress, formats(explained)[0], allowed, repairs, listed_from))


def assemble(workspace: "Workspace", scenario: "Scenario | Mapping[str, Any] | None" = None) -> "Answered":
    """Assemble once, as `prompt-inspector assemble --format json` does, into a mapping whose keys are also attributes.

    `scenario` is a Scenario or a mapping with the keys of a scenario file, in which items may be named as on the
    command line. Raise ScenarioError for an unknown key, parameter or name (the message gives the nearest name),
    UnknownTokenizerError, and UnreadableError for a mapping with a value of a wrong type.
    """
    from inspector.assembly.answer import answer_value, complete_answer
    from inspector.assembly.answered import Answered
    from inspector.assembly.asked_scenario import scenario_in

    pipeline = _pipeline(workspace)
    return Answered(answer_value(complete_answer(pipeline, scenario_in(pipeline, scenario), finds_duplicates=True)))


def sweep(
    workspace: "Workspace",
    grid: Mapping[str, str | Sequence[Any]],
    scenario: "Scenario | Mapping[str, Any] | None" = None,
    *,
    measured: bool = False,
    probes: "str | PathLike[str] | Sequence[Probe]" = (),
    reply: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each conversation and cell of a grid, computed on demand, as `prompt-inspector sweep` writes it.

    A value of the grid is a list, or text as on the command line: `0.1:0.5:0.1` or `a,b,c`. Totals are planned from the
    counts of the parts; with `measured` every prompt is written and counted as a whole, as `assemble` does. With
    `probes` (a file of probes or the probes themselves) each row has their recall. A prompt fits if it leaves
    `reply` tokens of its window, by default the reserve of the policy. Raise the errors of `assemble`, and
    ValueError for malformed text in the grid.
    """
    from inspector.analysis.sweep.ask import sweep_rows
    from inspector.assembly.asked_scenario import scenario_in

    pipeline, varied = _pipeline(workspace), _grid(grid)
    settings = scenario_in(pipeline, scenario, everywhere=True, has_window="context_window" in varied)
    return sweep_rows(pipeline, settings, varied, measured=measured, probes=_probes(probes), reply=reply)


def sweep_archive(
    paths: Sequence[str | PathLike[str]],
    grid: Mapping[str, str | Sequence[Any]],
    out: str | PathLike[str],
    scenario: "Scenario | Mapping[str, Any] | None" = None,
    *,
    glob: str = "**/*.json",
    measured: bool = False,
    probes: "str | PathLike[str] | Sequence[Probe]" = (),
    reply: int | None = None,
    workers: int | str = 1,
    anew: bool = False,
) -> "Generator[Step, None, None]":
    """Sweep the matching files of folders, each by itself, into a file of rows, as `sweep --glob` does.

    `out` ends in .parquet, .csv or .jsonl. Each step gives the number of files done and their total; the last step
    lists the files with errors (`bad`). `workers` is a number of processes or the address of a Dask cluster (`tcp://…`,
    `local:N`); processes import the main module, so a script needs the guard `if __name__ == "__main__":`. The same
    call resumes a stopped or killed sweep, unless `anew`; closing the iterator stops it. Raise the errors of `sweep`;
    OSError and ValueError for paths and a pattern without files; MissingArchivesError, OtherSettingsError,
    AlreadyRunningError and NoWorkersError.
    """
    from inspector.analysis.archive.files import archive_files
    from inspector.analysis.archive.parts import parts_folder
    from inspector.analysis.archive.workers import cluster, worker_processes
    from inspector.archives import own_opening, sweep_files
    from inspector.assembly.asked_scenario import scenario_of
    from inspector.model import Workspace

    place = fspath(out)
    files = archive_files([fspath(path) for path in paths], glob, (place, parts_folder(place)))
    if not files:
        raise ValueError(f"no file matches {glob}")
    begin = cluster(workers) if isinstance(workers, str) else worker_processes(workers)
    asked = {"version": __version__, "measured": measured, "probes": _probes(probes), "reply": reply, "anew": anew}
    opened = [fspath(probes)] if isinstance(probes, str | PathLike) else []
    opening, varied = own_opening()[0], _grid(grid)
    choices = opening.pipeline(Workspace()).choices
    settings = scenario_of(choices, scenario, has_window="context_window" in varied)
    return sweep_files(opening, files, settings, varied, place, begin, opened=opened, **asked)


def recall(
    workspace: "Workspace",
    scenario: "Scenario | Mapping[str, Any] | None" = None,
    probes: "str | PathLike[str] | Sequence[Probe] | None" = None,
) -> dict[str, Any]:
    """Return how much of the evidence of probes is in their prompts, as `prompt-inspector recall --format json` does.

    `probes` is a file of probes or the probes themselves, by default those of the workspace. Raise the errors of
    `assemble`, and UnreadableError for a file without probes.
    """
    from inspector.analysis.recall.ask import recall as ask
    from inspector.analysis.recall.ask import recall_value
    from inspector.assembly.asked_scenario import scenario_in

    wanted = workspace.probes if probes is None else _probes(probes)
    pipeline = _pipeline(workspace)
    settings = scenario_in(pipeline, scenario, everywhere=True)
    return recall_value(ask(pipeline, settings, wanted), settings, pipeline.choices.kind(settings))


def recommend(
    workspace: "Workspace",
    probes: "str | PathLike[str] | Sequence[Probe] | None" = None,
    scenario: "Scenario | Mapping[str, Any] | None" = None,
    *,
    windows: Sequence[int] = (),
    reply: int = 400,
    policies: Sequence[str] | None = None,
    executor: "Executor | None" = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Return the settings with the best recall of the probes, as `prompt-inspector recommend --format json` does.

    `scenario` is the current setting, `windows` are in tokens (by default the window of the scenario), `reply` is the
    number of tokens each prompt has to leave of its window, and `policies` names those to try. The workers of an
    `executor`, such as a process pool, measure; without an executor this process does. `on_progress(done, total)`
    counts cells. Raise the errors of `recall`, and ValueError if no probe can be asked.
    """
    from inspector.analysis.recommend.advice import recommend as search
    from inspector.analysis.recommend.answer import recommendation_value
    from inspector.analysis.recommend.search import Terms
    from inspector.assembly.asked_scenario import scenario_in
    from inspector.assembly.choices import check_policy

    wanted = workspace.probes if probes is None else _probes(probes)
    terms = Terms(tuple(windows), reply, None if policies is None else tuple(policies))
    pipeline, found = _pipeline(workspace), None
    for name in policies or ():
        check_policy(name, pipeline.choices.policies)
    settings = scenario_in(pipeline, scenario, everywhere=True, has_window=bool(windows))
    for step in search(pipeline, settings, wanted, terms, executor=executor):
        on_progress(step.done, step.total)
        found = step.found
    assert found is not None, "a search ends with its result"
    return recommendation_value(found, pipeline.choices.kind)


def _grid(given: Mapping[str, str | Sequence[Any]]) -> dict[str, Sequence[Any]]:
    from inspector.analysis.sweep.grid import parse_values

    return {key: parse_values(key, values) if isinstance(values, str) else values for key, values in given.items()}


def _probes(given: "str | PathLike[str] | Sequence[Probe]") -> "Sequence[Probe]":
    from inspector.analysis.recall.probes import read_probes

    return read_probes(given)[0] if isinstance(given, str | PathLike) else given


def _pipeline(workspace: "Workspace") -> "Pipeline":
    from inspector.assembly.pipeline import Pipeline
    from inspector.assembly.presets import load_presets
    from inspector.plugins import policies, tokenizers

    return Pipeline(workspace, policies()[0], load_presets(), tokenizers=tokenizers()[0])

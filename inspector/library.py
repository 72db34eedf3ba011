"""What the commands say, for Python: each function returns what the command of its name prints as JSON.

`inspector` hands them out when the first is asked for, so that importing it imports nothing else. They print nothing;
each raises ScenarioError and UnknownTokenizerError for unknown names, with the nearest one.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from os import PathLike, fspath
from typing import Any

import numpy as np

from inspector.analysis.archive.files import archive_files
from inspector.analysis.archive.parts import parts_folder
from inspector.analysis.archive.sweep import Step
from inspector.analysis.archive.workers import cluster, worker_processes
from inspector.analysis.basis import Basis, result_of
from inspector.analysis.explanation.ask import explanation, explanation_value
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.way import keeping_value
from inspector.analysis.recall.ask import recall as ask_probes
from inspector.analysis.recall.ask import recall_value
from inspector.analysis.recall.memory_use import memory_use_value, memory_uses
from inspector.analysis.recall.memory_writing import memory_writing, memory_writing_value
from inspector.analysis.recall.probes import askable, read_probes
from inspector.analysis.recommend.advice import recommend as search_settings
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recorded.tables import recorded_answer, recorded_value
from inspector.analysis.replay.ask import replays
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.tables import replay_value
from inspector.analysis.sliders import Slider, locked_shares
from inspector.analysis.survival.ask import survivals
from inspector.analysis.survival.stretches import survival_value
from inspector.analysis.sweep.ask import sweep_rows
from inspector.analysis.sweep.grid import parse_values
from inspector.archives import own_opening, sweep_files
from inspector.assembly.answer import Answer, answer_value, complete_answer
from inspector.assembly.answered import Answered
from inspector.assembly.asked_scenario import scenario_in, scenario_of
from inspector.assembly.bar_drawing import bar_drawing
from inspector.assembly.choices import ScenarioError, check_policy
from inspector.assembly.compare_tables import Compared, comparison_value
from inspector.assembly.contenders import contender_named
from inspector.assembly.counts import counts_value
from inspector.assembly.findings import embedding_trouble
from inspector.assembly.item_counts import item_counts
from inspector.assembly.lacking import make_all
from inspector.assembly.matrix_tables import matrix_value
from inspector.assembly.memory_tables import memories_value, ranking_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.references import conversation_named, row_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import answered_sides, side_by_side
from inspector.assembly.summary_items import summary_called, summary_explained
from inspector.drawings.svg import svg
from inspector.formats import joined
from inspector.formats.chat_exports import write_chat
from inspector.formats.opening import load_unnamed
from inspector.json_text import json_document
from inspector.limits import MOST_PLACES
from inspector.model import Probe, Workspace
from inspector.pages.export import export_answer
from inspector.plugins import formats, policies, tokenizers
from inspector.retrieval.search.find import Search
from inspector.retrieval.search.hits import found_value
from inspector.version import VERSION

_Given = Scenario | Mapping[str, Any] | None
"""A scenario, or a mapping with the keys of a scenario file; None is the usual setting."""
_Probes = str | PathLike[str] | Sequence[Probe]
"""A file of questions, or the questions themselves."""


def assemble(workspace: Workspace, scenario: _Given = None) -> Answered:
    """Assemble once, as `prompt-inspector assemble --format json` does, into a mapping whose keys are also attributes.

    `scenario` is a Scenario or a mapping with the keys of a scenario file, in which items may be named as on the
    command line. Raise ScenarioError for an unknown key, parameter or name (the message gives the nearest name),
    UnknownTokenizerError, and UnreadableError for a mapping with a value of a wrong type.
    """
    pipeline = _pipeline(workspace)
    found = complete_answer(pipeline, scenario_in(pipeline, scenario), finds_duplicates=True)
    return Answered(answer_value(found), partial(_bar, found))


def _bar(found: Answer) -> str:
    return svg([bar_drawing(found)]).decode()


def sweep(
    workspace: Workspace,
    grid: Mapping[str, str | Sequence[Any]],
    scenario: _Given = None,
    *,
    measured: bool = False,
    probes: _Probes = (),
    reply: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each conversation and cell of a grid, computed on demand, as `prompt-inspector sweep` writes it.

    A value of the grid is a list, or text as on the command line: `0.1:0.5:0.1` or `a,b,c`. Totals are planned from the
    counts of the parts; with `measured` every prompt is written and counted as a whole, as `assemble` does. With
    `probes` (a file of probes or the probes themselves) each row has their recall. A prompt fits if it leaves
    `reply` tokens of its window, by default the reserve of the policy. Raise the errors of `assemble`, and
    ValueError for malformed text in the grid.
    """
    pipeline, varied = _pipeline(workspace), _grid(grid)
    settings = scenario_in(pipeline, scenario, everywhere=True, has_window="context_window" in varied)
    return sweep_rows(pipeline, settings, varied, measured=measured, probes=_probes(probes), reply=reply)


def sweep_archive(
    paths: Sequence[str | PathLike[str]],
    grid: Mapping[str, str | Sequence[Any]],
    out: str | PathLike[str],
    scenario: _Given = None,
    *,
    glob: str = "**/*.json",
    measured: bool = False,
    probes: _Probes = (),
    reply: int | None = None,
    workers: int | str = 1,
    anew: bool = False,
) -> Generator[Step, None, None]:
    """Sweep the matching files of folders, each by itself, into a file of rows, as `sweep --glob` does.

    `out` ends in .parquet, .csv or .jsonl. Each step gives the number of files done and their total; the last step
    lists the files with errors (`bad`). `workers` is a number of processes or the address of a Dask cluster (`tcp://…`,
    `local:N`); processes import the main module, so a script needs the guard `if __name__ == "__main__":`. The same
    call resumes a stopped or killed sweep, unless `anew`; closing the iterator stops it. Raise the errors of `sweep`;
    OSError and ValueError for paths and a pattern without files; MissingArchivesError, OtherSettingsError,
    AlreadyRunningError and NoWorkersError.
    """
    place = fspath(out)
    files = archive_files([fspath(path) for path in paths], glob, (place, parts_folder(place)))
    if not files:
        raise ValueError(f"no file matches {glob}")
    begin = cluster(workers) if isinstance(workers, str) else worker_processes(workers)
    asked = {"version": VERSION, "measured": measured, "probes": _probes(probes), "reply": reply, "anew": anew}
    opened = [fspath(probes)] if isinstance(probes, str | PathLike) else []
    opening, varied = own_opening()[0], _grid(grid)
    choices = opening.pipeline(Workspace()).choices
    settings = scenario_of(choices, scenario, has_window="context_window" in varied)
    return sweep_files(opening, files, settings, varied, place, begin, opened=opened, **asked)


def recall(
    workspace: Workspace,
    scenario: _Given = None,
    probes: _Probes | None = None,
) -> dict[str, Any]:
    """Return how much of the evidence of probes is in their prompts, as `prompt-inspector recall --format json` does.

    `probes` is a file of probes or the probes themselves, by default those of the workspace. Raise the errors of
    `assemble`, and UnreadableError for a file without probes.
    """
    wanted = workspace.probes if probes is None else _probes(probes)
    pipeline = _pipeline(workspace)
    settings = scenario_in(pipeline, scenario, everywhere=True)
    return recall_value(ask_probes(pipeline, settings, wanted), settings, pipeline.choices.kind(settings))


def recommend(
    workspace: Workspace,
    probes: _Probes | None = None,
    scenario: _Given = None,
    *,
    windows: Sequence[int] = (),
    reply: int = 400,
    policies: Sequence[str] | None = None,
    executor: Executor | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Return the settings with the best recall of the probes, as `prompt-inspector recommend --format json` does.

    `scenario` is the current setting, `windows` are in tokens (by default the window of the scenario), `reply` is the
    number of tokens each prompt has to leave of its window, and `policies` names those to try. The workers of an
    `executor`, such as a process pool, measure; without an executor this process does. `on_progress(done, total)`
    counts cells. Raise the errors of `recall`, and ValueError if no probe can be asked.
    """
    wanted = workspace.probes if probes is None else _probes(probes)
    terms = Terms(tuple(windows), reply, None if policies is None else tuple(policies))
    pipeline, found = _pipeline(workspace), None
    for name in policies or ():
        check_policy(name, pipeline.choices.policies)
    settings = scenario_in(pipeline, scenario, everywhere=True, has_window=bool(windows))
    for step in search_settings(pipeline, settings, wanted, terms, executor=executor):
        on_progress(step.done, step.total)
        found = step.found
    assert found is not None, "a search ends with its result"
    return recommendation_value(found, pipeline.choices.kind)


def load_messages(messages: Sequence[Mapping[str, Any]], name: str = "messages") -> Workspace:
    """Return messages as a workspace: a list as for OpenAI's or Anthropic's API, or of any other known layout.

    What cannot be read is in its `problems`, with `name` in place of a file.
    """
    part = load_unnamed(json_document(list(messages)), name, formats()[0])
    return joined([part])


def count(workspace: Workspace, scenario: _Given = None) -> dict[str, Any]:
    """Return the tokens of every item that could enter the prompt of a scenario, as `count` does."""
    pipeline, wanted = _asked(workspace, scenario)
    return counts_value(item_counts(pipeline.candidates(make_all(pipeline, wanted))))


def explain(workspace: Workspace, item: str, scenario: _Given = None) -> dict[str, Any]:
    """Return why an item, by its number or id, is kept or dropped, and the smallest changes that alter that."""
    pipeline, wanted = _asked(workspace, scenario)
    found = complete_answer(pipeline, wanted, finds_duplicates=True)
    if (summary := summary_called(found.assembly, item)) is not None:
        return summary_explained(summary)
    row = row_of(found.assembly.candidates.items, item)
    return explanation_value(explanation(Basis(pipeline, wanted), found, row))


def keep(
    workspace: Workspace, items: Sequence[str], scenario: _Given = None, *, locked: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the ways to keep all of these items, the cheapest first, as `explain --keep` does.

    `locked` names shares of the policy that stay as they are. Raise ScenarioError for an unknown item or share.
    """
    pipeline, wanted = _asked(workspace, scenario)
    case = make_all(pipeline, wanted)
    candidates = pipeline.candidates(case)
    rows = np.array([row_of(candidates.items, item) for item in dict.fromkeys(items)], np.intp)
    basis = Basis(pipeline, wanted, None, locked_shares(case, locked))
    return keeping_value(result_of(ways_to_keep(basis, rows)), candidates.ids)


def compare(
    workspace: Workspace,
    before: _Given = None,
    after: _Given = None,
    *,
    policies: Sequence[str] = (),
    recorded: bool = False,
) -> dict[str, Any]:
    """Return what changes from one scenario to another, as `compare --a --b` does.

    With `policies` (or POLICY/PRESET), return the outcomes of every item under each of these, with the other values of
    `before`; with `recorded`, those under `before` beside the decisions that the file records. Raise ValueError if
    there is nothing to compare with.
    """
    pipeline, wanted = _asked(workspace, before)
    answer_to = partial(complete_answer, pipeline, finds_duplicates=True)
    if recorded:
        return recorded_value(recorded_answer(answer_to(wanted)))
    if policies:
        contenders = [contender_named(name, wanted) for name in policies]
        for one in contenders:
            check_policy(one.policy, pipeline.choices.policies)
        named = [(one.name, one.scenario(wanted)) for one in contenders]
        return matrix_value(side_by_side(answered_sides(named, answer_to)))
    if after is None:
        raise ValueError("compare: expected a second scenario, policies, or recorded=True")
    sides = [("before", wanted), ("after", scenario_in(pipeline, after))]
    return comparison_value(Compared(side_by_side(answered_sides(sides, answer_to))))


def replay(
    workspace: Workspace, scenario: _Given = None, probes: _Probes | None = None, *, every: int = 1
) -> dict[str, Any]:
    """Return the conversation turn by turn, each as the prompt sent at the time, as `replay` does.

    Every so many turns are replayed. `probes` say what of lost items questions need.
    """
    pipeline, wanted = _asked(workspace, scenario)
    (found,) = result_of(replays(Basis(pipeline, wanted), [None], every))
    asked, _ = askable(workspace, workspace.probes if probes is None else _probes(probes))
    return replay_value(moments_of(found, asked))


def memories(
    workspace: Workspace,
    scenario: _Given = None,
    probes: _Probes | None = None,
    *,
    use: bool = False,
    written: bool = False,
) -> dict[str, Any]:
    """Return the memories in the order of the policy's choice, as `memories` does.

    With `use`, return how each serves the questions (`probes`, by default those of the workspace); with `written`, how
    other ways to write memories would serve them.
    """
    pipeline, wanted = _asked(workspace, scenario, everywhere=use or written)
    if not (use or written):
        found = complete_answer(pipeline, wanted, finds_duplicates=True)
        trouble = embedding_trouble(found.case, found.assembly.candidates)
        return memories_value(ranking_of(pipeline, found), found, trouble)
    asked, basis = workspace.probes if probes is None else _probes(probes), Basis(pipeline, wanted)
    kind = pipeline.choices.kind(wanted)
    if use:
        return memory_use_value(result_of(memory_uses(basis, asked)), wanted, kind)
    return memory_writing_value(result_of(memory_writing(basis, asked)), wanted, kind)


def survival(
    workspace: Workspace, parameter: str, scenario: _Given = None, *, locked: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the values of a number of the policy, of context_window or model_sizes at which each item is kept."""
    pipeline, wanted = _asked(workspace, scenario)
    held = locked_shares(make_all(pipeline, wanted), locked)
    found = result_of(survivals(Basis(pipeline, wanted, None, held), Slider(parameter, parameter)))
    return survival_value(found.found, found.assembly.candidates)


def search(workspace: Workspace, text: str, *, most: int = MOST_PLACES) -> dict[str, Any]:
    """Return the conversations, messages, memories and lorebook entries with all words of a text, as `search` does."""
    everything = Search(workspace)
    try:
        for _ in everything.build():
            pass
        return found_value(text, everything.find(text, most))
    finally:
        everything.close()


def export(
    workspace: Workspace, out: str | PathLike[str], layout: str = "openai", conversation: str | None = None
) -> tuple[str, ...]:
    """Write a conversation (by id or title, by default the first) in another layout, as `export` does.

    Return remarks on contents without a place in the layout. Raise KeyError for an unknown layout, ScenarioError for an
    unknown conversation, SourceProtectedError for an opened file, and OSError if writing fails.
    """
    if conversation is None and not workspace.conversations:
        raise ScenarioError("no conversation is there")
    talk = workspace.conversations[0] if conversation is None else conversation_named(workspace, conversation)
    return write_chat(workspace, talk, layout, fspath(out))


def report(
    workspace: Workspace,
    out: str | PathLike[str],
    scenario: _Given = None,
    *,
    baseline: _Given = None,
    redacts: bool = False,
) -> tuple[str, ...]:
    """Write the prompt of a scenario, as `report --prompt` does: the ending of the name chooses the form.

    Return remarks on contents without a place in it. Page and bar compare with `baseline`; with `redacts` the page has
    hashes in place of texts. Raise ValueError for an unknown ending, SourceProtectedError and OSError.
    """
    pipeline, wanted = _asked(workspace, scenario)
    answer_to = partial(complete_answer, pipeline, finds_duplicates=True)
    before = None if baseline is None else answer_to(scenario_in(pipeline, baseline))
    return export_answer(answer_to(wanted), workspace, fspath(out), (), before, redacts)


def _asked(workspace: Workspace, scenario: _Given, *, everywhere: bool = False) -> tuple[Pipeline, Scenario]:
    pipeline = _pipeline(workspace)
    return pipeline, scenario_in(pipeline, scenario, everywhere=everywhere)


def _grid(given: Mapping[str, str | Sequence[Any]]) -> dict[str, Sequence[Any]]:
    return {key: parse_values(key, values) if isinstance(values, str) else values for key, values in given.items()}


def _probes(given: _Probes) -> Sequence[Probe]:
    return read_probes(given)[0] if isinstance(given, str | PathLike) else given


def _pipeline(workspace: Workspace) -> Pipeline:
    return Pipeline(workspace, policies()[0], load_presets(), tokenizers=tokenizers()[0])

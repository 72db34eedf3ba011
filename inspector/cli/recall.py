"""prompt-inspector recall: the share of the probes' evidence in the prompts with which they are asked."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.recall.ask import GROUPS, Recalled, recall_value, recalls
from inspector.analysis.recall.probes import read_probes, reasons_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Plot, Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, opened_files, shown_result
from inspector.cli.output import warn
from inspector.cli.recall_along import answer_along
from inspector.drawings.named_bars import NamedBar, named_bars
from inspector.figures import percentage
from inspector.model import Probe
from inspector.reading.values import UnreadableError

SHOWN_FROM_PROBES = 200


def recall(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    probes_file: str | None,
    knobs: tuple[str, ...],
    policy_names: tuple[str, ...] | None,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector recall` with the values of its options."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=True)
    probes = probes_for(pipeline, probes_file)
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    opened += [probes_file] if probes_file else []
    if knobs:
        answer_along(pipeline, scenario, probes, knobs, policy_names, answer_format, plot, opened)
        return
    if policy_names is not None:
        raise click.UsageError("--policies goes with --knob")
    with named_failures():
        steps = recalls(Basis(pipeline, scenario, open_cache()), probes)
        recalled = shown_result(steps, "Asking", SHOWN_FROM_PROBES)
    if not recalled.found:
        raise InputError(f"none of the {len(probes)} questions can be asked: {reasons_of(recalled.skipped)}")
    picture = None if plot is None else Plot(plot, partial(_drawn, recalled), opened)
    answer(recalled, _telling(scenario, pipeline.choices.kind(scenario)), answer_format, picture)


def _telling(scenario: Scenario, kind: type) -> Telling[Recalled]:
    def left_out(recalled: Recalled) -> Iterator[str]:
        return (f"{one.id}: {one.reason}" for one in recalled.skipped)

    return Telling([GROUPS], lambda recalled: recall_value(recalled, scenario, kind), below=left_out, most=None)


def probes_for(pipeline: Pipeline, file: str | None) -> Sequence[Probe]:
    """Return the probes of a file, or those of the open files. End the command if there are none."""
    if file is None:
        if not pipeline.workspace.probes:
            raise InputError("no questions: name a file of questions with --probes, or open it with the chat")
        return pipeline.workspace.probes
    return probes_of_file(file)


def probes_of_file(file: str) -> tuple[Probe, ...]:
    """Return the probes of a file. End the command if there are none."""
    try:
        probes, problems = read_probes(file)
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    for problem in problems:
        warn(problem)
    return probes


def _drawn(recalled: Recalled) -> bytes:
    """Draw bars of the recall with memories, in which recall by messages alone is the stronger part."""
    rows = []
    for group in recalled.groups:
        kept, with_memories = group.means["recall"], group.means["recall_with_memories"]
        told = f"{percentage(with_memories)} with memories, {percentage(kept)} kept whole"
        rows.append(NamedBar(group.name, with_memories, told, kept))
    return named_bars("Recall, with memories and kept whole", rows, full=1.0)

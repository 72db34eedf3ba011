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
from inspector.cli import completion
from inspector.cli.answering import Plot, Telling, answer, format_option
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, opened_files, shown_result
from inspector.cli.options import Words, paths_argument, scenario_options
from inspector.cli.output import warn
from inspector.cli.plots import plot_option
from inspector.cli.recall_along import answer_along
from inspector.cli.sections import SectionedCommand
from inspector.drawings.named_bars import NamedBar, named_bars
from inspector.figures import percentage
from inspector.model import Probe
from inspector.reading.values import UnreadableError

SHOWN_FROM_PROBES = 200
probes_option = click.option(
    "--probes",
    "probes_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Questions and the items that their answers need.",
)


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@probes_option
@click.option(
    "--knob",
    "knobs",
    multiple=True,
    metavar="NAME",
    help="Recall along a parameter of the policy or context_window; give two for every pair of their values.",
)
@click.option(
    "--policies",
    "policy_names",
    type=Words("policies", click.STRING),
    metavar="P,Q,…",
    shell_complete=completion.policy_lists,
    help="With --knob: under these policies.",
)
@plot_option
@format_option
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
    """Ask every question of PATHS, or of --probes FILE, under one scenario.

    The recall of a question is the share of its evidence kept whole; with memories, a message also counts if a kept
    memory names it as its source. Each loss is attributed to its first reason, so that all shares add up to 1.

    Where questions have known answers, the share of their words in the prompts is given, summaries included, beside
    that of the other questions' answers, which is chance.

    With --knob, give the recall at other values of one setting, under the current policy and every other policy with
    this setting, with 95 % intervals over conversations; with two settings, at every pair of their values under the
    current policy.
    """
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

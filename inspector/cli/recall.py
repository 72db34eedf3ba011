"""prompt-inspector recall: how much of what the answers to probes need is in the prompts that they are asked with."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.probes import read_probes, reasons_of
from inspector.analysis.recall import Loss, ProbeRecall, Recalled, losses, mean_of, recall_value, recalls
from inspector.assembly.columns import word
from inspector.assembly.pipeline import Pipeline
from inspector.cli import completion
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, opened_files, shown_result
from inspector.cli.options import Words, paths_argument, rows_format_option, scenario_options
from inspector.cli.output import print_csv, print_json, say, warn
from inspector.cli.plots import plot_option, write_plot
from inspector.cli.recall_along import answer_along, plot_along
from inspector.cli.sections import SectionedCommand
from inspector.drawings.named_bars import NamedBar, named_bars
from inspector.figures import percentage
from inspector.model import Probe
from inspector.reading.values import UnreadableError

_SHOWN_FROM_PROBES = 200
_LOSS_TITLES = {
    Loss.NOT_CITED: "no memory names it",
    Loss.NOT_RETRIEVED: "not retrieved",
    Loss.OVER_BUDGET: "over budget",
    Loss.EXCLUDED: "excluded",
}
probes_option = click.option(
    "--probes",
    "probes_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Questions and the items that their answers need.",
)


@click.command(cls=SectionedCommand, short_help="Measure how much of what questions need is in their prompts.")
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
    help="With --knob: under these.",
)
@plot_option
@rows_format_option
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
    """Ask every probe of PATHS, or of --probes FILE, under one scenario.

    The recall of a probe is the share of its evidence that is kept whole; with memories, a message counts also where a
    kept memory names it as its source. What is lost is told by its first reason, so that all shares add up to 1.

    With --knob: what recall would be at other values of a knob, under the policy in use and every other one with it,
    with 95 % intervals over conversations; with two, at every pair of their values under the policy in use.
    """
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=True)
    probes = probes_for(pipeline, probes_file)
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    opened += [probes_file] if probes_file else []
    if knobs and plot is not None:
        plot_along(pipeline, scenario, probes, knobs, policy_names, plot, opened)
        return
    if knobs:
        answer_along(pipeline, scenario, probes, knobs, policy_names, answer_format)
        return
    if policy_names is not None:
        raise click.UsageError("--policies goes with --knob")
    with named_failures():
        steps = recalls(Basis(pipeline, scenario, open_cache()), probes)
        recalled = shown_result(steps, "Asking", _SHOWN_FROM_PROBES)
    if not recalled.found:
        raise InputError(f"none of the {len(probes)} probes can be asked: {reasons_of(recalled.skipped)}")
    if plot is not None:
        write_plot(plot, _drawn(recalled), lambda: _rows(recalled), opened)
    elif answer_format == "json":
        print_json(recall_value(recalled, scenario))
    elif answer_format == "csv":
        print_csv(_rows(recalled))
    else:
        _print(recalled)


def probes_for(pipeline: Pipeline, file: str | None) -> Sequence[Probe]:
    """The probes of a file, or those of what is open. Ends the command with one line where there are none."""
    if file is None:
        if not pipeline.workspace.probes:
            raise InputError("no probes: name a file of them with --probes, or open one")
        return pipeline.workspace.probes
    return probes_of_file(file)


def probes_of_file(file: str) -> tuple[Probe, ...]:
    """The probes of a file. Ends the command with one line where there are none."""
    try:
        probes, problems = read_probes(file)
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    for problem in problems:
        warn(problem)
    return probes


def _print(recalled: Recalled) -> None:
    from inspector.cli.console import Console, Table

    titles = ("probes", "kept", "with memories", "summarized", *_LOSS_TITLES.values())
    table = Table(("", ""), *((title, ">") for title in titles))
    for name, found in _groups(recalled):
        table.add_row(name, *_cells(found))
    Console().print(table)
    for one in recalled.skipped:
        say(f"{one.id}: {one.reason}")


def _groups(recalled: Recalled) -> Iterator[tuple[str, Sequence[ProbeRecall]]]:
    """The probes of each category, where there are several, and all of them."""
    groups: dict[str, list[ProbeRecall]] = {}
    for probe, found in zip(recalled.probes, recalled.found, strict=True):
        groups.setdefault(probe.category or "", []).append(found)
    if len(groups) > 1:
        yield from ((category or "without a category", found) for category, found in groups.items())
    yield "all", recalled.found


def _drawn(recalled: Recalled) -> bytes:
    """Bars of the recall with memories, of which what messages alone hold is the stronger part."""
    rows = []
    for name, found in _groups(recalled):
        mean = mean_of(found).columns
        kept, with_memories = mean["recall"], mean["recall_with_memories"]
        told = f"{percentage(with_memories)} with memories, {percentage(kept)} kept whole"
        rows.append(NamedBar(name, with_memories, told, kept))
    return named_bars("Recall, with memories and kept whole", rows, full=1.0)


def _rows(recalled: Recalled) -> Iterator[dict[str, Any]]:
    for name, found in _groups(recalled):
        lost = {f"lost_{word(loss)}": share for loss, share in losses(found).items()}
        yield {"category": name, **mean_of(found).columns, **lost}


def _cells(found: Sequence[ProbeRecall]) -> list[str]:
    mean = mean_of(found).columns
    lost = losses(found)
    shares = [mean["recall"], mean["recall_with_memories"], mean["recall_summarized"], *(lost[one] for one in Loss)]
    return [f"{mean['probes']:,}", *map(percentage, shares)]

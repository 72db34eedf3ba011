"""prompt-inspector check: for pipelines, whether a scenario still holds what is needed and fits."""

import sys
from collections.abc import Sequence

import click

from inspector.analysis.check import Checked, Shortfall, recall_of_all, shortfalls
from inspector.analysis.check import check as check_all
from inspector.cli import completion
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache, open_pipeline
from inspector.cli.options import paths_argument, read_scenario
from inspector.cli.output import say, warn
from inspector.cli.recall import probes_for, probes_option
from inspector.figures import counted

_FELL_SHORT = 1


@click.command(short_help="For pipelines: fail where a scenario falls short.")
@click.argument("scenario_file", metavar="SCENARIO", shell_complete=completion.files)
@paths_argument
@probes_option
@click.option("--min-recall", type=click.FloatRange(0, 1), metavar="SHARE", help="Mean share of evidence to be kept.")
@click.option(
    "--min-recall-with-memories",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="The same, counting what a kept memory names.",
)
@click.option(
    "--max-overflow", type=click.IntRange(min=0), metavar="TOKENS", help="How far a prompt may exceed its window."
)
def check(
    scenario_file: str,
    paths: tuple[str, ...],
    probes_file: str | None,
    min_recall: float | None,
    min_recall_with_memories: float | None,
    max_overflow: int | None,
) -> None:
    """Assemble every conversation of PATHS under SCENARIO, as it is and for each of its probes.

    Ends with 1 and a table of what falls short: the mean recall of the probes, evidence kept whole (--min-recall) or
    also named by a kept memory (--min-recall-with-memories), or a prompt that is more than --max-overflow tokens over
    its window with the reserve. A prompt that cannot be made falls short, too. Ends with 0 where all is well, and with
    2 where something cannot be read.
    """
    wanted = {"recall": min_recall, "recall_with_memories": min_recall_with_memories}
    least = {name: limit for name, limit in wanted.items() if limit is not None}
    if not least and max_overflow is None:
        raise click.UsageError("check: say what to hold to with --min-recall or --max-overflow")
    scenario = read_scenario(scenario_file)
    pipeline = open_pipeline(paths)
    probes = probes_for(pipeline, probes_file) if probes_file or least else pipeline.workspace.probes
    with named_failures():
        checked, skipped = check_all(pipeline, scenario, probes, open_cache())
    for one in skipped:
        warn(f"probe {one.id}: {one.reason}")
    if not checked:
        raise InputError(f"{', '.join(paths)}: no conversation to check")
    if least and not recall_of_all(checked).probes:
        raise InputError(f"none of the {len(probes)} probes can be asked")
    _tell(checked, list(shortfalls(checked, least, max_overflow)))


def _tell(checked: Sequence[Checked], short: Sequence[Shortfall]) -> None:
    if not short:
        mean = recall_of_all(checked).columns
        over = f"{counted(len(checked), 'conversation')}, at most {max(one.overflow for one in checked):,} tokens over"
        recall = (
            f"recall {mean['recall']:.3f}, with memories {mean['recall_with_memories']:.3f}" if mean["probes"] else ""
        )
        say(f"all is well: {', '.join(filter(None, (over, recall)))}")
        return
    from inspector.cli.console import Console, Table

    table = Table(("conversation", ""), ("what", ""), ("is", ">"), ("wanted", ""))
    for one in short:
        table.add_row(one.conversation or "all", one.what, one.is_now, one.wanted)
    Console().print(table)
    sys.exit(_FELL_SHORT)

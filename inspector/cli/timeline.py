"""prompt-inspector timeline: the messages in order, with their tokens and outcomes."""

from collections.abc import Iterator
from typing import Any

import click

from inspector.assembly.columns import Fate
from inspector.assembly.timeline import MESSAGES, Timeline, timeline_value
from inspector.assembly.timeline_drawing import timeline_drawing
from inspector.cli.answering import Plot, Telling, answer, format_option
from inspector.cli.asking import open_asked
from inspector.cli.loading import answer_for, named_failures, opened_files
from inspector.cli.options import paths_argument, scenario_options
from inspector.cli.plots import plot_option
from inspector.cli.sections import SectionedCommand
from inspector.drawings.svg import svg


def _totals(found: Timeline) -> Iterator[str]:
    yield found.total
    if found.history_begins is not None:
        begins = found.assembly.candidates.ids[found.row_of(found.history_begins)]
        yield f"From {begins} on everything is kept; {found.counts[Fate.KEPT]:,} of {len(found):,} are."


_TELLING = Telling([MESSAGES], timeline_value, below=_totals, most=None)


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option(
    "--by",
    type=click.Choice(["number", "time"]),
    default="number",
    help="Horizontal axis of the plot: message numbers, or times if all messages have them.",
)
@plot_option
@format_option
def timeline(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    by: str,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Say for every message of PATHS, from the first to the last, its cost and its outcome.

    `sum` is the cost of all messages up to this one. Times are UTC.
    """
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        found = Timeline(answer_for(pipeline, scenario).assembly)
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    picture = None if plot is None else Plot(plot, lambda: svg([timeline_drawing(found, by == "time")]), opened)
    answer(found, _TELLING, answer_format, picture)

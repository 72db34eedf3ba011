"""prompt-inspector timeline: the messages from the first to the last, where the tokens are, and what became of them."""

from functools import partial
from typing import Any

import click

from inspector.assembly.columns import Fate
from inspector.assembly.timeline import Timeline, timeline_rows, timeline_value
from inspector.assembly.timeline_drawing import timeline_drawing
from inspector.cli.asking import open_asked
from inspector.cli.loading import answer_for, named_failures, opened_files
from inspector.cli.options import paths_argument, rows_format_option, scenario_options
from inspector.cli.output import print_csv, print_json, say
from inspector.cli.plots import plot_option, write_plot
from inspector.cli.sections import SectionedCommand
from inspector.drawings.svg import svg
from inspector.figures import figures


@click.command(cls=SectionedCommand, short_help="Say where in a conversation the tokens are.")
@paths_argument
@scenario_options
@click.option(
    "--by",
    type=click.Choice(["number", "time"]),
    default="number",
    help="What the messages of the plot stand over: their numbers, or their times where all have one.",
)
@plot_option
@rows_format_option
def timeline(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    by: str,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Say for every message of PATHS, from the first to the last, what it costs and what became of it.

    `sum` is what is spent on all messages up to that one. Times are UTC.
    """
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        found = Timeline(answer_for(pipeline, scenario).assembly)
    if plot is not None:
        opened = opened_files(paths, pipeline, scenario, scenario_file)
        write_plot(plot, svg([timeline_drawing(found, by == "time")]), partial(timeline_rows, found), opened)
    elif answer_format == "json":
        print_json(timeline_value(found))
    elif answer_format == "csv":
        print_csv(timeline_rows(found))
    else:
        _print(found)


def _print(found: Timeline) -> None:
    from inspector.cli.console import Console, Table

    table = Table(
        ("#", ">"), ("item", ""), ("time", ""), ("role", ""), ("tokens", ">"), ("spent", ">"), ("sum", ">"), ("", "")
    )
    for row in timeline_rows(found):
        counts = figures(row["tokens"], row["estimated"]), figures(row["spent"]), figures(row["sum"])
        table.add_row(figures(row["number"]), row["item"], row["time"] or "", row["role"], *counts, row["action"])
    Console().print(table)
    say(found.total)
    if found.history_begins is not None:
        begins = found.assembly.candidates.ids[found.row_of(found.history_begins)]
        kept = found.counts[Fate.KEPT]
        say(f"From {begins} on everything is kept; {kept:,} of {len(found):,} are.")

"""prompt-inspector timeline: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, plot_option, scenario_options
from inspector.cli.sections import SectionedCommand


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
def timeline(**asked: Any) -> None:
    """Say for every message of PATHS, from the first to the last, its cost and its outcome.

    `sum` is the cost of all messages up to this one. Times are UTC.
    """
    from inspector.cli.timeline import timeline as run

    run(**asked)

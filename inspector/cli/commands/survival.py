"""prompt-inspector survival: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, locked_option, paths_argument, plot_option, scenario_options
from inspector.cli.sections import SectionedCommand

_PARAMETER = "A number of the policy, context_window, or model_sizes: the window, at the sizes that models have."


@click.command(cls=SectionedCommand)
@paths_argument
@click.option("--parameter", required=True, metavar="NAME", help=_PARAMETER)
@locked_option
@plot_option
@scenario_options
@format_option
def survival(**asked: Any) -> None:
    """Say for every item of PATHS at which values of a slider it is kept, summarized, truncated or dropped.

    If the policy declares thresholds, every value is examined. Otherwise samples are tried, then values between any two
    that differ; a flip whose exact place is unknown is marked.
    """
    from inspector.cli.survival import survival as run

    run(**asked)

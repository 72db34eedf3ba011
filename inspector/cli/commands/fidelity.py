"""prompt-inspector fidelity: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@format_option
def fidelity(**asked: Any) -> None:
    """List the messages of PATHS that are summarized, or have a summary, with tokens saved and facts lost.

    With --summaries, summaries are computed for the messages without any; they are marked as computed. If the file
    records the counts of its program, the error of the counts here is given for each model.
    """
    from inspector.cli.fidelity import fidelity as run

    run(**asked)

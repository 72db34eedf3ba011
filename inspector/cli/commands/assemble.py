"""prompt-inspector assemble: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option("--strict", is_flag=True, help="Exit with 1 when the prompt does not fit or has errors.")
@click.option(
    "--jsonl",
    "lines",
    metavar="[FILE|-]",
    shell_complete=completion.files,
    help="Answer each line {name, workspace, scenario} with one line.",
)
@format_option
def assemble(**asked: Any) -> None:
    """Assemble one prompt from PATHS and say what happens to every item."""
    from inspector.cli.assemble import assemble as run

    run(**asked)

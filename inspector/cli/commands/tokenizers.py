"""prompt-inspector tokenizers: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@click.option("--with", "names", metavar="A,B,C", help="Tokenizers to compare, such as embedded:qwen3,estimate:chorus.")
@scenario_options
@click.option("--list", "listed", is_flag=True, help="List the tokenizers that there are, and count nothing.")
@click.option(
    "--out",
    "-o",
    metavar="FILE.csv",
    shell_complete=completion.files,
    help="Write the tokens of each item to this file, too.",
)
@format_option
def tokenizers(**asked: Any) -> None:
    """Count the items of PATHS with several tokenizers, the scenario's own first, and name the decisions that
    change.
    """
    from inspector.cli.tokenizers import tokenizers as run

    run(**asked)

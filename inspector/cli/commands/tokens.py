"""prompt-inspector tokens: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@click.option("--item", metavar="ID", shell_complete=completion.items, help="The item whose tokens are listed.")
@scenario_options
@format_option
def tokens(**asked: Any) -> None:
    """List the tokens of an item of PATHS as it is in the prompt, or of its whole text if it is dropped.

    Plain text on standard input (-) needs no --item. `begin` and `end` are positions in the text, in code points; a
    character spelled by several tokens belongs to the last of them.
    """
    from inspector.cli.tokens import tokens as run

    run(**asked)

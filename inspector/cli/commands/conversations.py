"""prompt-inspector conversations: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand

COLUMNS = (
    "title",
    "file",
    "messages",
    "first",
    "last",
    "tokens",
    "prompt",
    "kept",
    "dropped",
    "over",
    "findings",
    "recall",
)


@click.command(cls=SectionedCommand)
@paths_argument
@click.option(
    "--find", "wanted", default="", metavar="WORDS", help="Only those with these words in their title or file."
)
@click.option("--sort", "key", type=click.Choice(COLUMNS), help="Column to sort by; else as they were opened.")
@click.option("--descending", is_flag=True, help="With --sort: the highest first.")
@scenario_options
@format_option
def conversations(**asked: Any) -> None:
    """List the conversations of PATHS: file, length, days, and tokens, prompt, dropped items and findings of each.

    Each is assembled as if the scenario chose it. `recall` is given if the files have questions about it. Below it is
    what they come to together: how many fit as a whole, now and in other windows, what is dropped, and what it costs.
    As CSV, rows that are not sorted are written one by one, each as soon as it is assembled.
    """
    from inspector.cli.conversations import conversations as run

    run(**asked)

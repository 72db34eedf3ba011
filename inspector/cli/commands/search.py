"""prompt-inspector search: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument
from inspector.limits import MOST_PLACES


@click.command()
@click.argument("text")
@paths_argument
@click.option("--most", type=click.IntRange(min=1), default=MOST_PLACES, metavar="N", help="List so many places.")
@format_option
def search(**asked: Any) -> None:
    """Find TEXT in PATHS: conversations by title, messages, memories and lorebook entries by text, best matches first.

    All words are required, in any order and case; words in quotes have to be adjacent.
    """
    from inspector.cli.search import search as run

    run(**asked)

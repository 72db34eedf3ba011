"""prompt-inspector explain: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, locked_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@click.option("--item", metavar="ITEM", shell_complete=completion.items, help="The item to explain, by number or id.")
@click.option(
    "--keep",
    "kept",
    multiple=True,
    metavar="ITEM",
    shell_complete=completion.items,
    help="An item to keep, by number or id; may be repeated.",
)
@locked_option
@scenario_options
@format_option
def explain(**asked: Any) -> None:
    """Say why an item of PATHS is kept, summarized, truncated or dropped, which changes would alter that, and what
    would keep it.

    With --keep, list the ways to keep all of these items instead: pinning them, one change, two changes, leaving other
    items out, or the next larger model, each with its side effects and the size of its prompt, the cheapest first.
    """
    from inspector.cli.explain import explain as run

    run(**asked)

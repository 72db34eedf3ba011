"""prompt-inspector export: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import paths_argument

LAYOUTS = ("openai", "anthropic", "sharegpt", "sillytavern", "native")


@click.command()
@paths_argument
@click.option("--as", "kind", type=click.Choice(LAYOUTS), default="openai", help="Layout to write.")
@click.option("--out", "-o", metavar="FILE", shell_complete=completion.files, required=True, help="File to write.")
@click.option("--conversation", metavar="ID", help="Conversation to export; by default the first.")
def export(**asked: Any) -> None:
    """Write one conversation of PATHS into a file, and list its contents without a place in the layout."""
    from inspector.cli.export import export as run

    run(**asked)

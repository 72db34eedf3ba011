"""prompt-inspector cache: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option


@click.command()
@click.option("--clear", is_flag=True, help="Forget every token count, vector and summary.")
@format_option
def cache(**asked: Any) -> None:
    """Say where the cache of token counts and vectors and the log are, and how large they are."""
    from inspector.cli.cache import cache as run

    run(**asked)

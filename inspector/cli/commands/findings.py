"""prompt-inspector findings: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option


@click.command()
@format_option
def findings(**asked: Any) -> None:
    """List all possible findings of an answer with their meaning and advice."""
    from inspector.cli.findings import findings as run

    run(**asked)

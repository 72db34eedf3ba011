"""prompt-inspector policies and formats: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option


@click.command()
@click.argument("name", required=False, shell_complete=completion.policies)
@click.option(
    "--preset",
    metavar="NAME",
    shell_complete=completion.presets,
    help="Parameters as this preset of the policy has them.",
)
@format_option
def policies(**asked: Any) -> None:
    """List the policies and their parameters, with range and default.

    With the NAME of a policy, describe its parameters, and each of their words.
    """
    from inspector.cli.listing import policies as run

    run(**asked)


@click.command()
@click.argument("paths", nargs=-1, shell_complete=completion.files)
@format_option
def formats(**asked: Any) -> None:
    """List the supported file formats; each is recognized by its content, not by its name.

    With PATHS, list the formats that each of these files may have, with their certainty and reasons; - is standard
    input. Files of folders and archives are listed individually, including those of no format. Nothing is opened.
    """
    from inspector.cli.listing import formats as run

    run(**asked)

"""prompt-inspector snippet: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand

SYSTEMS = ("langchain", "llamaindex", "semantic-kernel", "prompt-poet", "chorus", "whisperengine", "ollama")


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option("--for", "system", type=click.Choice(SYSTEMS), required=True, help="The system to write for.")
def snippet(**asked: Any) -> None:
    """Write the settings of the scenario as code or text for another system.

    Settings without an equivalent in that system are named on standard error.
    """
    from inspector.cli.snippet import snippet as run

    run(**asked)

"""prompt-inspector requests: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@format_option
def requests(**asked: Any) -> None:
    """List the recorded requests of PATHS, and what other settings would have saved.

    Each with its time, agent, model, tokens as counted here beside the provider's usage, the prefix that a cache can
    use, the tools that were sent and never called, and what changed since the request before of the same agent. With
    another policy, window, model or server: the same requests under these, and the difference in tokens and money.
    """
    from inspector.cli.requests import requests as run

    run(**asked)

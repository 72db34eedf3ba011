"""prompt-inspector waste: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@format_option
def waste(**asked: Any) -> None:
    """Say what the agents of PATHS send for nothing, over their whole sessions.

    Tools never called, results repeated or out of date, encoded data in texts, nearly the same text again, prefixes
    broken by a time, thoughts carried along, and what a compaction lost that was asked for again: each with its
    tokens, its money and one thing to do, the worst first. Recorded requests are looked at by agent; of saved chats,
    those in which tools are called, or --conversation alone.
    """
    from inspector.cli.waste import waste as run

    run(**asked)

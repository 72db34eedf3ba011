"""prompt-inspector recommend: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.option_types import Words
from inspector.cli.options import (
    format_option,
    glob_option,
    paths_argument,
    plot_option,
    probes_option,
    scenario_options,
)
from inspector.cli.sections import SectionedCommand
from inspector.limits import DEFAULT_REPLY


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@probes_option
@click.option("--windows", type=Words("windows", click.IntRange(min=1)), metavar="A,B,…", help="Windows in tokens.")
@click.option(
    "--reply",
    type=click.IntRange(min=0),
    default=DEFAULT_REPLY,
    show_default=True,
    metavar="TOKENS",
    help="Tokens that every prompt leaves for the reply.",
)
@click.option(
    "--policies",
    "policy_names",
    type=Words("policies", click.STRING),
    metavar="P,Q,…",
    shell_complete=completion.policy_lists,
    help="Try these only.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Worker processes; by default as many as cores."
)
@glob_option
@click.option("--categories", "by_category", is_flag=True, help="Recall by category, now and as recommended.")
@plot_option
@format_option
def recommend(**asked: Any) -> None:
    """Search for the settings that keep most of the evidence of the questions of PATHS, or of --probes FILE.

    The current setting is given by the options. Each conversation is left out of the whole search once, and the gain is
    measured on it with the setting chosen from the others; for a single conversation, stretches of it are left out.
    Every prompt has to leave --reply tokens of its window. The plot shows the cost of recall. With --categories the
    answer is, for each window, the recall of each kind of question under the current and the recommended setting. For
    recall along one setting, or two, see `recall --knob`.

    With --glob, PATHS are an archive: each file is opened separately, and bad files are listed.
    """
    from inspector.cli.recommend import recommend as run

    run(**asked)

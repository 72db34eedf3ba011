"""prompt-inspector recall: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.option_types import Words
from inspector.cli.options import format_option, paths_argument, plot_option, probes_option, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@probes_option
@click.option(
    "--knob",
    "knobs",
    multiple=True,
    metavar="NAME",
    help="Recall along a parameter of the policy or context_window; give two for every pair of their values.",
)
@click.option(
    "--policies",
    "policy_names",
    type=Words("policies", click.STRING),
    metavar="P,Q,…",
    shell_complete=completion.policy_lists,
    help="With --knob: under these policies.",
)
@plot_option
@format_option
def recall(**asked: Any) -> None:
    """Ask every question of PATHS, or of --probes FILE, under one scenario.

    The recall of a question is the share of its evidence kept whole; with memories, a message also counts if a kept
    memory names it as its source. Each loss is attributed to its first reason, so that all shares add up to 1.

    Where questions have known answers, the share of their words in the prompts is given, summaries included, beside
    that of the other questions' answers, which is chance.

    With --knob, give the recall at other values of one setting, under the current policy and every other policy with
    this setting, with 95 % intervals over conversations; with two settings, at every pair of their values under the
    current policy.
    """
    from inspector.cli.recall import recall as run

    run(**asked)

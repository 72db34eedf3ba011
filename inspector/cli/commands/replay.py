"""prompt-inspector replay: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, paths_argument, plot_option, probes_option, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option(
    "--policies",
    "policy_names",
    metavar="A,B",
    shell_complete=completion.policy_lists,
    help="One policy (or POLICY/PRESET), or two side by side.",
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Replay a single turn out of every N, at which a prompt was sent.",
)
@click.option("--items", "of_items", is_flag=True, help="Answer with the items that fall out, each with its turn.")
@click.option("--falls", "of_falls", is_flag=True, help="Answer with every fall, the latest first.")
@probes_option
@plot_option
@format_option
def replay(**asked: Any) -> None:
    """Replay the conversation of PATHS: each turn as the prompt sent at the time.

    A turn is a number of existing messages. Each has its tokens by section, how many turns back its prompt reaches, how
    many items fell out (--items names them), where it stops being the prompt before, and its cost with and without the
    prompt cache of the provider, by the provider's own rule and the times of the messages. Below, where the policy
    compacts or the file records it: every compaction with its turn, the list before and after, what it lost (of which
    questions need how much), and the broken prefix.
    """
    from inspector.cli.replay import replay as run

    run(**asked)

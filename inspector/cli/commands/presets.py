"""prompt-inspector presets: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, no_defaults_option


@click.command()
@click.option("--save", "saved", metavar="NAME", help="Save values as a preset of yours.")
@click.option("--remove", "removed", metavar="NAME", help="Remove a preset of yours; needs --policy.")
@click.option(
    "--policy",
    "-p",
    shell_complete=completion.policies,
    help="Only the presets of this policy; the policy of the preset to save or remove.",
)
@click.option(
    "--preset",
    shell_complete=completion.presets,
    help="Named set of parameters that is saved with the changes of --set.",
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter to save.")
@click.option(
    "--scenario",
    "-s",
    "scenario_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Scenario file whose parameters are saved.",
)
@no_defaults_option
@format_option
def presets(**asked: Any) -> None:
    """List the named sets of parameters of each policy.

    With --save NAME, save the parameters of a policy, a preset, a scenario file and --set as your own preset; from then
    on --preset NAME refers to it, and any earlier preset of yours with this name is replaced. Your presets are in
    presets.yaml in the configuration folder; the version before the last change is presets.yaml.before.
    """
    from inspector.cli.presets import presets as run

    run(**asked)

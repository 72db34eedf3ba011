"""prompt-inspector compare: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@click.option("--a", "before_file", metavar="FILE", shell_complete=completion.files, help="Scenario to compare from.")
@click.option("--b", "after_file", metavar="FILE", shell_complete=completion.files, help="Scenario to compare with.")
@click.option("--recorded", is_flag=True, help="Compare with the decisions of the program that wrote the file.")
@click.option(
    "--policies",
    "policy_names",
    metavar="A,B,C",
    shell_complete=completion.policy_lists,
    help="Policies (or POLICY/PRESET) to set side by side; all for all.",
)
@click.option(
    "--models",
    metavar="A,B,C",
    shell_complete=completion.models,
    help="Models to set side by side, with --policies or alone.",
)
@click.option(
    "--tokenizers",
    "tokenizer_names",
    metavar="A,B,C",
    help="Tokenizers to set side by side, with --policies or alone.",
)
@click.option("--differing", is_flag=True, help="Side by side: only items they disagree about, as in the table.")
@click.option("--text", "as_text", is_flag=True, help="Show the differences in the text of the prompts.")
@scenario_options
@format_option
def compare(**asked: Any) -> None:
    """Compare the items of PATHS under two scenarios; the other options apply to both.

    Two snapshots are compared as FILE.inspection.yaml#BEFORE #AFTER; without a name the saved state of the inspection
    is meant. Three or more are shown side by side, as in the window, and so are --policies, --models and --tokenizers,
    each in place of the scenario's own. With --recorded, compare this scenario with the
    recorded decisions of the program that wrote the file.
    """
    from inspector.cli.compare import compare as run

    run(**asked)

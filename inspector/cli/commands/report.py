"""prompt-inspector report: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.option_types import EVERYTHING
from inspector.cli.options import paths_argument, scenario_options, worker_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option("--glob", metavar="PATTERN", default=EVERYTHING, show_default=True, help="Which files of the folders.")
@worker_options
@click.option("--prompt", "of_prompt", is_flag=True, help="One prompt: bar, items, findings, scenario, comparison.")
@click.option(
    "--baseline",
    metavar="FILE",
    shell_complete=completion.files,
    help="Scenario or snapshot that the prompt is compared with.",
)
@click.option("--redact", "redacts", is_flag=True, help="Hash and length in place of each text of the prompt.")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    shell_complete=completion.files,
    required=True,
    help="The page to write; of a prompt also other kinds of files.",
)
def report(**asked: Any) -> None:
    """Describe every chat of PATHS, and its prompt under the scenario of the options, on one page.

    Lengths by role, when budgets are exhausted and how far memory reaches then, walls of text, scripts and how far
    estimates are off in them, which shares are never used, which items are left out most and why, and a row a chat. The
    page loads nothing, needs no script and opens from a file. Each file is opened separately; bad files are listed.

    With --prompt, --baseline or --redact, for an inspection, or for a name that does not end with .html, the report is
    about the single prompt of the scenario. By its ending FILE is then a page, a report (.md), the table of items
    (.csv, .tsv, .items.json), the whole answer (.json), the bar (.svg, .png), or the prompt as text (.txt) or as a
    request (.openai.json, .anthropic.json, .ollama.json, .gemini.json).
    """
    from inspector.cli.report import report as run

    run(**asked)

"""prompt-inspector check: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import changing_options, paths_argument, probes_option, reply_option

FORMATS = ("table", "json", "junit", "github")


@click.command()
@click.argument("scenario_file", metavar="SCENARIO", shell_complete=completion.files)
@paths_argument
@probes_option
@click.option("--min-recall", type=click.FloatRange(0, 1), metavar="SHARE", help="Mean share of evidence to be kept.")
@click.option(
    "--min-recall-with-memories",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="The same, counting messages named by a kept memory.",
)
@click.option(
    "--min-answer-words",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Mean share of the words of known answers to be in the prompts, summaries too.",
)
@click.option(
    "--max-overflow", type=click.IntRange(min=0), metavar="TOKENS", help="How far a prompt may exceed its window."
)
@reply_option
@click.option(
    "--fail-on",
    multiple=True,
    metavar="error|warning|CODE",
    help="Findings that must not be: of a code, or as bad as this at least; may be repeated.",
)
@changing_options
@click.option(
    "--format", "-f", "answer_format", type=click.Choice(FORMATS), default="table", help="Format of the results."
)
def check(**asked: Any) -> None:
    """Assemble every conversation of PATHS under SCENARIO, both unchanged and for each of its questions.

    Ends with 1 and a table of shortfalls: a mean recall of the questions below the limit (evidence kept whole with
    --min-recall, or also named by a kept memory with --min-recall-with-memories), a mean share of the words of known
    answers below --min-answer-words, a prompt more than --max-overflow tokens over its window with the reply, or a
    finding named by --fail-on. A prompt that cannot be made falls short, too, and so does a prompt for an unknown
    model, unless window and tokenizer are given. Ends with 0 if all is well, and with 2 if something cannot be read.

    --format junit is for systems that show test results, github for annotations of a GitHub workflow.
    """
    from inspector.cli.check import check as run

    run(**asked)

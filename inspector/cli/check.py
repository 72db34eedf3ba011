"""prompt-inspector check: for pipelines, whether a scenario still keeps the evidence and fits."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from inspector.analysis.recall.check import SEVERITIES, means_of, shortfalls
from inspector.analysis.recall.check import check as check_all
from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.assembly.pipeline import is_built_in
from inspector.cli import completion
from inspector.cli.asking import open_asked
from inspector.cli.check_formats import WRITERS, Report
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache
from inspector.cli.options import changing_options, paths_argument, reply_option
from inspector.cli.output import warn
from inspector.cli.recall import probes_for, probes_option
from inspector.nearest import instead

_FELL_SHORT = 1


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
    "--format", "answer_format", type=click.Choice(list(WRITERS)), default="table", help="Format of the results."
)
def check(
    scenario_file: str,
    paths: tuple[str, ...],
    probes_file: str | None,
    min_recall: float | None,
    min_recall_with_memories: float | None,
    min_answer_words: float | None,
    max_overflow: int | None,
    reply: int | None,
    fail_on: tuple[str, ...],
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Assemble every conversation of PATHS under SCENARIO, both unchanged and for each of its questions.

    Ends with 1 and a table of shortfalls: a mean recall of the questions below the limit (evidence kept whole with
    --min-recall, or also named by a kept memory with --min-recall-with-memories), a mean share of the words of known
    answers below --min-answer-words, a prompt more than --max-overflow tokens over its window with the reply, or a
    finding named by --fail-on. A prompt that cannot be made falls short, too, and so does a prompt for an unknown
    model, unless window and tokenizer are given. Ends with 0 if all is well, and with 2 if something cannot be read.

    --format junit is for systems that show test results, github for annotations of a GitHub workflow.
    """
    wanted = {
        "recall": min_recall,
        "recall_with_memories": min_recall_with_memories,
        "answer_words": min_answer_words,
    }
    least = {name: limit for name, limit in wanted.items() if limit is not None}
    if not least and max_overflow is None and not fail_on:
        raise click.UsageError("check: set a limit with --min-recall, --min-answer-words, --max-overflow or --fail-on")
    of_file = given.get("model") is None  # whose model may be unknown, which is a row and no wrong usage
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=True, guesses_model=of_file)
    _check_codes(fail_on, is_built_in(pipeline.choices.kind(scenario)))
    probes = probes_for(pipeline, probes_file) if probes_file or least else pipeline.workspace.probes
    with named_failures():
        checked, skipped = check_all(pipeline, scenario, probes, open_cache(), reply)
    for one in skipped:
        warn(f"question {one.id}: {one.reason}")
    if not checked:
        raise InputError(f"{', '.join(paths)}: no conversation to check")
    _check_asked(means_of(checked), least, len(probes))
    short = tuple(shortfalls(checked, least, max_overflow, fail_on))
    WRITERS[answer_format](Report(scenario_file, tuple(checked), short, bool(least)))
    sys.exit(_FELL_SHORT if short else 0)


def _check_asked(means: Mapping[str, Any], least: Mapping[str, float], number: int) -> None:
    """End the command if there is no question, or no known answer, of which a mean is limited."""
    if least and not means["probes"]:
        raise InputError(f"none of the {number} questions can be asked")
    if "answer_words" in least and not means["answers"]:
        raise InputError(f"--min-answer-words: none of the {means['probes']} questions has a known answer")


def _check_codes(names: Sequence[str], is_known: bool) -> None:
    """End the command for an unknown finding; a policy from a plug-in may have findings of its own."""
    known = [*SEVERITIES, *(kind.code for kind in FINDING_KINDS)]
    for name in names:
        if name not in known and is_known:
            named = instead(name, known, lead="`prompt-inspector findings` lists them:")
            raise click.UsageError(f"--fail-on: {name} is not a finding; {named}")

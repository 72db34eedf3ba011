"""prompt-inspector check: for pipelines, whether a scenario still keeps the evidence and fits."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from inspector.analysis.recall.check import SEVERITIES, means_of, shortfalls
from inspector.analysis.recall.check import check as check_all
from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.assembly.pipeline import is_built_in
from inspector.cli.asking import open_asked
from inspector.cli.check_formats import WRITERS, Report
from inspector.cli.failure import InputError
from inspector.cli.loading import named_failures, open_cache
from inspector.cli.output import warn
from inspector.cli.recall import probes_for
from inspector.nearest import instead

_FELL_SHORT = 1


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
    """Run `prompt-inspector check` with the values of its options."""
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

"""prompt-inspector memories: every memory with its rank, its score, and why it is in the prompt or not; or its use."""

from collections.abc import Iterator
from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.recall.memory_use import (
    UNNAMED_EVIDENCE,
    USED_MEMORIES,
    MemoryUse,
    memory_use_value,
    memory_uses,
)
from inspector.analysis.recall.probes import reasons_of
from inspector.assembly.answer import Answer
from inspector.assembly.findings import embedding_trouble
from inspector.assembly.memory_ranking import (
    MemoryRanking,
    comparison_sentence,
    prompt_sentence,
    rank_memories,
    ranking_sentence,
)
from inspector.assembly.memory_tables import MEMORIES, caption, memories_value, rows_with_lines
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario import Scenario
from inspector.assembly.score_scales import scale_sentence
from inspector.cli.answering import MOST_ROWS, Telling, answer, format_option
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import answer_for, named_failures, open_cache, shown_result
from inspector.cli.options import paths_argument, scenario_options
from inspector.cli.recall import SHOWN_FROM_PROBES, probes_for, probes_option
from inspector.cli.sections import SectionedCommand

_QUERY_CODE_POINTS = 100


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option("--use", "of_use", is_flag=True, help="How each memory serves the questions of PATHS or of --probes.")
@probes_option
@format_option
def memories(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    of_use: bool,
    probes_file: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """List the memories of PATHS in the order of the policy's choice: rank, score, similarity and reason.

    With --use, ask every question of PATHS, or of --probes FILE, and list for each memory how often it is considered,
    kept, and carries evidence of the question, the recall lost if it is left out, and how many others say nearly the
    same; then the needed messages that no memory names.
    """
    if probes_file is not None and not of_use:
        raise click.UsageError("--probes goes with --use")
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=of_use)
    if of_use:
        _answer_use(pipeline, scenario, probes_file, answer_format)
        return
    with named_failures():
        answered = answer_for(pipeline, scenario)
        ranking = memory_ranking(pipeline, answered)
        trouble = embedding_trouble(answered.case, answered.assembly.candidates)
    answer(ranking, _telling(answered, trouble), answer_format)


def _answer_use(pipeline: Pipeline, scenario: Scenario, probes_file: str | None, answer_format: str) -> None:
    probes = probes_for(pipeline, probes_file)
    with named_failures():
        steps = memory_uses(Basis(pipeline, scenario, open_cache()), probes)
        use = shown_result(steps, "Asking", SHOWN_FROM_PROBES)
    if not use.questions:
        raise InputError(f"none of the {len(probes)} questions can be asked: {reasons_of(use.skipped)}")
    answer(use, _telling_of_use(scenario, pipeline.choices.kind(scenario)), answer_format)


def _telling_of_use(scenario: Scenario, kind: type) -> Telling[MemoryUse]:
    def left_out(use: MemoryUse) -> Iterator[str]:
        return (f"{one.id}: {one.reason}" for one in use.skipped)

    return Telling(
        [USED_MEMORIES, UNNAMED_EVIDENCE],
        lambda use: memory_use_value(use, scenario, kind),
        lambda use: [use.sentence],
        left_out,
    )


def memory_ranking(pipeline: Pipeline, answer: Answer) -> MemoryRanking:
    """Return the ranking of the memories of an answer."""
    assembly = answer.assembly
    policy = None if assembly.error else answer.case.policy
    return rank_memories(assembly, policy, pipeline.known.duplicates.known(assembly.candidates))


def _telling(answer: Answer, trouble: str) -> Telling[MemoryRanking]:
    def above(ranking: MemoryRanking) -> Iterator[str]:
        error = ranking.assembly.error
        if error is not None:
            yield f"error {error.code}: {error.message}"
        if not len(ranking):
            yield "There are no memories here."
            return
        query = " ".join(ranking.assembly.candidates.query.split())
        yield f"Query: {query[:_QUERY_CODE_POINTS]}{'…' if len(query) > _QUERY_CODE_POINTS else ''}"
        yield comparison_sentence(ranking, trouble)
        if read := scale_sentence(answer.case.chosen.parts.memory_sets):
            yield read
        if sentence := ranking_sentence(ranking, policy_title(answer.case.policy_name, type(answer.case.policy))):
            yield sentence

    return Telling([MEMORIES], lambda ranking: memories_value(ranking, answer, trouble), above, _closing_lines)


def _closing_lines(ranking: MemoryRanking) -> Iterator[str]:
    """Yield the dividing lines below the last row shown, and a sentence on the memories in the prompt."""
    for row in rows_with_lines(ranking)[MOST_ROWS:].tolist():
        if row < 0:
            yield f"after rank {ranking.lines[-1 - row].place:,}: {caption(ranking, row)}"
    if len(ranking):
        yield f"{prompt_sentence(ranking)}."

"""prompt-inspector memories: each with its rank, its score, and why it is in the prompt or not; its use; or other ways
to write them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.recall.memory_places import PLACES, MemoryPlaces, memory_places, memory_places_value
from inspector.analysis.recall.memory_use import (
    UNNAMED_EVIDENCE,
    USED_MEMORIES,
    MemoryUse,
    memory_use_value,
    memory_uses,
)
from inspector.analysis.recall.memory_writing import (
    WRITTEN_WAYS,
    MemoryWriting,
    memory_writing,
    memory_writing_value,
)
from inspector.analysis.recall.probes import Skipped, reasons_of
from inspector.assembly.answer import Answer
from inspector.assembly.findings import embedding_trouble
from inspector.assembly.memory_ranking import (
    MemoryRanking,
    comparison_sentence,
    prompt_sentence,
    ranking_sentence,
)
from inspector.assembly.memory_tables import MEMORIES, caption, memories_value, ranking_of, rows_with_lines
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario import Scenario
from inspector.assembly.score_scales import scale_sentence
from inspector.cli.answering import MOST_ROWS, Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.loading import answer_for, named_failures, open_cache, shown_result
from inspector.cli.recall import SHOWN_FROM_PROBES, probes_for
from inspector.figures import percentage
from inspector.model import Probe

_QUERY_CODE_POINTS = 100


def memories(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    of_use: bool,
    of_writing: bool,
    of_places: bool,
    probes_file: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector memories` with the values of its options."""
    asks = {_answer_use: of_use, _answer_writing: of_writing, _answer_places: of_places}
    wanted = [ask for ask, is_wanted in asks.items() if is_wanted]
    if len(wanted) > 1:
        raise click.UsageError("--use, --written and --places are different answers: give one of them")
    if probes_file is not None and not wanted:
        raise click.UsageError("--probes goes with --use, --written or --places")
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=bool(wanted))
    if wanted:
        wanted[0](pipeline, scenario, probes_file, answer_format)
        return
    with named_failures():
        answered = answer_for(pipeline, scenario)
        ranking = ranking_of(pipeline, answered)
        trouble = embedding_trouble(answered.case, answered.assembly.candidates)
    answer(ranking, _telling(answered, trouble), answer_format)


def _answer_use(pipeline: Pipeline, scenario: Scenario, probes_file: str | None, answer_format: str) -> None:
    probes = probes_for(pipeline, probes_file)
    with named_failures():
        steps = memory_uses(Basis(pipeline, scenario, open_cache()), probes)
        use = shown_result(steps, "Asking", SHOWN_FROM_PROBES)
    _check_asked(use.questions, probes, use.skipped)
    answer(use, _telling_of_use(scenario, pipeline.choices.kind(scenario)), answer_format)


def _answer_writing(pipeline: Pipeline, scenario: Scenario, probes_file: str | None, answer_format: str) -> None:
    probes = probes_for(pipeline, probes_file)
    with named_failures():
        steps = memory_writing(Basis(pipeline, scenario, open_cache()), probes)
        writing = shown_result(steps, "Asking", SHOWN_FROM_PROBES)
    _check_asked(writing.questions, probes, writing.skipped)
    answer(writing, _telling_of_writing(scenario, pipeline.choices.kind(scenario)), answer_format)


def _answer_places(pipeline: Pipeline, scenario: Scenario, probes_file: str | None, answer_format: str) -> None:
    probes = probes_for(pipeline, probes_file)
    with named_failures():
        steps = memory_places(Basis(pipeline, scenario, open_cache()), probes)
        found = shown_result(steps, "Replaying", 0)
    if found.trouble:
        raise InputError(found.trouble)
    _check_asked(found.questions, probes, found.skipped)
    answer(found, _telling_of_places(scenario, pipeline.choices.kind(scenario)), answer_format)


def _telling_of_places(scenario: Scenario, kind: type) -> Telling[MemoryPlaces]:
    def left_out(found: MemoryPlaces) -> Iterator[str]:
        if found.rule:
            yield f"{found.rule}."
        yield from (f"{one.id}: {one.reason}" for one in found.skipped)

    return Telling(
        [PLACES],
        lambda found: memory_places_value(found, scenario, kind),
        lambda found: [found.sentence],
        left_out,
        most=None,
    )


def _check_asked(questions: int, probes: Sequence[Probe], skipped: Sequence[Skipped]) -> None:
    """End the command if no question was asked."""
    if not questions:
        raise InputError(f"none of the {len(probes)} questions can be asked: {reasons_of(skipped)}")


def _telling_of_writing(scenario: Scenario, kind: type) -> Telling[MemoryWriting]:
    def left_out(writing: MemoryWriting) -> Iterator[str]:
        if writing.told_by_messages is not None:
            yield f"The needed messages themselves hold {percentage(writing.told_by_messages)} of the answers' words."
        yield from (f"{one.id}: {one.reason}" for one in writing.skipped)

    return Telling(
        [WRITTEN_WAYS],
        lambda writing: memory_writing_value(writing, scenario, kind),
        lambda writing: [writing.sentence],
        left_out,
        most=None,
    )


def _telling_of_use(scenario: Scenario, kind: type) -> Telling[MemoryUse]:
    def left_out(use: MemoryUse) -> Iterator[str]:
        return (f"{one.id}: {one.reason}" for one in use.skipped)

    return Telling(
        [USED_MEMORIES, UNNAMED_EVIDENCE],
        lambda use: memory_use_value(use, scenario, kind),
        lambda use: [use.sentence],
        left_out,
    )


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

"""prompt-inspector explain: why an item is kept or dropped, and the smallest changes with another outcome."""

from collections.abc import Iterator, Sequence
from typing import Any

import click
import numpy as np

from inspector.analysis.basis import Basis
from inspector.analysis.explanation.ask import (
    CHANGES,
    WAYS_OF_ITEM,
    Explanation,
    explanation,
    explanation_value,
    sentences,
)
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.tables import WAYS, Ways
from inspector.analysis.keeping.way import keeping_value
from inspector.assembly.candidates import Candidates
from inspector.assembly.choices import ScenarioError
from inspector.assembly.compaction import Compaction
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.references import row_of as row_meant
from inspector.assembly.scenario import Scenario
from inspector.assembly.summary_items import summary_called, summary_explained, summary_sentence
from inspector.cli.answering import Line, Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.failure import InputError
from inspector.cli.findings import finding_lines
from inspector.cli.loading import answer_for, make_lacking, named_failures, open_cache, shown_result
from inspector.cli.locks import locked_shares
from inspector.tables import Table


def _above(found: Explanation) -> Iterator[Line]:
    yield from sentences(found)
    yield from finding_lines(found.findings)
    if not found.changes:
        yield "No change of a single parameter would change that."


def _sentence_of(summary: Compaction) -> str:
    return f"{summary.id} (conversation): {summary_sentence(summary)}"


def _without_ways(ways: Ways) -> Iterator[Line]:
    if ways.found.is_kept:
        yield "They are kept."
    elif not ways.all:
        yield "Nothing that was tried keeps them."


_EXPLANATION = Telling([CHANGES, WAYS_OF_ITEM], explanation_value, _above)
_SUMMARY: Telling[Compaction] = Telling(
    [Table((), lambda _: ())], summary_explained, lambda summary: (_sentence_of(summary),)
)
"""How a summary of the program is explained: no change of a parameter is tried for it."""
_WAYS = Telling([WAYS], lambda ways: keeping_value(ways.found, ways.candidates.ids), _without_ways)


def explain(
    paths: tuple[str, ...],
    item: str | None,
    kept: tuple[str, ...],
    locked: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector explain` with the values of its options."""
    if (item is None) == (not kept):
        raise click.UsageError("name one --item to explain, or the items to keep with --keep")
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    if item is not None and locked:
        raise click.UsageError("--locked goes with --keep")
    if item is None:
        _say_what_keeps(pipeline, scenario, kept, locked, answer_format)
        return
    with named_failures():
        found = answer_for(pipeline, scenario)
        if (summary := summary_called(found.assembly, item)) is not None:
            answer(summary, _SUMMARY, answer_format)
            return
        row = row_of(found.assembly.candidates, item)
        explained = explanation(Basis(pipeline, scenario, open_cache()), found, row)
    answer(explained, _EXPLANATION, answer_format)


def _say_what_keeps(
    pipeline: Pipeline, scenario: Scenario, items: Sequence[str], locked: Sequence[str], answer_format: str
) -> None:
    with named_failures():
        case = make_lacking(pipeline, scenario)
        candidates, held = pipeline.candidates(case), locked_shares(case, locked)
        rows = np.array([row_of(candidates, item, "--keep") for item in dict.fromkeys(items)], np.intp)
        found = shown_result(ways_to_keep(Basis(pipeline, scenario, open_cache(), held), rows), "Looking for", 1)
    answer(Ways(found, candidates), _WAYS, answer_format)


def row_of(candidates: Candidates, item: str, option: str = "--item") -> int:
    """Return the row of an item by its id or its number. End the command unless exactly one item matches."""
    try:
        return row_meant(candidates.items, item)
    except ScenarioError as problem:
        raise InputError(f"{option}: {problem}") from None

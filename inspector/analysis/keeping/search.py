"""The search for ways to keep some items, from the cheapest to find to the dearest."""

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import TypeVar

from inspector.analysis.basis import Basis, Share
from inspector.analysis.keeping.changes import change_of_two, single_changes
from inspector.analysis.keeping.others import exclusion, next_model, own_window
from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Keeping
from inspector.assembly.columns import Rows

SINGLE_CHANGES, TWO_CHANGES = "single changes", "two changes at once"
OTHER_ITEMS, LARGER_MODELS = "other items to leave out", "larger models"
_SINGLES_DONE, _PAIRS_DONE, _ITEMS_DONE = 0.5, 0.8, 0.9
_Found = TypeVar("_Found")


def ways_to_keep(basis: Basis, rows: Rows) -> Iterator[Share | Keeping]:
    """Yield the ways to keep all of these rows of the scenario's candidates whole, step by step; the last holds all.

    Single changes come first, then with them a pair, an exclusion, and a model. Raise ScenarioError,
    UnknownTokenizerError, and AbandonedError once the answer is no longer wanted.
    """
    question = Question(basis.pipeline, basis.scenario, rows, basis.cache, basis.locked)
    yield (found := Keeping(question.is_kept(question.today)))
    if found.is_kept or not question.can_be_answered:
        return
    singles, moving = yield from _within(0.0, _SINGLES_DONE, SINGLE_CHANGES, single_changes(question))
    yield (found := replace(found, singles=tuple(singles)))
    pair = yield from _within(_SINGLES_DONE, _PAIRS_DONE, TWO_CHANGES, change_of_two(question, moving))
    yield (found := replace(found, pair=pair))
    yield Share(_PAIRS_DONE, what=OTHER_ITEMS)
    yield (found := replace(found, exclusion=exclusion(question)))
    yield Share(_ITEMS_DONE, what=LARGER_MODELS)
    found = replace(found, own_window=own_window(question))
    yield replace(found, model=None if found.own_window else next_model(question))


def _within(
    first: float, last: float, what: str, steps: Generator[Share, None, _Found]
) -> Generator[Share, None, _Found]:
    """Yield the steps of a part of the search, scaled to its range of the whole."""
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            return end.value
        yield Share(first + (last - first) * share.part, what=what)

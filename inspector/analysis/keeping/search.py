"""The search for ways to keep some items, from the cheapest to find to the dearest."""

from collections.abc import Generator, Iterator
from typing import TypeVar

from inspector.analysis.basis import Basis, Share
from inspector.analysis.keeping.changes import change_of_two, changes_of_texts, single_changes
from inspector.analysis.keeping.others import exclusion, next_model, own_window, pinning
from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Keeping
from inspector.assembly.columns import Rows

SINGLE_CHANGES, TWO_CHANGES = "single changes", "two changes at once"
OTHER_ITEMS, LARGER_MODELS, OTHER_TEXTS = "other items to leave out", "larger models", "changes of texts"
_SINGLES_DONE, _PAIRS_DONE, _ITEMS_DONE, _MODELS_DONE = 0.5, 0.7, 0.8, 0.9
_Found = TypeVar("_Found")


def ways_to_keep(basis: Basis, rows: Rows) -> Iterator[Share | Keeping]:
    """Yield the ways to keep all of these rows of the scenario's candidates whole, step by step; the last holds all.

    Pinning comes first, then with it single changes, a pair, an exclusion, a model, and changes that may need other
    texts to be made and counted. Raise ScenarioError,
    UnknownTokenizerError, and AbandonedError once the answer is no longer wanted.
    """
    question = Question(basis.pipeline, basis.scenario, rows, basis.cache, basis.locked)
    found = Keeping(question.is_kept(question.today))
    if found.is_kept or not question.can_be_answered:
        yield found
        return
    yield (found := found.with_ways(pinning(question)))
    singles, moving = yield from _within(0.0, _SINGLES_DONE, SINGLE_CHANGES, single_changes(question))
    yield (found := found.with_ways(*singles))
    pair = yield from _within(_SINGLES_DONE, _PAIRS_DONE, TWO_CHANGES, change_of_two(question, moving))
    yield (found := found.with_ways(pair))
    yield Share(_PAIRS_DONE, what=OTHER_ITEMS)
    yield (found := found.with_ways(exclusion(question)))
    yield Share(_ITEMS_DONE, what=LARGER_MODELS)
    own = own_window(question)
    yield (found := found.with_ways(own, None if own else next_model(question)))
    yield Share(_MODELS_DONE, what=OTHER_TEXTS)
    yield found.with_ways(*changes_of_texts(question))


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

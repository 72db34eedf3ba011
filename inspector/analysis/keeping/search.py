"""The search for ways to keep some items, from the cheapest to find to the dearest."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from inspector.analysis.keeping.changes import change_of_two, single_changes
from inspector.analysis.keeping.others import exclusion, next_model, own_window
from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Keeping
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.tokens.cache import CountCache

SINGLE_CHANGES, TWO_CHANGES = "single changes", "two changes at once"
OTHER_ITEMS, LARGER_MODELS = "other items to leave out", "larger models"
_SINGLES_DONE, _PAIRS_DONE, _ITEMS_DONE = 0.5, 0.8, 0.9
Step = Callable[[str, float], None]
"""Told what is looked for, and how much of all is done (0-1)."""


def ways_to_keep(
    pipeline: Pipeline,
    scenario: Scenario,
    rows: Rows,
    cache: CountCache | None = None,
    locked: Collection[str] = (),
    on_step: Step = lambda what, share: None,
) -> Iterator[Keeping]:
    """What would keep all of these rows of the scenario's candidates whole, bit by bit; the last holds everything.

    Single changes come first, then with them a pair, an exclusion, and a model. Shares that are locked stay as they
    are. Raises ScenarioError, UnknownTokenizerError, and AbandonedError once it is no longer wanted.
    """
    question = Question(pipeline, scenario, rows, cache, locked)
    yield (found := Keeping(question.is_kept(question.today)))
    if found.is_kept or not question.can_be_answered:
        return
    singles, moving = single_changes(question, lambda share: on_step(SINGLE_CHANGES, _SINGLES_DONE * share))
    yield (found := replace(found, singles=tuple(singles)))
    rest = _PAIRS_DONE - _SINGLES_DONE
    pair = change_of_two(question, moving, lambda share: on_step(TWO_CHANGES, _SINGLES_DONE + rest * share))
    yield (found := replace(found, pair=pair))
    on_step(OTHER_ITEMS, _PAIRS_DONE)
    yield (found := replace(found, exclusion=exclusion(question)))
    on_step(LARGER_MODELS, _ITEMS_DONE)
    found = replace(found, own_window=own_window(question))
    yield replace(found, model=None if found.own_window else next_model(question))

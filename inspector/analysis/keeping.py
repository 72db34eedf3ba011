"""Keeping: what would keep some items, by one change, by two, by leaving others out, or with the next larger model.

Single changes are searched over the flips of survival, pairs over values that grow apart from today's, through the
thresholds of a policy where it declares them. Every answer was assembled, and says what else changes with it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

import numpy as np

from inspector.analysis.slider_pairs import PAIRS_TRIED, Place, nearest_pairs
from inspector.analysis.sliders import (
    axis_along,
    is_number,
    moved_together,
    moved_values,
    other_words,
    sliders,
    values_together,
)
from inspector.analysis.survival_search import budgets_with, packing_for, survival
from inspector.assembly.answer import ledger_terms
from inspector.assembly.case import Case
from inspector.assembly.columns import I64, Action, Bool, Fate, Rows
from inspector.assembly.compare import NO_ROW, compare
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW
from inspector.assembly.token_ledger import planned_ledger
from inspector.tokens.cache import CountCache
from inspector.tokens.models.row import ModelRow
from inspector.wanted import check_wanted

_LOOKS = 120
_STEPS, _FEW_STEPS = 40, 2
_MODELS_TRIED = 6
_MOST_EXCLUDED = 500
SINGLE_CHANGES, TWO_CHANGES = "single changes", "two changes at once"
OTHER_ITEMS, LARGER_MODELS = "other items to leave out", "larger models"
_SINGLES_DONE, _PAIRS_DONE, _ITEMS_DONE = 0.5, 0.8, 0.9
Step = Callable[[str, float], None]
"""Told what is looked for, and how much of all is done (0-1)."""


@dataclass(frozen=True, slots=True)
class Way:
    """A scenario that keeps all of the items, and by what: names with their values, of which some are ids left out.

    `gained` and `lost` are the rows of other items that enter the prompt, or leave it. `total` is what the prompt is
    planned to take, `added` how much more than today, both in tokens; `cost` is in US dollars, None without a price.
    """

    changes: tuple[tuple[str, Any], ...]
    scenario: Scenario
    gained: tuple[int, ...]
    lost: tuple[int, ...]
    total: int
    added: int
    cost: float | None

    @property
    def harm(self) -> tuple[int, int]:
        """What ways are ordered by, the cheapest first: how many other items it loses, then tokens."""
        return len(self.lost), self.added


@dataclass(frozen=True, slots=True)
class Keeping:
    """What would keep some items. `is_kept` says that nothing has to be changed, and then there is nothing else.

    `singles` has for each parameter that can do it alone its cheapest way, the cheapest first; `pair` is the cheapest
    change of two that neither does alone, `exclusion` leaves as few others out as were found, `model` is the next.
    """

    is_kept: bool
    singles: tuple[Way, ...] = ()
    pair: Way | None = None
    exclusion: Way | None = None
    model: Way | None = None


def ways_to_keep(
    pipeline: Pipeline,
    scenario: Scenario,
    rows: Rows,
    cache: CountCache | None = None,
    locked: Collection[str] = (),
    on_step: Step | None = None,
) -> Keeping:
    """What would keep all of these rows of the scenario's candidates whole.

    `growing_ways` says the same bit by bit, and what is raised.
    """
    *_, found = growing_ways(pipeline, scenario, rows, cache, locked, on_step)
    return found


def growing_ways(
    pipeline: Pipeline,
    scenario: Scenario,
    rows: Rows,
    cache: CountCache | None = None,
    locked: Collection[str] = (),
    on_step: Step | None = None,
) -> Iterator[Keeping]:
    """What would keep all of these rows: single changes first, then with them a pair, an exclusion, and a model.

    Shares that are locked stay as they are. `on_step` is told what is looked for, and how much is done (0-1).
    Raises ScenarioError, UnknownTokenizerError, and AbandonedError once it is no longer wanted.
    """
    question = _Question(pipeline, scenario, rows, cache, locked, on_step or (lambda what, share: None))
    yield (found := Keeping(question.is_kept(question.today)))
    if found.is_kept or question.case.policy is None or not question.today.candidates.open[rows].all():
        return
    yield (found := replace(found, singles=tuple(sorted(question.singles(), key=lambda way: way.harm))))
    yield (found := replace(found, pair=question.pair()))
    yield (found := replace(found, exclusion=question.exclusion()))
    yield replace(found, model=question.next_model())


class _Question:
    """What would keep these rows? Holds today's assembly and asks the pipeline for others."""

    def __init__(
        self,
        pipeline: Pipeline,
        scenario: Scenario,
        rows: Rows,
        cache: CountCache | None,
        locked: Collection[str],
        on_step: Step,
    ) -> None:
        self._pipeline, self._scenario, self._rows, self._cache = pipeline, scenario, rows, cache
        self._locked, self.tell = locked, on_step
        self.case = self._prepared(scenario)
        self.today = pipeline.assemble(self.case)
        self._total = self._planned(self.case, self.today)
        self._axes = {name: axis_along(self.case, self.today.candidates, name) for name in self._numbers()}
        self._moving: list[str] = []

    def _numbers(self) -> list[str]:
        names = (WINDOW, *(parameter.name for parameter in sliders(self.case)))
        return [name for name in names if name not in self._locked]

    def _prepared(self, scenario: Scenario) -> Case:
        check_wanted()
        return make_all(self._pipeline, scenario, self._cache, lambda work, done: check_wanted())

    def is_kept(self, assembly: Assembly) -> bool:
        """Whether an assembly keeps all of the rows whole."""
        return assembly.error is None and bool((assembly.action[self._rows] == Action.KEPT).all())

    def _planned(self, case: Case, assembly: Assembly) -> int:
        return planned_ledger(assembly, *ledger_terms(case)).total

    def _way(self, changes: Sequence[tuple[str, Any]], scenario: Scenario) -> Way | None:
        """The way that a scenario is, None where it does not keep the items."""
        case = self._prepared(scenario)
        assembly = self._pipeline.assemble(case)
        if not self.is_kept(assembly):
            return None
        found = compare(self.today, assembly)
        others = (found.rows_before != NO_ROW) & ~np.isin(found.rows_before, self._rows)
        inside = found.fates_before < Fate.DROPPED, found.fates_after < Fate.DROPPED
        gained, lost = (np.sort(found.rows_before[others & mask]).tolist()
                        for mask in (~inside[0] & inside[1], inside[0] & ~inside[1]))  # fmt: skip
        total = self._planned(case, assembly)
        cost = prompt_cost(case.model.row, total)
        return Way(tuple(changes), scenario, tuple(gained), tuple(lost), total, total - self._total, cost)

    def _changed(self, changes: Mapping[str, Any]) -> Way | None:
        scenario = self._scenario
        for name, value in changes.items():
            scenario = set_value(scenario, name, value).scenario
        return self._way(tuple(changes.items()), scenario)

    def singles(self) -> Iterator[Way]:
        """For each parameter and the window the cheapest way by it alone."""
        for number, name in enumerate(self._axes):
            self.tell(SINGLE_CHANGES, _SINGLES_DONE * number / len(self._axes))
            moves = (moved_values(self.case, name, value, self._locked) for value in self._nearest(name))
            yield from _cheapest(self._changed(moved) for moved in moves)
        for parameter in parameters_of(self.case.policy):
            if not is_number(parameter):
                words = other_words(parameter, getattr(self.case.policy, parameter.name))
                yield from _cheapest(self._changed({parameter.name: word}) for word in words)

    def _nearest(self, name: str) -> Iterator[float]:
        """The values nearest to today's, above it and below, at which all of the items are kept."""
        found = survival(self._pipeline, self._scenario, name, self._cache, _LOOKS, self._locked)
        if len(found.flips):
            self._moving.append(name)
        firsts, lasts = found.all_kept(self._rows)
        values = found.axis.values
        above, below = firsts[values(firsts) > found.axis.today], lasts[values(lasts) < found.axis.today]
        yield from map(found.axis.value, (*above[:1].tolist(), *below[-1:].tolist()))

    def pair(self) -> Way | None:
        """The cheapest change of two numbers, of those that move anything, that neither does alone."""
        found: list[tuple[float, Place]] = []
        pairs = list(combinations(self._moving, 2))
        for number, (one, other) in enumerate(pairs):
            check_wanted()
            self.tell(TWO_CHANGES, _SINGLES_DONE + (_PAIRS_DONE - _SINGLES_DONE) * number / len(pairs))
            holds, steps = self._judge(one, other)
            found += nearest_pairs(one, other, self._axes, holds, steps)
        ways = (self._refined(*places) for _, places in sorted(found)[: 4 * PAIRS_TRIED])
        return min((way for way in ways if way is not None), key=lambda way: way.harm, default=None)

    def _judge(self, one: str, other: str) -> tuple[Callable[[I64, I64], Bool], int]:
        """What says under which numbers of two axes the items are kept, and how many steps to try a side."""
        sets = moved_together(self.case, {name: self._axes[name].today for name in (one, other)}, self._locked)
        packing = packing_for(self.case, self.today.candidates, *sets)
        axes = {one: self._axes[one], other: self._axes[other]}
        if packing is None:
            return lambda first, second: np.array(
                [self._holds({one: axes[one].value(a), other: axes[other].value(b)})
                 for a, b in zip(first.tolist(), second.tolist(), strict=True)], np.bool_
            ), _FEW_STEPS  # fmt: skip

        def holds(first: I64, second: I64) -> Bool:
            values = values_together(self.case, axes, (first, second), self._locked)
            return packing.keeps(packing.rooms(budgets_with(self.case, packing, values)), self._rows)

        return holds, _STEPS

    def _holds(self, wanted: Mapping[str, float]) -> bool:
        check_wanted()
        scenario = self._scenario
        for name, value in moved_together(self.case, wanted, self._locked).items():
            scenario = set_value(scenario, name, value).scenario
        return self.is_kept(self._pipeline.assemble(self._pipeline.case(scenario)))

    def _refined(self, one: str, other: str, first: int, second: int) -> Way | None:
        """The pair with each number moved back towards today's as far as the items stay; None where one is enough."""
        holds, _ = self._judge(one, other)
        numbers = [first, second]
        for place, name in enumerate((one, other)):
            today = self._axes[name].number(self._axes[name].today)
            near, far = today, numbers[place]
            while abs(far - near) > 1:
                tried = list(numbers)
                tried[place] = (near + far) // 2
                if holds(np.array(tried[:1]), np.array(tried[1:]))[0]:
                    far = tried[place]
                else:
                    near = tried[place]
            numbers[place] = far
        values = {name: self._axes[name].value(number) for name, number in zip((one, other), numbers, strict=True)}
        if any(self._holds({name: value}) for name, value in values.items()):
            return None
        return self._changed(moved_together(self.case, values, self._locked))

    def exclusion(self) -> Way | None:
        """As few other items of the same sections as keep the items when they are left out, the largest first."""
        self.tell(OTHER_ITEMS, _PAIRS_DONE)
        today = self.today
        others = today.in_prompt & np.isin(today.section, today.section[self._rows]) & ~today.candidates.pinned
        others[self._rows] = False
        rows = np.flatnonzero(others & (today.spent > 0))
        rows = rows[np.argsort(-today.spent[rows], kind="stable")][:_MOST_EXCLUDED]
        count = _fewest(len(rows), lambda count: self._without(rows[:count]) is not None)
        if count is None:
            return None
        chosen = rows[:count]
        for row in chosen.tolist() if count > 1 else ():
            fewer = chosen[chosen != row]
            chosen = fewer if self._without(fewer) is not None else chosen
        return self._without(chosen)

    def _without(self, rows: Rows) -> Way | None:
        names = tuple(self.today.candidates.ids[row] for row in rows.tolist())
        changed = replace(self._scenario, excluded=(*self._scenario.excluded, *names))
        way = self._way([("excluded", names)], changed)
        return way and replace(way, lost=tuple(row for row in way.lost if row not in rows))

    def next_model(self) -> Way | None:
        """The model with the next larger window that keeps the items; of equal windows the one at the lowest price."""
        self.tell(LARGER_MODELS, _ITEMS_DONE)
        window, row = self.case.model.window.tokens, self.case.model.row
        larger = [each for each in self._pipeline.choices.models.rows if each.context_window > window]
        alike = [each for each in larger if row is not None and each.tokenizer == row.tokenizer]
        ways = (self._with_model(each) for each in chain(_one_a_window(alike), _one_a_window(larger)))
        return next((way for way in ways if way is not None), None)

    def _with_model(self, row: ModelRow) -> Way | None:
        changed = replace(self._scenario, model=row.name, context_window=None)
        if self._pipeline.case(changed).model.window.tokens != row.context_window:  # the file names another
            changed = replace(changed, context_window=row.context_window)
        return self._way([("model", row.name)], changed)


def _cheapest(ways: Iterable[Way | None]) -> list[Way]:
    return sorted((way for way in ways if way is not None), key=lambda way: way.harm)[:1]


def _fewest(most: int, works: Callable[[int], bool]) -> int | None:
    """The least count up to `most` that works, where every larger one does so too; None where none was found."""
    count = 1
    while count < most and not works(count):
        count *= 2
    low, high = count // 2, min(count, most)
    if high < 1 or not works(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle, high)
    return high


def _one_a_window(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """The model at the lowest price for each of the next larger windows."""
    found: dict[int, ModelRow] = {}
    for row in sorted(rows, key=lambda row: (row.price_in is None, row.price_in or 0.0)):
        found.setdefault(row.context_window, row)
    return [found[window] for window in sorted(found)][:_MODELS_TRIED]


def keeping_value(found: Keeping, ids: Sequence[str]) -> dict[str, Any]:
    """What would keep some items, as JSON has it."""
    return {
        "is_kept": found.is_kept,
        "single": [_way_value(way, ids) for way in found.singles],
        "pair": found.pair and _way_value(found.pair, ids),
        "exclude": found.exclusion and _way_value(found.exclusion, ids),
        "model": found.model and _way_value(found.model, ids),
    }


def _way_value(way: Way, ids: Sequence[str]) -> dict[str, Any]:
    return {
        "changes": {name: list(value) if isinstance(value, tuple) else value for name, value in way.changes},
        "also": {"kept": [ids[row] for row in way.gained], "dropped": [ids[row] for row in way.lost]},
        "total": way.total,
        "added": way.added,
        "cost": way.cost,
    }

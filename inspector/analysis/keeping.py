"""Keeping: what would keep some items, by one change, by two, by leaving others out, or with the next larger model.

Single changes are searched over the flips of survival, pairs over values that grow apart from today's, through the
thresholds of a policy where it declares them. Every answer was assembled, and says what else changes with it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

import numpy as np

from inspector.analysis.axis import Axis
from inspector.analysis.sliders import axis_along, is_number, moved_values, other_words, sliders
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
_PAIRS_TRIED = 3
_MODELS_TRIED = 6
_MOST_EXCLUDED = 500


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


def ways_to_keep(pipeline: Pipeline, scenario: Scenario, rows: Rows, cache: CountCache | None = None) -> Keeping:
    """What would keep all of these rows of the scenario's candidates whole.

    Raises ScenarioError, UnknownTokenizerError, and AbandonedError once it is no longer wanted.
    """
    question = _Question(pipeline, scenario, rows, cache)
    if question.is_kept(question.today):
        return Keeping(True)
    if question.case.policy is None or not question.today.candidates.open[rows].all():
        return Keeping(False)
    singles = sorted(question.singles(), key=lambda way: way.harm)
    return Keeping(False, tuple(singles), question.pair(), question.exclusion(), question.next_model())


class _Question:
    """What would keep these rows? Holds today's assembly and asks the pipeline for others."""

    def __init__(self, pipeline: Pipeline, scenario: Scenario, rows: Rows, cache: CountCache | None) -> None:
        self._pipeline, self._scenario, self._rows, self._cache = pipeline, scenario, rows, cache
        self.case = self._prepared(scenario)
        self.today = pipeline.assemble(self.case)
        self._total = self._planned(self.case, self.today)
        self._axes = {name: axis_along(self.case, self.today.candidates, name) for name in self._numbers()}
        self._moving: list[str] = []

    def _numbers(self) -> list[str]:
        return [WINDOW, *(parameter.name for parameter in sliders(self.case))]

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
        for name in self._numbers():
            yield from _cheapest(self._changed(moved_values(self.case, name, value)) for value in self._nearest(name))
        for parameter in parameters_of(self.case.policy):
            if not is_number(parameter):
                words = other_words(parameter, getattr(self.case.policy, parameter.name))
                yield from _cheapest(self._changed({parameter.name: word}) for word in words)

    def _nearest(self, name: str) -> Iterator[float]:
        """The values nearest to today's, above it and below, at which all of the items are kept."""
        found = survival(self._pipeline, self._scenario, name, self._cache, _LOOKS)
        if len(found.flips):
            self._moving.append(name)
        firsts, lasts = found.all_kept(self._rows)
        values = found.axis.values
        above, below = firsts[values(firsts) > found.axis.today], lasts[values(lasts) < found.axis.today]
        yield from map(found.axis.value, (*above[:1].tolist(), *below[-1:].tolist()))

    def pair(self) -> Way | None:
        """The cheapest change of two numbers, of those that move anything, that neither does alone."""
        found: list[tuple[float, tuple[str, str, int, int]]] = []
        for one, other in combinations(self._moving, 2):
            check_wanted()
            holds, steps = self._judge(one, other)
            found += _nearest_pairs(one, other, self._axes, holds, steps)
        ways = (self._refined(*places) for _, places in sorted(found)[: 4 * _PAIRS_TRIED])
        return min((way for way in ways if way is not None), key=lambda way: way.harm, default=None)

    def _judge(self, one: str, other: str) -> tuple[Callable[[I64, I64], Bool], int]:
        """What says under which numbers of two axes the items are kept, and how many steps to try a side."""
        packing = packing_for(self.case, self.today.candidates, one, other)
        axes = self._axes[one], self._axes[other]
        if packing is None:
            return lambda first, second: np.array(
                [self._holds({one: axes[0].value(a), other: axes[1].value(b)})
                 for a, b in zip(first.tolist(), second.tolist(), strict=True)], np.bool_
            ), _FEW_STEPS  # fmt: skip

        def holds(first: I64, second: I64) -> Bool:
            values = {name: numbers if axis.whole else axis.values(numbers)
                      for name, axis, numbers in zip((one, other), axes, (first, second), strict=True)}  # fmt: skip
            return packing.keeps(packing.rooms(budgets_with(self.case, packing, values)), self._rows)

        return holds, _STEPS

    def _holds(self, changes: Mapping[str, Any]) -> bool:
        check_wanted()
        scenario = self._scenario
        for name, value in changes.items():
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
        return self._changed(values)

    def exclusion(self) -> Way | None:
        """As few other items of the same sections as keep the items when they are left out, the largest first."""
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


def _ladder(axis: Axis, steps: int) -> I64:
    """Numbers on both sides of today's that grow apart by about the same factor."""
    today = axis.number(axis.today)
    sides = [np.geomspace(1, max(1, reach), steps) for reach in (axis.last - today, today - axis.first)]
    numbers = np.concatenate([today + sides[0].round(), today - sides[1].round()]).astype(np.int64)
    return np.unique(numbers[(numbers >= axis.first) & (numbers <= axis.last) & (numbers != today)])


def _nearest_pairs(
    one: str, other: str, axes: Mapping[str, Axis], holds: Callable[[I64, I64], Bool], steps: int
) -> list[tuple[float, tuple[str, str, int, int]]]:
    """The nearest few pairs of numbers that hold, with their distance: the sum of both as parts of today's value."""
    ladders = _ladder(axes[one], steps), _ladder(axes[other], steps)
    first, second = (grid.ravel() for grid in np.meshgrid(*ladders, indexing="ij"))
    if not len(first):
        return []
    distance = np.zeros(len(first))
    for numbers, axis in ((first, axes[one]), (second, axes[other])):
        distance += np.abs(axis.values(numbers) - axis.today) / max(axis.today, axis.highest / 10)
    places = np.flatnonzero(holds(first, second))
    places = places[np.argsort(distance[places], kind="stable")][:_PAIRS_TRIED]
    return [(float(distance[place]), (one, other, int(first[place]), int(second[place]))) for place in places.tolist()]


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

"""The search for survival: by the thresholds declared by a policy, else by asking the policy."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis
from inspector.analysis.sliders import (
    MODEL_SIZES,
    Axis,
    Slider,
    axis_along,
    is_along,
    move_slider,
    moved_values,
    shares_of,
    sizes_axis,
    values_along,
)
from inspector.analysis.survival.stretches import Events, Outcome, Survival, for_all, joined, survival_of
from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import I64, U8, Bool
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW, Packing, Pool
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache

SAMPLES = 200
"""The number of values examined first when a policy is asked."""
_WORK = 20_000_000
_LOOKS = (400, 4_000)
_PARTS = (0.0, 0.15, 0.25, 0.4, 0.6, 1.0)
_BLOCK = 1 << 19


@dataclass(frozen=True, eq=False)
class Survived:
    """The result for a slider, with its initial case, prompt, and locked shares."""

    slider: Slider
    found: Survival
    case: Case
    assembly: Assembly
    locked: frozenset[str] = frozenset()

    @property
    def is_held(self) -> bool:
        """Whether the slider itself is locked, so that it does not move."""
        return self.slider.name in self.locked

    @property
    def shares_today(self) -> Collection[float]:
        """Today's shares, including the slider; they sum to 1 at all of its values. Empty for other sliders."""
        shares = shares_of(self.case)
        return shares.values() if self.slider.name in shares else ()


@dataclass(frozen=True, eq=False)
class KnownSurvival:
    """The survival along a slider with some shares locked, its initial case, and its items."""

    start: Case
    items: ItemTexts
    survival: Survival
    thorough: bool
    locked: frozenset[str] = frozenset()

    def holds(self, now: Answer, locked: frozenset[str]) -> bool:
        """Return whether nothing but the slider has been moved since, and no share was locked or unlocked."""
        if locked != self.locked or now.assembly.candidates.items is not self.items:
            return False
        return is_along(self.start, now.case, self.survival.name, locked)


def survivals(basis: Basis, slider: Slider) -> Iterator[Survived]:
    """Yield the survival along a slider. Raise the errors of `survival`."""
    pipeline = basis.pipeline
    found = survival(pipeline, basis.scenario, slider.name, basis.cache, locked=basis.locked)
    case = pipeline.case(basis.scenario)
    yield Survived(slider, found, case, pipeline.assemble(case), basis.locked)


def known_survivals(
    basis: Basis, answer: Answer, names: Sequence[str], looks: int | None = None
) -> Iterator[KnownSurvival]:
    """Yield the survival of an answer along each of these sliders. Raise the errors of `survival`.

    A policy without thresholds is asked at most `looks` times for each.
    """
    for name in names:
        found = survival(basis.pipeline, answer.scenario, name, basis.cache, looks, basis.locked)
        thorough = looks is None or found.is_exact
        yield KnownSurvival(answer.case, answer.assembly.candidates.items, found, thorough, basis.locked)


def survival(
    pipeline: Pipeline,
    scenario: Scenario,
    name: str,
    cache: CountCache | None = None,
    looks: int | None = None,
    locked: Collection[str] = (),
) -> Survival:
    """Return the outcome of every item at all values of a parameter, or of `context_window`.

    Along `model_sizes` it is that of the window, at the window sizes of known models. Of shares that have to add up,
    the unlocked others move with the parameter, as in the window. A policy without thresholds is asked for at most
    `looks` values, or for as many as take a few seconds. Raise ScenarioError if the scenario's policy has no such
    number, UnknownTokenizerError, and AbandonedError once the result is no longer wanted.
    """
    case = make_all(pipeline, scenario, cache, lambda work, done: check_wanted())
    candidates = pipeline.candidates(case)
    axis = _axis(pipeline, case, candidates, name)
    packing = packing_for(case, candidates, *moved_values(case, name, axis.today))
    if packing is not None:
        return by_thresholds(packing, case, name, axis, locked)
    return by_policy(lambda value: _outcomes(pipeline, case, name, value, locked), name, axis, looks)


def _axis(pipeline: Pipeline, case: Case, candidates: Candidates, name: str) -> Axis:
    if name == MODEL_SIZES:
        return sizes_axis(case, (row.context_window for row in pipeline.choices.models.rows))
    return axis_along(case, candidates, name)


def packing_for(case: Case, candidates: Candidates, *names: str) -> Packing | None:
    """Return the packing of a case where all of these names, of parameters and the window, set nothing but its
    rooms.
    """
    declared = case.traits.packing
    if case.policy is None or declared is None or case.traits.question is not None:
        return None
    packing = declared(candidates)
    return packing if packing is not None and sets_rooms(packing, case, *names) else None


def sets_rooms(packing: Packing, case: Case, *names: str) -> bool:
    """Return whether all of these names, of parameters and the window, set nothing but the rooms of a packing."""
    if WINDOW in names and case.scenario.lore.budget_percent is not None:
        return False  # a share of the window for lore: another window, other entries
    return packing.budgets.issuperset({*names} - {WINDOW})


def budgets_with(case: Case, packing: Packing, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the budgets of a case, each a single value, with some of them changed to arrays."""
    values = {name: np.asarray(getattr(case.policy, name)) for name in packing.budgets}
    return {WINDOW: np.asarray(case.model.window.tokens), **values, **changes}


def shortened(packing: Packing, case: Case, axis: Axis) -> Axis:
    """Return the axis of windows, cut at a window that holds everything if a part of it does."""
    parts = np.array([max(2 * int(axis.today), int(axis.highest * part)) for part in _PARTS], np.int64)
    room = packing.rooms(budgets_with(case, packing, {WINDOW: parts}))
    pools = zip(packing.pools, room.rooms, strict=True)
    holds = np.all([rooms >= pool.charges.sum() for pool, rooms in pools], axis=0) if packing.pools else parts > 0
    return replace(axis, highest=int(parts[np.argmax(holds & ~room.refused)]) if holds.any() else axis.highest)


def _outcomes(pipeline: Pipeline, case: Case, name: str, value: float, locked: Collection[str]) -> U8:
    check_wanted()
    assembly = pipeline.assemble(pipeline.case(move_slider(case.scenario, case, name, value, locked).scenario))
    return np.full_like(assembly.action, Outcome.NO_PROMPT) if assembly.error else assembly.action


def by_thresholds(packing: Packing, case: Case, name: str, axis: Axis, locked: Collection[str] = ()) -> Survival:
    """Return the survival of a packing: every value is examined, for windows up to a size that holds everything."""
    if name == WINDOW:
        axis = shortened(packing, case, axis)
    scan = _Scan(packing, case, name, axis, locked)
    for start in range(axis.first, axis.last + 1, _BLOCK):
        check_wanted()
        scan.go_on(np.arange(start, min(start + _BLOCK, axis.last + 1)))
    return survival_of(name, axis, scan.outcomes_at(axis.first), joined(scan.events()))


class _Scan:
    """A pass over the numbers of an axis, block after block."""

    def __init__(self, packing: Packing, case: Case, name: str, axis: Axis, locked: Collection[str]) -> None:
        self._packing, self._case, self._name, self._axis, self._locked = packing, case, name, axis, locked
        self._turns = [pool.turns for pool in packing.pools]
        self._last: list[int] | None = None
        self._was_refused: bool | None = None
        self._steps: list[list[tuple[I64, I64, I64]]] = [[] for _ in packing.pools]
        self._edges: list[tuple[int, bool]] = []

    def go_on(self, numbers: I64) -> None:
        """Take the next numbers in: where rooms step over the turns of items, and where prompts are refused."""
        room = self._rooms(numbers)
        edges = np.flatnonzero(np.diff(room.refused, prepend=self._refused_before(room.refused)))
        self._edges += [(int(numbers[edge]), bool(room.refused[edge])) for edge in edges.tolist()]
        self._was_refused = bool(room.refused[-1])
        taken = np.flatnonzero(~room.refused)
        if not len(taken):
            return
        last: list[int] = []
        for number, (turns, rooms) in enumerate(zip(self._turns, room.rooms, strict=True)):
            passed = np.searchsorted(turns.rooms, rooms[taken], side="right")
            last.append(int(passed[-1]))
            before = np.concatenate([[passed[0] if self._last is None else self._last[number]], passed[:-1]])
            steps = np.flatnonzero(passed != before)
            self._steps[number].append((numbers[taken[steps]], before[steps], passed[steps]))
        self._last = last

    def _refused_before(self, refused: Bool) -> bool:
        return bool(refused[0]) if self._was_refused is None else self._was_refused

    def _rooms(self, numbers: I64) -> Any:
        values = values_along(self._case, self._name, self._axis, numbers, self._locked)
        return self._packing.rooms(budgets_with(self._case, self._packing, values))

    def outcomes_at(self, number: int) -> U8:
        """Return the outcome of every item at a number."""
        room = self._rooms(np.array([number]))
        actions = self._packing.actions(room, 0)
        return np.full_like(actions, Outcome.NO_PROMPT) if room.refused[0] else actions

    def events(self) -> list[Events]:
        """Return all events after the first number."""
        found = [for_all(number, number - 1, self.outcomes_at(number)) for number, _ in self._edges]
        accepted = self._first_accepted()
        if accepted is None:
            return found
        start = self.outcomes_at(accepted)
        for pool, turns, steps in zip(self._packing.pools, self._turns, self._steps, strict=True):
            numbers, low, high = (np.concatenate(column) for column in zip(*steps, strict=True))
            found.append(self._flips(pool, turns.places, numbers, low, high, start))
        return found

    def _first_accepted(self) -> int | None:
        begins = (number for number, refused in self._edges if not refused)
        return next(begins, None) if self._starts_refused() else self._axis.first

    def _starts_refused(self) -> bool:
        return self._edges[0][1] is False if self._edges else bool(self._was_refused)

    def _flips(self, pool: Pool, places: I64, numbers: I64, low: I64, high: I64, start: U8) -> Events:
        """Return the flips of the items of a pool; an item that turns twice at once does not flip."""
        counts = np.abs(high - low)
        starts = np.minimum(low, high) - (np.cumsum(counts) - counts)
        items = places[np.repeat(starts, counts) + np.arange(counts.sum())]
        numbers = np.repeat(numbers, counts)
        order = np.lexsort((numbers, items))
        items, numbers = items[order], numbers[order]
        new = np.ones(len(items), np.bool_)
        new[1:] = (items[1:] != items[:-1]) | (numbers[1:] != numbers[:-1])
        firsts = np.flatnonzero(new)
        odd = firsts[np.diff(np.append(firsts, len(items))) % 2 == 1]
        items, numbers = items[odd], numbers[odd]
        before = np.arange(len(items)) - np.searchsorted(items, items)
        rows = pool.rows[items]
        is_in = (start[rows] != Outcome.DROPPED) ^ (before % 2 == 0)
        outcomes = np.where(is_in, self._packing.forms[rows], np.uint8(Outcome.DROPPED))
        return Events(rows, numbers, numbers - 1, outcomes)


def by_policy(ask: Callable[[float], U8], name: str, axis: Axis, looks: int | None = None) -> Survival:
    """Return the survival found by asking a policy: at samples, and repeatedly at the middle of two that differ.

    All values are asked if there are few. Otherwise bisection goes on, the widest gap first, until every flip is exact
    or the number asked would take too long; the remaining flips are marked as inexact.
    """
    size = axis.last - axis.first + 1
    first = ask(axis.value(axis.first))
    looks = min(max(_WORK // (len(first) + 1), _LOOKS[0]), _LOOKS[1]) if looks is None else looks
    known: dict[int, U8] = {axis.first: first}
    for number in range(axis.first, axis.last + 1) if size <= looks else _spread(axis, min(SAMPLES, looks // 4)):
        known.setdefault(number, ask(axis.value(number)))
    _refine(known, ask, axis, looks)
    numbers = sorted(known)
    events = [for_all(after, before, known[after], known[after] != known[before])
              for before, after in pairwise(numbers)]  # fmt: skip
    asked = None if len(numbers) == size else np.array(numbers, np.int64)
    return survival_of(name, axis, first, joined(events), asked)


def _spread(axis: Axis, samples: int) -> Iterator[int]:
    """Yield numbers evenly along an axis, and as many spaced by about the same factor from its lowest value on."""
    even = np.linspace(axis.first, axis.last, samples).round()
    growing = axis.first + np.geomspace(1, axis.last - axis.first, samples).round()
    return iter(np.unique(np.concatenate([even, growing])).astype(np.int64).tolist())


def _refine(known: dict[int, U8], ask: Callable[[float], U8], axis: Axis, looks: int) -> None:
    numbers = sorted(known)
    gaps = [pair for pair in pairwise(numbers) if pair[1] - pair[0] > 1]
    while gaps and len(known) < looks:
        gaps = [(low, high) for low, high in gaps if not np.array_equal(known[low], known[high])]
        halves: list[tuple[int, int]] = []
        for low, high in sorted(gaps, key=lambda gap: gap[0] - gap[1])[: max(0, looks - len(known))]:
            middle = (low + high) // 2
            known[middle] = ask(axis.value(middle))
            halves += [pair for pair in ((low, middle), (middle, high)) if pair[1] - pair[0] > 1]
        gaps = halves

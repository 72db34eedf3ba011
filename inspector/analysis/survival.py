"""Survival: for a slider, or the window, the stretches of its values in which each item is kept or lost.

All values at once come from the thresholds declared by a policy; a policy without thresholds is asked at samples, and
between two samples that differ the flips are found by bisection (`survival_search`). Exact flips are distinguished.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
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
from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import I64, U8, Action, Bool, Rows, frozen
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.thresholds import WINDOW, Packing, Pool
from inspector.derived import cached_property
from inspector.drawings.drawing import levels_at
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache


class Outcome(IntEnum):
    """The outcome of an item at a value: its action, or the lack of a prompt."""

    KEPT = Action.KEPT
    SUMMARIZED = Action.SUMMARIZED
    TRUNCATED = Action.TRUNCATED
    DROPPED = Action.DROPPED
    NO_PROMPT = 4


@dataclass(frozen=True, slots=True)
class Stretch:
    """The values from `low` to `high`, both included, under which the same becomes of an item.

    `exact` says whether it begins just there: else somewhere after the last value of the stretch before.
    """

    low: float
    high: float
    outcome: Outcome
    exact: bool


@dataclass(frozen=True, eq=False)
class Survival:
    """The outcome of each of `n` items at every value of an axis. Values are numbered, see `Axis`.

    The stretches of item i are those from `bounds[i]` up to before `bounds[i + 1]`, rising; `bounds` has n + 1 entries.
    `begins` are their first numbers, `before` the last numbers with another outcome, which is the number before if the
    flip is known exactly, and `outcomes` the outcomes of the item. `asked` are the examined numbers, None for all: the
    outcome between two others that agree is unknown.
    """

    name: str
    axis: Axis
    bounds: I64
    begins: I64
    before: I64
    outcomes: U8
    asked: I64 | None = None

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def first(self) -> int:
        """The number of the lowest value."""
        return self.axis.first

    @property
    def last(self) -> int:
        """The number of the highest value."""
        return self.axis.last

    @cached_property
    def is_exact(self) -> bool:
        """Whether every value was looked at."""
        return self.asked is None

    @cached_property
    def rows(self) -> Rows:
        """The item of each stretch."""
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    @cached_property
    def flips(self) -> Rows:
        """The stretches that begin with a flip: all but the first of each item."""
        inner = np.ones(len(self.begins), np.bool_)
        inner[self.bounds[:-1]] = False
        return np.flatnonzero(inner)

    @cached_property
    def numbers(self) -> I64:
        """The numbers at which any item flips, rising."""
        return np.unique(self.begins[self.flips])

    def at(self, number: int) -> U8:
        """Return the outcome of each item at a value."""
        return self.grid(np.array([number]))[:, 0]

    def grid(self, numbers: I64) -> U8:
        """Return the outcome of each item at some values, rising: a picture of items × values."""
        return levels_at(self.rows, len(self), self.begins, self.outcomes, numbers)

    def samples(self, count: int) -> I64:
        """Return at most `count` numbers, evenly from the lowest value to the highest."""
        return np.unique(np.linspace(self.first, self.last, count).round().astype(np.int64))

    def stretches(self, row: int) -> Iterator[Stretch]:
        """Return the stretches of an item, from the lowest value on."""
        return map(self.stretch, range(*self.bounds[row : row + 2].tolist()))

    def stretch(self, place: int) -> Stretch:
        """Return a stretch by its place among those of all items."""
        row, begin, value = int(self.rows[place]), int(self.begins[place]), self.axis.value
        is_last = place + 1 == int(self.bounds[row + 1])
        end = self.last if is_last else int(self.begins[place + 1]) - 1
        exact = place == int(self.bounds[row]) or begin - int(self.before[place]) == 1
        return Stretch(value(begin), value(end), Outcome(int(self.outcomes[place])), exact)

    def words(self, row: int, written: Callable[[float], str] = "{:,}".format) -> str:
        """Return the stretches of an item in a sentence's part: `dropped up to 1,799, kept from 1,800 on`.

        `written` formats the values of the slider.
        """
        return ", ".join(_words(stretch, self.axis, written) for stretch in self.stretches(row))

    def next_flip(self, number: int, direction: int, rows: Rows | None = None) -> int | None:
        """Return the number of the nearest value in a direction (1 or -1) at which any of these items has just flipped.

        Downwards it is the value just below the flip, with the outcome below.
        """
        begins = self.numbers if rows is None else self.numbers_of(rows)
        above = int(np.searchsorted(begins, number, side="right"))
        if direction > 0:
            return int(begins[above]) if above < len(begins) else None
        return int(begins[above - 1]) - 1 if above else None

    def numbers_of(self, rows: Rows) -> I64:
        """Return the numbers at which any of these items flips, rising."""
        flips = [self.begins[self.bounds[row] + 1 : self.bounds[row + 1]] for row in rows.tolist()]
        return np.unique(np.concatenate([np.zeros(0, np.int64), *flips]))

    @cached_property
    def falls(self) -> I64:
        """For each item the lowest number from which on it is in every prompt; past the last number if there is none.

        Sorting by it gives the order of falling.
        """
        inside = self.outcomes < Action.DROPPED
        last_out = np.full(len(self), self.first - 1)
        ends = np.append(self.begins[1:] - 1, self.last)
        ends[self.bounds[1:] - 1] = self.last
        np.maximum.at(last_out, self.rows[~inside], ends[~inside])
        return frozen(last_out + 1)

    @cached_property
    def is_ever_in(self) -> Bool:
        """The items in the prompt at any number, whole or not."""
        found = np.zeros(len(self), np.bool_)
        found[self.rows[self.outcomes < Action.DROPPED]] = True
        return frozen(found)

    @cached_property
    def losses(self) -> Rows:
        """The stretches at whose beginning a larger value loses an item, whole or not, kept by a smaller value."""
        flips = self.flips
        return flips[(self.outcomes[flips] == Action.DROPPED) & (self.outcomes[flips - 1] < Action.DROPPED)]

    def all_kept(self, rows: Rows) -> tuple[I64, I64]:
        """Return the stretches of values under which all of these items are kept whole: their first and last
        numbers.
        """
        chosen = np.isin(self.rows, rows) & (self.outcomes == Action.KEPT)
        ends = np.append(self.begins[1:] - 1, self.last)
        ends[self.bounds[1:] - 1] = self.last
        steps = np.concatenate([self.begins[chosen], ends[chosen] + 1])
        places, inverse = np.unique(steps, return_inverse=True)
        change = np.bincount(inverse, np.repeat([1.0, -1.0], chosen.sum()), len(places))
        whole = np.concatenate([[False], np.cumsum(change)[:-1] >= len(np.unique(rows)) - 0.5, [False]])
        edges = np.flatnonzero(whole[1:] != whole[:-1])
        return places[edges[::2]], places[edges[1::2]] - 1


def survival_of(name: str, axis: Axis, start: U8, events: "Events", asked: I64 | None = None) -> Survival:
    """Return the survival computed from the outcome of each item at the lowest value, and the events after it."""
    size = len(start)
    rows = np.concatenate([np.arange(size), events.rows])
    numbers = np.concatenate([np.full(size, axis.first), events.numbers])
    before = np.concatenate([np.full(size, axis.first - 1), events.before])
    outcomes = np.concatenate([start, events.outcomes])
    order = np.argsort(rows * (axis.last - axis.first + 2) + (numbers - axis.first), kind="stable")
    rows, numbers, before, outcomes = rows[order], numbers[order], before[order], outcomes[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (outcomes[1:] != outcomes[:-1])
    bounds = np.searchsorted(rows[new], np.arange(size + 1))
    begins, before, outcomes = frozen(numbers[new]), frozen(before[new]), frozen(outcomes[new].astype(np.uint8))
    return Survival(name, axis, frozen(bounds), begins, before, outcomes, asked)


@dataclass(frozen=True, eq=False, slots=True)
class Events:
    """Changes of outcome, one a row, from these numbers on. `before` are the last numbers before the change."""

    rows: Rows
    numbers: I64
    before: I64
    outcomes: U8


def joined(events: list[Events]) -> Events:
    """Return several groups of events in sequence."""
    nothing = np.zeros(0, np.int64)
    empty = Events(nothing, nothing, nothing, np.zeros(0, np.uint8))
    every = [empty, *events]
    return Events(
        np.concatenate([each.rows for each in every]),
        np.concatenate([each.numbers for each in every]),
        np.concatenate([each.before for each in every]),
        np.concatenate([each.outcomes for each in every]),
    )


def for_all(number: int, before: int, outcomes: U8, changed: Bool | None = None) -> Events:
    """Return the event of every item, or of the changed items, at a number."""
    rows = np.arange(len(outcomes)) if changed is None else np.flatnonzero(changed)
    return Events(rows, np.full(len(rows), number), np.full(len(rows), before), outcomes[rows])


def _words(stretch: Stretch, axis: Axis, written: Callable[[float], str]) -> str:
    outcome = stretch.outcome.name.lower().replace("_", " ")
    low, high = written(stretch.low), written(stretch.high)
    about = "" if stretch.exact else "about "
    is_first, is_last = stretch.low == axis.value(axis.first), stretch.high == axis.value(axis.last)
    if is_first and is_last:
        return f"{outcome} throughout"
    if is_first:
        return f"{outcome} up to {high}"
    return f"{outcome} from {about}{low} on" if is_last else f"{outcome} from {about}{low} to {high}"


SURVIVAL_FORMAT = "prompt-inspector/survival@1"


def survival_value(found: Survival, candidates: Candidates) -> dict[str, Any]:
    """Return a survival as a JSON value: each item with its stretches, and the places where a larger value loses an
    item.
    """
    axis, ids = found.axis, candidates.ids
    lost = ((int(found.rows[place]), axis.value(int(found.begins[place]))) for place in found.losses.tolist())
    return {
        "format": SURVIVAL_FORMAT,
        "parameter": found.name,
        "today": axis.today,
        "from": axis.value(found.first),
        "to": axis.value(found.last),
        "complete": found.is_exact,
        "items": [
            {"item": ids[row], "stretches": [_stretch_value(each) for each in found.stretches(row)]}
            for row in range(len(found))
        ],
        "lost_with_more": [{"item": ids[row], "at": value} for row, value in lost],
    }


def _stretch_value(stretch: Stretch) -> dict[str, Any]:
    outcome = stretch.outcome.name.lower()
    return {"from": stretch.low, "to": stretch.high, "action": outcome, "exact": stretch.exact}


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
    if WINDOW in names and case.scenario.lore.budget_percent is not None:
        return None  # a share of the window for lore: another window, other entries
    packing = declared(candidates)
    return packing if packing is not None and packing.budgets.issuperset({*names} - {WINDOW}) else None


def budgets_with(case: Case, packing: Packing, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the budgets of a case, each a single value, with some of them changed to arrays."""
    values = {name: np.asarray(getattr(case.policy, name)) for name in packing.budgets}
    return {WINDOW: np.asarray(case.model.window.tokens), **values, **changes}


def _shortened(packing: Packing, case: Case, axis: Axis) -> Axis:
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
        axis = _shortened(packing, case, axis)
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

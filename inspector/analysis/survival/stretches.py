"""Survival: for a slider, or the window, the stretches of its values in which each item is kept or lost.

All values at once come from the thresholds declared by a policy; a policy without thresholds is asked at samples, and
between two samples that differ the flips are found by bisection (`ask`). Exact flips are distinguished.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from inspector.analysis.sliders import Axis
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64, U8, Action, Bool, Rows, frozen
from inspector.derived import cached_property
from inspector.drawings.drawing import levels_at


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

        Downwards it is the value just below the flip, with the outcome below: the last one that was looked at.
        """
        if direction > 0:
            begins = self.numbers if rows is None else self.numbers_of(rows)
            above = int(np.searchsorted(begins, number, side="right"))
            return int(begins[above]) if above < len(begins) else None
        flips = self.flips if rows is None else self._flips_of(rows)
        below = self.before[flips[self.begins[flips] <= number]]
        return int(below.max()) if len(below) else None

    def numbers_of(self, rows: Rows) -> I64:
        """Return the numbers at which any of these items flips, rising."""
        return np.unique(self.begins[self._flips_of(rows)])

    def _flips_of(self, rows: Rows) -> Rows:
        """Return the stretches of these items that begin with a flip."""
        ends = zip(self.bounds[rows].tolist(), self.bounds[rows + 1].tolist(), strict=True)
        flips = [np.arange(begin + 1, end) for begin, end in ends]
        return np.concatenate([np.zeros(0, np.intp), *flips]).astype(np.intp)

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

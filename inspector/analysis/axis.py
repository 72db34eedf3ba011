"""Axes: the possible values of a parameter, numbered, and the search along them for the nearest change.

Whole numbers are their own numbers, other values are numbered in thousandths. Independent of the parameter.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

import numpy as np

from inspector.assembly.columns import F64, I64

STEPS = 1000
"""Steps of an axis between two whole numbers, for values that are not whole."""

Verdict = Literal["changed", "stirred", "same", "refused"]
"""The effect of a value: it changes the decision in question, only others near it, nothing there, or gives an error."""

_LINEAR_SAMPLES = 16
_FINE_SAMPLES = 32
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Axis:
    """The values from `lowest` to `highest` around `today`, in whole numbers, in thousandths, or as listed.

    `listed` are rising whole numbers, numbered from 0; there are no values between them.
    """

    today: float
    lowest: float
    highest: float
    whole: bool
    listed: tuple[int, ...] = ()

    def value(self, index: int) -> int | float:
        """Return the value with a number."""
        if self.listed:
            return self.listed[index]
        return index if self.whole else round(index / STEPS, 3)

    def number(self, value: float) -> int:
        """Return the number of the nearest value, within the ends."""
        if self.listed:
            return min(range(len(self.listed)), key=lambda index: abs(self.listed[index] - value))
        return min(max(round(value * self._scale), self.first), self.last)

    @property
    def first(self) -> int:
        """The number of the lowest value."""
        return 0 if self.listed else ceil(round(self.lowest * self._scale, 6))

    @property
    def last(self) -> int:
        """The number of the highest value."""
        if self.listed:
            return len(self.listed) - 1
        return max(self.first, floor(round(self.highest * self._scale, 6)))

    @property
    def _scale(self) -> int:
        return 1 if self.whole else STEPS

    def covers(self, value: float) -> bool:
        """Return whether this is a value of the axis, or lies between two adjacent values."""
        return value in self.listed if self.listed else self.lowest <= value <= self.highest

    def values(self, numbers: I64) -> F64:
        """Return the values with these numbers, as `value` gives them."""
        if self.listed:
            return np.array(self.listed, np.float64)[numbers]
        return numbers / self._scale

    def side(self, direction: int) -> tuple[int, int]:
        """Return the numbers next to and farthest from today in a direction (1 or -1), and how many there are
        between.
        """
        scale = self._scale
        middle = round(self.today * scale, 6)
        if direction > 0:
            first = floor(middle) + 1
            return first, max(0, floor(round(self.highest * scale, 6)) - first + 1)
        first = ceil(middle) - 1
        return first, max(0, first - ceil(round(self.lowest * scale, 6)) + 1)

    def distance(self, index: int) -> float:
        """Return how far a numbered value is from today's."""
        return abs(self.value(index) - self.today)


def nearest_change(axis: Axis, judge: Callable[[int], Verdict], radius: int) -> int | None:
    """Return the number of the value nearest to today's at which the decision changes, None if none was found.

    Every value up to `radius` steps away is examined, unless samples along the whole axis show no effect at all.
    Farther away, samples and bisection find the edge of the nearest stretch that they meet; then the stretch before it
    is sampled more finely. Of two equally near values the higher is taken.
    """
    search = _Search(axis, judge)
    found = search.sampled()
    if found is None and not search.stirred:
        return None
    near = search.nearby(radius, found)
    if near is not None:
        return near
    return search.refined(found, radius)


class _Search:
    """A search: the verdicts so far, by number."""

    def __init__(self, axis: Axis, judge: Callable[[int], Verdict]) -> None:
        self._axis = axis
        self._judge = judge
        self._known: dict[int, Verdict] = {}
        self.stirred = False

    def changes(self, index: int) -> bool:
        """Return whether the value with this number changes the decision."""
        if index not in self._known:
            self._known[index] = self._judge(index)
            self.stirred |= self._known[index] in ("changed", "stirred")
        return self._known[index] == "changed"

    def sampled(self) -> int | None:
        """Return the nearest change found by increasingly distant samples, in both directions."""
        edges = [self._first_edge(direction, _samples(self._axis.side(direction)[1])) for direction in (1, -1)]
        return self._nearer(*edges)

    def nearby(self, radius: int, found: int | None) -> int | None:
        """Return the nearest change among all values up to `radius` steps away and nearer than `found`."""
        ends = [self._axis.side(direction) for direction in (1, -1)]
        steps = [first + direction * step for (first, size), direction in zip(ends, (1, -1), strict=True)
                 for step in range(min(radius, size))]  # fmt: skip
        limit = float("inf") if found is None else self._axis.distance(found)
        nearest_first = sorted(steps, key=lambda index: (self._axis.distance(index), -index))
        wanted = (index for index in nearest_first if self._axis.distance(index) <= limit)
        return next((index for index in wanted if self.changes(index)), None)

    def refined(self, found: int | None, radius: int) -> int | None:
        """Return the change found, or a nearer change found by finer samples."""
        for _ in range(_ROUNDS):
            if found is None:
                return None
            reach = abs(found - self._axis.side(1)[0]) + 1
            edges: list[int | None] = [found]
            for direction in (1, -1):
                size = min(reach, self._axis.side(direction)[1])
                width = max(1, (size - radius) // _FINE_SAMPLES)
                edges.append(self._first_edge(direction, range(radius, size, width)))
            nearer = self._nearer(*edges)
            if nearer == found:
                break
            found = nearer
        return found

    def _first_edge(self, direction: int, steps: Iterator[int] | range) -> int | None:
        """Return the first change among these steps, moved by bisection to the edge after the last step without
        change.
        """
        first, _ = self._axis.side(direction)
        before = -1
        for step in steps:
            if self.changes(first + direction * step):
                while step - before > 1:
                    middle = (before + step) // 2
                    if self.changes(first + direction * middle):
                        step = middle
                    else:
                        before = middle
                return first + direction * step
            before = step
        return None

    def _nearer(self, *indexes: int | None) -> int | None:
        there = [index for index in indexes if index is not None]
        return min(there, key=lambda index: (self._axis.distance(index), -index), default=None)


def _samples(size: int) -> Iterator[int]:
    """Return steps along a side of an axis: first doubling, then even, including the last."""
    doubling = {2**power - 1 for power in range(size.bit_length() + 1)}
    even = {size * part // _LINEAR_SAMPLES - 1 for part in range(1, _LINEAR_SAMPLES + 1)}
    return iter(sorted(step for step in doubling | even if 0 <= step < size))

"""Sliders: the adjustable numbers of a scenario, parameters and the window, and the axis of each."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import F64, I64, Bool
from inspector.assembly.edits import Edit, set_parameters, set_value
from inspector.assembly.policy import Parameter, parameters_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.shares import SHARES, moved_shares
from inspector.assembly.thresholds import WINDOW
from inspector.limits import MOST
from inspector.nearest import instead

STEPS = 1000
"""Steps of an axis between two whole numbers, for values that are not whole."""

Verdict = Literal["changed", "stirred", "same", "refused"]
"""The effect of a value: it changes the decision in question, only others near it, nothing there, or gives an error."""

_LINEAR_SAMPLES = 16
_FEW_PARTS = (0.0, 0.5)
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

    Every value up to `radius` steps away is examined, unless samples along the whole axis show no effect at all; a few
    samples are enough to give up an axis without any.
    Farther away, samples and bisection find the edge of the nearest stretch that they meet; then the stretch before it
    is sampled more finely. Of two equally near values the higher is taken.
    """
    search = _Search(axis, judge)
    if not search.matters():
        return None
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

    def matters(self) -> bool:
        """Return whether any of a few values has an effect: the ends, those next to today's, and some between."""
        for direction in (1, -1):
            first, size = self._axis.side(direction)
            for step in _few_steps(size):
                self.changes(first + direction * step)
                if self._known[first + direction * step] != "same":
                    return True
        return False

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


def _few_steps(size: int) -> list[int]:
    """Return the last step along a side of an axis, the first, and a few between at growing distances."""
    if size < 1:
        return []
    between = {round(size**part) - 1 for part in _FEW_PARTS}
    return sorted({size - 1, *between}, reverse=True)


def _samples(size: int) -> Iterator[int]:
    """Return steps along a side of an axis: first doubling, then even, including the last."""
    doubling = {2**power - 1 for power in range(size.bit_length() + 1)}
    even = {size * part // _LINEAR_SAMPLES - 1 for part in range(1, _LINEAR_SAMPLES + 1)}
    return iter(sorted(step for step in doubling | even if 0 <= step < size))


MODEL_SIZES = "model_sizes"
"""The window again, along the window sizes of models."""
_WINDOW_REACH = 10
_REACH_ABOVE_RANGE = 10
WINDOW_TITLE, SIZES_TITLE = "Window", "Model windows"


@dataclass(frozen=True)
class Slider:
    """A slider: its name in files, and its displayed name."""

    name: str
    title: str
    parameter: Parameter | None = None


def sliders_of(case: Case) -> list[Slider]:
    """Return the window, with all values and with those of models, and the numbers of the policy, in order of
    declaration.
    """
    windows = Slider(WINDOW, WINDOW_TITLE), Slider(MODEL_SIZES, SIZES_TITLE)
    return [*windows, *(Slider(each.name, each.label, each) for each in sliders(case))]


def sliders(case: Case) -> tuple[Parameter, ...]:
    """Return the numeric parameters of a case."""
    parameters = () if case.policy is None else parameters_of(case.policy)
    return tuple(each for each in parameters if each.is_number)


def other_words(parameter: Parameter, today: Any) -> tuple[Any, ...]:
    """Return the other values of a switch or a choice; none for a number."""
    if isinstance(parameter.default, bool):
        return (not today,)
    return tuple(choice for choice in parameter.choices if choice != today)


def value_of(case: Case, name: str) -> float:
    """Return the value of a slider in a case."""
    return case.model.window.tokens if name in (WINDOW, MODEL_SIZES) else getattr(case.policy, name)


def moved_values(case: Case, name: str, value: float, locked: Collection[str] = ()) -> Mapping[str, float]:
    """Return the values set by moving a slider of a case: its own, and for a share those of the others with the same
    sum.

    Locked shares do not move; a locked slider moves nothing.
    """
    return moved_together(case, {name: value}, locked)


def moved_together(case: Case, wanted: Mapping[str, float], locked: Collection[str] = ()) -> Mapping[str, float]:
    """Return the values set by moving several sliders of a case in sequence; a moved share keeps its place."""
    shares, held, values = shares_of(case), {*locked}, dict[str, float]()
    for name, value in wanted.items():
        if name not in shares:
            values[WINDOW if name == MODEL_SIZES else name] = value
            continue
        shares = _moved(shares, name, value, held)
        held.add(name)
        values |= shares
    return values


def _moved(shares: Mapping[str, float], name: str, value: float, locked: Collection[str]) -> Mapping[str, float]:
    """Return the shares after moving one of them, unless it is locked."""
    return shares if name in locked else moved_shares(shares, name, value, locked).values


def move_slider(scenario: Scenario, case: Case, name: str, value: float, locked: Collection[str] = ()) -> Edit:
    """Give a slider a value, together with the unlocked shares moved by it from their values in a case."""
    values = moved_values(case, name, value, locked)
    if len(values) == 1:
        (setting,) = values
        return set_value(scenario, setting, value)
    return set_parameters(scenario, values, f"Change {name.replace('_', ' ')}")


def values_along(
    case: Case, name: str, axis: Axis, numbers: I64, locked: Collection[str] = ()
) -> dict[str, NDArray[Any]]:
    """Return the values set by moving a slider to each of these numbers of its axis: an array for each name."""
    shares = shares_of(case)
    if name not in shares:
        if axis.listed:
            return {WINDOW: np.array(axis.listed, np.int64)[numbers]}
        return {name: numbers if axis.whole else axis.values(numbers)}
    different, places = np.unique(numbers, return_inverse=True)
    moves = [_moved(shares, name, axis.value(number), locked) for number in different.tolist()]
    return {each: np.array([moved[each] for moved in moves])[places] for each in shares}


def values_together(
    case: Case, axes: Mapping[str, Axis], numbers: Sequence[I64], locked: Collection[str] = ()
) -> dict[str, NDArray[Any]]:
    """Return the values set by moving several sliders to these numbers of their axes: an array for each name."""
    if len(shares_of(case).keys() & axes.keys()) > 1:
        rows = zip(*(column.tolist() for column in numbers), strict=True)
        moves = [moved_together(case, _values_at(axes, row), locked) for row in rows]
        return {each: np.array([moved[each] for moved in moves]) for each in moves[0]}
    along = zip(axes.items(), numbers, strict=True)
    return {
        each: values
        for (name, axis), column in along
        for each, values in values_along(case, name, axis, column, locked).items()
    }


def _values_at(axes: Mapping[str, Axis], numbers: Sequence[int]) -> dict[str, float]:
    return {name: axis.value(number) for (name, axis), number in zip(axes.items(), numbers, strict=True)}


def is_along(start: Case, case: Case, name: str, locked: Collection[str] = ()) -> bool:
    """Return whether moving a slider leads from one case to another: then both have the same survival along it."""
    if start.scenario == case.scenario and start.preset == case.preset:
        return True
    if start.policy is None or case.policy is None or start.preset != case.preset:
        return False
    moved = moved_values(start, name, value_of(case, name), locked)
    if _without(start.scenario, moved) != _without(case.scenario, moved):
        return False
    return all(value == value_of(case, each) for each, value in moved.items())


def shares_of(case: Case) -> dict[str, float]:
    """Return the shares of the policy of a case that have to add up."""
    parameters = () if case.policy is None else parameters_of(case.policy)
    return {each.name: getattr(case.policy, each.name) for each in parameters if each.group == SHARES}


def locked_shares(case: Case, names: Iterable[str]) -> frozenset[str]:
    """Return these shares of the policy, which are not to move. Raise ScenarioError for an unknown share."""
    known, wanted = shares_of(case), [name.replace("-", "_") for name in names]
    for name in wanted:
        if name not in known:
            named = instead(name, list(known), lead="those are")
            raise ScenarioError(f"{name}: no share of {case.policy_name}; {named}")
    return frozenset(wanted)


def _without(scenario: Scenario, names: Container[str]) -> Scenario:
    others = {key: value for key, value in scenario.parameters.items() if key not in names}
    window = None if WINDOW in names else scenario.context_window
    return replace(scenario, parameters=others, context_window=window)


def axis_along(case: Case, candidates: Candidates, name: str) -> Axis:
    """Return the axis of a parameter of a case, or of its window. Raise ScenarioError if its policy has no such
    number.
    """
    if name == WINDOW:
        return window_axis(case.model.window.tokens, candidates)
    parameter = next((each for each in sliders(case) if each.name == name), None)
    if parameter is None:
        known = [WINDOW, *(each.name for each in sliders(case))]
        named = instead(name, known, len(known), "those are")
        raise ScenarioError(f"{name} is not a number of {case.policy_name}; {named}")
    return axis_of(parameter, getattr(case.policy, name), candidates)


def sizes_axis(case: Case, sizes: Iterable[int]) -> Axis:
    """Return the axis of these sizes of windows in tokens, and of today's."""
    window = case.model.window.tokens
    listed = sorted({window, *sizes})
    return Axis(window, listed[0], listed[-1], whole=True, listed=tuple(listed))


def axis_of(parameter: Parameter, today: float, candidates: Candidates) -> Axis:
    """Return the useful values of a parameter: the declared range, and above it as far as it may matter."""
    whole = isinstance(parameter.default, int)
    if whole:
        highest = max(parameter.maximum, _tokens(candidates) if parameter.unit == "tokens" else len(candidates))
    else:
        highest = parameter.maximum * (1 if parameter.unit == "share" else _REACH_ABOVE_RANGE)
    return Axis(today, parameter.minimum, min(max(highest, today), MOST), whole)


def window_axis(window: int, candidates: Candidates) -> Axis:
    """Return the useful windows: up to twice today's, and up to a size that may hold everything."""
    return Axis(window, 1, min(max(2 * window, _WINDOW_REACH * _tokens(candidates), 1), MOST), whole=True)


def _tokens(candidates: Candidates) -> int:
    return int(candidates.tokens.sum(dtype=np.int64))


_PAIRS_TRIED = 3
"""The number of pairs of values examined for each pair of sliders."""
Place = tuple[str, str, int, int]
"""Two sliders, and the number of each."""


def _ladder(axis: Axis, steps: int) -> I64:
    """Return numbers on both sides of today's, spaced by about the same factor."""
    today = axis.number(axis.today)
    sides = [np.geomspace(1, max(1, reach), steps) for reach in (axis.last - today, today - axis.first)]
    numbers = np.concatenate([today + sides[0].round(), today - sides[1].round()]).astype(np.int64)
    return np.unique(numbers[(numbers >= axis.first) & (numbers <= axis.last) & (numbers != today)])


def nearest_pairs(
    one: str, other: str, axes: Mapping[str, Axis], holds: Callable[[I64, I64], Bool], steps: tuple[int, int]
) -> list[tuple[float, Place]]:
    """Return the nearest few pairs of numbers that hold, with their distance: the sum of both as parts of today's
    value. `steps` is how many a side are tried of each.
    """
    ladders = _ladder(axes[one], steps[0]), _ladder(axes[other], steps[1])
    first, second = (grid.ravel() for grid in np.meshgrid(*ladders, indexing="ij"))
    if not len(first):
        return []
    distance = np.zeros(len(first))
    for numbers, axis in ((first, axes[one]), (second, axes[other])):
        distance += np.abs(axis.values(numbers) - axis.today) / max(axis.today, axis.highest / 10)
    places = np.flatnonzero(holds(first, second))
    places = places[np.argsort(distance[places], kind="stable")][:_PAIRS_TRIED]
    return [(float(distance[place]), (one, other, int(first[place]), int(second[place]))) for place in places.tolist()]

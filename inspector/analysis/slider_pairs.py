"""Pairs of sliders: of which values of two of them, nearest to today's, something holds."""

from collections.abc import Callable, Mapping

import numpy as np

from inspector.analysis.axis import Axis
from inspector.assembly.columns import I64, Bool

PAIRS_TRIED = 3
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
    one: str, other: str, axes: Mapping[str, Axis], holds: Callable[[I64, I64], Bool], steps: int
) -> list[tuple[float, Place]]:
    """Return the nearest few pairs of numbers that hold, with their distance: the sum of both as parts of today's
    value.
    """
    ladders = _ladder(axes[one], steps), _ladder(axes[other], steps)
    first, second = (grid.ravel() for grid in np.meshgrid(*ladders, indexing="ij"))
    if not len(first):
        return []
    distance = np.zeros(len(first))
    for numbers, axis in ((first, axes[one]), (second, axes[other])):
        distance += np.abs(axis.values(numbers) - axis.today) / max(axis.today, axis.highest / 10)
    places = np.flatnonzero(holds(first, second))
    places = places[np.argsort(distance[places], kind="stable")][:PAIRS_TRIED]
    return [(float(distance[place]), (one, other, int(first[place]), int(second[place]))) for place in places.tolist()]

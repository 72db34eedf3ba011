"""The search along an axis by the thresholds of a policy: every value is examined, the nearest to today's first."""

from collections.abc import Callable, Collection

import numpy as np

from inspector.analysis.sliders import Axis, values_along
from inspector.analysis.survival.ask import budgets_with, shortened
from inspector.assembly.case import Case
from inspector.assembly.columns import I64, Bool
from inspector.assembly.thresholds import WINDOW, Packing, Room
from inspector.steps import check_wanted

_FIRST_BLOCK, _BLOCK = 1 << 6, 1 << 18


def nearest_room(
    packing: Packing,
    case: Case,
    name: str,
    axis: Axis,
    is_wanted: Callable[[Room], Bool],
    locked: Collection[str] = (),
) -> int | None:
    """Return the number of the value nearest to today's with a wanted room; of two equally near values the higher.

    Windows are examined up to a size that holds everything. None if no value has a wanted room.
    """
    axis = shortened(packing, case, axis) if name == WINDOW else axis
    (up, above), (down, below) = axis.side(1), axis.side(-1)
    start, size = 0, _FIRST_BLOCK
    while start < max(above, below):
        check_wanted()
        numbers = np.concatenate([_steps(up, 1, start, size, above), _steps(down, -1, start, size, below)])
        room = packing.rooms(budgets_with(case, packing, values_along(case, name, axis, numbers, locked)))
        found = numbers[is_wanted(room)].tolist()
        if found:
            return min(found, key=lambda number: (axis.distance(number), -number))
        start, size = start + size, min(4 * size, _BLOCK)
    return None


def _steps(first: int, direction: int, start: int, size: int, most: int) -> I64:
    """Return the numbers of up to `size` steps along a side of an axis."""
    return first + direction * np.arange(min(start, most), min(start + size, most))

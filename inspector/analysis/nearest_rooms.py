"""The search along an axis by the thresholds of a policy: every value is examined, the nearest to today's first."""

from collections.abc import Callable, Collection

import numpy as np

from inspector.analysis.sliders import Axis, values_along
from inspector.analysis.survival.ask import budgets_with, shortened
from inspector.assembly.case import Case
from inspector.assembly.columns import I64, Bool, Rows
from inspector.assembly.thresholds import WINDOW, Packing, Room
from inspector.steps import check_wanted

_FIRST_BLOCK, _BLOCK = 1 << 6, 1 << 18
_SAMPLES = 32


def nearest_room(
    packing: Packing,
    case: Case,
    name: str,
    axis: Axis,
    is_wanted: Callable[[Room], Bool],
    locked: Collection[str] = (),
) -> int | None:
    """Return the number of the value nearest to today's with a wanted room; of two equally near values the higher.

    Windows are examined up to a size that holds everything. None if no value has a wanted room: `moves_rooms` tells at
    once that most axes have none.
    """
    axis = shortened(packing, case, axis) if name == WINDOW else axis
    (up, above), (down, below) = axis.side(1), axis.side(-1)
    start, size = 0, _FIRST_BLOCK
    while start < max(above, below):
        check_wanted()
        numbers = np.concatenate([_steps(up, 1, start, size, above), _steps(down, -1, start, size, below)])
        room = packing.rooms(budgets_with(case, packing, values_along(case, name, axis, numbers, locked)))
        found = numbers[is_wanted(room)]
        if len(found):
            nearest = [*found[found >= up][:1].tolist(), *found[found < up][:1].tolist()]  # of either side
            return min(nearest, key=lambda number: (axis.distance(number), -number))
        start, size = start + size, min(4 * size, _BLOCK)
    return None


def moves_rooms(packing: Packing, case: Case, name: str, axis: Axis, rows: Rows, locked: Collection[str] = ()) -> bool:
    """Return whether the room of any of these rows, or whether there is a prompt, differs at some values of an axis."""
    today, ends = axis.number(axis.today), (axis.first, axis.last)
    apart = [np.geomspace(1, max(abs(end - today), 1), _SAMPLES) * (1 if end > today else -1) for end in ends]
    numbers = np.concatenate([np.linspace(*ends, _SAMPLES), *(today + steps for steps in apart)]).round()
    numbers = np.unique(np.clip(numbers, *ends)).astype(np.int64)
    room = packing.rooms(budgets_with(case, packing, values_along(case, name, axis, numbers, locked)))
    theirs = (rooms for pool, rooms in zip(packing.pools, room.rooms, strict=True) if np.isin(rows, pool.rows).any())
    return any(bool((rooms != rooms[0]).any()) for rooms in (room.refused, *theirs))


def _steps(first: int, direction: int, start: int, size: int, most: int) -> I64:
    """Return the numbers of up to `size` steps along a side of an axis."""
    return first + direction * np.arange(min(start, most), min(start + size, most))

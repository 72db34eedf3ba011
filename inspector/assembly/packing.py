"""Packing kernels: pure functions over arrays of charges, independent of items."""

from collections.abc import Callable

import numpy as np

from inspector.assembly.columns import F64, I32, I64, U8, Bool, Rows
from inspector.limits import MOST

FIRST_BLOCK = 512
"""The number of items summed first: most budgets are full long before a long conversation ends."""
FEW = 64
"""Up to this many items, a loop is faster than arrays."""
MANY = 1_000
"""From this many rows on, checking for an unbroken run pays off."""

Places = Rows | slice
"""Rows, or a slice for an unbroken run of them."""


def charges_from(costs: np.ndarray, *beside: "np.ndarray | int") -> I32:
    """Return the charges of items: costs with what is charged beside them, each at most `MOST`."""
    total = sum((np.asarray(one, np.int64) for one in beside), costs.astype(np.int64))
    return np.minimum(total, MOST).astype(np.int32)


def until_full(charges: np.ndarray, room: int) -> int:
    """Return how many leading items a stop packer takes: the first misfit ends it.

    `charges` are the non-negative charges in the order of decision; an item fits if the sum up to and including it is
    at most `room`. A negative room takes nothing, not even an item that costs 0.
    """
    start, size = 0, FIRST_BLOCK
    while start < len(charges):
        sums = charges[start : start + size].astype(np.int64).cumsum()
        count = int(sums.searchsorted(room, side="right"))
        start += count
        if count < len(sums):
            break
        room -= int(sums[-1])
        size *= 4
    return start


def first_fit(charges: np.ndarray, room: int) -> np.ndarray:
    """Return a mask of the items taken by a skip packer: in order, each item that still fits; misfits are left out.

    Works in rounds: everything up to the next misfit is taken at once, then items larger than the remaining room are
    discarded, so few rounds are needed whatever the number of items. The last few items are checked in a loop.
    """
    taken = np.zeros(len(charges), np.bool_)
    rows: Rows | None = None  # None: all of them
    while rows is None or len(rows) > FEW:
        count = until_full(charges, room)
        taken[slice(count) if rows is None else rows[:count]] = True
        room -= int(charges[:count].sum(dtype=np.int64))
        fitting = (charges[count + 1 :] <= room).nonzero()[0] + count + 1
        rows, charges = fitting if rows is None else rows[fitting], charges[fitting]
    for row, charge in zip(rows.tolist(), charges.tolist(), strict=True):
        if charge <= room:
            taken[row] = True
            room -= charge
    return taken


def until_misfits(taken: Bool, most: int) -> int:
    """Return how many leading items are examined if more than `most` consecutive misfits end the search.

    `taken` is the mask of a skip packer; the misfit that ends the search is still examined.
    """
    places = np.flatnonzero(np.concatenate([[True], taken, [True]]))
    runs = np.flatnonzero(np.diff(places) - 1 > most)
    return int(places[runs[0]]) + most + 1 if len(runs) else len(taken)


def highest_first(scores: F64) -> Rows:
    """Return the order of scores from high to low; ties keep their order, missing scores (NaN) come last."""
    return np.argsort(-scores, kind="stable")


def highest_few(scores: F64, count: int) -> Bool:
    """Return a mask of the `count` highest scores, ties in input order, missing scores last."""
    if count >= len(scores):
        return np.ones(len(scores), np.bool_)
    ranked = np.where(np.isnan(scores), -np.inf, scores)
    least = np.partition(ranked, len(ranked) - count)[len(ranked) - count] if count else np.inf
    chosen = ranked > least
    chosen[(ranked == least).nonzero()[0][: count - np.count_nonzero(chosen)]] = True
    return chosen


def enough(charges: np.ndarray, excess: int) -> int:
    """Return how many leading items have to go to free `excess` tokens; all if they are not enough."""
    if excess <= 0:
        return 0
    return min(len(charges), int(np.searchsorted(np.cumsum(charges, dtype=np.int64), excess)) + 1)


def first_that_fits(guess: int, stop: int, fits: Callable[[int], bool]) -> int:
    """Return the first place before `stop` that fits, `stop` if none does; every place after a fitting place fits, too.

    Searches in growing steps from a `guess`, so a good guess needs two checks.
    """
    low, high = -1, stop  # nothing up to `low` fits; from `high` on everything does
    step = 1
    place = min(guess, stop - 1)
    while low < place < high:
        if fits(place):
            high, place = place, place - step
        else:
            low, place = place, place + step
        step *= 2
    while high - low > 1:
        place = (low + high) // 2
        low, high = (low, place) if fits(place) else (place, high)
    return high


def newest_exchanges_start(is_user: Bool, exchanges: int) -> int:
    """Return the start of the newest exchanges: the index of the `exchanges`-th newest user message.

    With fewer user messages the suffix is everything (0); with `exchanges` 0 it is empty (the length).
    """
    if exchanges == 0:
        return len(is_user)
    for reach in (FEW, len(is_user)):  # mostly the first is enough
        users = is_user[-reach:].nonzero()[0] + max(len(is_user) - reach, 0)
        if len(users) >= exchanges:
            return int(users[-exchanges])
    return 0


def left_before(charges: I32, room: int) -> tuple[I64, int]:
    """Return the budget left just before each charge, when they are spent in order from `room`, and the total spent."""
    spent = charges.astype(np.int64).cumsum()  # half the time of `cumsum(dtype=np.int64)`
    return np.maximum(room - spent + charges, 0), int(spent[-1]) if len(spent) else 0


def run_of(rows: Rows) -> Places:
    """Return a long unbroken run of rows, up or down, as a slice, which is read and written at once."""
    if len(rows) < MANY:
        return rows
    first, last = int(rows[0]), int(rows[-1])
    step = 1 if last > first else -1
    if (last - first) * step + 1 != len(rows) or np.count_nonzero(rows[1:] - rows[:-1] != step):
        return rows
    return slice(first, last + step if last + step >= 0 else None, step)


def first_of(places: Places, count: int) -> Places:
    """Return the first `count` of at least as many places."""
    if not isinstance(places, slice):
        return places[:count]
    end = places.start + count * places.step
    return slice(places.start, end if end >= 0 else None, places.step)


def rest_of(places: Places, count: int) -> Places:
    """Return the places after the first `count`, of which there are more."""
    if not isinstance(places, slice):
        return places[count:]
    return slice(places.start + count * places.step, places.stop, places.step)


def either(chosen: Bool, yes: U8 | int, no: np.uint8) -> U8:
    """Return `yes` where `chosen`, else `no`."""
    if isinstance(yes, np.ndarray):
        return np.where(chosen, yes, no)
    return np.array([no, yes], np.uint8).take(chosen)  # np.where is slow if both are in no order

"""The 0/1 knapsack: the items with the best total score in a limited room. Pure functions over arrays."""

import numpy as np

from inspector.assembly.columns import F64, I32, Bool, Rows
from inspector.assembly.packing import first_fit

ROUNDING = 1e-9
"""The least difference of two totals of scores for one to be surely better."""


def best_total(charges: I32, scores: F64, room: int) -> Bool:
    """Return a mask of the items with the best total score among all fitting sets; exact, whatever the order.

    `charges` are non-negative tokens, `scores` non-negative. Of equally good sets, return a maximal one.
    """
    taken = (charges == 0) & (room >= 0)
    inside = np.flatnonzero((charges > 0) & (charges <= room))
    if int(charges[inside].sum(dtype=np.int64)) <= max(room, 0):
        taken[inside] = True
        return taken
    surely, doubtful = _settled(charges[inside], scores[inside], room)
    taken[inside[surely]] = True
    doubtful = inside[doubtful]
    taken[best_of(doubtful, charges, scores, room - int(charges[taken].sum(dtype=np.int64)))] = True
    rest = np.flatnonzero(~taken)
    taken[rest] = first_fit(charges[rest], room - int(charges[taken].sum(dtype=np.int64)))
    return taken


def densest_first(charges: I32, scores: F64, room: int) -> Bool:
    """Return a mask of the items taken by a skip packer in order of score per token, free items first."""
    order = _densest_order(charges, scores)
    taken = np.zeros(len(charges), np.bool_)
    taken[order] = first_fit(charges[order], room)
    return taken


def _densest_order(charges: I32, scores: F64) -> Rows:
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.where(charges > 0, scores / charges, np.inf)
    return np.argsort(-density, kind="stable")


def _settled(charges: I32, scores: F64, room: int) -> tuple[Bool, Bool]:
    """Return masks of the items in every best set, and of those in doubt; the others are in no best set.

    Dantzig's bound: if items could be divided, those with most score per token would fill the room, the last of them in
    part; `price` is the score per token of this last item. Leaving out an item worth more than this price, or taking an
    item worth less, costs the difference, so a difference above the gap between the bound and a set known to fit rules
    the step out.
    """
    order = _densest_order(charges, scores)
    sums = np.cumsum(charges[order], dtype=np.int64)
    whole = int(np.searchsorted(sums, room, side="right"))
    price = scores[order[whole]] / charges[order[whole]]
    left = room - int(charges[order[:whole]].sum(dtype=np.int64))
    bound = float(scores[order[:whole]].sum() + price * left)
    gap = bound - float(scores[densest_first(charges, scores, room)].sum()) + ROUNDING
    worth = scores - price * charges
    return worth > gap, np.abs(worth) <= gap


def best_of(items: Rows, charges: I32, scores: F64, room: int) -> Rows:
    """Return the best set of these items by dynamic programming over items × (room + 1) cells.

    After an item, best[c] is the best score of the items up to it in c tokens; `better` marks the sets with it. Of
    equally good sets, the set without the later items is returned.
    """
    items = items[charges[items] <= room]
    room = min(room, int(charges[items].sum(dtype=np.int64)))
    best = np.zeros(room + 1)
    better = np.zeros((len(items), room + 1), np.bool_)
    for row, (charge, score) in enumerate(zip(charges[items].tolist(), scores[items].tolist(), strict=True)):
        reached = best[: room + 1 - charge] + score
        np.greater(reached, best[charge:], out=better[row, charge:])
        np.maximum(reached, best[charge:], out=best[charge:])
    taken = np.zeros(len(items), np.bool_)
    for row in range(len(items) - 1, -1, -1):
        taken[row] = better[row, room]
        room -= int(charges[items[row]]) if taken[row] else 0
    return items[taken]

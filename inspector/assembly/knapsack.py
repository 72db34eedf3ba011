"""The 0/1 knapsack: which items to take for the best total score in a limited room. Pure functions over arrays."""

import numpy as np

from inspector.assembly.columns import F64, I32, Bool, Rows
from inspector.assembly.packing import first_fit

ROUNDING = 1e-9
"""How far apart two totals of scores have to be before one is surely better."""


def best_total(charges: I32, scores: F64, room: int) -> Bool:
    """A mask of the items with the best total score among all sets that fit; exact, whatever the order.

    `charges` are non-negative tokens, `scores` non-negative. Of equally good sets, one that no further item fits into.
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
    """A mask of the items that a skip packer takes in order of score per token, what costs nothing first."""
    order = _densest_order(charges, scores)
    taken = np.zeros(len(charges), np.bool_)
    taken[order] = first_fit(charges[order], room)
    return taken


def _densest_order(charges: I32, scores: F64) -> Rows:
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.where(charges > 0, scores / charges, np.inf)
    return np.argsort(-density, kind="stable")


def _settled(charges: I32, scores: F64, room: int) -> tuple[Bool, Bool]:
    """Masks of items that every best set holds, and of those in doubt; the others are in no best set.

    Dantzig's bound: if items could be divided, those of most score per token would fill the room, up to one in which
    it ends; `price` is the score per token of that one. Leaving out an item that is worth more than this price, or
    taking one that is worth less, costs the difference, so that beyond the gap between the bound and a set that is
    known to fit it cannot be right.
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
    """The best set of these items by dynamic programming over items × (room + 1) cells.

    After an item, best[c] is the best score of the items up to it in c tokens; `better` says in which of these sets
    it is. Of equally good sets it is the one without the later items.
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

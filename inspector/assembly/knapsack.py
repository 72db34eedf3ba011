"""The 0/1 knapsack: which items to take for the best total score in a limited room. Pure functions over arrays."""

import numpy as np

from inspector.assembly.columns import F64, Bool
from inspector.assembly.packing import first_fit


def best_total(charges: np.ndarray, scores: F64, room: int) -> Bool:
    """A mask of the items with the best total score among all sets that fit; exact, whatever the order.

    `charges` are non-negative tokens, `scores` non-negative. Of equally good sets, one that no further item fits into.
    Dynamic programming over n × (room + 1) cells; items that cost nothing or do not fit alone take no part in it.
    """
    if int(charges.sum(dtype=np.int64)) <= room:
        return np.ones(len(charges), np.bool_)
    taken = (charges == 0) & (room >= 0)
    inside = np.flatnonzero((charges > 0) & (charges <= room))
    taken[inside] = _best_inside(charges[inside], scores[inside], room)
    rest = np.flatnonzero(~taken)
    taken[rest] = first_fit(charges[rest], room - int(charges[taken].sum(dtype=np.int64)))
    return taken


def densest_first(charges: np.ndarray, scores: F64, room: int) -> Bool:
    """A mask of the items that a skip packer takes in order of score per token, what costs nothing first."""
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.where(charges > 0, scores / charges, np.inf)
    order = np.argsort(-density, kind="stable")
    taken = np.zeros(len(charges), np.bool_)
    taken[order] = first_fit(charges[order], room)
    return taken


def _best_inside(charges: np.ndarray, scores: F64, room: int) -> Bool:
    """The dynamic programme over items that each cost something and fit alone.

    After item i, best[c] is the best score of the items up to i in c tokens; better[i, c] says whether i is among them.
    """
    best = np.zeros(room + 1)
    better = np.zeros((len(charges), room + 1), np.bool_)
    for item, (charge, score) in enumerate(zip(charges.tolist(), scores.tolist(), strict=True)):
        reached = best[: room + 1 - charge] + score
        np.greater(reached, best[charge:], out=better[item, charge:])
        np.maximum(reached, best[charge:], out=best[charge:])
    taken = np.zeros(len(charges), np.bool_)
    for item in range(len(charges) - 1, -1, -1):
        if better[item, room]:
            taken[item] = True
            room -= int(charges[item])
    return taken

"""Fusion of several rankings into a single one, by reciprocal ranks."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

_DAMPING = 60
"""The k of Cormack, Clarke and Büttcher, Reciprocal Rank Fusion (SIGIR 2009)."""


def reciprocal_ranks(rankings: Sequence[NDArray[np.floating]]) -> F64:
    """Return Σ 1 / (60 + rank) over rankings of the same items, scaled so that an item first in all of them has 1.

    Each ranking is a score for each item, higher is better. Equal scores share the better rank. A score of 0 or less is
    no rank: that ranking does not count for the item.
    """
    total = sum(_ranked(np.asarray(scores)) for scores in rankings)
    return np.asarray(total * (_DAMPING + 1) / len(rankings), np.float64)


def _ranked(scores: NDArray[np.floating]) -> F64:
    """Return 1 / (60 + rank) of each score, 0 for those without a rank."""
    found = np.flatnonzero(scores > 0)
    order = found[np.argsort(-scores[found], kind="stable")]
    ordered = scores[order]
    is_next = np.empty(len(order), np.bool_)
    is_next[:1], is_next[1:] = True, ordered[1:] != ordered[:-1]
    places = np.arange(len(order))
    ranks = np.maximum.accumulate(np.where(is_next, places, 0)) + 1
    values = np.zeros(len(scores))
    values[order] = 1 / (_DAMPING + ranks)
    return values

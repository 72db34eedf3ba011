"""The Pareto front: the cost of recall, as settings for which no other keeps as much of the evidence for fewer
tokens.
"""

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.recommend.folds import RecallTable
from inspector.analysis.recommend.measure import Cells
from inspector.assembly.columns import Rows

F64 = NDArray[np.float64]

MOST_POINTS = 6
"""The maximum number of settings of a front that survive to more probes."""


def front_rows(cells: Cells, table: RecallTable, settings: Rows, probes: Rows, *, has_margin: bool) -> Rows:
    """Return the front of these settings for these probes, fewest tokens first.

    It contains only settings measured for all of the probes that leave room for the reply, with or without margins.
    """
    measured = settings[~np.isnan(cells.with_memories[np.ix_(settings, probes)]).any(axis=1)]
    everything = np.arange(len(table.probes))
    fitting = measured[table.excess(measured, everything, has_margin=has_margin) <= 0]
    place = np.ix_(fitting, probes)
    recall = cells.with_memories[place].astype(np.float64).mean(axis=1)
    return fitting[pareto(recall, cells.total[place].mean(axis=1))]


def pareto(recall: F64, tokens: F64) -> Rows:
    """Return the places of the points not dominated by equal recall for fewer tokens, or more for as many; fewest
    first.

    Of equal points, return the first.
    """
    order = np.lexsort((-recall, tokens))
    before = np.concatenate([[-np.inf], np.maximum.accumulate(recall[order])[:-1]])
    return order[recall[order] > before]


def thinned(count: int, most: int) -> Rows:
    """Return at most `most` evenly spaced places of `count` points, with the first and the last."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.intp))

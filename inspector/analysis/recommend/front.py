"""The Pareto front: what recall costs, as settings of which none holds as much of the evidence for fewer tokens."""

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.recommend.folds import RecallTable
from inspector.analysis.recommend.measure import Cells
from inspector.assembly.columns import Rows

F64 = NDArray[np.float64]

MOST_POINTS = 6
"""So many settings of a front go on to more probes, at most."""


def front_rows(cells: Cells, table: RecallTable, settings: Rows, probes: Rows, margin: float) -> Rows:
    """Those of these settings that are the front for these probes, the one of the fewest tokens first.

    Only settings that are measured for all of the probes and leave the reply its room with this margin are on it.
    """
    measured = settings[~np.isnan(cells.with_memories[np.ix_(settings, probes)]).any(axis=1)]
    everything = np.arange(len(table.probes))
    fitting = measured[table.excess(measured, everything, margin) <= 0]
    place = np.ix_(fitting, probes)
    recall = cells.with_memories[place].astype(np.float64).mean(axis=1)
    return fitting[pareto(recall, cells.total[place].mean(axis=1))]


def pareto(recall: F64, tokens: F64) -> Rows:
    """Places of points than which none has as much recall for fewer tokens, nor more for as many; fewest tokens first.

    Of points that are the same, the first.
    """
    order = np.lexsort((-recall, tokens))
    before = np.concatenate([[-np.inf], np.maximum.accumulate(recall[order])[:-1]])
    return order[recall[order] > before]


def thinned(count: int, most: int) -> Rows:
    """Places of at most so many of `count` points, evenly, with the first and the last."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.intp))

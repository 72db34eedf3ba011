"""The learning curve: the quality of choices from few probes, on other conversations."""

from dataclasses import dataclass

import numpy as np

from inspector.analysis.recommend.folds import NEAR, choose, table_of
from inspector.analysis.recommend.search import Search
from inspector.assembly.columns import Rows
from inspector.steps import check_wanted

SIZES = (10, 25, 50, 100, 200)
_REPEATS = 5
_SEED = 11


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """The recall with memories, over all windows, on a held-out conversation, of the choice from this many probes."""

    probes: int
    recall: float


def learning_curve(search: Search, probes: Rows) -> tuple[LearningPoint, ...]:
    """Return the curve over some of these probes, and all; empty without another conversation to test on.

    The settings are those tried on these probes; fewer probes would not even have found these.
    """
    blocks = search.asked.blocks
    if len(search.asked.names) < 2:
        return ()
    least = min(int((blocks[probes] != block).sum()) for block in range(len(search.asked.names)))
    sizes = [size for size in SIZES if size < least]
    return tuple(LearningPoint(size, _recall_after(search, probes, size)) for size in [*sizes, least])


def enough(curve: tuple[LearningPoint, ...]) -> int | None:
    """Return the smallest number of probes on a curve within half a point of all of them."""
    return next((point.probes for point in curve if point.recall >= curve[-1].recall - NEAR), None)


def _recall_after(search: Search, probes: Rows, size: int) -> float:
    found = []
    for block in range(len(search.asked.names)):
        is_inside = search.asked.blocks[probes] == block
        for place, window in enumerate(search.terms.windows):
            check_wanted()
            rows = search.compared[block][place]
            cells, kin = search.cells.part(rows, probes), [search.kin[row] for row in rows.tolist()]
            random = np.random.default_rng(_SEED)
            for _ in range(_REPEATS):
                some = random.permutation(np.flatnonzero(~is_inside))[:size]
                blocks = np.zeros(len(probes), np.intp)
                table = table_of(cells, some, blocks, 1, window, search.terms.reply, kin)
                chosen = choose(table, np.arange(len(rows)), blocks[:1])
                found.append(cells.with_memories[chosen, is_inside].mean())
    return float(np.mean(found))

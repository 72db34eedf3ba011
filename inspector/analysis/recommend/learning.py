"""The learning curve: how good what few probes choose is on conversations that they are not of."""

from dataclasses import dataclass

import numpy as np

from inspector.analysis.recommend.folds import NEAR, USUAL_MARGIN, choose, table_of
from inspector.analysis.recommend.search import Search
from inspector.assembly.columns import Rows

SIZES = (10, 25, 50, 100, 200)
_REPEATS = 5
_SEED = 11


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """The recall with memories, over all windows, of what so many probes choose on a conversation left out."""

    probes: int
    recall: float


def learning_curve(search: Search, probes: Rows) -> tuple[LearningPoint, ...]:
    """The curve over some of these probes, and all: none where there is no other conversation to look at.

    The settings are those that were tried on these probes; fewer probes would not have told even these.
    """
    blocks = search.asked.blocks
    if len(search.asked.names) < 2:
        return ()
    least = min(int((blocks[probes] != block).sum()) for block in range(len(search.asked.names)))
    sizes = [size for size in SIZES if size < least]
    return tuple(LearningPoint(size, _recall_after(search, probes, size)) for size in [*sizes, least])


def enough(curve: tuple[LearningPoint, ...]) -> int | None:
    """The fewest probes of a curve that come within half a point of all of them."""
    return next((point.probes for point in curve if point.recall >= curve[-1].recall - NEAR), None)


def _recall_after(search: Search, probes: Rows, size: int) -> float:
    random = np.random.default_rng(_SEED)
    found = []
    for block in range(len(search.asked.names)):
        is_inside = search.asked.blocks[probes] == block
        for _ in range(_REPEATS):
            some = random.permutation(probes[~is_inside])[:size]
            found.append(_recall_of_chosen(search, block, np.sort(some), probes[is_inside]))
    return float(np.mean(found))


def _recall_of_chosen(search: Search, block: int, some: Rows, inside: Rows) -> float:
    """The mean over windows of what a choice by some probes comes to inside a block."""
    one_block = np.zeros(len(search.asked.probes), np.intp)
    recall = []
    for place, window in enumerate(search.terms.windows):
        table = table_of(search.cells, some, one_block, 1, window, search.terms.reply, search.distances)
        chosen = choose(table, search.compared[block][place], np.zeros(1, np.intp), USUAL_MARGIN)
        recall.append(float(search.cells.with_memories[chosen, inside].mean()))
    return float(np.mean(recall))

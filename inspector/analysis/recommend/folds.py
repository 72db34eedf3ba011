"""The choice among measured settings, and what may be learned from which conversations.

A block (a conversation, or a stretch of the only conversation) is reduced to three numbers for each setting, so that
leaving it out means leaving out a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.recommend.measure import Cells
from inspector.assembly.columns import Bool, Rows

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

NEAR = 0.005
"""Settings whose recall differs by at most this count as equal: half a point."""
MARGIN_STEP = 0.001
"""Margins are rounded up to this share of the window."""
USUAL_MARGIN = 0.04
"""The margin if there are too few conversations to learn it."""


@dataclass(frozen=True, slots=True, eq=False)
class RecallTable:
    """Settings × blocks of a window: sums of recall with memories, largest totals in tokens; probes by block.

    `room` is the window without the reply. `distances` are the distances of each setting from the current setting.
    """

    window: int
    room: int
    sums: F64
    largest: I64
    probes: I64
    distances: Sequence[tuple[int, int]]

    def mean(self, settings: Rows, blocks: Rows) -> F64:
        """Return the mean recall of these settings over the probes of these blocks."""
        return self.sums[np.ix_(settings, blocks)].sum(axis=1) / self.probes[blocks].sum()

    def excess(self, settings: Rows, blocks: Rows, margin: float) -> F64:
        """Return the tokens by which the largest prompt of these blocks, with a margin, exceeds the room."""
        return self.largest[np.ix_(settings, blocks)].max(axis=1) + margin * self.window - self.room


def table_of(
    cells: Cells, probes: Rows, blocks: Rows, count: int, window: int, reply: int, distances: Sequence[tuple[int, int]]
) -> RecallTable:
    """Return the table of cells measured for these probes; `blocks` gives the block of every probe, out of `count`."""
    of = blocks[probes]
    members = np.eye(count, dtype=np.float64)[of]
    # A setting that is not measured for all of them has no sum: nothing may choose it.
    sums = cells.with_memories[:, probes].astype(np.float64) @ members
    largest = np.zeros(sums.shape, np.int64)
    for block in range(count):
        largest[:, block] = cells.total[:, probes[of == block]].max(axis=1, initial=0)
    return RecallTable(window, window - reply, sums, largest, members.sum(axis=0).astype(np.int64), distances)


def choose(table: RecallTable, settings: Rows, blocks: Rows, margin: float) -> int:
    """Return the setting for these blocks: among the best settings whose prompts all fit, the nearest to the current.

    If none fits, return the setting whose largest prompt has the smallest excess.
    """
    excess = table.excess(settings, blocks, margin)
    fits = excess <= 0
    if not fits.any():
        return int(settings[np.argmin(excess)])
    settings, recall = settings[fits], table.mean(settings[fits], blocks)
    near = np.flatnonzero(recall >= recall.max() - NEAR)
    return int(settings[min(near.tolist(), key=lambda place: (*table.distances[settings[place]], -recall[place]))])


def survivors(table: RecallTable, settings: Rows, blocks: Rows, most: int) -> Rows:
    """Return the best of these settings for these blocks: as many for each of some margins, and of equal ones the
    nearest.
    """
    found: dict[int, None] = {}
    margins = (0.0, USUAL_MARGIN / 2, USUAL_MARGIN, 2 * USUAL_MARGIN)
    recall = table.mean(settings, blocks)
    for margin in margins:
        excess = np.maximum(table.excess(settings, blocks, margin), 0)
        keys = zip(excess.tolist(), (-recall).tolist(), (table.distances[place] for place in settings), strict=True)
        order = [place for _, place in sorted(zip(keys, range(len(settings)), strict=True))]
        places = _different(table, settings, blocks, order)[: most // len(margins)]
        found.update(dict.fromkeys(settings[places].tolist()))
    return np.array(sorted(found), np.intp)


def _different(table: RecallTable, settings: Rows, blocks: Rows, order: Sequence[int]) -> list[int]:
    """Return the first of all settings with equal results in every block."""
    seen: dict[tuple[object, ...], int] = {}
    for place in order:
        row = settings[place]
        seen.setdefault((*table.sums[row, blocks].tolist(), *table.largest[row, blocks].tolist()), place)
    return list(seen.values())


def learned_margin(tables: Sequence[RecallTable], settings: Sequence[Rows], blocks: Rows) -> float:
    """Return how far the largest prompt of a block exceeds those of all others, as a share of the window.

    This is the maximum over all settings that fit these blocks, in any window: the possible need of another
    conversation. With fewer than two blocks, return the usual margin.
    """
    if len(blocks) < 2:
        return USUAL_MARGIN
    found = max(_largest_gap(table, some, blocks) / table.window for table, some in zip(tables, settings, strict=True))
    return round(ceil(found / MARGIN_STEP) * MARGIN_STEP, 6)


def _largest_gap(table: RecallTable, settings: Rows, blocks: Rows) -> float:
    """Return the tokens by which the largest prompt exceeds all prompts of other blocks."""
    largest = np.sort(table.largest[np.ix_(settings, blocks)], axis=1)
    fitting = largest[:, -1] <= table.room
    return float((largest[fitting, -1] - largest[fitting, -2]).max(initial=0))


def fits(cells: Cells, setting: int, probes: Rows | Bool, room: int) -> float:
    """Return the share of these probes whose prompt leaves room for the reply."""
    return float((cells.total[setting, probes] <= room).mean())

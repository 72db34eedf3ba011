"""The choice among measured settings, and what may be learned from which conversations.

A block (a conversation, or a stretch of the only conversation) is reduced to three numbers for each setting, so that
leaving it out means leaving out a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.recommend.measure import Cells
from inspector.assembly.columns import Bool, Rows

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

NEAR = 0.005
"""Settings whose recall differs by at most this count as equal where nothing tells its error: half a point."""
EQUAL = 0.001
"""Settings whose recall differs by at most this always do: the last digit that is shown."""
MOST_NEAR = 0.02
"""Settings whose recall differs by more than this never do, however much the difference varies between blocks."""
USUAL_MARGIN = 0.04
"""The margin of a setting known from one block, as a share of the window; from n blocks this part is divided by √n."""
REACHES = (0.9, 1.0, 1.1, 1.25)
"""The shares of the room up to which settings survive: more questions make larger prompts, and limits can be moved."""
REACH_OF_SIZE = 0.03
"""The difference in size at which a setting of the same family counts e^(−1/2) as much as the setting itself."""


@dataclass(frozen=True, slots=True)
class Kin:
    """The distance of a setting from the current setting, and the number of its family.

    Settings of a family differ only in the part of the room that they plan with.
    """

    distance: tuple[int, int]
    family: int


@dataclass(frozen=True, slots=True, eq=False)
class RecallTable:
    """Settings × blocks of a window: sums of recall with memories, largest totals in tokens; probes by block.

    `room` is the window without the reply. `kin` tells the distance and the family of each setting.
    """

    window: int
    room: int
    sums: F64
    largest: I64
    probes: I64
    kin: Sequence[Kin]

    def mean(self, settings: Rows, blocks: Rows) -> F64:
        """Return the mean recall of these settings over the probes of these blocks."""
        return self.sums[np.ix_(settings, blocks)].sum(axis=1) / self.probes[blocks].sum()

    def smoothed(self, settings: Rows, blocks: Rows) -> F64:
        """Return sums of recall by block, each a mean over the family, weighted by nearness in size.

        Recall rises smoothly with the room, so that a setting which stands out from those of its family that plan with
        a little more and a little less stands out by chance. The estimate is that of Nadaraya (Theory of Probability
        and Its Applications 9, 1964) and Watson (Sankhyā A 26, 1964), with the normal density of the difference of the
        logarithms of the largest prompts; `settings` are all that may count.
        """
        sizes = np.log(np.maximum(self.largest[np.ix_(settings, blocks)].max(axis=1), 1))
        families = np.array([self.kin[row].family for row in settings.tolist()])
        weights = np.exp(-(((sizes[:, None] - sizes) / REACH_OF_SIZE) ** 2) / 2)
        weights *= families[:, None] == families
        return weights / weights.sum(axis=1, keepdims=True) @ self.sums[np.ix_(settings, blocks)]

    def margins(self, settings: Rows, blocks: Rows) -> F64:
        """Return the tokens by which prompts of another block may exceed the largest of these, for each setting.

        The largest prompts of n blocks that are evenly spread between two ends reach the upper end with (largest −
        smallest) ⁄ (n − 1) more: the unbiased estimate of the end of a uniform distribution that varies least (Lehmann
        and Casella, Theory of Point Estimation, chapter 2). To this a part of the usual margin is added.
        """
        largest, count = self.largest[np.ix_(settings, blocks)], len(blocks)
        spacing = (largest.max(axis=1) - largest.min(axis=1)) / max(1, count - 1)
        return spacing + USUAL_MARGIN / sqrt(count) * self.window

    def excess(self, settings: Rows, blocks: Rows, *, has_margin: bool = True) -> F64:
        """Return the tokens by which the largest prompt of these blocks exceeds the room, or would with its margin."""
        largest = self.largest[np.ix_(settings, blocks)].max(axis=1)
        return largest - self.room + (self.margins(settings, blocks) if has_margin else 0.0)


def table_of(
    cells: Cells, probes: Rows, blocks: Rows, count: int, window: int, reply: int, kin: Sequence[Kin]
) -> RecallTable:
    """Return the table of cells measured for these probes; `blocks` gives the block of every probe, out of `count`."""
    of = blocks[probes]
    members = np.eye(count, dtype=np.float64)[of]
    # A setting that is not measured for all of them has no sum: nothing may choose it.
    sums = cells.with_memories[:, probes].astype(np.float64) @ members
    largest = np.zeros(sums.shape, np.int64)
    for block in range(count):
        largest[:, block] = cells.total[:, probes[of == block]].max(axis=1, initial=0)
    return RecallTable(window, window - reply, sums, largest, members.sum(axis=0).astype(np.int64), kin)


def choose(table: RecallTable, settings: Rows, blocks: Rows) -> int:
    """Return the setting for these blocks: among the best settings whose prompts all fit, the nearest to the current.

    The best are those within a standard error of the highest recall, smoothed over families: the rule of Breiman,
    Friedman, Olshen and Stone, Classification and Regression Trees (1984), 3.4.3. If none fits with its margin, return
    the setting whose largest prompt has the smallest excess.
    """
    excess = table.excess(settings, blocks)
    fits = excess <= 0
    if not fits.any():
        return int(settings[np.argmin(excess)])
    sums, settings = table.smoothed(settings, blocks)[fits], settings[fits]
    recall = sums.sum(axis=1) / table.probes[blocks].sum()
    reach = np.clip(_standard_errors(sums / table.probes[blocks], int(recall.argmax())), EQUAL, MOST_NEAR)
    near = np.flatnonzero(recall >= recall.max() - reach)
    return int(settings[min(near.tolist(), key=lambda place: (*table.kin[settings[place]].distance, -recall[place]))])


def _standard_errors(recalls: F64, best: int) -> F64:
    """Return the standard error of the difference in recall of each setting from one of them, over blocks.

    A single block tells none: `NEAR`.
    """
    settings, blocks = recalls.shape
    if blocks < 2:
        return np.full(settings, NEAR)
    return (recalls[best] - recalls).std(axis=1, ddof=1) / sqrt(blocks)


def margin_cost(table: RecallTable, settings: Rows, blocks: Rows, chosen: int) -> float:
    """Return the points of recall between the best of these that fits with its margin, and the best without margins.

    Where none fits with its margin, the chosen setting takes its place.
    """
    fitting = settings[table.excess(settings, blocks, has_margin=False) <= 0]
    if not len(fitting):
        return 0.0
    within = settings[table.excess(settings, blocks) <= 0]
    best = table.mean(fitting, blocks).max()
    own = table.mean(within if len(within) else np.array([chosen]), blocks).max()
    return 100 * max(0.0, float(best - own))


def best_fitting(table: RecallTable, settings: Rows, blocks: Rows, most: int) -> Rows:
    """Return as many of these settings as wanted, the best first of those whose prompts fit without a margin."""
    fitting = settings[table.excess(settings, blocks, has_margin=False) <= 0]
    return fitting[np.argsort(-table.mean(fitting, blocks), kind="stable")][:most] if len(fitting) else fitting


def survivors(table: RecallTable, settings: Rows, blocks: Rows, most: int) -> Rows:
    """Return the best of these settings for these blocks: as many up to each reach, and of equal ones the nearest."""
    found: dict[int, None] = {}
    recall, excess = table.mean(settings, blocks), table.excess(settings, blocks)
    for reach in REACHES:
        over = np.maximum(excess - (reach - 1) * table.room, 0)
        keys = zip(over.tolist(), (-recall).tolist(), (table.kin[place].distance for place in settings), strict=True)
        order = [place for _, place in sorted(zip(keys, range(len(settings)), strict=True))]
        places = _different(table, settings, blocks, order)[: most // len(REACHES)]
        found.update(dict.fromkeys(settings[places].tolist()))
    return np.array(sorted(found), np.intp)


def _different(table: RecallTable, settings: Rows, blocks: Rows, order: Sequence[int]) -> list[int]:
    """Return the first of all settings with equal results in every block."""
    seen: dict[tuple[object, ...], int] = {}
    for place in order:
        row = settings[place]
        seen.setdefault((*table.sums[row, blocks].tolist(), *table.largest[row, blocks].tolist()), place)
    return list(seen.values())


def fits(cells: Cells, setting: int, probes: Rows | Bool, room: int) -> float:
    """Return the share of these probes whose prompt leaves room for the reply."""
    return float((cells.total[setting, probes] <= room).mean())

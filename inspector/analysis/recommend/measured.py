"""Measured settings: a setting with its figures over all probes, and its gain on each block unseen by the search."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from inspector.analysis.recommend.folds import RecallTable, fits
from inspector.analysis.recommend.interval import bounded_interval, gain_interval
from inspector.analysis.recommend.measure import NO_PROMPT
from inspector.analysis.recommend.search import Search
from inspector.assembly.columns import Rows
from inspector.assembly.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Setting:
    """A scenario without conversation and query, its recall over all probes, and the share of prompts that fit.

    `tokens` is the mean size of its prompts, None without prompts; `cost` the mean cost of a prompt in US dollars
    without a cache of prompts, None if any price is unknown; `cost_cached` with that of the provider, None until it is
    measured, or if its rule is unknown.
    """

    scenario: Scenario
    recall: float
    recall_with_memories: float
    fits: float
    tokens: float | None = None
    cost: float | None = None
    cost_cached: float | None = None

    @property
    def paid(self) -> float | None:
        """The mean cost of a prompt with the provider's cache where it is known, else without."""
        return self.cost if self.cost_cached is None else self.cost_cached


@dataclass(frozen=True, slots=True)
class BlockGain:
    """The gain on a conversation, or on a stretch of the only conversation, unseen by the search: in points.

    `chosen` is the setting chosen from the others, `fits` the share of the held-out prompts that fit under it.
    """

    name: str
    probes: int
    gain: float
    fits: float
    chosen: Scenario


def setting_of(search: Search, row: int, probes: Rows, room: int) -> Setting:
    """Return a setting with its figures over these probes; prompts fit into `room` tokens."""
    cells = search.cells
    means = float(cells.recall[row, probes].mean()), float(cells.with_memories[row, probes].mean())
    return Setting(search.settings[row], *means, fits(cells, row, probes, room), *_tokens_and_cost(search, row, probes))


def gains_of(
    search: Search, table: RecallTable, probes: Rows, chosen: Sequence[int], before: int
) -> tuple[BlockGain, ...]:
    """Return for each block the gain, on the setting `before`, of the setting that was chosen from the other blocks.

    Settings are rows.
    """
    gains, recall = [], search.cells.with_memories
    for block, (name, row) in enumerate(zip(search.asked.names, chosen, strict=True)):
        inside = probes[search.asked.blocks[probes] == block]
        gain = 100 * float((recall[row, inside] - recall[before, inside]).mean())
        is_fit = fits(search.cells, row, inside, table.room)
        gains.append(BlockGain(name, len(inside), gain, is_fit, search.settings[row]))
    return tuple(gains)


def interval_of(search: Search, gains: Sequence[BlockGain], before: int, probes: Rows) -> tuple[float, float] | None:
    """Return the interval of the mean of these gains on a setting, a row; None without at least two."""
    recall = 100 * float(np.mean(recalls_of_blocks(search, before, probes))) if gains else 0.0
    return gain_interval([each.gain for each in gains], recall)


def recall_interval(search: Search, row: int, probes: Rows) -> tuple[float, float] | None:
    """Return the interval of the recall of a setting, over blocks; None for a single block."""
    return bounded_interval(recalls_of_blocks(search, row, probes), 0.0, 1.0)


def recalls_of_blocks(search: Search, row: int, probes: Rows) -> list[float]:
    """Return the recall of a setting on each block."""
    blocks = (probes[search.asked.blocks[probes] == block] for block in range(len(search.asked.names)))
    return [float(search.cells.with_memories[row, inside].mean()) for inside in blocks]


def _tokens_and_cost(search: Search, row: int, probes: Rows) -> tuple[float | None, float | None]:
    totals = search.cells.total[row, probes]
    made = totals != NO_PROMPT
    if not made.any():
        return None, None
    cost = float(search.asked.costs(probes[made], totals[made]).mean())
    return float(totals[made].mean()), None if isnan(cost) else cost

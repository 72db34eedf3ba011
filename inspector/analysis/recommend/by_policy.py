"""The best setting of each policy for a window, with its gain on conversations unseen by the search."""

from dataclasses import dataclass

import numpy as np

from inspector.analysis.recommend.folds import RecallTable, choose
from inspector.analysis.recommend.measured import (
    BlockGain,
    Setting,
    gains_of,
    interval_of,
    recall_interval,
    setting_of,
)
from inspector.analysis.recommend.search import Search
from inspector.assembly.columns import Rows
from inspector.assembly.scenario import DEFAULT_POLICY


@dataclass(frozen=True, slots=True)
class PolicyAdvice:
    """The best setting of a policy, or the current setting, for which `gains` are empty and `is_current` is true.

    `recall` is the interval of its recall with memories, over conversations; `interval` that of its mean gain.
    """

    setting: Setting
    recall: tuple[float, float] | None
    gains: tuple[BlockGain, ...]
    interval: tuple[float, float] | None
    is_current: bool = False

    @property
    def policy(self) -> str:
        """The name of the policy."""
        return self.setting.scenario.policy or DEFAULT_POLICY

    @property
    def gain(self) -> float | None:
        """The mean of the gains, in points."""
        return float(np.mean([each.gain for each in self.gains])) if self.gains else None

    @property
    def better(self) -> int:
        """The number of held-out conversations on which it gains."""
        return sum(each.gain > 0 for each in self.gains)


def best_of_policies(
    search: Search,
    table: RecallTable,
    window: int,
    probes: Rows,
    best: tuple[int, tuple[BlockGain, ...]],
) -> tuple[PolicyAdvice, ...]:
    """Return the best setting of every policy for the `window`-th window, and the current setting.

    The best of all, given as its row with its gains, stands for its policy and comes first; then those whose prompts
    all fit, highest recall first.
    """
    current, (chosen, gains) = search.current(window), best
    found = [_advice(search, current, window, probes, table.room, ())]
    if chosen != current:
        found.insert(0, _advice(search, chosen, window, probes, table.room, gains))
    taken, rest = search.policy_of(chosen), []
    for policy in search.alive_of_policies[-1][window]:
        row = _chosen(search, table, window, policy, search.folds[-1])
        if policy != taken and row != current:
            gains = _gains(search, table, window, policy, probes)
            rest.append(_advice(search, row, window, probes, table.room, gains))
    first, others = found[0], sorted([*found[1:], *rest], key=_order)
    return first, *others


def _gains(search: Search, table: RecallTable, window: int, policy: str, probes: Rows) -> tuple[BlockGain, ...]:
    """Return for each block the gain of the setting of a policy chosen from the other blocks."""
    blocks = range(len(search.asked.names))
    if len(blocks) < 2:
        return ()
    chosen = [_chosen(search, table, window, policy, block) for block in blocks]
    return gains_of(search, table, probes, chosen, search.current(window))


def _order(advice: PolicyAdvice) -> tuple[bool, float]:
    return advice.setting.fits < 1, -advice.setting.recall_with_memories


def _chosen(search: Search, table: RecallTable, window: int, policy: str, fold: int) -> int:
    return choose(table, search.alive_of_policies[fold][window][policy], search.others(fold))


def _advice(
    search: Search, row: int, window: int, probes: Rows, room: int, gains: tuple[BlockGain, ...]
) -> PolicyAdvice:
    interval = interval_of(search, gains, search.current(window), probes)
    setting, recall = setting_of(search, row, probes, room), recall_interval(search, row, probes)
    return PolicyAdvice(setting, recall, gains, interval, row == search.current(window))

"""The search: settings are tried on a few probes of every block, the better on more, the best on all (see `climbing`).

For each held-out block, the surviving settings are decided by the probes of the other blocks alone, so that the gain on
this block is unseen by the whole search. Measurements needed by several of these searches are made once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.recommend.blocks import Asked
from inspector.analysis.recommend.folds import Kin, RecallTable, table_of
from inspector.analysis.recommend.measure import Cells, no_cells
from inspector.analysis.recommend.settings import TRIED_WAYS, distance, family_name, settings_to_try
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.limits import DEFAULT_REPLY
from inspector.steps import check_wanted

RUNGS = (5, 40)
"""The numbers of probes of each block after which the worse settings are given up."""
KEPT = (48, 8)
"""The number of surviving settings for each held-out block."""
KEPT_SHIPPED = (16, 4)
"""The number of surviving shipped settings of a window."""
KEPT_OF_POLICY = 4
"""The number of surviving settings of each policy for each held-out block; before all probes are asked one survives."""
_SEED = 7


@dataclass(frozen=True, slots=True)
class Terms:
    """The request: windows in tokens, the reserve for the reply in each, and the policies to try (None: all).

    Without windows, the window of the current setting is used.
    """

    windows: tuple[int, ...] = ()
    reply: int = DEFAULT_REPLY
    policies: tuple[str, ...] | None = None


@dataclass(slots=True, eq=False)
class Search:
    """The state of a search. `rows` are for each window the rows of its settings, the current setting first.

    `alive` are the surviving rows: for each held-out block, and last for none, for each window. `rungs` are the probes,
    as places, measured by each rung together with all before it.
    """

    asked: Asked
    terms: Terms
    settings: list[Scenario]
    kin: list[Kin]
    rows: list[Rows]
    cells: Cells
    rungs: list[Rows]
    alive: list[list[Rows]]
    compared: list[list[Rows]]
    """The survivors at the rung before the last: more settings on fewer probes."""
    fronts: list[Rows]
    """For each window, settings that survive with higher recall than any with no more tokens."""
    shipped: list[Rows]
    """For each window, the surviving policies and presets as they are shipped, by all blocks."""
    alive_of_policies: list[list[dict[str, Rows]]]
    """The surviving rows of each policy alone: for each held-out block, and last for none, for each window."""
    families: dict[str, int]
    """The numbers of families by their names."""

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways of comparing that are tried."""
        return ways_to_try(self.asked)

    @property
    def folds(self) -> range:
        """The held-out blocks, and another number for holding out none."""
        return range(len(self.asked.names) + 1)

    def others(self, fold: int) -> Rows:
        """Return the blocks that are not held out; the only block never is."""
        blocks = range(len(self.asked.names))
        return np.array([block for block in blocks if block != fold or len(blocks) == 1], np.intp)

    def current(self, window: int) -> int:
        """Return the row of the current setting under the `window`-th window."""
        return int(self.rows[window][0])

    def policy_of(self, row: int) -> str:
        """Return the policy of a setting."""
        return self.settings[row].policy or DEFAULT_POLICY

    def add(self, window: int, setting: Scenario, distance: tuple[int, int], family: str) -> int:
        """Return the row of another setting for the `window`-th window, of which nothing is measured."""
        row = len(self.settings)
        self.settings.append(setting)
        self.kin.append(Kin(distance, self.families.setdefault(family, len(self.families))))
        self.rows[window] = np.append(self.rows[window], row)
        return row

    def tables(self, probes: Rows) -> list[RecallTable]:
        """Return a table for each window of the cells measured for all of these probes."""
        given = (self.cells, probes, self.asked.blocks, len(self.asked.names))
        return [table_of(*given, window, self.terms.reply, self.kin) for window in self.terms.windows]


def begin(pipeline: Pipeline, scenario: Scenario, asked: Asked, terms: Terms) -> Search:
    """Return a search in which nothing is measured; the pipeline knows the policies and presets. Raise
    ScenarioError.
    """
    plain = replace(scenario, conversation=None, query=None)
    settings: list[Scenario] = []
    kin: list[Kin] = []
    families: dict[str, int] = {}
    rows: list[Rows] = []
    for window in terms.windows:
        check_wanted()
        current = replace(plain, context_window=window)
        found = settings_to_try(pipeline, current, terms.reply, terms.policies, ways_to_try(asked))
        rows.append(np.arange(len(settings), len(settings) + len(found)))
        settings += found
        for setting in found:
            family = families.setdefault(family_name(pipeline, setting, terms.reply), len(families))
            kin.append(Kin(distance(pipeline, current, setting), family))
    alive = [list(rows) for _ in range(len(asked.names) + 1)]
    cells = no_cells(len(settings), len(asked.probes))
    of_policies = [[_by_policy(settings, some) for some in rows] for _ in alive]
    shipped = [np.array([row for row in some.tolist() if not settings[row].parameters], np.intp) for some in rows]
    found = asked, terms, settings, kin, rows, cells, _rungs(asked), alive, alive, list(rows)
    return Search(*found, shipped, of_policies, families)


def ways_to_try(asked: Asked) -> tuple[str, ...]:
    """Return the ways of comparing to try: `fused` only where `auto` may be another way."""
    return tuple(way for way in TRIED_WAYS if way != "fused" or asked.auto_is_own_way)


def _by_policy(settings: Sequence[Scenario], rows: Rows) -> dict[str, Rows]:
    """Return the rows of each policy, in the order of the policies."""
    found: dict[str, list[int]] = {}
    for row in rows.tolist():
        found.setdefault(settings[row].policy or DEFAULT_POLICY, []).append(row)
    return {policy: np.array(some, np.intp) for policy, some in found.items()}


def _rungs(asked: Asked) -> list[Rows]:
    """Return places of probes: the first few of every block, some more, and all, each rung with those before it."""
    shuffled = np.random.default_rng(_SEED).permutation(len(asked.probes))
    number = np.zeros(len(asked.probes), np.intp)
    for block in range(len(asked.names)):
        members = shuffled[asked.blocks[shuffled] == block]
        number[members] = np.arange(len(members))
    everything = np.arange(len(asked.probes))
    few = [np.flatnonzero(number < most) for most in RUNGS]
    return [*(rung for rung in few if len(rung) * 2 <= len(everything)), everything]

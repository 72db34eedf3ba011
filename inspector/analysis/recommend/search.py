"""The search: settings are tried on a few probes of every block, the better on more, the best on all.

For each held-out block, the surviving settings are decided by the probes of the other blocks alone, so that the gain on
this block is unseen by the whole search. Measurements needed by several of these searches are made once.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.recommend.blocks import Asked
from inspector.analysis.recommend.chats import Chats
from inspector.analysis.recommend.folds import RecallTable, choose, survivors, table_of
from inspector.analysis.recommend.front import MOST_POINTS, front_rows, thinned
from inspector.analysis.recommend.measure import Cells, measured, no_cells
from inspector.analysis.recommend.settings import distance, settings_to_try
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache

DEFAULT_REPLY = 400
RUNGS = (5, 40)
"""The numbers of probes of each block after which the worse settings are given up."""
KEPT = (48, 8)
"""The number of surviving settings for each held-out block."""
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
    distances: list[tuple[int, int]]
    rows: list[Rows]
    cells: Cells
    rungs: list[Rows]
    alive: list[list[Rows]]
    compared: list[list[Rows]]
    """The survivors at the rung before the last: more settings on fewer probes."""
    fronts: list[Rows]
    """For each window, settings that survive with higher recall than any with no more tokens."""
    alive_of_policies: list[list[dict[str, Rows]]]
    """The surviving rows of each policy alone: for each held-out block, and last for none, for each window."""

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

    def add(self, window: int, setting: Scenario, distance: tuple[int, int]) -> int:
        """Return the row of another setting for the `window`-th window, of which nothing is measured."""
        row = len(self.settings)
        self.settings.append(setting)
        self.distances.append(distance)
        self.rows[window] = np.append(self.rows[window], row)
        return row

    def tables(self, probes: Rows) -> list[RecallTable]:
        """Return a table for each window of the cells measured for all of these probes."""
        given = (self.cells, probes, self.asked.blocks, len(self.asked.names))
        return [table_of(*given, window, self.terms.reply, self.distances) for window in self.terms.windows]


def begin(pipeline: Pipeline, scenario: Scenario, asked: Asked, terms: Terms) -> Search:
    """Return a search in which nothing is measured; the pipeline knows the policies and presets. Raise
    ScenarioError.
    """
    plain = replace(scenario, conversation=None, query=None)
    settings: list[Scenario] = []
    distances: list[tuple[int, int]] = []
    rows: list[Rows] = []
    for window in terms.windows:
        check_wanted()
        current = replace(plain, context_window=window)
        found = settings_to_try(pipeline, current, terms.reply, terms.policies)
        rows.append(np.arange(len(settings), len(settings) + len(found)))
        settings += found
        distances += [distance(pipeline, current, setting) for setting in found]
    alive = [list(rows) for _ in range(len(asked.names) + 1)]
    cells = no_cells(len(settings), len(asked.probes))
    of_policies = [[_by_policy(settings, some) for some in rows] for _ in alive]
    rungs = _rungs(asked)
    return Search(asked, terms, settings, distances, rows, cells, rungs, alive, alive, list(rows), of_policies)


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


def climb(
    search: Search, chats: Chats, cache: CountCache | None, executor: Executor | None
) -> Iterator[tuple[int, int, Rows | None]]:
    """Measure rung by rung: cells done, their approximate total, and the measured probes at the end of a rung."""
    done, before = 0, np.empty(0, np.intp)
    for number, rung in enumerate(search.rungs):
        rows, new = _needed(search), np.setdiff1d(rung, before)
        total = done + len(rows) * len(new) + _ahead(search, number)
        for cells in _measure(search, rows, new, chats, cache, executor):
            done += cells
            yield done, total, None
        if number < len(search.rungs) - 1:
            _keep_the_best(search, rung, number)
        yield done, total, rung
        before = rung


def measure_more(
    search: Search, rows: Rows, done: int, chats: Chats, cache: CountCache | None, executor: Executor | None
) -> Iterator[tuple[int, int, Rows | None]]:
    """Measure settings added to a search on all probes; yield as `climb` does, from so many cells on."""
    probes = search.rungs[-1]
    search.cells = search.cells.with_rows(len(search.settings))
    total = done + len(rows) * len(probes)
    for cells in _measure(search, rows, probes, chats, cache, executor):
        done += cells
        yield done, total, None
    yield total, total, probes


def _measure(
    search: Search,
    rows: Rows,
    new: Rows,
    chats: Chats,
    cache: CountCache | None,
    executor: Executor | None,
) -> Iterator[int]:
    """Measure these settings on these probes; yield the number of cells of each part."""
    probes, settings = [search.asked.probes[place] for place in new.tolist()], [search.settings[r] for r in rows]
    for part, cells in measured(chats, settings, probes, cache, executor):
        search.cells.take(rows, new[part], cells)
        yield len(rows) * len(part)


def _needed(search: Search) -> Rows:
    """Return the survivors of any of the searches and of each policy, the fronts, and the current settings."""
    alive = [*search.fronts, *(rows for fold in search.alive for rows in fold)]
    alive += [rows for fold in search.alive_of_policies for window in fold for rows in window.values()]
    currents = np.array([rows[0] for rows in search.rows], np.intp)
    return np.unique(np.concatenate([*alive, currents]))


def _ahead(search: Search, number: int) -> int:
    """Return the approximate number of cells in the rungs after this."""
    pairs = zip(search.rungs[number:], search.rungs[number + 1 :], KEPT[number:], strict=False)
    return sum((len(after) - len(before)) * kept * len(search.rows) for before, after, kept in pairs)


def _keep_the_best(search: Search, probes: Rows, rung: int) -> None:
    tables = search.tables(probes)
    search.compared = search.alive
    search.alive = [_best(search, tables, fold, KEPT[rung]) for fold in search.folds]
    is_last = rung == len(search.rungs) - 2
    search.alive_of_policies = [_best_of_policies(search, tables, fold, is_last) for fold in search.folds]
    for window, table in enumerate(tables):
        found = front_rows(search.cells, table, search.fronts[window], probes, has_margin=False)
        search.fronts[window] = found[thinned(len(found), MOST_POINTS)]


def _best(search: Search, tables: Sequence[RecallTable], fold: int, most: int) -> list[Rows]:
    """Return for each window the survivors for a held-out block; the current setting always survives."""
    others, found = search.others(fold), []
    for window, (table, rows) in enumerate(zip(tables, search.alive[fold], strict=True)):
        found.append(np.union1d(survivors(table, rows, others, most), [search.current(window)]))
    return found


def _best_of_policies(search: Search, tables: Sequence[RecallTable], fold: int, is_last: bool) -> list[dict[str, Rows]]:
    """Return for each window the survivors of each policy for a held-out block: a few, and before all probes one."""
    others = search.others(fold)

    def best(table: RecallTable, rows: Rows) -> Rows:
        if is_last:
            return np.array([choose(table, rows, others)], np.intp)
        return survivors(table, rows, others, KEPT_OF_POLICY)

    return [
        {policy: best(table, rows) for policy, rows in window.items()}
        for table, window in zip(tables, search.alive_of_policies[fold], strict=True)
    ]

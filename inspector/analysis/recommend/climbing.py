"""Climbing: a search measures its settings rung by rung, gives the worse ones up, and tries others near the best."""

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from inspector.analysis.recommend.border import try_at_border, try_neighbours
from inspector.analysis.recommend.chats import Chats
from inspector.analysis.recommend.folds import RecallTable, best_fitting, choose, survivors
from inspector.analysis.recommend.front import MOST_POINTS, front_rows, thinned
from inspector.analysis.recommend.measure import measured
from inspector.analysis.recommend.search import KEPT, KEPT_OF_POLICY, KEPT_SHIPPED, Search
from inspector.assembly.columns import Rows
from inspector.tokens.cache import CountCache


@dataclass(frozen=True, slots=True, eq=False)
class Measuring:
    """What measures the cells of a search: the chats, and the cache of this process or the processes of an executor."""

    chats: Chats
    cache: CountCache | None = None
    executor: Executor | None = None

    def measure(self, search: Search, rows: Rows, new: Rows) -> Iterator[int]:
        """Measure these settings on these probes; yield the number of cells of each part."""
        probes, settings = [search.asked.probes[place] for place in new.tolist()], [search.settings[r] for r in rows]
        for part, cells in measured(self.chats, settings, probes, self.cache, self.executor):
            search.cells.take(rows, new[part], cells)
            yield len(rows) * len(part)


def climb(search: Search, measuring: Measuring) -> Iterator[tuple[int, int, Rows | None]]:
    """Measure rung by rung: cells done, their approximate total, and the measured probes at the end of a rung.

    After the first rung the neighbours of the best settings are tried, too, and after the last their other limits.
    """
    done, before, pipeline = 0, np.empty(0, np.intp), measuring.chats.plain
    last = len(search.rungs) - 1
    for number, rung in enumerate(search.rungs):
        ahead = _ahead(search, number)
        done = yield from _stage(search, measuring, _needed(search), np.setdiff1d(rung, before), done, ahead)
        if number == last:
            yield done, done, rung
        if number in (0, last):
            added = try_at_border(search, pipeline) if number == last else try_neighbours(search, pipeline, rung)
            done = yield from _stage(search, measuring, added, rung, done, ahead)
        if number < last:
            _keep_the_best(search, rung, number)
        yield done, done + ahead, rung
        before = rung


def _stage(
    search: Search, measuring: Measuring, rows: Rows, probes: Rows, done: int, ahead: int
) -> Generator[tuple[int, int, None], None, int]:
    """Measure these settings on these probes after so many cells, with so many ahead; return the cells then done."""
    total = done + len(rows) * len(probes) + ahead
    if len(rows):
        for cells in measuring.measure(search, rows, probes):
            done += cells
            yield done, total, None
    return done


def _needed(search: Search) -> Rows:
    """Return the survivors of any of the searches and of each policy, the fronts, and the current settings."""
    alive = [*search.fronts, *search.shipped, *(rows for fold in search.alive for rows in fold)]
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
        everything = search.others(search.folds[-1])
        search.shipped[window] = best_fitting(table, search.shipped[window], everything, KEPT_SHIPPED[rung])


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

"""Settings near the best: with one choice changed, and with other limits, so that their largest prompts just fit.

The first settings are a sample of all combinations. The best that it holds may lack a choice that another one shows to
be better, keep an empty part of the window between two limits, or be refused though slightly lower limits fit. What is
tried for a held-out block is decided without it, as everything in a search.
"""

from collections.abc import Iterator
from math import floor

import numpy as np

from inspector.analysis.recommend.folds import RecallTable
from inspector.analysis.recommend.search import Search
from inspector.analysis.recommend.settings import distance, family_name, neighbours, planned_part, with_part
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario

MOST_OVER = 1.3
"""Settings that need more than this share of the room are not tried again."""
TRIED_AGAIN = 2
"""The number of settings tried again for a held-out block: so many that fit, and so many that do not."""
PART_STEP = 0.01
STEPS_BELOW = (0, 2, 5)
"""Parts of the room are tried in these steps: the last at which the prompts should fit, and so many below it."""
LEAST_PART, MOST_PART = 0.4, 1.0


def try_neighbours(search: Search, pipeline: Pipeline, probes: Rows) -> Rows:
    """Add settings that differ in one choice from the best on these probes to a search; return those to measure."""
    for window, table in enumerate(search.tables(probes)):
        known = {repr(search.settings[row]): row for row in search.rows[window].tolist()}
        for fold in search.folds:
            rows, others = search.alive[fold][window], search.others(fold)
            fitting = rows[table.excess(rows, others) <= 0]
            order = fitting[np.argsort(-table.mean(fitting, others), kind="stable")] if len(fitting) else fitting
            found = [
                _added(search, pipeline, window, setting, setting, known)
                for row in order[:TRIED_AGAIN].tolist()
                for setting in neighbours(pipeline, search.settings[row], search.terms.reply, search.ways)
            ]
            _survive(search, fold, window, np.array(sorted(set(found)), np.intp))
    return _to_measure(search, probes)


def try_at_border(search: Search, pipeline: Pipeline) -> Rows:
    """Add settings between the limits tried so far to a search at its last rung; return those to measure.

    Some of these may be known, but given up before all probes were measured.
    """
    for window, table in enumerate(search.tables(search.rungs[-1])):
        known = {repr(search.settings[row]): row for row in search.rows[window].tolist()}
        for fold in search.folds:
            others = search.others(fold)
            found = set[int]()
            for row, part in _wanted(search, pipeline, table, fold, window, others):
                tried = search.settings[row]
                setting = with_part(pipeline, tried, search.terms.reply, part)
                if setting is not None:
                    found.add(_added(search, pipeline, window, setting, tried, known))
            _survive(search, fold, window, np.array(sorted(found), np.intp))
    return _to_measure(search, search.rungs[-1])


def _to_measure(search: Search, probes: Rows) -> Rows:
    """Return the survivors that are not measured for all of these probes, after making place for new settings."""
    search.cells = search.cells.with_rows(len(search.settings))
    rows = np.unique(np.concatenate([rows for fold in search.alive for rows in fold]))
    return rows[np.isnan(search.cells.with_memories[np.ix_(rows, probes)]).any(axis=1)]


def _wanted(
    search: Search, pipeline: Pipeline, table: RecallTable, fold: int, window: int, others: Rows
) -> Iterator[tuple[int, float]]:
    """Yield the rows of settings to try again for a held-out block, each with a part of the room to plan with."""
    rows = search.alive[fold][window]
    needs = table.excess(rows, others) + table.room
    order = np.argsort(-table.mean(rows, others), kind="stable").tolist()
    fitting = [place for place in order if needs[place] <= table.room]
    beyond = [place for place in order if table.room < needs[place] <= MOST_OVER * table.room]
    for place in (*fitting[:TRIED_AGAIN], *beyond[:TRIED_AGAIN]):
        planned = planned_part(pipeline, search.settings[rows[place]], search.terms.reply)
        if planned is not None:
            # Needs grow about as the limits do, since every kept item brings its own additions.
            last = floor(planned.part * table.room / needs[place] / PART_STEP) * PART_STEP
            for below in STEPS_BELOW:
                kept = round(min(max(last - below * PART_STEP, LEAST_PART), MOST_PART), 2)
                if abs(kept - planned.part) >= PART_STEP / 2:
                    yield int(rows[place]), kept


def _added(
    search: Search, pipeline: Pipeline, window: int, setting: Scenario, like: Scenario, known: dict[str, int]
) -> int:
    """Return the row of a setting of the family of another, which is added unless it is known."""
    key = repr(setting)
    if key not in known:
        current = search.settings[search.current(window)]
        family = family_name(pipeline, like, search.terms.reply)
        known[key] = search.add(window, setting, distance(pipeline, current, setting), family)
    return known[key]


def _survive(search: Search, fold: int, window: int, rows: Rows) -> None:
    """Count these settings among the survivors for a held-out block, and among those of their policies."""
    search.alive[fold][window] = np.union1d(search.alive[fold][window], rows)
    of_policies = search.alive_of_policies[fold][window]
    for row in rows.tolist():
        policy = search.policy_of(row)
        of_policies[policy] = np.union1d(of_policies[policy], [row])

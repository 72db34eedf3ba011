"""Sweeps: cells a second over one chat, on one core. The rows are those that the command writes."""

import time
from collections.abc import Iterator
from itertools import islice

from inspector.analysis.sweep import sweep_rows
from inspector.assembly.scenario import Scenario
from tests.bench.measure import Row
from tests.bench.texts import pipeline_of, workspace_of

MESSAGES, MEMORIES = 600, 200
CANDIDATES = tuple(range(2, 202, 2))
WINDOWS = tuple(range(1_024, 1_024 + 100 * 160, 160))


def rows() -> Iterator[Row]:
    """Seconds a cell of 100 numbers of ranked memories × 100 windows, everything counted before."""
    pipeline = pipeline_of(workspace_of(MESSAGES, MEMORIES))
    scenario = Scenario(query="the harbour at dawn", similarity="lexical")
    grid = {"memory_candidates": CANDIDATES, "context_window": WINDOWS}
    made = sweep_rows(pipeline, scenario, grid)
    list(islice(made, 1))
    start = time.perf_counter()
    cells = sum(1 for _ in made)
    took = time.perf_counter() - start
    yield Row(
        f"sweep, {cells + 1:,} cells, {MESSAGES} messages, {MEMORIES} memories: {cells / took:,.0f} cells a second",
        took / cells,
    )

"""Sweeps: cells a second over one chat, on one core: rows as the command writes them, and recall by thresholds."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from inspector.analysis.recall.settings import recall_of_each
from inspector.analysis.sweep.ask import sweep_rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe
from tests.bench.measure import Row, timed
from tests.bench.texts import pipeline_of, workspace_of

MESSAGES, MEMORIES, PROBES = 600, 200, 50
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
    yield _recall_row(pipeline, scenario)


def _recall_row(pipeline: Pipeline, scenario: Scenario) -> Row:
    """Seconds a cell of settings × probes, where only recall is asked for and thresholds answer."""
    shares = ({"memory_share": 0.7 - share / 200, "history_share": share / 200} for share in range(0, 140, 2))
    settings = [replace(scenario, context_window=window, parameters=each) for each in shares for window in WINDOWS]
    probes = [Probe(f"q{number}", (f"m{number}",), "long") for number in range(0, MESSAGES, MESSAGES // PROBES)]
    took, cells = timed(lambda: recall_of_each(pipeline, settings, probes)), len(settings) * len(probes)
    return Row(
        f"recall by thresholds, {len(settings):,} settings × {len(probes)} probes: {cells / took:,.0f} cells a second",
        took / cells,
    )

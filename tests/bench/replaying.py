"""A replay of a conversation turn by turn, everything counted and indexed before.

Every turn is a whole assembly, so that a turn of many items costs more. Up to 5,000 items every turn is replayed, as
the goal has it; of longer conversations some, spread over all of it, and the row says how many. A reply asks nothing
new, so that its turn costs less than that of the question: where only some turns are replayed, each has a query of its
own, and such rows show a little more than all turns would.
"""

import gc
import time
from collections.abc import Iterator

from inspector.analysis.replay.ask import replay
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from tests.bench.measure import Row
from tests.bench.texts import pipeline_of, workspace_of

ITEMS = (1_000, 5_000, 10_000, 100_000)
EVERY_TURN = 5_000
MOST_TURNS = 1_000
MEMORIES = 200
POLICIES = ("reserve", "slots", "adaptive", "window_rag")
"""Those that are measured beside ratio, in 5,000 items."""
GOAL_SECONDS = 2 / 5_000
"""5,000 turns within 2 seconds."""


def rows() -> Iterator[Row]:
    """Seconds a turn under ratio, for conversations of so many items; and under other policies."""
    for items in ITEMS:
        yield _row(pipeline_of(workspace_of(items - MEMORIES, MEMORIES)), items, "ratio")
    pipeline = pipeline_of(workspace_of(EVERY_TURN - MEMORIES, MEMORIES))
    for policy in POLICIES:
        yield _row(pipeline, EVERY_TURN, policy)


def _row(pipeline: Pipeline, items: int, policy: str) -> Row:
    scenario = Scenario(policy=policy, model="gpt-4o", context_window=32_768)
    every = 1 if items <= EVERY_TURN else items // MOST_TURNS
    replay(pipeline, scenario, every=items)  # counts and indexes
    gc.collect()
    gc.freeze()  # as the window does with what it has loaded
    start = time.perf_counter()
    turns = len(replay(pipeline, scenario, every=every))
    took = (time.perf_counter() - start) / turns
    gc.unfreeze()
    what = f"replay, {policy}, {items:,} items, {turns:,} turns of {items - MEMORIES:,}: one turn"
    return Row(what, took, "5,000 turns in 2 s", GOAL_SECONDS, at_most=1.0)

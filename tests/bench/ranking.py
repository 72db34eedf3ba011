"""A new query over 100,000 memories, its embedding known, against one frame at 60 Hz; and finding near-duplicates."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

import numpy as np

from inspector.assembly.lacking import make_all, missing_texts
from inspector.assembly.scenario import Scenario
from inspector.retrieval.duplicates import near_duplicates
from tests.bench.measure import FRAME_SECONDS, Row, median_of, timed
from tests.bench.texts import chat_texts, pipeline_of, workspace_of

MEMORIES = 100_000
REPEATS = 25


def rows() -> Iterator[Row]:
    """The medians of whole assemblies that begin with another query each time, by the way of comparing."""
    pipeline = pipeline_of(workspace_of(messages=100, memories=MEMORIES))
    first = Scenario(tokenizer="embedded:o200k_base")
    texts = missing_texts(pipeline, pipeline.case(first))
    tokenizer = pipeline.case(first).model.tokenizer.tokenizer
    counts = pipeline.known.counts(tokenizer)
    counts.add(counts.places(texts), np.asarray(tokenizer.count(texts)))
    embedding = timed(lambda: make_all(pipeline, first))
    queries = chat_texts(REPEATS + 1, seed=3)
    for way in ("embedding", "lexical", "hybrid", "fused"):
        scenarios = cycle([replace(first, similarity=way, query=query) for query in queries])
        make_all(pipeline, next(scenarios))
        for _ in queries[1:]:
            pipeline.candidates(pipeline.case(next(scenarios)))

        def rank(scenarios: Iterator[Scenario] = scenarios) -> None:
            pipeline.assemble(pipeline.case(next(scenarios)))

        goal = 1.0 if way == "embedding" else None
        what = f"{MEMORIES:,} memories, another query, {way}"
        yield Row(what, median_of(rank, REPEATS), "one 60 Hz frame", FRAME_SECONDS, at_most=goal)
    yield Row(f"{MEMORIES:,} memories embedded the first time", embedding)
    chosen = pipeline.case(first).embedder
    memories = [memory.content for memory in pipeline.workspace.memory_sets[0].memories]
    vectors = pipeline.known.vectors(chosen.embedder).matrix(memories) if chosen and chosen.embedder else None
    yield Row(f"{MEMORIES:,} memories, near-duplicates", timed(lambda: list(near_duplicates(memories, vectors))))

"""One assembly of 100,000 messages under every policy and preset against one frame at 60 Hz."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from inspector.assembly.lacking import missing_texts
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from tests.bench.measure import FRAME_SECONDS, Row, median_of
from tests.bench.texts import pipeline_of, workspace_of

MESSAGES = 100_000
REPEATS = 25


def rows() -> Iterator[Row]:
    """The median of repeated assemblies whose window changes by one token each time, counts and ranking known."""
    pipeline = pipeline_of(workspace_of(MESSAGES))
    for policy, preset in sorted(load_presets()):
        scenario = Scenario(policy=policy, preset=preset, model="gpt-4o", tokenizer="embedded:o200k_base")
        texts = missing_texts(pipeline, pipeline.case(scenario))
        tokenizer = pipeline.case(scenario).model.tokenizer.tokenizer
        pipeline.known.counts(tokenizer).add(texts, np.asarray(tokenizer.count(texts)))
        windows = iter(range(100_000, 100_000 + REPEATS + 1))

        def assemble(scenario: Scenario = scenario, windows: Iterator[int] = windows) -> None:
            pipeline.assemble(pipeline.case(replace(scenario, context_window=next(windows))))

        assemble()
        what = f"{MESSAGES:,} messages, {policy} ({preset})"
        yield Row(what, median_of(assemble, REPEATS), "one 60 Hz frame", FRAME_SECONDS, at_most=1.0)

"""One assembly, and one planned answer, of 100,000 messages or memories under every policy and preset."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from inspector.assembly.answer import planned_answer
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from tests.bench.measure import FRAME_SECONDS, Row, median_of
from tests.bench.texts import pipeline_of, workspace_of

MANY, FEW_MEMORIES, FEW_MESSAGES = 100_000, 200, 1_000
REPEATS = 25
SHARE_SECONDS = 0.008
"""What the planned answer may take of a frame: the window needs the rest."""


def rows() -> Iterator[Row]:
    """The medians of repeated answers whose window changes by one token each time, counts and ranking known."""
    for messages, memories, of in (
        (MANY, FEW_MEMORIES, f"{MANY:,} messages"),
        (FEW_MESSAGES, MANY, f"{MANY:,} memories"),
    ):
        pipeline = pipeline_of(workspace_of(messages, memories))
        for policy, preset in sorted(load_presets()):
            scenario = Scenario(policy=policy, preset=preset, model="gpt-4o", tokenizer="embedded:o200k_base")
            yield from _of_pair(pipeline, scenario, f"{of}, {policy} ({preset})")


def _of_pair(pipeline: Pipeline, scenario: Scenario, what: str) -> Iterator[Row]:
    """The rows of one policy and preset, with everything made that they lack."""
    make_all(pipeline, scenario)
    windows = iter(range(100_000, 200_000))

    def timed(make: Callable[[Pipeline, Scenario], object]) -> float:
        make(pipeline, scenario)
        return median_of(lambda: make(pipeline, replace(scenario, context_window=next(windows))), REPEATS)

    yield Row(f"assembly, {what}", timed(_assemble), "one 60 Hz frame", FRAME_SECONDS, at_most=1.0)
    yield Row(f"planned answer, {what}", timed(_answer), "8 ms, its part of a frame", SHARE_SECONDS, at_most=1.0)


def _assemble(pipeline: Pipeline, scenario: Scenario) -> object:
    return pipeline.assemble(pipeline.case(scenario))


def _answer(pipeline: Pipeline, scenario: Scenario) -> object:
    return planned_answer(pipeline, pipeline.case(scenario))

"""Survival: what becomes of every item under all values of a slider, and its picture of 200 values, on one core."""

from collections.abc import Iterator

from inspector.analysis.survival.ask import survival
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from tests.bench.measure import Row, median_of
from tests.bench.texts import pipeline_of, workspace_of

SIZES = {1_000: 0.3, 10_000: 0.3, 100_000: 3.0}
"""Items, and the seconds that they may take."""
SLIDERS = (("ratio", "context_window"), ("ratio", "history_share"), ("reserve", "context_window"))
VALUES, REPEATS = 200, 3


def rows() -> Iterator[Row]:
    """The median of whole searches, counts and ranking known."""
    for size, most in SIZES.items():
        pipeline = pipeline_of(workspace_of(size * 4 // 5, size // 5))
        for policy, slider in SLIDERS:
            scenario = Scenario(policy=policy, context_window=32_000, similarity="lexical")
            pipeline.candidates(make_all(pipeline, scenario))

            def search(scenario: Scenario = scenario, slider: str = slider) -> object:
                found = survival(pipeline, scenario, slider)  # noqa: B023 - of this size
                return found.grid(found.samples(VALUES))

            what = f"survival, {size:,} items × {VALUES} values, {slider} of {policy}"
            yield Row(what, median_of(search, REPEATS), f"{most:g} s", most, at_most=1.0)

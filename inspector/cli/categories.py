"""recommend --categories: recall by kind of question, under the current and the recommended setting."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from inspector.analysis.basis import Basis
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.categories import CATEGORIES, Categories, asked_by_category
from inspector.analysis.recommend.drawings import categories_drawing
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Plot, Telling, answer
from inspector.cli.loading import named_failures, open_cache, shown_result
from inspector.drawings.svg import svg
from inspector.model import Probe

CATEGORIES_FORMAT = "prompt-inspector/categories@1"
_SHOWN_FROM_PROBES = 200

OfWindows = Mapping[int, Categories]
"""Categories by window size."""


def categories_of_windows(pipeline: Pipeline, found: Recommendation, probes: Sequence[Probe]) -> OfWindows:
    """Ask the probes for each window under the current setting, and under the recommended setting if it differs."""
    with named_failures():
        return {advice.context_window: _of_window(pipeline, advice, probes) for advice in found.windows}


def _of_window(pipeline: Pipeline, advice: WindowAdvice, probes: Sequence[Probe]) -> Categories:
    basis = Basis(pipeline, advice.current.scenario, open_cache())
    steps = asked_by_category(basis, _settings(advice), probes)
    return shown_result(steps, "Asking by category", _SHOWN_FROM_PROBES)


def _settings(advice: WindowAdvice) -> list[Scenario]:
    current, best = advice.current.scenario, advice.best.scenario
    return [current, best] if advice.changes and best != current else [current]


def answer_by_category(
    found: Recommendation, of_windows: OfWindows, plot: str | None, answer_format: str, opened: Sequence[str]
) -> None:
    """Print the categories, or write them as a plot or as the table of a plot."""

    def draw() -> bytes:
        return svg([categories_drawing(each, window) for window, each in of_windows.items()])

    picture = None if plot is None else Plot(plot, draw, opened)
    answer(tuple(chain.from_iterable(of_windows.values())), _telling(found), answer_format, picture)


def _telling(found: Recommendation) -> Telling[Categories]:
    def value(categories: Categories) -> dict[str, Any]:
        return {"format": CATEGORIES_FORMAT, "probes": found.probes, "rows": list(CATEGORIES.records(categories))}

    return Telling([CATEGORIES], value, most=None)

"""recommend --categories: what the current setting and the recommended one hold of what each kind of question needs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.analysis.basis import Basis
from inspector.analysis.recall import Loss
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.categories import Categories, asked_by_category, category_rows
from inspector.analysis.recommend.drawings import categories_drawing
from inspector.assembly.columns import phrase, word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import named_failures, open_cache, shown_result
from inspector.cli.output import print_csv, print_json
from inspector.cli.plots import write_plot
from inspector.drawings.svg import svg
from inspector.figures import percentage
from inspector.model import Probe

CATEGORIES_FORMAT = "prompt-inspector/categories@1"
_SHOWN_FROM_PROBES = 200
_SHARES = ("now", "now_whole", "then")
_TITLES = (("now", ">"), ("whole", ">"), ("then", ">"), ("gain", ">"))

OfWindows = Mapping[int, Categories]
"""By the size of the window."""


def categories_of_windows(pipeline: Pipeline, found: Recommendation, probes: Sequence[Probe]) -> OfWindows:
    """Ask the probes for each window under the current setting, and under the recommended one where that is another."""
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
    """Print them, or write them as a plot or as its table."""
    if plot is not None:
        drawings = [categories_drawing(each, window) for window, each in of_windows.items()]
        write_plot(plot, svg(drawings), lambda: _rows(of_windows), opened)
    elif answer_format == "json":
        print_json({"format": CATEGORIES_FORMAT, "probes": found.probes, "rows": list(_rows(of_windows))})
    elif answer_format == "csv":
        print_csv(_rows(of_windows))
    else:
        _print(of_windows)


def _rows(of_windows: OfWindows) -> Iterator[dict[str, Any]]:
    for window, categories in of_windows.items():
        yield from ({"context_window": window, **row} for row in category_rows(categories))


def _print(of_windows: OfWindows) -> None:
    from inspector.cli.console import Console, Table

    rows = list(_rows(of_windows))
    lost = {f"lost_{word(loss)}": phrase(loss) for loss in Loss if any(row[f"lost_{word(loss)}"] for row in rows)}
    titles = (*_TITLES, *((f"lost: {name}", ">") for name in lost.values()))
    table = Table(("window", ">"), ("category", ""), ("questions", ">"), *titles)
    for row in rows:
        gain = "–" if row["gain"] is None else f"{row['gain']:+.1f}"
        cells = *(percentage(row[name]) for name in _SHARES), gain, *(percentage(row[name]) for name in lost)
        table.add_row(f"{row['context_window']:,}", row["category"], f"{row['questions']:,}", *cells)
    Console().print(table)

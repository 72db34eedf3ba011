"""prompt-inspector timeline: the messages in order, with their tokens and outcomes."""

from collections.abc import Iterator
from typing import Any

from inspector.assembly.columns import Fate
from inspector.assembly.timeline import MESSAGES, Timeline, timeline_value
from inspector.assembly.timeline_drawing import timeline_drawing
from inspector.cli.answering import Plot, Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.loading import answer_for, named_failures, opened_files
from inspector.drawings.svg import svg


def _totals(found: Timeline) -> Iterator[str]:
    yield found.total
    if found.history_begins is not None:
        begins = found.assembly.candidates.ids[found.row_of(found.history_begins)]
        yield f"From {begins} on everything is kept; {found.counts[Fate.KEPT]:,} of {len(found):,} are."


_TELLING = Telling([MESSAGES], timeline_value, below=_totals, most=None)


def timeline(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    by: str,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector timeline` with the values of its options."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        found = Timeline(answer_for(pipeline, scenario).assembly)
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    picture = None if plot is None else Plot(plot, lambda: svg([timeline_drawing(found, by == "time")]), opened)
    answer(found, _TELLING, answer_format, picture)

"""prompt-inspector survival: the values of a slider or the window at which each item is kept or lost."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.sliders import Slider
from inspector.analysis.survival.ask import Survived, survivals
from inspector.analysis.survival.drawing import survival_drawing
from inspector.analysis.survival.stretches import survival_value
from inspector.analysis.survival.tables import ITEMS, STRETCHES
from inspector.cli.answering import Plot, Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.loading import make_lacking, named_failures, open_cache, opened_files
from inspector.cli.locks import locked_shares
from inspector.drawings.svg import svg

_MOST_LOST = 10


def survival(
    paths: tuple[str, ...],
    parameter: str,
    locked: tuple[str, ...],
    plot: str | None,
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector survival` with the values of its options."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given)
    with named_failures():
        held = locked_shares(make_lacking(pipeline, scenario), locked)
        slider = Slider(parameter.replace("-", "_"), parameter)
        survived = result_of(survivals(Basis(pipeline, scenario, open_cache(), held), slider))
    opened = opened_files(paths, pipeline, scenario, scenario_file)
    picture = None if plot is None else Plot(plot, partial(_drawn, survived), opened)
    answer(survived, _TELLING, answer_format, picture)


def _drawn(survived: Survived) -> bytes:
    found, assembly = survived.found, survived.assembly
    parameter, today = survived.slider.parameter, found.axis.today
    return svg([survival_drawing(found, assembly.candidates, assembly.order, parameter, today)])


def _value(survived: Survived) -> dict[str, Any]:
    return survival_value(survived.found, survived.assembly.candidates)


def _heading(survived: Survived) -> list[str]:
    return [f"{survived.found.name}, {survived.found.axis.today:,} now"]


def _closing_lines(survived: Survived) -> Iterator[str]:
    found, ids = survived.found, survived.assembly.candidates.ids
    for place in found.losses[:_MOST_LOST].tolist():
        value = found.axis.value(int(found.begins[place]))
        yield f"{ids[found.rows[place]]} is lost at {value:,}, although there is more"
    if len(found.losses) > _MOST_LOST:
        yield f"and {len(found.losses) - _MOST_LOST:,} more are lost where there is more"
    if found.asked is not None:
        yield f"{len(found.asked):,} values were looked at, and none between two that agree"


_TELLING: Telling[Survived] = Telling([ITEMS], _value, _heading, _closing_lines, most=None, file=STRETCHES)

"""The survival map as a drawing: items from top to bottom over the values of a slider, with the value of today.

Of very many items a file has some, evenly, which the title says.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from inspector.analysis.survival.stretches import Outcome, Survival
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Rows, phrase
from inspector.assembly.numbers import numbers_of
from inspector.assembly.parameter_text import FINEST, value_text
from inspector.assembly.policy import Parameter
from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import Axis, Drawing, Entry, Mark, Row, Stretches
from inspector.figures import counted

NOW = "now"
WINDOW_TITLE = "Window, tokens"
_NAMED, _MOST_ROWS, _ROW = 60, 600, 14
_TONES = {
    Outcome.KEPT: Shade(Role.ACCENT),
    Outcome.SUMMARIZED: Shade(Role.SUMMARIZED),
    Outcome.TRUNCATED: Shade(Role.TRUNCATED),
    Outcome.DROPPED: Shade(Role.DROPPED, 0.22),
    Outcome.NO_PROMPT: Shade(Role.BORDER),
}
Write = Callable[[float], str]
"""A function that formats a value of the slider."""


def value_writer(parameter: Parameter | None) -> Write:
    """Return the function that formats the values of a parameter; without a parameter whole numbers, such as 4,096."""
    return "{:,}".format if parameter is None else partial(value_text, parameter, finest=FINEST)


def survival_drawing(
    found: Survival, candidates: Candidates, order: Rows, parameter: Parameter | None, today: float
) -> Drawing:
    """Return the map of items in this order along a parameter, None for the window, with its current value."""
    write = value_writer(parameter)
    names = numbers_of(candidates, order.tolist()) if len(order) <= _NAMED else ()
    items = Stretches(found.bounds, found.begins, found.outcomes, tuple(_TONES.values())).some(order)
    height = max(1, len(order)) * _ROW if len(order) <= _NAMED else _MOST_ROWS
    named = WINDOW_TITLE if parameter is None else parameter.label
    across = Axis(found.first - 0.5, found.last + 0.5, write=partial(_written, found, write), title=named)
    row = Row("", replace(items, names=names), Axis(0.0, float(max(len(order), 1))), height)
    there = {int(outcome) for outcome in np.unique(found.outcomes).tolist()}
    legend = tuple(Entry(phrase(outcome), tone) for outcome, tone in _TONES.items() if outcome in there)
    return at_value(Drawing(_title(found, len(order)), (row,), across, legend), found, parameter, today)


def at_value(drawing: Drawing, found: Survival, parameter: Parameter | None, today: float) -> Drawing:
    """Return the same map when the slider has another value."""
    note = f"{NOW} {value_writer(parameter)(today)}"
    return replace(drawing, marks=(Mark(float(found.axis.number(today)), NOW),), note=note)


def _title(found: Survival, items: int) -> str:
    some = f", {_MOST_ROWS:,} of them drawn" if items > _MOST_ROWS else ""
    rough = "" if found.is_exact else "; not every value was looked at"
    return f"Outcome of {counted(items, 'item')}{some} along {found.name}{rough}"


def _written(found: Survival, write: Write, numbers: Sequence[int]) -> list[str]:
    """Return the values of some numbers, nothing beyond the ends."""
    return [write(found.axis.value(number)) if found.first <= number <= found.last else "" for number in numbers]

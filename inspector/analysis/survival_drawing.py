"""The survival map as a drawing (SVG): items from top to bottom over the values of a slider, with today's value.

Nothing of the window's library is needed. Of very many items some are drawn, evenly, which the title says.
"""

from collections.abc import Iterator

import numpy as np

from inspector.analysis.survival import Outcome, Survival
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64, U8, Rows
from inspector.figures import counted
from inspector.pages.axes import box, ground, legend, ticks, upright, words
from inspector.pages.plots import alone, drawing

_WIDTH, _TOP, _GAP, _FOOT = 860, 34, 12, 62
_NAMED, _NAME_WIDTH, _NAME_LETTERS = 60, 150, 20
_COLUMNS, _MOST_ROWS, _ROW = 430, 600, 14
_TICKS, _LEGEND_STEP = 5, 130
_FILLS = {
    Outcome.KEPT: "#2A66AD",
    Outcome.SUMMARIZED: "#856000",
    Outcome.TRUNCATED: "#A84B00",
    Outcome.DROPPED: "#F3D3CB",
    Outcome.NO_PROMPT: "#D5D9DE",
}


def survival_file(found: Survival, candidates: Candidates, order: Rows) -> str:
    """The map of items in this order, as a file of its own."""
    rows = order[np.unique(np.linspace(0, len(order) - 1, _MOST_ROWS).round().astype(np.intp))] if len(order) else order
    named = len(rows) <= _NAMED
    left = _GAP + (_NAME_WIDTH if named else 0)
    step = _ROW if named else max(1, _MOST_ROWS // max(1, len(rows)))
    bottom = _TOP + step * len(rows)
    numbers = found.samples(_COLUMNS)
    edges = left + np.round(_WIDTH * np.arange(len(numbers) + 1) / len(numbers))  # whole pixels have no seams
    parts = [words(_title(found, len(rows), len(order)), _GAP, 20), *_cells(found.grid(numbers)[rows], edges, step)]
    if named:
        names = (_short(candidates.ids[row]) for row in rows.tolist())
        parts += [words(name, left - 6, _TOP + step * place + 11, "end") for place, name in enumerate(names)]
    parts += _axis(found, numbers, edges, bottom)
    there = {int(outcome) for outcome in np.unique(found.outcomes).tolist()}
    entries = [(outcome.name.lower().replace("_", " "), _FILLS[outcome]) for outcome in Outcome if outcome in there]
    parts.append(legend(entries, left, bottom + _FOOT - 24, _LEGEND_STEP))
    size = left + _WIDTH + 4 * _GAP, bottom + _FOOT
    return alone(drawing(_title(found, len(rows), len(order)), *size, ground(*size) + "".join(parts)))


def _title(found: Survival, drawn: int, items: int) -> str:
    some = "" if drawn == items else f", {drawn:,} of them drawn"
    rough = "" if found.is_exact else "; not every value was looked at"
    return f"What becomes of {counted(items, 'item')}{some} along {found.name}{rough}"


def _cells(picture: U8, edges: np.ndarray, step: float) -> Iterator[str]:
    """A rectangle for each run of one outcome."""
    for place, outcomes in enumerate(picture):
        begins = np.flatnonzero(np.diff(outcomes, prepend=255))
        for begin, end in zip(begins.tolist(), [*begins[1:].tolist(), len(outcomes)], strict=True):
            width, fill = float(edges[end] - edges[begin]), _FILLS[Outcome(int(outcomes[begin]))]
            yield box(float(edges[begin]), _TOP + step * place, width, step - (1 if step == _ROW else 0), fill)


def _axis(found: Survival, numbers: I64, edges: np.ndarray, bottom: float) -> Iterator[str]:
    """Values below the map, and the line of today's."""
    middles = (edges[:-1] + edges[1:]) / 2
    shown = [*found.samples(_TICKS).tolist(), found.axis.number(found.axis.today)]
    *places, today = np.interp(shown, numbers, middles).tolist()
    written = (f"{found.axis.value(number):,}" for number in shown)
    yield ticks(zip(places, written, strict=False), bottom)
    yield upright(today, _TOP - 4, bottom - _TOP + 4)
    yield words(f"today {found.axis.today:,}", today, bottom + 30, "middle")


def _short(name: str) -> str:
    return name if len(name) <= _NAME_LETTERS else f"{name[: _NAME_LETTERS - 1]}…"

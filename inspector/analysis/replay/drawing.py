"""A replay as a drawing: for each turn tokens by section, the part of it in a cache, and how far back it reaches."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.words import axis_dates, headed_summary, reach_heights, sections_in, warned
from inspector.assembly.color_roles import section_role
from inspector.assembly.columns import F64, Section, section_title
from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import NO_BARS, Axis, Bars, Drawing, Entry, Row, from_zero, whole_numbers

TITLES = (
    "tokens by section, turn by turn",
    "of these, filled: begins as the last prompt did; orange where that broke; hatched: paid again",
    "how many messages back the prompt reaches; coloured: a warning or an error",
)
_HEIGHTS = (160, 120, 80)
_OVERHEAD = Shade(Role.MUTED)
_TONES = (*(Shade(section_role(section)) for section in Section), _OVERHEAD)
_BROKEN, _WARNED = (Shade(Role.ACCENT), Shade(Role.TRUNCATED)), (Shade(Role.ACCENT), Shade(Role.DROPPED))


def replay_drawings(found: Sequence[Replay]) -> tuple[Drawing, ...]:
    """Return a drawing of each replay, all with the same scale and legend, for comparison at a glance."""
    series = [(token_bars(each), prefix_bars(each), horizon_bars(each)) for each in found]
    tallest = [max(bars.tallest for bars in of_row) for of_row in zip(*series, strict=True)]
    there = sorted({section for each in found for section in sections_in(each)})
    legend = *(Entry(section_title(section), _TONES[section]) for section in there), Entry("Formatting", _OVERHEAD)
    return tuple(
        Drawing(headed_summary(each), _rows(rows, tallest), _turns(each), legend)
        for each, rows in zip(found, series, strict=True)
    )


def _rows(series: Sequence[Bars], tallest: Sequence[float]) -> tuple[Row, ...]:
    parts = zip(TITLES, series, tallest, _HEIGHTS, strict=True)
    return tuple(Row(title, bars, from_zero(most), height) for title, bars, most, height in parts)


def _turns(found: Replay) -> Axis:
    """Return the axis of turns, with the day of the newest message below each, or the hour within a single day."""
    last = float(found.turns[-1]) if len(found) else 1.0
    if not any(message.time for message in found.case.chosen.parts.messages):
        return Axis(0.5, last + 0.5)
    return Axis(0.5, last + 0.5, write=partial(_dated, found), lines=2)


def _dated(found: Replay, turns: Sequence[int]) -> list[str]:
    pairs = zip(whole_numbers(turns), axis_dates(found, turns), strict=True)
    return [f"{number}\n{date}" if date else number for number, date in pairs]


def token_bars(found: Replay) -> Bars:
    """Return tokens by section and turn, stacked; the look is the section, after the last the overhead.

    Each bar reaches down to the foot, and the lower bars are drawn over the higher. A section without tokens has no
    bar: it would be as high as the bar below, and hide it.
    """
    if not len(found):
        return NO_BARS
    looks = [*sections_in(found), len(Section)]
    columns = np.column_stack([found.tokens, found.overhead])[:, looks]
    heights = np.cumsum(columns, axis=1)[:, ::-1].T.astype(np.float64)
    left, right = (np.tile(edge, len(looks)) for edge in turn_edges(found))
    numbers = np.repeat(np.array(looks[::-1], np.uint8), len(found))
    there = columns[:, ::-1].T.ravel() > 0
    foot = np.zeros(int(there.sum()))
    return Bars(left[there], right[there], foot, heights.ravel()[there], numbers[there], _TONES, apart=False)


def prefix_bars(found: Replay) -> Bars:
    """Return tokens of each prompt, filled as far as it shares the beginning of the last sent prompt; look 1 at
    breaks.
    """
    if not len(found):
        return NO_BARS
    shared, totals = found.shared.astype(np.float64), found.totals.astype(np.float64)
    return Bars(*turn_edges(found), totals, shared, found.is_broken.astype(np.uint8), _BROKEN, apart=False)


def horizon_bars(found: Replay) -> Bars:
    """Return how many turns back each prompt reaches; look 1 at turns with a warning or an error."""
    if not len(found):
        return NO_BARS
    reach, looks = reach_heights(found), warned(found).astype(np.uint8)
    return Bars(*turn_edges(found), np.zeros(len(found)), reach, looks, _WARNED, apart=False)


def turn_edges(found: Replay) -> tuple[F64, F64]:
    """Return the edges of each turn on the axis of turns: from the previously replayed turn."""
    right = found.turns.astype(np.float64) + 0.5
    return np.concatenate([[0.5], right[:-1]]), right

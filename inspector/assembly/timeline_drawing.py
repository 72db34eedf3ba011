"""The timeline as a drawing: the cumulated cost of the messages in the prompt, and below it each message as a bar.

The height of a bar is the full cost of a message, its filled part the tokens spent, its colour the outcome.
"""

import numpy as np

from inspector.assembly.color_roles import fate_tone
from inspector.assembly.columns import F64, Fate, phrase
from inspector.assembly.timeline import Timeline
from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import Axis, Bars, Drawing, Entry, Mark, Row, Ticks, from_zero

SUM_TITLE = "tokens in the prompt, summed up"
NUMBER_TITLE, TIME_TITLE = "tokens of each message, by its number", "tokens of each message, by its time (UTC)"
HISTORY_WORDS = "from here on everything is kept"
_HEIGHTS = 120, 180
_MARGIN_OF_TIME = 0.01
_TONES = tuple(map(fate_tone, Fate))
_HATCHED = Fate.DROPPED, Fate.NOT_YET


def timeline_drawing(timeline: Timeline, by_time: bool = False) -> Drawing:
    """Draw the messages by their numbers, or by their times if all have them."""
    bars, is_by_time = message_bars(timeline, by_time), by_time and timeline.times is not None
    across = _across(bars, is_by_time)
    titles = SUM_TITLE, TIME_TITLE if is_by_time else NUMBER_TITLE
    series = sum_bars(timeline, bars.left, float(bars.right.max(initial=1.5))), bars
    parts = zip(titles, series, _HEIGHTS, strict=True)
    rows = tuple(Row(title, each, from_zero(each.tallest), height) for title, each, height in parts)
    begins = timeline.history_begins
    marks = () if begins is None else (Mark(float(bars.left[begins]), HISTORY_WORDS),)
    return Drawing(timeline.total, rows, across, _legend(timeline), marks)


def _across(bars: Bars, is_by_time: bool) -> Axis:
    if not len(bars):
        return Axis(0.5, 1.5)
    left, right = float(bars.left.min()), float(bars.right.max())
    margin = max((right - left) * _MARGIN_OF_TIME, 1.0) if is_by_time else 0.0
    return Axis(left - margin, right + margin, Ticks.TIMES if is_by_time else Ticks.NUMBERS)


def _legend(timeline: Timeline) -> tuple[Entry, ...]:
    """Return the outcomes of the messages, each with their number."""
    counts = [(fate, count) for fate, count in timeline.counts.items() if count]
    return tuple(Entry(f"{count:,} {phrase(fate)}", fate_tone(fate), fate in _HATCHED) for fate, count in counts)


def message_bars(timeline: Timeline, by_time: bool) -> Bars:
    """Return the bars of all messages: by their times, if available and requested, else by their numbers.

    Places on the axis are numbers from 1 on, or seconds since 1970.
    """
    numbers = np.arange(len(timeline), dtype=np.float64) + 0.5
    left, right = (timeline.times,) * 2 if by_time and timeline.times is not None else (numbers, numbers + 1)
    heights, solids = (column.astype(np.float64) for column in (timeline.tokens, timeline.spent))
    return Bars(left, right, heights, solids, timeline.fates, _TONES)


def sum_bars(timeline: Timeline, places: F64, end: float) -> Bars:
    """Return the cumulated cost, from the place of each message to the next, and from the last to the end."""
    nothing, looks = np.zeros(len(timeline)), np.zeros(len(timeline), np.uint8)
    ends = np.append(places[1:], end)[: len(timeline)]
    history = (Shade(Role.HISTORY),)
    return Bars(places, ends, timeline.cumulated, nothing, looks, history, apart=False, hatched=False)

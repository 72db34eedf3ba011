"""The timeline as a drawing (SVG): what the messages come to in the prompt, summed up, and below it each one as a bar.

Nothing of the window's library is needed. Where several messages stand at one pixel, the tallest of them is drawn.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from inspector.assembly.columns import F64, Fate, Rows, Section, phrase
from inspector.assembly.section_fills import SECTION_FILLS
from inspector.assembly.timeline import Timeline
from inspector.pages.axes import box, ground, legend, ticks, upright, words
from inspector.pages.plots import alone, drawing

_WIDTH, _LEFT, _GAP, _TITLE, _FOOT = 860, 80, 12, 22, 30
_SUMS, _BARS = 110, 180
_TICKS, _LEGEND_STEP, _LEAST, _APART = 6, 150, 1.0, 4
_KEPT = SECTION_FILLS[Section.HISTORY]
_FILLS = {
    Fate.KEPT: _KEPT,
    Fate.SUMMARIZED: "#856000",
    Fate.TRUNCATED: "#A84B00",
    Fate.DROPPED: "#E5A393",
    Fate.NOT_YET: "#D5D9DE",
}
_NOT_SPENT = 0.35
"""How strong the part of a bar is that a summary or a cut saves."""


def timeline_file(timeline: Timeline, by_time: bool = False) -> str:
    """The messages by their numbers, or by their times where all have one, as a file of its own."""
    lefts, widths = _places(timeline, by_time)
    drawn = _tallest_of_pixel(timeline.tokens, lefts)
    sums_foot = _GAP + _TITLE + _SUMS
    foot = sums_foot + _GAP + _TITLE + _BARS
    parts = [
        words("tokens in the prompt, summed up", _LEFT, _GAP + 12),
        *_sums(timeline, lefts, sums_foot),
        words(_bar_title(timeline, by_time, len(drawn)), _LEFT, sums_foot + _GAP + 12),
        *_bars(timeline, drawn, lefts, widths, foot),
        *_begin_of_history(timeline, lefts, foot),
        _axis(timeline, lefts + widths / 2, by_time, foot),
    ]
    entries = [(f"{count:,} {phrase(fate)}", _FILLS[fate]) for fate, count in timeline.counts.items() if count]
    parts.append(legend(entries, _LEFT, foot + _FOOT, _LEGEND_STEP))
    size = _LEFT + _WIDTH + 4 * _GAP, foot + _FOOT + _TITLE + _GAP
    return alone(drawing(timeline.total, *size, ground(*size) + "".join(parts)))


def _bar_title(timeline: Timeline, by_time: bool, drawn: int) -> str:
    of = "its time (UTC)" if by_time and timeline.times is not None else "its number"
    some = "; of those at one place the tallest" if drawn < len(timeline) else ""
    is_reduced = timeline.counts[Fate.SUMMARIZED] or timeline.counts[Fate.TRUNCATED]
    saved = "; lighter: what a summary or a cut saves" if is_reduced else ""
    return f"tokens of each message, by {of}{some}{saved}"


def _places(timeline: Timeline, by_time: bool) -> tuple[F64, F64]:
    """Where the bar of each message begins, and how wide it is."""
    count = len(timeline)
    if by_time and timeline.times is not None:
        span = max(float(np.ptp(timeline.times)), 1.0)
        return _LEFT + (timeline.times - timeline.times[0]) / span * (_WIDTH - _LEAST), np.full(count, _LEAST)
    edges = _LEFT + _WIDTH * np.arange(count + 1) / max(1, count)
    if count * 2 <= _WIDTH:
        edges = edges.round()  # whole pixels have no seams
    return edges[:-1], np.maximum(np.diff(edges), _LEAST)


def _sums(timeline: Timeline, lefts: F64, foot: float) -> Iterator[str]:
    """What is spent up to each place, as one shape of steps."""
    whole = float(timeline.cumulated[-1]) if len(timeline) else 0.0
    yield _scale(whole, foot - _SUMS)
    if not whole:
        return
    drawn = _last_of_pixel(lefts)
    ends = [*lefts[drawn][1:].tolist(), float(_LEFT + _WIDTH)]
    steps = zip(lefts[drawn].tolist(), ends, (foot - _SUMS * timeline.cumulated[drawn] / whole).tolist(), strict=True)
    path = "".join(f"L{left:.1f} {top:.1f}L{end:.1f} {top:.1f}" for left, end, top in steps)
    yield f'<path d="M{lefts[0]:.1f} {foot:.1f}{path}L{_LEFT + _WIDTH} {foot:.1f}Z" fill="{_KEPT}"/>'


def _bars(timeline: Timeline, drawn: Rows, lefts: F64, widths: F64, foot: float) -> Iterator[str]:
    largest = float(timeline.tokens.max(initial=0))
    yield _scale(largest, foot - _BARS)
    scale = _BARS / max(1.0, largest)
    for number in drawn.tolist():
        fate, left, width = Fate(int(timeline.fates[number])), float(lefts[number]), float(widths[number])
        spent, whole = float(timeline.spent[number]) * scale, float(timeline.tokens[number]) * scale
        width -= 1.0 if width >= _APART else 0.0
        if fate in (Fate.DROPPED, Fate.NOT_YET) or spent >= whole:
            yield box(left, foot - max(spent, whole), width, max(spent, whole), _FILLS[fate])
        else:
            yield f'<g opacity="{_NOT_SPENT}">{box(left, foot - whole, width, whole - spent, _FILLS[fate])}</g>'
            yield box(left, foot - spent, width, spent, _FILLS[fate])


def _begin_of_history(timeline: Timeline, lefts: F64, foot: float) -> Iterator[str]:
    """The line from which on every message is kept."""
    if timeline.history_begins is not None:
        left, top = float(lefts[timeline.history_begins]), _GAP + _TITLE
        yield upright(left, top, foot - top)
        yield words("from here on everything is kept", left - 6, top + 14, "end" if left > _WIDTH / 2 else "start")


def _axis(timeline: Timeline, middles: F64, by_time: bool, foot: float) -> str:
    chosen = np.unique(np.linspace(0, len(timeline) - 1, _TICKS).round().astype(np.intp)) if len(timeline) else []
    if not by_time or timeline.times is None:
        return ticks(((float(middles[number]), f"{number + 1:,}") for number in chosen), foot)
    first, last = float(timeline.times[0]), float(timeline.times[-1])
    written = "%H:%M" if _day(first) == _day(last) else "%Y-%m-%d"
    seconds = np.linspace(first, last, _TICKS).tolist()
    places = np.linspace(_LEFT, _LEFT + _WIDTH, _TICKS).tolist()
    return ticks(zip(places, (f"{_moment(each):{written}}" for each in seconds), strict=True), foot)


def _scale(largest: float, top: float) -> str:
    return words(f"{largest:,.0f}", _LEFT - 6, top + 8, "end")


def _tallest_of_pixel(tokens: Rows, lefts: F64) -> Rows:
    """Of the messages in each pixel the one of the most tokens, in their order."""
    order = np.lexsort((tokens, np.floor(lefts)))
    return np.sort(_last_of_pixel(lefts[order], order))


def _last_of_pixel(lefts: F64, order: Rows | None = None) -> Rows:
    """The places that are the last of each pixel, where pixels rise."""
    pixels = np.floor(lefts)
    last = np.flatnonzero(np.append(pixels[1:] != pixels[:-1], True)) if len(pixels) else np.empty(0, np.intp)
    return last if order is None else order[last]


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _day(seconds: float) -> str:
    return f"{_moment(seconds):%Y-%m-%d}"

"""A replay as a drawing (SVG): for each turn tokens by section, what a cache holds of it, and how far back it reaches.

Nothing of the window's library is needed.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from inspector.analysis.replay import Replay
from inspector.analysis.replay_words import (
    axis_dates,
    dates_of,
    headed_summary,
    reach_heights,
    sections_in,
    warned,
)
from inspector.assembly.columns import F64, Section, word
from inspector.assembly.section_fills import OVERHEAD_FILL, SECTION_FILLS
from inspector.pages.axes import MUTED, box, ground, legend, ticks, words
from inspector.pages.plots import alone, drawing

_WIDTH, _LEFT, _GAP, _TITLE, _FOOT, _LINE = 860, 80, 12, 22, 30, 14
_HEIGHTS = (180, 90, 70)
_TITLES = (
    "tokens by section",
    "of these, as the last prompt began; orange where that broke",
    "messages back; red where something was found",
)
_QUIET, _BROKEN, _WEAK, _WARNED = "#2A66AD", "#A84B00", "#C6D8EC", "#BE2F18"
_TICKS, _LEGEND_STEP = 6, 110


def replay_file(found: Sequence[Replay]) -> str:
    """Replays one below the other, with one scale of tokens, as a file of its own."""
    most = max((int(each.totals.max(initial=1)) for each in found), default=1)
    reach = max((int(each.horizon.max(initial=1)) for each in found), default=1)
    parts, top = list[str](), float(_GAP)
    for each in found:
        parts.append(words(headed_summary(each), _GAP, top + 12))
        top += _TITLE
        for title, height, draw in zip(_TITLES, _HEIGHTS, (_tokens, _prefix, _reach), strict=True):
            largest = reach if draw is _reach else most
            parts += [words(title, _LEFT, top + 12), words(f"{largest:,}", _LEFT - 6, top + _TITLE + 8, "end")]
            parts += draw(each, top + _TITLE + height, height / max(largest, 1))
            top += _TITLE + height + _GAP
        parts.append(_turns(each, top - _GAP))
        top += _FOOT + (_LINE if dates_of(each) else 0)
    there = sorted({section for each in found for section in sections_in(each)})
    entries = [*((word(section), SECTION_FILLS[section]) for section in there), ("overhead", OVERHEAD_FILL)]
    parts.append(legend(entries, _LEFT, top, _LEGEND_STEP))
    size = max(_LEFT + _WIDTH, _LEFT + _LEGEND_STEP * len(entries)) + 3 * _GAP, top + _TITLE + _GAP
    title = "; ".join(headed_summary(each) for each in found)
    return alone(drawing(title, *size, ground(*size) + "".join(parts)))


def _columns(found: Replay) -> tuple[F64, F64]:
    """Where the column of each turn begins, and how wide it is: as far as from the turn replayed before it."""
    ends = found.turns.astype(np.float64) / max(1, int(found.turns[-1]) if len(found) else 1)
    edges = _WIDTH * np.concatenate([[0.0], ends])
    if len(found) * 2 <= _WIDTH:
        edges = edges.round()  # whole pixels have no seams
    return _LEFT + edges[:-1], np.diff(edges)


def _bars(found: Replay, bottom: float, scale: float, height: Callable[[int], float], fill: str) -> Iterator[str]:
    lefts, widths = _columns(found)
    for place in range(len(found)):
        if tall := height(place) * scale:
            yield box(float(lefts[place]), bottom - tall, float(widths[place]), tall, fill)


def _tokens(found: Replay, bottom: float, scale: float) -> Iterator[str]:
    columns = np.column_stack([found.tokens, found.overhead])
    fills = [*(SECTION_FILLS[section] for section in Section), OVERHEAD_FILL]
    feet = np.cumsum(columns, axis=1) - columns
    lefts, widths = _columns(found)
    for place in range(len(found)):
        for part in np.flatnonzero(columns[place]).tolist():
            tall, foot = float(columns[place, part]) * scale, float(feet[place, part]) * scale
            yield box(float(lefts[place]), bottom - foot - tall, float(widths[place]), tall, fills[part])


def _prefix(found: Replay, bottom: float, scale: float) -> Iterator[str]:
    yield from _bars(found, bottom, scale, lambda place: float(found.totals[place]), _WEAK)
    for broken, fill in ((False, _QUIET), (True, _BROKEN)):
        chosen = np.where(found.is_broken == broken, found.shared, 0)
        yield from _bars(found, bottom, scale, lambda place, chosen=chosen: float(chosen[place]), fill)


def _reach(found: Replay, bottom: float, scale: float) -> Iterator[str]:
    heights, is_warned = reach_heights(found), warned(found)
    for has, fill in ((False, _QUIET), (True, _WARNED)):
        chosen = np.where(is_warned == has, heights, 0.0)
        yield from _bars(found, bottom, scale, lambda place, chosen=chosen: float(chosen[place]), fill)


def _turns(found: Replay, bottom: float) -> str:
    """Turns below an axis, and below them when their newest messages were said."""
    last = int(found.turns[-1]) if len(found) else 1
    turns = np.unique(np.linspace(1, last, _TICKS).round().astype(np.int64)).tolist()
    places = [_LEFT + _WIDTH * (turn - 0.5) / last for turn in turns]
    dates = zip(places, axis_dates(found, turns), strict=True)
    dated = "".join(words(date, place, bottom + 16 + _LINE, "middle", MUTED) for place, date in dates)
    return ticks(zip(places, (f"{turn:,}" for turn in turns), strict=True), bottom) + dated

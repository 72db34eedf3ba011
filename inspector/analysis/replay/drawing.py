"""A replay as a drawing, in lanes over one axis of turns: tokens by section in the window, what fell out, what a prompt
cache shares, and the cost; and how far back each prompt reaches.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import numpy as np

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.events import EVENT_NAMES
from inspector.analysis.replay.moments import Moments, moments_of
from inspector.analysis.replay.words import (
    lane_figures,
    reach_heights,
    sections_in,
    summary_sentence,
    titled_policy,
    warned,
)
from inspector.assembly.color_roles import section_role
from inspector.assembly.columns import F64, I64, Section, section_title
from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import (
    NO_BARS,
    Axis,
    Bars,
    Drawing,
    Entry,
    Level,
    Mark,
    MarkLook,
    Row,
    Ticks,
    from_zero,
)
from inspector.figures import figures
from inspector.tables import MONTHS

LANES = ("Fell out at each turn", "Shared with the prompt before", "Cost of the prompt")
REACH = "How many messages back the prompt reaches; red: a warning or an error"
_HEIGHT, _LANE, _REACH = 300, 70, 160
_OVERHEAD = Shade(Role.OVERHEAD)
_TONES = (*(Shade(section_role(section)) for section in Section), _OVERHEAD)
_WARNED = (Shade(Role.ACCENT), Shade(Role.DROPPED))
_PER_DOLLAR = 1_000_000
"""Prices are drawn in whole parts of a dollar, as axes have whole numbers."""


def replay_drawings(found: Sequence[Replay]) -> tuple[Drawing, ...]:
    """Return a drawing of each replay, all with the same scale and legend, for comparison at a glance."""
    series = [(token_bars(each), fallen_bars(each), shared_bars(each), cost_bars(each)) for each in found]
    tallest = [max(bars.tallest for bars in of_row) for of_row in zip(*series, strict=True)]
    tallest[0] = max(tallest[0], *(float(each.window) for each in found))
    there = sorted({section for each in found for section in sections_in(each)})
    entries = *(Entry(section_title(section), _TONES[section]) for section in there), Entry("Formatting", _OVERHEAD)
    legend = *entries, Entry("Reply", Shade(Role.RESERVE), hatched=True)
    return tuple(
        Drawing(_heading(each), tuple(_rows(each, rows, tallest)), _turns(each), legend, tuple(_marks(each)))
        for each, rows in zip(found, series, strict=True)
    )


def reach_drawings(found: Sequence[Replay]) -> tuple[Drawing, ...]:
    """Return a drawing of how far back the prompts of each replay reach, all with the same scale."""
    series = [reach_bars(each) for each in found]
    up = from_zero(max(bars.tallest for bars in series))
    return tuple(
        Drawing(_heading(each), (Row(REACH, bars, up, _REACH, True),), _turns(each), marks=tuple(_periods(each)))
        for each, bars in zip(found, series, strict=True)
    )


def whole_drawings(found: Sequence[Replay]) -> tuple[Drawing, ...]:
    """Return a drawing of each replay with all lanes, as the command line writes it."""
    pairs = zip(replay_drawings(found), reach_drawings(found), strict=True)
    return tuple(replace(lanes, rows=(*lanes.rows, *reach.rows)) for lanes, reach in pairs)


def _rows(found: Replay, series: Sequence[Bars], tallest: Sequence[float]) -> Iterator[Row]:
    reply = int(found.reserve[-1]) if len(found) else 0
    level = Level(float(found.window), f"Window {figures(found.window)}", f"Reply {figures(reply)}" if reply else "")
    yield Row("", series[0], from_zero(tallest[0]), _HEIGHT, True, levels=(level,), behind=reply_bars(found))
    for title, said, bars, most in zip(LANES, lane_figures(found), series[1:], tallest[1:], strict=True):
        yield Row(title, bars, replace(from_zero(most), ticks=Ticks.NONE), _LANE, True, said)


def _heading(found: Replay) -> str:
    return f"{titled_policy(found)}: {summary_sentence(found)}"


def _turns(found: Replay) -> Axis:
    """Return the axis of all turns of the conversation, replayed so far or not."""
    return Axis(0.5, max(len(found.case.chosen.parts.messages), 1) + 0.5)


# Marks

_MOST_PERIODS = 9
_LEAST_APART = 0.05
"""Of the axis, between two words above it."""


def _marks(found: Replay) -> Iterator[Mark]:
    """Yield the beginnings of months, days or hours, the turns at which the program shortened its list, and the first
    at which something falls, then those that the file records.

    Each turn has one mark of a kind; only the first of each has words.
    """
    yield from _periods(found)
    moments = moments_of(found)
    named = _named_turns(moments.of("here"))
    fell = np.flatnonzero(found.fallen)
    if len(fell):
        named.setdefault(int(found.turns[fell[0]]), "First drop")
    yield from _marked(named, MarkLook.EVENT)
    recorded = {turn: f"Recorded {words.lower()}" for turn, words in _named_turns(moments.of("recorded")).items()}
    yield from _marked(recorded, MarkLook.RECORDED)


def _named_turns(moments: Moments) -> dict[int, str]:
    """Return the turns of moments, each with the name of its first."""
    turns = ((moments.turn(one), EVENT_NAMES[one.kind].capitalize()) for one in reversed(moments.all))
    return {turn: words for turn, words in turns if turn is not None}


def _marked(named: Mapping[int, str], look: MarkLook) -> Iterator[Mark]:
    for number, (turn, words) in enumerate(sorted(named.items())):
        yield Mark(turn, "" if number else f"{words}, turn {figures(turn)}", look)


def _periods(found: Replay) -> Iterator[Mark]:
    times = [(turn, each.time) for turn, each in enumerate(found.case.chosen.parts.messages, 1) if each.time]
    if not times:
        return
    levels = [_begun(times, level) for level in range(4)]
    begun = next((starts for starts in levels if len(starts) > 2), levels[-1])
    kept = _apart(begun[:: -(-len(begun) // _MOST_PERIODS)], _LEAST_APART * len(found.case.chosen.parts.messages))
    for turn, words in kept:
        yield Mark(turn - 0.5, words, MarkLook.PERIOD)


def _begun(times: Sequence[tuple[int, datetime]], level: int) -> list[tuple[int, str]]:
    """Return each turn at which a year, month, day or hour begins, with its words; the first turn begins one."""
    keyed = [(turn, (time.year, time.month, time.day, time.hour)[: level + 1], time) for turn, time in times]
    starts = [keyed[0], *(after for before, after in pairwise(keyed) if after[1] != before[1])]
    return [(turn, _period_words(time, level)) for turn, _, time in starts]


def _period_words(time: datetime, level: int) -> str:
    month = MONTHS[time.month - 1]
    return (f"{time.year}", f"{month} {time.year}", f"{time.day} {month}", f"{time:%H:%M}")[level]


def _apart(begun: Sequence[tuple[int, str]], least: float) -> list[tuple[int, str]]:
    """Return those far enough behind the one before."""
    kept: list[tuple[int, str]] = []
    for turn, words in begun:
        if not kept or turn - kept[-1][0] >= least:
            kept.append((turn, words))
    return kept


# Bars


def token_bars(found: Replay) -> Bars:
    """Return tokens by section and turn, stacked; the look is the section, after the last the formatting.

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


def reply_bars(found: Replay) -> Bars:
    """Return the room of the reply, hatched below the window: a bar for each run of turns that keep the same room free,
    with the room for the prompt over it.
    """
    begins = np.flatnonzero(np.diff(found.reserve, prepend=-1))
    reserve = found.reserve[begins]
    edges, ends = turn_edges(found), np.append(begins[1:], len(found)) - 1
    there = reserve > 0
    left, right = edges[0][begins[there]], edges[1][ends[there]]
    window, free = np.full(len(left), float(found.window)), (found.window - reserve[there]).astype(np.float64)
    nothing = np.zeros(len(left))
    looks = np.repeat(np.array([0, 1], np.uint8), len(left))
    heights, solids = np.concatenate([window, nothing]), np.concatenate([nothing, free])
    tones = Shade(Role.RESERVE, 0.35), Shade(Role.BASE)
    return Bars(np.tile(left, 2), np.tile(right, 2), heights, solids, looks, tones, apart=False)


def fallen_bars(found: Replay) -> Bars:
    """Return how many items fell out at each turn."""
    return _bars(found, found.fallen, Role.DROPPED, is_solid=True)


def shared_bars(found: Replay) -> Bars:
    """Return the share of each prompt in percent that begins as the prompt sent before, as the area under a line."""
    totals: F64 = np.maximum(found.totals, 1).astype(np.float64)
    return _bars(found, 100 * found.shared / totals, Role.GOOD)


def cost_bars(found: Replay) -> Bars:
    """Return the cost of each prompt, with the provider's cache where its rule is known, as the area under a line.

    Nothing without a price.
    """
    return _bars(found, np.nan_to_num(found.paid) * _PER_DOLLAR, Role.SECOND)


def reach_bars(found: Replay) -> Bars:
    """Return how many turns back each prompt reaches; look 1 at turns with a warning or an error."""
    if not len(found):
        return NO_BARS
    reach, looks = reach_heights(found), warned(found).astype(np.uint8)
    return Bars(*turn_edges(found), reach, np.zeros(len(found)), looks, _WARNED, apart=False, hatched=False)


def _bars(found: Replay, values: F64 | I64, role: Role, is_solid: bool = False) -> Bars:
    if not len(found):
        return NO_BARS
    heights, nothing = values.astype(np.float64), np.zeros(len(found))
    looks = np.zeros(len(found), np.uint8)
    filled = (nothing, heights) if is_solid else (heights, nothing)
    return Bars(*turn_edges(found), *filled, looks, (Shade(role),), apart=is_solid, hatched=False)


def turn_edges(found: Replay) -> tuple[F64, F64]:
    """Return the edges of each turn on the axis of turns: from the previously replayed turn."""
    right = found.turns.astype(np.float64) + 0.5
    return np.concatenate([[0.5], right[:-1]]), right

"""The places of words at axes: round whole numbers, places with room for their words, days and hours."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, count
from math import ceil, floor, log10

from inspector.drawings.drawing import Axis, Ticks

LETTER, LINE = 7, 14
"""The room that a letter and a line take in a file, in pixels."""
_CLOCK = (60.0, 300.0, 900.0, 1_800.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0)
_DAY, _MOST_MOMENTS = 86_400.0, 6


def round_steps(least: float) -> Iterator[float]:
    """The steps 1, 2, 5, 10, 20 … from about this one on."""
    for power in count(floor(log10(least))):
        yield from (digit * 10.0**power for digit in (1, 2, 5))


def ticks(axis: Axis, pixels: float, is_upright: bool = False) -> list[tuple[float, str]]:
    """The places of an axis that is so long in a file, each with its words, of which none lie over others."""
    if axis.ticks is Ticks.TIMES:
        return _moments(axis)
    if axis.ticks is Ticks.PLACES:
        found = _at(axis, 1)
        return found[:: max(1, ceil(len(found) * _room(found, is_upright) / pixels))]
    steps = round_steps(max(1.0, (axis.end - axis.first) * LETTER / pixels))
    tried = (_at(axis, step) for step in steps)
    return next(found for found in tried if len(found) * _room(found, is_upright) <= pixels)


def _at(axis: Axis, step: float) -> list[tuple[float, str]]:
    numbers = [round(place * step) for place in range(ceil(axis.first / step), floor(axis.end / step) + 1)]
    return [(float(number), text) for number, text in zip(numbers, axis.write(numbers), strict=True) if text]


def _room(found: list[tuple[float, str]], is_upright: bool) -> float:
    """What one of them needs along the axis, in pixels."""
    if is_upright:
        return 2 * LINE
    return LETTER * (2 + max((len(line) for _, text in found for line in text.split("\n")), default=0))


def _moments(axis: Axis) -> list[tuple[float, str]]:
    """Round times of the day, or days."""
    steps = chain(_CLOCK, (_DAY * step for step in round_steps(1)))
    step = next(step for step in steps if axis.end - axis.first <= _MOST_MOMENTS * step)
    seconds = [place * step for place in range(ceil(axis.first / step), floor(axis.end / step) + 1)]
    times = [datetime.fromtimestamp(second, UTC) for second in seconds]
    is_one_day = len({time.date() for time in times}) < 2
    written = "%Y-%m-%d" if step >= _DAY else "%H:%M" if is_one_day else "%Y-%m-%d %H:%M"
    return [(second, f"{time:{written}}") for second, time in zip(seconds, times, strict=True)]

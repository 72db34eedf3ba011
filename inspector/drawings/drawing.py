"""A plot as a single value: rows of series over a common axis, with the words at its axes, marks and a legend.

Series are bars, points, stretches and cells as arrays, and a stack, with the roles of their colours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from itertools import chain, count
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.drawings.colors import Shade

U8 = NDArray[np.uint8]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Rows = NDArray[np.intp]

Cell = tuple[int, int]
"""Its column and its row."""


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars from `left` to `right` on the axis. The part of `height` up to `solid` is filled, the rest above is pale.

    `look` is the place of the tone of each in `tones`. All have the same length. If there is room, neighbours are drawn
    `apart`. The pale part is `hatched`, or is the plain area under a line.
    """

    left: F64
    right: F64
    height: F64
    solid: F64
    look: U8
    tones: tuple[Shade, ...]
    apart: bool = True
    hatched: bool = True

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def tallest(self) -> float:
        """The greatest height of all, 0 without bars."""
        return float(np.maximum(self.height, self.solid).max(initial=0.0))

    def same_as(self, other: "Bars") -> bool:
        """Return whether both give the same picture."""
        pairs = zip(self._columns, other._columns, strict=True)
        return self.tones == other.tones and all(np.array_equal(mine, theirs) for mine, theirs in pairs)

    @property
    def _columns(self) -> tuple[NDArray, ...]:
        return self.left, self.right, self.height, self.solid, self.look


NO_BARS = Bars(*(np.empty(0) for _ in range(4)), np.empty(0, np.uint8), ())  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Points:
    """Points in lines, with their intervals (NaN: not known).

    `line` is the number of the line of each point. Line 0 is emphasized; `names` are those of the lines. `steps` draws
    lines as stairs; a line with a single point is a dot.
    """

    across: F64
    up: F64
    low: F64
    high: F64
    line: Rows
    names: tuple[str, ...]
    steps: bool = False

    def __len__(self) -> int:
        return len(self.across)

    def of_line(self, line: int) -> Rows:
        """Return the points of a line, from left to right."""
        members = np.flatnonzero(self.line == line)
        return members[np.argsort(self.across[members], kind="stable")]

    def known_ends(self) -> list[tuple[int, int]]:
        """Return each line with a name and a known point, with the last such point."""
        found = []
        for line, name in enumerate(self.names):
            members = self.of_line(line)
            members = members[~np.isnan(self.up[members])]
            if len(members) and name:
                found.append((line, int(members[-1])))
        return found


@dataclass(frozen=True, eq=False)
class Stretches:
    """Items from top to bottom, each with its stretches over whole numbers.

    The stretches of item i are those from `bounds[i]` up to before `bounds[i + 1]`; they begin at `begins`, the first
    of each at the lowest number, and have the tone of the place `levels` in `tones`. `names` are those of the items,
    () where they are too many to be read.
    """

    bounds: I64
    begins: I64
    levels: U8
    tones: tuple[Shade, ...]
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def grid(self, numbers: I64) -> U8:
        """Return the level of each item at some numbers, rising: a picture of items × numbers."""
        return levels_at(self._rows, len(self), self.begins, self.levels, numbers)

    @cached_property
    def _rows(self) -> Rows:
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    def some(self, places: Rows) -> "Stretches":
        """Return the stretches of some items, in this order."""
        lengths = np.diff(self.bounds)[places]
        bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        chosen = np.repeat(self.bounds[places] - bounds[:-1], lengths) + np.arange(bounds[-1])
        names = tuple(self.names[place] for place in places.tolist()) if self.names else ()
        return Stretches(bounds, self.begins[chosen], self.levels[chosen], self.tones, names)


def levels_at(rows: Rows, size: int, begins: I64, levels: U8, numbers: I64) -> U8:
    """Return the level of each of `size` rows at some numbers, rising: row `rows[i]` has `levels[i]` from `begins[i]`
    on.
    """
    columns = np.searchsorted(numbers, begins)
    inside = columns < len(numbers)
    picture = np.zeros((size, len(numbers)), np.uint8)
    rows, columns, levels = rows[inside], columns[inside], levels[inside]
    # Of stretches that begin between the same two numbers only the last is seen.
    seen = np.ones(len(rows), np.bool_)
    seen[:-1] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    rows, columns, levels = rows[seen], columns[seen], levels[seen]
    widths = np.diff(np.append(rows * len(numbers) + columns, picture.size))
    picture.reshape(-1)[:] = np.repeat(levels, widths)
    return picture


@dataclass(frozen=True, eq=False)
class Cells:
    """Values by row from below, NaN for an empty cell: the larger, the stronger its shade.

    `least` and `most` are the words of the palest and the strongest shade. `now` is the place of the setting in use,
    between cells where it is between values; `best` is the best cell.
    """

    values: F64
    least: str = ""
    most: str = ""
    now: tuple[float, float] | None = None
    best: Cell | None = None

    @property
    def levels(self) -> tuple[float, float]:
        """The least and the largest value; slightly apart if they are equal."""
        if np.isnan(self.values).all():
            return 0.0, 1.0
        low, high = float(np.nanmin(self.values)), float(np.nanmax(self.values))
        return low, max(high, low + 1e-6)


PALEST = 0.06
"""The strength of the palest shade of cells."""


def shade(part: float) -> float:
    """Return the strength of the accent in a cell; `part` is 0 for the least value and 1 for the largest."""
    return PALEST + (1 - PALEST) * part


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a stack, from `start` on; `words` are its name and figure."""

    words: str
    start: int
    size: int
    tone: Shade
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts side by side in a bar, which has a frame around its first `whole` tokens."""

    name: str
    parts: tuple[Part, ...]
    whole: int


Series = Bars | Points | Stretches | Cells | Stack

Write = Callable[[Sequence[int]], Sequence[str]]
"""The words at some whole numbers of an axis, with a line break where they have two lines."""


class Ticks(Enum):
    """The places of the words at an axis."""

    NUMBERS = "at round whole numbers"
    PLACES = "at 0, 1, 2, … as far as there is room"
    TIMES = "at days or hours of seconds since 1970, in UTC"
    NONE = "nowhere: the figures of the row tell its heights"


def whole_numbers(numbers: Sequence[int]) -> list[str]:
    """Return each number with its thousands apart."""
    return [f"{number:,}" for number in numbers]


def listed(texts: Sequence[str]) -> Write:
    """Return the text of each place, nothing beside the places."""
    return lambda numbers: [texts[number] if 0 <= number < len(texts) else "" for number in numbers]


@dataclass(frozen=True, eq=False)
class Axis:
    """An axis from `first` to `end`. `write` gives the words at its numbers, in so many `lines`."""

    first: float
    end: float
    ticks: Ticks = Ticks.NUMBERS
    write: Write = whole_numbers
    title: str = ""
    lines: int = 1


def from_zero(tallest: float) -> Axis:
    """Return the upright axis of bars, with a little room above the tallest."""
    return Axis(0.0, max(tallest, 1.0) * 1.06)


@dataclass(frozen=True, slots=True)
class Level:
    """A line across a row at a height, with words above its right end and below it."""

    height: float
    above: str
    below: str = ""


@dataclass(frozen=True, eq=False)
class Row:
    """A series over the axis of the drawing. `title` names the heights; `height` is the pixels of the row in a file.

    `has_clear_title` keeps the title, and the words of marks, free from the series. `figures` follow the title; the
    bars `behind` lie below the series.
    """

    title: str
    series: Series
    up: Axis
    height: int
    has_clear_title: bool = False
    figures: str = ""
    levels: tuple[Level, ...] = ()
    behind: Bars = NO_BARS


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the legend; `hatched` is pale with lines."""

    words: str
    tone: Shade
    hatched: bool = False


class MarkLook(Enum):
    """The meaning of a mark, which decides how it looks."""

    PLACE = "a dashed line through all rows"
    PERIOD = "a hairline in the first row, where a month, day or hour begins"
    EVENT = "a line in the first row, in the colour of what is dropped"
    RECORDED = "a longer line in the first row, in the second ink"


@dataclass(frozen=True, slots=True)
class Mark:
    """An upright line through all rows, or the first alone, with its words in the first."""

    place: float
    words: str
    look: MarkLook = MarkLook.PLACE


@dataclass(frozen=True, eq=False)
class Drawing:
    """Rows over a common axis. `title` is above it in a file, `note` below it."""

    title: str
    rows: tuple[Row, ...]
    across: Axis
    legend: tuple[Entry, ...] = ()
    marks: tuple[Mark, ...] = ()
    note: str = ""


# Words at axes

LETTER, LINE = 7, 14
"""The room for a letter and a line in a file, in pixels."""
_CLOCK = (60.0, 300.0, 900.0, 1_800.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0)
_DAY, _MOST_MOMENTS = 86_400.0, 6


def round_steps(least: float) -> Iterator[float]:
    """Yield the steps 1, 2, 5, 10, 20 … from about this size on."""
    for power in count(floor(log10(least))):
        yield from (digit * 10.0**power for digit in (1, 2, 5))


def ticks(axis: Axis, pixels: float, is_upright: bool = False) -> list[tuple[float, str]]:
    """Return the ticks of an axis of this length in a file, with texts that do not overlap."""
    if axis.ticks is Ticks.NONE:
        return []
    if axis.ticks is Ticks.TIMES:
        return _moments(axis)
    if axis.ticks is Ticks.PLACES:
        found = _at(axis, 1)
        return found[:: max(1, ceil(len(found) * _room(found, is_upright) / pixels))]
    steps = round_steps(max(1.0, (axis.end - axis.first) * LETTER / pixels))
    tried = (_at(axis, step) for step in steps)
    return next(found for found in tried if len(found) < 2 or len(found) * _room(found, is_upright) <= pixels)


def _at(axis: Axis, step: float) -> list[tuple[float, str]]:
    numbers = [round(place * step) for place in range(ceil(axis.first / step), floor(axis.end / step) + 1)]
    return [(float(number), text) for number, text in zip(numbers, axis.write(numbers), strict=True) if text]


def _room(found: list[tuple[float, str]], is_upright: bool) -> float:
    """Return the room for a text along the axis, in pixels."""
    if is_upright:
        return 2 * LINE
    return LETTER * (2 + max((len(line) for _, text in found for line in text.split("\n")), default=0))


def _moments(axis: Axis) -> list[tuple[float, str]]:
    """Return round times of the day, or days."""
    steps = chain(_CLOCK, (_DAY * step for step in round_steps(1)))
    step = next(step for step in steps if axis.end - axis.first <= _MOST_MOMENTS * step)
    seconds = [place * step for place in range(ceil(axis.first / step), floor(axis.end / step) + 1)]
    times = [datetime.fromtimestamp(second, UTC) for second in seconds]
    is_one_day = len({time.date() for time in times}) < 2
    written = "%Y-%m-%d" if step >= _DAY else "%H:%M" if is_one_day else "%Y-%m-%d %H:%M"
    return [(second, f"{time:{written}}") for second, time in zip(seconds, times, strict=True)]

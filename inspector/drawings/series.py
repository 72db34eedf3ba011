"""The series of plots, with roles of colours: bars, points, stretches and cells as arrays, and a stack."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.drawings.colors import Tone

U8 = NDArray[np.uint8]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Rows = NDArray[np.intp]

Cell = tuple[int, int]
"""Its number across, and its number up."""


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars from `left` to `right` on the axis. Of `height` the part up to `solid` is filled, the rest above is pale.

    `look` is the place of the tone of each in `tones`. All have one length. Where there is room, neighbours stand
    `apart`. The pale part is `hatched`, or is the plain area under a line.
    """

    left: F64
    right: F64
    height: F64
    solid: F64
    look: U8
    tones: tuple[Tone, ...]
    apart: bool = True
    hatched: bool = True

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def tallest(self) -> float:
        """The greatest height of all, 0 without bars."""
        return float(np.maximum(self.height, self.solid).max(initial=0.0))

    def same_as(self, other: "Bars") -> bool:
        """Whether both give the same picture."""
        pairs = zip(self._columns, other._columns, strict=True)
        return self.tones == other.tones and all(np.array_equal(mine, theirs) for mine, theirs in pairs)

    @property
    def _columns(self) -> tuple[NDArray, ...]:
        return self.left, self.right, self.height, self.solid, self.look


NO_BARS = Bars(*(np.empty(0) for _ in range(4)), np.empty(0, np.uint8), ())  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Points:
    """Points in lines, with their intervals (NaN: not known).

    `line` is the number of the line of each point. Line 0 stands out; `names` are those of the lines. `steps` draws
    lines as stairs; a line of one point is a dot.
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
        """The points of a line, from left to right."""
        members = np.flatnonzero(self.line == line)
        return members[np.argsort(self.across[members], kind="stable")]

    def known_ends(self) -> list[tuple[int, int]]:
        """Each line that has a name and a known point, with the last such point."""
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
    tones: tuple[Tone, ...]
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def grid(self, numbers: I64) -> U8:
        """The level of each item at some numbers, rising: a picture of items × numbers."""
        return levels_at(self._rows, len(self), self.begins, self.levels, numbers)

    @cached_property
    def _rows(self) -> Rows:
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    def some(self, places: Rows) -> "Stretches":
        """Those of some items, in this order."""
        lengths = np.diff(self.bounds)[places]
        bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        chosen = np.repeat(self.bounds[places] - bounds[:-1], lengths) + np.arange(bounds[-1])
        names = tuple(self.names[place] for place in places.tolist()) if self.names else ()
        return Stretches(bounds, self.begins[chosen], self.levels[chosen], self.tones, names)


def levels_at(rows: Rows, size: int, begins: I64, levels: U8, numbers: I64) -> U8:
    """The level of each of `size` rows at some numbers, rising: row `rows[i]` has `levels[i]` from `begins[i]` on."""
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
        """The least and the largest value; a little apart where they are the same."""
        if np.isnan(self.values).all():
            return 0.0, 1.0
        low, high = float(np.nanmin(self.values)), float(np.nanmax(self.values))
        return low, max(high, low + 1e-6)


PALEST = 0.06
"""The strength of the palest shade of cells."""


def shade(part: float) -> float:
    """The strength of the accent in a cell; `part` is 0 for the least value and 1 for the largest."""
    return PALEST + (1 - PALEST) * part


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a stack, from `start` on; `words` are its name and figure."""

    words: str
    start: int
    size: int
    tone: Tone
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts side by side in one bar, which has a frame around its first `whole` tokens."""

    name: str
    parts: tuple[Part, ...]
    whole: int


Series = Bars | Points | Stretches | Cells | Stack

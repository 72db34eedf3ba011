"""Bars in pixels, of a screen or of a file: never more than one for each pixel and look."""

from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

from inspector.drawings.drawing import F64, Bars, Rows

NARROWEST = 2
"""The minimum width of a bar in pixels, for places without a width, such as a moment."""
ROOM_FOR_GAP = 4
"""From this width on, in pixels, neighbours have a gap of a pixel between them."""
NUDGE = 1e-6
"""The possible rounding error of a place at the edge of a pixel, in pixels."""
SIGHT = 3
"""The distance from a bar, in pixels, within which it still counts as pointed at."""


@dataclass(frozen=True)
class Across:
    """How places on the axis lie on the screen: at `factor` · place + `offset`, seen from pixel `first` to `end`."""

    factor: float
    offset: float
    first: int
    end: int

    def pixels(self, places: F64) -> Rows:
        """Return the pixel of each place."""
        return np.floor(places * self.factor + (self.offset + NUDGE)).astype(np.intp)


@dataclass(frozen=True, eq=False)
class PixelBars:
    """The drawn bars, from pixel `left` up to pixel `right`, at most one for each pixel and look.

    `rank` is 0 for the tallest of a pixel, 1 for the next, which is drawn over it.
    """

    left: Rows
    right: Rows
    height: F64
    solid: F64
    look: Rows
    rank: Rows

    def __len__(self) -> int:
        return len(self.left)


def pixel_bars(bars: Bars, across: Across, looks: int) -> PixelBars:
    """Return the bars on the screen. Bars of the same look beginning in the same pixel are merged, with the largest
    height.
    """
    left, right = _edges(bars, across)
    seen = np.flatnonzero((right > across.first) & (left < across.end))
    begin = np.maximum(left[seen], across.first)
    key = (begin - across.first) * looks + bars.look[seen].astype(np.intp)
    cells = max(across.end - across.first, 0) * looks
    ends = _greatest(key, np.minimum(right[seen], across.end), cells, np.intp)
    heights, solids = (_greatest(key, column[seen], cells, np.float64) for column in (bars.height, bars.solid))
    there = np.flatnonzero(ends)
    column = there // looks
    return PixelBars(
        column + across.first,
        ends[there],
        heights[there],
        solids[there],
        there % looks,
        _ranks(column, np.maximum(heights, solids)[there]),
    )


def bar_at(bars: Bars, across: Across, pixel: float) -> int | None:
    """Return the bar visible at a pixel: the tallest of those that share it, else a bar close beside it."""
    left, right = _edges(bars, across)
    there = floor(pixel)
    beside = np.maximum(np.maximum(left - there, there - right + 1), 0)
    near = np.flatnonzero(beside <= SIGHT)
    if not len(near):
        return None
    near = near[beside[near] == beside[near].min()]
    return int(near[np.argmax(np.maximum(bars.height, bars.solid)[near])])


def _edges(bars: Bars, across: Across) -> tuple[Rows, Rows]:
    left, right = across.pixels(bars.left), across.pixels(bars.right)
    narrow = np.where(bars.left == bars.right, NARROWEST, 1)
    return left, np.maximum(right - (bars.apart & (right - left >= ROOM_FOR_GAP)), left + narrow)


def _greatest(key: Rows, values: NDArray, cells: int, dtype: type) -> NDArray:
    found = np.zeros(cells, dtype)
    np.maximum.at(found, key, values.astype(dtype, copy=False))
    return found


def _ranks(column: Rows, height: F64) -> Rows:
    """Return the place of each bar among those of its pixel, the tallest first."""
    order = np.lexsort((-height, column))
    starts = np.flatnonzero(np.diff(column[order], prepend=-1))
    ranks = np.empty(len(column), np.intp)
    ranks[order] = np.arange(len(column)) - np.repeat(starts, np.diff(starts, append=len(column)))
    return ranks

"""The bars of a plot: one item that paints arrays, at most one rectangle for each pixel, look and part."""

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QTransform

from inspector.assembly.columns import F64, Rows
from inspector.gui.plots.looks import Look
from inspector.gui.plots.pixels import NO_BARS, NUDGE, Across, BarArrays, PixelBars, pixel_bars

Areas = tuple[Look, list[QRectF], list[QRectF]]


class Bars(pg.GraphicsObject):
    """Bars in the looks that they have. Painted without antialiasing, on whole pixels, whatever the zoom."""

    def __init__(self) -> None:
        super().__init__()
        self.arrays = NO_BARS
        self._looks: tuple[Look, ...] = ()
        self._areas: tuple[object, list[Areas]] = (None, [])

    def show_bars(self, arrays: BarArrays) -> bool:
        """Show these bars; False, and no painting, where they are those that are shown."""
        if arrays is self.arrays or arrays.same_as(self.arrays):
            return False
        if (arrays.tallest, len(arrays)) != (self.arrays.tallest, len(self.arrays)):
            self.prepareGeometryChange()
        self.arrays = arrays
        self._forget()
        return True

    def set_looks(self, looks: Sequence[Look]) -> None:
        """Take other colours."""
        self._looks = tuple(looks)
        self._forget()

    def across(self) -> Across:
        """How the axis lies in the scene."""
        return _across(self.sceneTransform(), QRectF(self.viewRect() or QRectF()))

    def boundingRect(self) -> QRectF:
        """All bars, with room for those that have no width."""
        if not len(self.arrays):
            return QRectF()
        left, right = float(self.arrays.left.min()), float(self.arrays.right.max())
        return QRectF(left - 1, 0, right - left + 2, max(self.arrays.tallest, 1))

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Paint what is in sight, pixel by pixel."""
        transform, box = painter.worldTransform(), self.viewRect()
        if box is None or not len(self.arrays) or not self._looks:
            return
        known = (QTransform(transform), QRectF(box))
        if self._areas[0] != known:
            self._areas = known, _areas(self.arrays, self._looks, transform, box)
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setPen(Qt.PenStyle.NoPen)
        for look, solid, hatched in self._areas[1]:
            look.hatch(painter, hatched)
            look.fill(painter, solid)
        painter.restore()

    def _forget(self) -> None:
        self._areas = (None, [])
        self.update()


def _across(transform: QTransform, frame: QRectF) -> Across:
    seen = transform.mapRect(frame)
    return Across(transform.m11(), transform.dx(), floor(seen.left() + NUDGE), ceil(seen.right() - NUDGE))


def _areas(arrays: BarArrays, looks: Sequence[Look], transform: QTransform, frame: QRectF) -> list[Areas]:
    """The rectangles of each look, those that are drawn first before those that cover them."""
    seen = transform.mapRect(frame)
    drawn = pixel_bars(arrays, _across(transform, frame), len(looks))
    foot = round(min(transform.m22() * max(frame.top(), 0.0) + transform.dy(), seen.bottom()))
    solid_top = _tops(drawn.solid, transform, foot, seen.top())
    top = np.minimum(_tops(np.maximum(drawn.height, drawn.solid), transform, foot, seen.top()), foot - 1)
    found = []
    for rank in range(int(drawn.rank.max(initial=-1)) + 1):
        for number, look in enumerate(looks):
            those = np.flatnonzero((drawn.rank == rank) & (drawn.look == number))
            if len(those):
                bottom = np.full(len(those), foot)
                parts = ((solid_top[those], bottom), (top[those], solid_top[those]))
                solid, hatched = (_rectangles(drawn, those, above, below) for above, below in parts)
                found.append((look, solid, hatched))
    return found


def _tops(heights: F64, transform: QTransform, foot: int, highest: float) -> Rows:
    """The first pixel of each height, from above; nothing ends above the frame."""
    tops = np.floor(heights * transform.m22() + (transform.dy() + 0.5)).astype(np.intp)
    return np.clip(tops, round(highest), foot)


def _rectangles(drawn: PixelBars, those: Rows, above: Rows, below: Rows) -> list[QRectF]:
    columns = (drawn.left[those], above, drawn.right[those] - drawn.left[those], below - above)
    there = columns[3] > 0
    return [QRectF(*place) for place in zip(*(column[there].tolist() for column in columns), strict=True)]

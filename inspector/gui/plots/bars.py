"""The bars of a plot: a single item that paints arrays, at most one rectangle for each pixel, look and part."""

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QTransform

from inspector.drawings.drawing import F64, NO_BARS, Bars, Rows
from inspector.drawings.pixels import NUDGE, Across, PixelBars, pixel_bars
from inspector.gui.plots.looks import Look
from inspector.gui.theme import theme

Areas = tuple[Look, list[QRectF], list[QRectF]]


class BarsPainter(pg.GraphicsObject):
    """Bars in their tones. Painted without antialiasing, on whole pixels, whatever the zoom."""

    def __init__(self, row: pg.PlotItem) -> None:
        super().__init__()
        self.bars = NO_BARS
        self._looks: tuple[Look, ...] = ()
        self._areas: tuple[object, list[Areas]] = (None, [])
        row.addItem(self, ignoreBounds=True)

    def show_series(self, bars: Bars) -> None:
        """Show these bars; if they are shown already, paint nothing."""
        before = self.bars
        if bars is before or bars.same_as(before):
            return
        if (bars.tallest, len(bars)) != (before.tallest, len(before)):
            self.prepareGeometryChange()
        self.bars = bars
        if bars.tones != before.tones or bars.hatched != before.hatched:
            self.restyle()
        self._forget()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        self._looks = tuple(Look(theme().color(tone), self.bars.hatched) for tone in self.bars.tones)
        self._forget()

    def across(self) -> Across:
        """Return the position of the axis in the scene."""
        return _across(self.sceneTransform(), QRectF(self.viewRect() or QRectF()))

    def boundingRect(self) -> QRectF:
        if not len(self.bars):
            return QRectF()
        left, right = float(self.bars.left.min()), float(self.bars.right.max())
        return QRectF(left - 1, 0, right - left + 2, max(self.bars.tallest, 1))

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        transform, box = painter.worldTransform(), self.viewRect()
        if box is None or not len(self.bars) or not self._looks:
            return
        known = (QTransform(transform), QRectF(box))
        if self._areas[0] != known:
            self._areas = known, _areas(self.bars, self._looks, transform, box)
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


def _areas(bars: Bars, looks: Sequence[Look], transform: QTransform, frame: QRectF) -> list[Areas]:
    """Return the rectangles of each look in order of painting."""
    seen = transform.mapRect(frame)
    drawn = pixel_bars(bars, _across(transform, frame), len(looks))
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
    """Return the first pixel of each height, from above; nothing ends above the frame."""
    tops = np.floor(heights * transform.m22() + (transform.dy() + 0.5)).astype(np.intp)
    return np.clip(tops, round(highest), foot)


def _rectangles(drawn: PixelBars, those: Rows, above: Rows, below: Rows) -> list[QRectF]:
    columns = (drawn.left[those], above, drawn.right[those] - drawn.left[those], below - above)
    there = columns[3] > 0
    return [QRectF(*place) for place in zip(*(column[there].tolist() for column in columns), strict=True)]

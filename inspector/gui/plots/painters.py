"""A painter for each kind of series except bars: it paints the values of a drawing on a row of a plot."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTransform

from inspector.drawings.colors import Role, Shade
from inspector.drawings.drawing import I64, Bars, Cell, Cells, Points, Rows, Series, Stack, Stretches, shade
from inspector.gui.plots.bars import BarsPainter
from inspector.gui.plots.marks import InSight
from inspector.gui.theme import UNIT, named_font, theme

COLUMNS, MANY = 400, 20_000
"""The number of numbers drawn at once, half as many for many items."""
_SHADES = 256
_BAND = 50
_DOT, _RING = 5, 11
_LEADER = 6 * UNIT


class PointsPainter:
    """Points on a row. Emphasized are the first line and that of the marked point, which has a ring."""

    def __init__(self, row: pg.PlotItem) -> None:
        self._row = row
        self._points: Points | None = None
        self._marked: int | None = None
        self._lines: list[pg.PlotDataItem] = []
        edges = [pg.PlotCurveItem(), pg.PlotCurveItem()]
        self._edges, self._band = edges, pg.FillBetweenItem(edges[0], edges[1])
        self._ring = pg.ScatterPlotItem(size=_RING, pxMode=True, antialias=True, useCache=False)
        self._labels = _EndLabels()
        for item in (*edges, self._band, self._ring, self._labels):
            row.addItem(item, ignoreBounds=True)
        self._ring.setZValue(3)

    def show_series(self, points: Points) -> None:
        """Show these points."""
        self._points = points
        if self._marked is not None and self._marked >= len(points):
            self._marked = None
        for line in self._lines[len(points.names) :]:
            self._row.removeItem(line)
        del self._lines[len(points.names) :]
        while len(self._lines) < len(points.names):
            self._lines.append(pg.PlotDataItem())
            self._row.addItem(self._lines[-1], ignoreBounds=True)
        self.restyle()

    def mark(self, point: int | None) -> None:
        """Mark a point."""
        self._marked = point
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        points = self._points
        if points is None:
            return
        out = 0 if self._marked is None else int(points.line[self._marked])
        for number, item in enumerate(self._lines):
            self._draw(item, points, points.of_line(number), _ink(number, out), 2 if number in (0, out) else 1)
        self._show_band(points, out)
        self._labels.show_labels(_labels(points, out))
        place = [] if self._marked is None else [self._marked]
        pen, brush = pg.mkPen(theme().text, width=2), pg.mkBrush(None)
        self._ring.setData(points.across[place], points.up[place], pen=pen, brush=brush)

    def _draw(self, item: pg.PlotDataItem, points: Points, members: Rows, ink: QColor, width: int) -> None:
        across, up = points.across[members], points.up[members]
        item.setData(
            across,
            up,
            pen=pg.mkPen(ink, width=width),
            symbol="o",
            symbolSize=_DOT,
            symbolBrush=ink,
            symbolPen=ink,
            antialias=True,
            useCache=False,  # kept pictures of the dots would be coarse in an image of twice the size
            stepMode="right" if points.steps and len(across) > 1 else None,
        )
        item.setZValue(2 if width > 1 else 1)

    def _show_band(self, points: Points | None, out: int) -> None:
        members = points.of_line(out) if points is not None else np.zeros(0, np.intp)
        known = members[~np.isnan(points.low[members])] if points is not None else members
        self._band.setVisible(len(known) > 1)
        if points is not None and len(known) > 1:
            for edge, values in zip(self._edges, (points.low, points.high), strict=True):
                edge.setData(points.across[known], values[known], pen=pg.mkPen(None))
            color = QColor(_ink(out, out))
            color.setAlpha(_BAND)
            self._band.setBrush(color)


def _ink(line: int, out: int) -> QColor:
    if line == 0:
        return theme().accent
    return theme().text if line == out else theme().muted_text


def _labels(points: Points, out: int) -> list[tuple[str, float, float, QColor]]:
    order = sorted(points.known_ends(), key=lambda end: end[0] not in (0, out))
    return [
        (points.names[line], float(points.across[last]), float(points.up[last]), _ink(line, out))
        for line, last in order
    ]


class _EndLabels(InSight):
    """Names beside the last points of lines, moved apart if they would overlap."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: Sequence[tuple[str, float, float, QColor]] = ()
        self.setZValue(4)

    def show_labels(self, entries: Sequence[tuple[str, float, float, QColor]]) -> None:
        """Show names at places."""
        self._entries = entries
        self.update()

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Write the names in pixels of the screen, the highest first."""
        transform = painter.worldTransform()
        frame = transform.mapRect(self.boundingRect())
        metrics = QFontMetricsF(named_font("caption"))
        height = metrics.height()
        places = [(transform.map(QPointF(across, up)), name, ink) for name, across, up, ink in self._entries]
        places = places[: max(1, int(frame.height() // height))]  # the emphasized line is the first
        places.sort(key=lambda place: place[0].y())
        tops = _apart([place.y() - height / 2 for place, _, _ in places], height, frame)
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setFont(named_font("caption"))
        for (place, name, ink), top in zip(places, tops, strict=True):
            left = place.x() + _LEADER
            painter.setPen(theme().border)
            painter.drawLine(QPointF(place.x() + UNIT, place.y()), QPointF(left - 2, top + height / 2))
            painter.setPen(ink)
            room = QRectF(left, top, max(0.0, frame.right() - left), height)
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), text)
        painter.restore()


def _apart(tops: Sequence[float], height: float, frame: QRectF) -> list[float]:
    """Return these tops, rising, moved apart so that none overlap and all are in the frame."""
    found: list[float] = []
    for top in tops:
        found.append(max(top, found[-1] + height) if found else max(top, frame.top()))
    limit = frame.bottom()
    for place in reversed(range(len(found))):
        found[place] = min(found[place], limit - height)
        limit = found[place]
    return found


class StretchesPainter:
    """A picture of items from top to bottom; it is drawn again when other numbers come into sight."""

    def __init__(self, row: pg.PlotItem) -> None:
        self._stretches: Stretches | None = None
        self.picture: pg.ImageItem = pg.ImageItem(axisOrder="row-major")
        self._box = row.getViewBox()
        self._box.invertY(True)
        row.addItem(self.picture, ignoreBounds=True)
        self._box.sigXRangeChanged.connect(self._draw)

    def show_series(self, stretches: Stretches) -> None:
        """Show these items."""
        self._stretches = stretches
        self.picture.setVisible(len(stretches) > 0)
        self.restyle()
        self._draw()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        if self._stretches is not None:
            colors = [theme().color(tone).getRgb() for tone in self._stretches.tones]
            self.picture.setLookupTable(np.array(colors, np.uint8))

    def _draw(self) -> None:
        stretches = self._stretches
        if stretches is None or not len(stretches):
            return
        left, right = self._box.viewRange()[0]
        first, last = max(round(left + 0.5), int(stretches.begins[0])), round(right - 0.5)
        count = COLUMNS if len(stretches) <= MANY else COLUMNS // 2
        numbers: I64 = np.unique(np.linspace(first, max(first, last), count).round().astype(np.int64))
        step = 1.0 if len(numbers) < 2 else (numbers[-1] - numbers[0]) / (len(numbers) - 1)
        levels = (0, len(stretches.tones))
        self.picture.setImage(stretches.grid(numbers), autoLevels=False, levels=levels)
        self.picture.setRect(QRectF(numbers[0] - step / 2, 0, step * len(numbers), len(stretches)))


class CellsPainter:
    """Cells on a row, with the marks on them."""

    def __init__(self, row: pg.PlotItem) -> None:
        self._picture: pg.ImageItem = pg.ImageItem(axisOrder="row-major")
        self._marks = _Marks()
        for item in (self._picture, self._marks):
            row.addItem(item, ignoreBounds=True)

    def show_series(self, cells: Cells) -> None:
        """Show these cells."""
        high, wide = cells.values.shape
        self._picture.setVisible(cells.values.size > 0 and not np.isnan(cells.values).all())
        if self._picture.isVisible():
            self._picture.setImage(cells.values, autoLevels=False, levels=cells.levels)
            self._picture.setRect(QRectF(-0.5, -0.5, wide, high))
        self._marks.now, self._marks.best = cells.now, cells.best
        self.restyle()

    def mark(self, cell: Cell | None) -> None:
        """Mark a cell."""
        self._marks.marked = cell
        self._marks.update()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        self._picture.setLookupTable(shades())
        self._marks.update()


def shades() -> NDArray[np.uint8]:
    """Return shades from pale to the accent of the theme."""
    tones = (Shade(Role.ACCENT, shade(part)) for part in np.linspace(0.0, 1.0, _SHADES).tolist())
    return np.array([theme().color(tone).getRgb() for tone in tones], np.uint8)


class _Marks(InSight):
    """The current place as a cross of lines, the best cell as a ring, the marked cell as a frame."""

    def __init__(self) -> None:
        super().__init__()
        self.now: tuple[float, float] | None = None
        self.best: Cell | None = None
        self.marked: Cell | None = None
        self.setZValue(3)

    def paint(self, painter: QPainter, option: object = None, widget: object = None) -> None:
        """Paint them in pixels of the screen."""
        transform = painter.worldTransform()
        frame = transform.mapRect(self.boundingRect())
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setClipRect(frame)
        if self.now is not None:
            here = transform.map(QPointF(*self.now))
            painter.setPen(QPen(theme().text, 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(here.x(), frame.top()), QPointF(here.x(), frame.bottom()))
            painter.drawLine(QPointF(frame.left(), here.y()), QPointF(frame.right(), here.y()))
        for cell, width, is_ring in ((self.best, 1, True), (self.marked, 2, False)):
            if cell is None:
                continue
            place = transform.mapRect(QRectF(cell[0] - 0.5, cell[1] - 0.5, 1, 1)).adjusted(1, 1, -1, -1)
            for ink, room in ((theme().base, width + 2), (theme().text, width)):
                painter.setPen(QPen(ink, room))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                if is_ring:
                    side = min(place.width(), place.height()) / 2
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.drawEllipse(place.center(), side / 2, side / 2)
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                else:
                    painter.drawRect(place)
        painter.restore()


Painter = BarsPainter | PointsPainter | StretchesPainter | CellsPainter


def painter_on(row: pg.PlotItem, series: Series) -> Painter:
    """Return the painter of such a series on a row."""
    match series:
        case Bars():
            return BarsPainter(row)
        case Points():
            return PointsPainter(row)
        case Stretches():
            return StretchesPainter(row)
        case Cells():
            return CellsPainter(row)
        case Stack():
            raise TypeError("the window has a bar of its own for a stack")


def paint(painter: Painter, series: Series) -> None:
    """Let a painter show another series of its kind."""
    match painter, series:
        case BarsPainter(), Bars():
            painter.show_series(series)
        case PointsPainter(), Points():
            painter.show_series(series)
        case StretchesPainter(), Stretches():
            painter.show_series(series)
        case CellsPainter(), Cells():
            painter.show_series(series)
        case _:
            raise TypeError(f"{type(painter).__name__} paints no {type(series).__name__}")

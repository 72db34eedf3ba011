"""Points in lines: one line stands out, the others are quiet with their names at their ends, and one point is marked.

Every point can be pointed at, clicked and gone to by keys: Left and Right along its line, Up and Down to the next one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QTransform
from PySide6.QtWidgets import QWidget

from inspector.assembly.columns import F64, Rows
from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.plots.marks import InSight, Mark, MarkKind
from inspector.gui.plots.plot import Plot
from inspector.gui.theme import UNIT, small_font, theme

KEYS = (
    KeyUse("The next point of a line", "Right, Left"),
    KeyUse("The line above or below", "Up, Down"),
    KeyUse("Use the setting of the marked point", "Return"),
)
_NEAR = 14
"""So many pixels beside a point it is still the one that is pointed at."""
_BAND = 50
_DOT, _RING = 5, 11
_LEADER = 6 * UNIT


@dataclass(frozen=True, eq=False)
class Points:
    """Points with the number of the line that each is on, and where they surely lie (NaN: not known).

    `names` are those of the lines; line 0 stands out. `steps` draws a line as stairs; a line of one point is a dot.
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


class PointsPlot(Plot):
    """One row of points. `point_pointed` tells the one at the mouse (None: none), `point_chosen` a click or Return."""

    point_pointed = Signal(object)
    point_chosen = Signal(int)
    point_marked = Signal(int)

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.points: Points | None = None
        self.marked: int | None = None
        self._row = self.add_row(1, title)
        self._lines: list[pg.PlotDataItem] = []
        edges = [pg.PlotCurveItem(), pg.PlotCurveItem()]
        self._edges, self._band = edges, pg.FillBetweenItem(edges[0], edges[1])
        self._ring = pg.ScatterPlotItem(size=_RING, pxMode=True, antialias=True, useCache=False)
        self._labels, self._today = _EndLabels(), Mark(MarkKind.SPOKEN_OF, "now")
        for item in (*edges, self._band, self._ring, self._labels, self._today):
            self._row.addItem(item, ignoreBounds=True)
        self._ring.setZValue(3)
        self.spot_pointed.connect(lambda spot: self.point_pointed.emit(None if spot is None else self._at(spot)))
        self.spot_chosen.connect(self._choose)
        self.stepped.connect(self._step)
        self.restyled.connect(self._recolour)

    def show_points(self, points: Points | None, whole: tuple[float, float], heights: tuple[float, float]) -> None:
        """Show these points, from where to where across and up; None shows nothing."""
        self.points = points
        if self.marked is not None and (points is None or self.marked >= len(points)):
            self.marked = None
        self.set_whole(whole)
        self.set_heights(*heights)
        count = 0 if points is None else len(points.names)
        for line in self._lines[count:]:
            self._row.removeItem(line)
        del self._lines[count:]
        while len(self._lines) < count:
            self._lines.append(pg.PlotDataItem())
            self._row.addItem(self._lines[-1], ignoreBounds=True)
        self._recolour()

    def show_today(self, place: float | None) -> None:
        """Mark the value of now; None: it is nowhere here."""
        self._today.put(None if place is None else (place, place))

    def mark(self, point: int | None) -> None:
        """Mark a point: its line stands out, too."""
        if point != self.marked:
            self.marked = point
            self._recolour()

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Up and Down go to another line, Return chooses the marked point."""
        key = Qt.Key(ev.key())
        if ev.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or self.points is None or not len(self.points):
            super().keyPressEvent(ev)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._go_to(self._beside(-1 if key == Qt.Key.Key_Down else 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marked is not None:
            self.point_chosen.emit(self.marked)
        else:
            super().keyPressEvent(ev)

    # Inside

    def _at(self, spot: QPointF) -> int | None:
        """The point at a spot of the widget."""
        if self.points is None or not len(self.points):
            return None
        box = self._row.getViewBox()
        corner, unit = box.mapViewToScene(QPointF(0, 0)), box.mapViewToScene(QPointF(1, 1))
        across = corner.x() + self.points.across * (unit.x() - corner.x()) - spot.x()
        up = corner.y() + self.points.up * (unit.y() - corner.y()) - spot.y()
        far = np.where(np.isnan(up), np.inf, np.hypot(across, up))
        nearest = int(np.argmin(far))
        return nearest if far[nearest] <= _NEAR else None

    def _choose(self, spot: QPointF) -> None:
        point = self._at(spot)
        if point is not None:
            self._go_to(point)
            self.point_chosen.emit(point)

    def _go_to(self, point: int) -> None:
        self.mark(point)
        self.point_marked.emit(point)

    def _step(self, steps: int) -> None:
        if self.points is None or not len(self.points):
            return
        members = self.points.of_line(0 if self.marked is None else int(self.points.line[self.marked])).tolist()
        here = members.index(self.marked) + steps if self.marked in members else 0
        self._go_to(members[min(max(here, 0), len(members) - 1)])

    def _beside(self, up: int) -> int:
        """The point above or below the marked one, or the marked one where there is none."""
        points = self.points
        if points is None or self.marked is None:
            return 0
        there = np.flatnonzero((points.across == points.across[self.marked]) & ~np.isnan(points.up))
        order = there[np.lexsort((there, points.up[there]))].tolist()
        if self.marked not in order:
            return self.marked
        return order[min(max(order.index(self.marked) + up, 0), len(order) - 1)]

    def _recolour(self) -> None:
        points = self.points
        out = 0 if points is None or self.marked is None else int(points.line[self.marked])
        for number, item in enumerate(self._lines):
            if points is not None:
                members = points.of_line(number)
                self._draw(item, points, members, _ink(number, out), 2 if number in (0, out) else 1)
        self._show_band(points, out)
        self._labels.show_labels([] if points is None else _labels(points, out))
        place = [] if points is None or self.marked is None else [self.marked]
        self._ring.setData(
            points.across[place] if points is not None and place else [],
            points.up[place] if points is not None and place else [],
            pen=pg.mkPen(theme().text, width=2),
            brush=pg.mkBrush(None),
        )

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
            useCache=False,  # pictures of the dots would be pictures in a drawing, too, of a few coarse pixels
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
    found = []
    order = sorted(range(len(points.names)), key=lambda line: line not in (0, out))
    for line, name in ((line, points.names[line]) for line in order):
        members = points.of_line(line)
        members = members[~np.isnan(points.up[members])]
        if len(members) and name:
            last = members[-1]
            found.append((name, float(points.across[last]), float(points.up[last]), _ink(line, out)))
    return found


class _EndLabels(InSight):
    """Names beside the last points of lines, moved apart where they would lie over one another."""

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
        metrics = QFontMetricsF(small_font())
        height = metrics.height()
        places = [(transform.map(QPointF(across, up)), name, ink) for name, across, up, ink in self._entries]
        places = places[: max(1, int(frame.height() // height))]  # the line that stands out is the first
        places.sort(key=lambda place: place[0].y())
        tops = _apart([place.y() - height / 2 for place, _, _ in places], height, frame)
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setFont(small_font())
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
    """These tops, rising, moved so far that none lies over another and all are in the frame."""
    found: list[float] = []
    for top in tops:
        found.append(max(top, found[-1] + height) if found else max(top, frame.top()))
    limit = frame.bottom()
    for place in reversed(range(len(found))):
        found[place] = min(found[place], limit - height)
        limit = found[place]
    return found

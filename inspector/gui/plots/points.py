"""Points in lines: an emphasized line, quiet lines with their names at their ends, and a marked point.

Every point can be pointed at, clicked and reached by keys: Left and Right along its line, Up and Down to the next.
"""

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from inspector.drawings.drawing import Drawing, Points
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.plots.painters import PointsPainter
from inspector.gui.plots.plot import Plot

KEYS = (
    KeyUse("The next point of a line", "Right, Left"),
    KeyUse("The line above or below", "Up, Down"),
    KeyUse("Use the setting of the marked point", "Return"),
)
_NEAR = 14
"""The distance from a point, in pixels, within which it still counts as pointed at."""


class PointsPlot(Plot):
    """Points in the first of some rows.

    `point_pointed` emits the point at the mouse (None: none), `point_chosen` a click or Return.
    """

    point_pointed = Signal(object)
    point_chosen = Signal(int)
    point_marked = Signal(int)

    def __init__(self, name: str, rows: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(name, rows, parent)
        self.marked: int | None = None
        self.spot_pointed.connect(lambda spot: self.point_pointed.emit(None if spot is None else self._at(spot)))
        self.spot_chosen.connect(self._choose)
        self.stepped.connect(self._step)

    @property
    def points(self) -> Points | None:
        """The points shown."""
        series = None if self.drawing is None else self.drawing.rows[0].series
        return series if isinstance(series, Points) and len(series) else None

    def show_drawing(self, drawing: Drawing) -> None:
        """Show other points; the mark stays on the point of its number."""
        super().show_drawing(drawing)
        if self.marked is not None and (self.points is None or self.marked >= len(self.points)):
            self.marked = None

    def mark(self, point: int | None) -> None:
        """Mark a point, emphasizing its line, too."""
        if point != self.marked:
            self.marked = point
            if self.drawn_by and isinstance(self.drawn_by[0], PointsPainter):
                self.drawn_by[0].mark(point)

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Go to another line by Up and Down, and choose the marked point by Return."""
        key = Qt.Key(ev.key())
        if ev.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or self.points is None:
            super().keyPressEvent(ev)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._go_to(self._beside(-1 if key == Qt.Key.Key_Down else 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marked is not None:
            self.point_chosen.emit(self.marked)
        else:
            super().keyPressEvent(ev)

    # Inside

    def _at(self, spot: QPointF) -> int | None:
        """Return the point at a spot of the widget."""
        if self.points is None:
            return None
        box = self.rows[0].getViewBox()
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
        if self.points is None:
            return
        members = self.points.of_line(0 if self.marked is None else int(self.points.line[self.marked])).tolist()
        here = members.index(self.marked) + steps if self.marked in members else 0
        self._go_to(members[min(max(here, 0), len(members) - 1)])

    def _beside(self, up: int) -> int:
        """Return the point above or below the marked point, or the marked point if there is none."""
        points = self.points
        if points is None or self.marked is None:
            return 0
        there = np.flatnonzero((points.across == points.across[self.marked]) & ~np.isnan(points.up))
        order = there[np.lexsort((there, points.up[there]))].tolist()
        if self.marked not in order:
            return self.marked
        return order[min(max(order.index(self.marked) + up, 0), len(order) - 1)]

"""The plot of a replay over its turns, with the turn shown by the window."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.drawing import TITLES
from inspector.analysis.replay.words import policy_name
from inspector.drawings.drawing import Drawing
from inspector.gui.plots.marks import MarkKind, MarkLine
from inspector.gui.plots.plot import Plot


class ReplayPlot(Plot):
    """Three rows over the turns. `turn_chosen` emits a click, `turn_pointed` the turn at the mouse (None: nothing)."""

    turn_chosen = Signal(int)
    turn_pointed = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, len(TITLES), parent)
        self._found: Replay | None = None
        self._selected = [MarkLine(MarkKind.SELECTED) for _ in self.rows]
        for row, mark in zip(self.rows, self._selected, strict=True):
            row.addItem(mark, ignoreBounds=True)
        self.pointed.connect(self._point)
        self.chosen.connect(lambda pixel: self.turn_chosen.emit(self._turn_at(pixel)))

    def show_replay(self, found: Replay, drawing: Drawing) -> None:
        """Show a replay of at least one turn as this drawing."""
        self._found = found
        self.heading = policy_name(found)
        self.show_drawing(drawing)

    def show_turn(self, turn: int | None) -> None:
        """Mark the turn shown by the window."""
        place = None if turn is None or self._found is None else (turn - 0.5, turn + 0.5)
        for mark in self._selected:
            mark.put(place)
        if place is not None:
            self.bring_into_sight(*place)

    def _turn_at(self, pixel: float) -> int:
        last = 1 if self._found is None else int(self._found.turns[-1])
        return min(max(round(self.place_of(pixel)), 1), last)

    def _point(self, pixel: float | None) -> None:
        self.turn_pointed.emit(None if pixel is None else self._turn_at(pixel))

"""A plot over the turns of a conversation, with the playhead through all its rows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.drawings.drawing import Drawing
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.slider import new_gesture
from inspector.gui.plots.marks import MarkKind, MarkLine
from inspector.gui.plots.plot import Plot
from inspector.gui.theme import scaled

if TYPE_CHECKING:
    from inspector.analysis.replay.ask import Replay

KEYS = (
    KeyUse("One turn on or back", "Right, Left"),
    KeyUse("First or last turn", "Home, End"),
)
_LANE, _LANE_SHARE = 64, 0.145
"""The height of a lane in pixels, and its most of the whole plot."""


class TurnPlot(Plot):
    """A press leads to a turn, and a drag goes on from there; with Shift it moves the zoomed part.

    `turned(turn, gesture)` carries a turn to go to, all of a drag with the same gesture; `turn_pointed` the turn at the
    mouse, None for none.
    """

    turned = Signal(int, str)
    turn_pointed = Signal(object)

    def __init__(self, name: str, rows: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(name, rows, parent)
        self._found: Replay | None = None
        self._turn = 0
        self._gesture = ""
        self._heads = [MarkLine(MarkKind.PLAYHEAD) for _ in self.rows]
        self._heads[0].say("▼")
        for row, head in zip(self.rows, self._heads, strict=True):
            row.addItem(head, ignoreBounds=True)
        self.pointed.connect(lambda pixel: self.turn_pointed.emit(None if pixel is None else self._turn_at(pixel)))
        self.stepped.connect(self._step)

    def show_replay(self, found: "Replay", heading: str, drawing: Drawing) -> None:
        """Show a replay of at least one turn as this drawing."""
        self._found, self.heading = found, heading
        self.show_drawing(drawing)

    def forget(self) -> None:
        """Keep nothing of the replay shown last; its picture is hidden."""
        self._found = None

    def show_turn(self, turn: int, figures: Sequence[str] = ()) -> None:
        """Move the playhead, with the `figures` of the turn after the titles of the lanes below the first."""
        self._turn = turn
        for head in self._heads:
            head.put((turn, turn))
        if self.drawing is not None:
            for title, row, said in zip(self.titles[1:], self.drawing.rows[1:], figures, strict=False):
                title.say(row.title, ", ".join(filter(None, (said, row.figures))))
        self.bring_into_sight(turn - 0.5, turn + 0.5)

    def resizeEvent(self, ev: QResizeEvent) -> None:
        """Give the lanes their usual height, or less in a low plot; the first row has the rest."""
        if hasattr(self, "rows"):
            height = round(min(scaled(_LANE), self.height() * _LANE_SHARE))
            for number in range(1, len(self.rows)):
                self._grid.setRowFixedHeight(number, height + (self._foot if number == len(self.rows) - 1 else 0))
        super().resizeEvent(ev)

    @property
    def _foot(self) -> int:
        """The height of the axis below the lowest lane."""
        return round(self.rows[-1].getAxis("bottom").height())

    @property
    def _last(self) -> int:
        return round(self.whole[1] - 0.5)

    def _turn_at(self, pixel: float) -> int:
        return min(max(round(self.place_of(pixel)), 1), self._last)

    def _step(self, steps: int) -> None:
        """Go to another replayed turn."""
        if self._found is not None and len(self._found):
            turns = self._found.turns
            place = min(max(self._found.place(self._turn) + steps, 0), len(turns) - 1)
            self.turned.emit(int(turns[place]), "")

    # Mouse

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        """Begin a drag of the playhead, from the place of the press."""
        is_plain = ev.button() == Qt.MouseButton.LeftButton and not ev.modifiers()
        if not is_plain:
            super().mousePressEvent(ev)
        elif self._is_inside(ev.position()):
            self._gesture = new_gesture(self.objectName())
            self.turned.emit(self._turn_at(ev.position().x()), self._gesture)

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        if self._gesture:
            self.turned.emit(self._turn_at(ev.position().x()), self._gesture)
        else:
            super().mouseMoveEvent(ev)

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        """End the drag."""
        if self._gesture and ev.button() == Qt.MouseButton.LeftButton:
            self._gesture = ""
        else:
            super().mouseReleaseEvent(ev)

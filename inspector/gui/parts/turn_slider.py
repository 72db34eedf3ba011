"""The slider over the turns of a conversation, with a mark above each turn at which much falls."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from inspector.assembly.columns import Action, Rows
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.slider import new_gesture
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import OFF_OPACITY, theme

KEYS = (
    KeyUse("One turn on or back", "Right, Left, Up, Down"),
    KeyUse("Some turns on or back", "PgUp, PgDown"),
    KeyUse("First or last turn", "Home, End"),
)
_PAGES = 20
_KNOB, _GROOVE, _MARK = 16.0, 4.0, 6.0
"""The knob, the groove and the marks above it, in pixels."""


class TurnSlider(QSlider):
    """A slider from 0 to all messages; at its end the conversation is whole.

    `turned(turn, gesture)`: `gesture` is the same non-empty text from the press to the release of a drag, "" for a
    single step. A press leads to its place. The wheel is left to the scrolling parent, so that scrolling past it
    changes nothing. `scale` is the size of its parts against the usual size.
    """

    turned = Signal(int, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName(name)
        self.setAccessibleName("Turn to replay")
        self.setToolTip(tooltip("Replay the conversation as it was then: Left, Right, Home and End move by turns"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._marks: Rows = np.empty(0, np.intp)
        self._scale = 1.0
        self._gesture, self._moved = "", 0.0
        self.valueChanged.connect(lambda turn: self.turned.emit(turn, self._gesture))

    def show_turn(self, turn: int, last: int) -> None:
        """Show a turn of so many. Emits nothing."""
        with QSignalBlocker(self):
            self.setRange(0, last)
            self.setPageStep(max(1, last // _PAGES))
            self.setValue(turn)
        self.setEnabled(last > 0)

    def show_marks(self, turns: Rows) -> None:
        """Mark these turns."""
        if not np.array_equal(turns, self._marks):
            self._marks = turns
            self.update()

    def set_scale(self, scale: float) -> None:
        """Take another size."""
        if scale != self._scale:
            self._scale = scale
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(160 * self._scale), round(28 * self._scale))

    def minimumSizeHint(self) -> QSize:
        """Return the least width at which a drag leads to a turn that was meant."""
        return QSize(round(80 * self._scale), round(28 * self._scale))

    # Places

    @property
    def _ends(self) -> tuple[float, float]:
        """The middle of the knob at both ends."""
        half = _KNOB * self._scale / 2
        return half, max(self.width() - half, half + 1)

    def place_of(self, turn: float) -> float:
        """Return the pixel of a turn."""
        left, right = self._ends
        return left + (right - left) * turn / max(self.maximum(), 1)

    def _turn_at(self, x: float) -> int:
        left, right = self._ends
        return round(min(max((x - left) / (right - left), 0.0), 1.0) * self.maximum())

    # Mouse

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        """Begin a drag; beside the knob, the knob first moves to the place."""
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
            return
        self._gesture = new_gesture(self.objectName())
        beside = ev.position().x() - self.place_of(self.value())
        self._moved = beside if abs(beside) <= _KNOB * self._scale / 2 else 0.0
        self.setSliderDown(True)
        self._drag_to(ev)

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        if self._gesture:
            self._drag_to(ev)

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        """End the drag."""
        if ev.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self._gesture = ""

    def _drag_to(self, ev: QMouseEvent) -> None:
        self.setValue(self._turn_at(ev.position().x() - self._moved))

    def wheelEvent(self, e: QWheelEvent) -> None:
        """Leave the wheel to the scrolling parent."""
        e.ignore()

    # Painting

    def paintEvent(self, ev: QPaintEvent) -> None:
        """Paint the groove, filled up to the knob, the marks above it, and the knob."""
        painter, look, scale = QPainter(self), theme(), self._scale
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if not self.isEnabled():
            painter.setOpacity(OFF_OPACITY)
        (left, right), middle, knob = self._ends, self.height() / 2, self.place_of(self.value())
        high = _GROOVE * scale
        for end, ink in ((right, look.border), (knob, look.accent)):
            painter.setBrush(ink)
            painter.drawRoundedRect(QRectF(left, middle - high / 2, end - left, high), high / 2, high / 2)
        painter.setBrush(look.action_color(Action.DROPPED))
        wide, above = max(2 * scale, 1.0), middle - high / 2 - (_MARK + 2) * scale
        places = np.unique(np.round(self.place_of(1) + (self._marks - 1) * (self.place_of(2) - self.place_of(1))))
        painter.drawRects([QRectF(x - wide / 2, above, wide, _MARK * scale) for x in places.tolist()])
        painter.setBrush(look.text if look.dark else look.base)
        painter.setPen(look.accent if not look.dark else look.text)
        radius = _KNOB * scale / 2 - 1
        painter.drawEllipse(QPointF(knob, middle), radius, radius)
        painter.end()

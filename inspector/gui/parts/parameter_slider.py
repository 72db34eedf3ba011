"""The slider of a parameter: its own values instead of Qt's whole numbers, and gestures from press to release."""

from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QSlider, QWidget

from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.slider_knob import bring_knob_to
from inspector.gui.parts.slider_scale import SliderScale

if TYPE_CHECKING:
    from inspector.gui.parts.slider_flips import SliderFlips

KEYS = (
    KeyUse("A step up or down", "Right, Left, Up, Down"),
    KeyUse("A larger step", "Shift+Right, Shift+Left, Shift+Up, Shift+Down"),
    KeyUse("A leap", "PgUp, PgDown"),
    KeyUse("Smallest or largest value", "Home, End"),
)
_DIRECTIONS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageUp: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_PageDown: -1,
}
_LEAPS = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_gesture_numbers = count(1)


def new_gesture(name: str) -> str:
    """Return a unique name for a gesture. All changes of a gesture are undone together."""
    return f"{name}#{next(_gesture_numbers)}"


class ParameterSlider(QSlider):
    """A slider over the numbers of a scale.

    `moved` carries the value and the gesture: the same name from press to release, "" for a key.

    Arrows move by a step, Page Up and Page Down by several, Shift with an arrow according to the scale.
    """

    moved = Signal(float, str)
    gesture_began = Signal()

    def __init__(self, scale: SliderScale, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._scale = scale
        self._number = scale.number(0)
        self._gesture = ""
        self._flips: SliderFlips | None = None
        self._words = ""
        self.setRange(0, scale.last_tick)
        self.setSingleStep(scale.tick(scale.stepped(self._number, 1)))
        self.setPageStep(scale.tick(scale.stepped(self._number, scale.leap)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._report)

    @property
    def number(self) -> float:
        """The value of the slider, which may be between two positions of the handle."""
        return self._number

    def show_number(self, number: float) -> None:
        """Move the handle to the nearest position for a value set elsewhere, without a signal."""
        self._number = number
        with QSignalBlocker(self):
            self.setValue(self._scale.tick(number))

    @property
    def flips(self) -> "SliderFlips | None":
        """The values that change a decision, or None if unknown."""
        return self._flips

    def describe(self, words: str) -> None:
        """Set the description of the slider in the tooltip."""
        self._words = words
        self._show_tip()

    def _show_tip(self) -> None:
        words = [self._words, self._flips.words if self._flips else ""]
        self.setToolTip(tooltip("\n".join(filter(None, words))))

    def show_flips(self, flips: "SliderFlips | None") -> None:
        """Mark the values that change a decision, and list them in the tooltip after the description."""
        if flips == self._flips:
            return
        self._flips = flips
        self._show_tip()
        self.update()

    def paintEvent(self, ev: QPaintEvent) -> None:
        """Paint the slider, and on it the values that change a decision."""
        super().paintEvent(ev)
        if self._flips is not None:
            from inspector.gui.parts.slider_flips import paint_flips  # not in the first picture

            paint_flips(self, self._scale, self._flips)

    def _report(self, tick: int) -> None:
        """Take a moved handle, and put it where its number is, even between press and release."""
        number = self._scale.number(tick)
        is_new = number != self._number
        self.show_number(number)
        if is_new:
            self._tell()

    def _tell(self) -> None:
        if not self._gesture:
            self.gesture_began.emit()
        self.moved.emit(self._number, self._gesture)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture. A press beside the handle moves it there, so that dragging continues from the pointer."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.gesture_began.emit()
        self._gesture = new_gesture(self.objectName())
        bring_knob_to(self, event.position().toPoint())
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture."""
        super().mouseReleaseEvent(event)
        self._gesture = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by a step of the scale; other keys are Qt's."""
        key = Qt.Key(event.key())
        direction = _DIRECTIONS.get(key)
        if direction is None:
            super().keyPressEvent(event)
            return
        if key in _LEAPS:
            number = self._scale.stepped(self._number, direction * self._scale.leap)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            number = self._scale.shifted(self._number, direction)
        else:
            number = self._scale.stepped(self._number, direction)
        if number != self._number:
            self.show_number(number)
            self._tell()

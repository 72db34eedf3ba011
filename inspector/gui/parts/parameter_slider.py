"""The slider of a parameter: its own values instead of Qt's whole numbers, and gestures from press to release."""

from itertools import count

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

_LARGE_STEPS = 10
_gesture_numbers = count(1)


def new_gesture(name: str) -> str:
    """A name that no other gesture has; changes of one gesture are undone together."""
    return f"{name}#{next(_gesture_numbers)}"


class ParameterSlider(QSlider):
    """A slider from `minimum` to `maximum` in steps of `step`.

    `moved` carries the value and the gesture: the same words from press to release, "" for a key.
    Arrows move by a step; Page Up, Page Down and Shift with an arrow by ten.
    """

    moved = Signal(float, str)
    gesture_began = Signal()

    def __init__(self, minimum: float, maximum: float, step: float, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._lowest, self._step = minimum, step
        self._gesture = ""
        self.setRange(0, max(1, round((maximum - minimum) / step)))
        self.setSingleStep(1)
        self.setPageStep(_LARGE_STEPS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._report)

    @property
    def number(self) -> float:
        """The value that the handle stands at."""
        return round(self._lowest + self.value() * self._step, 9)

    def show_number(self, number: float) -> None:
        """Put the handle at the nearest place to a value that was set elsewhere; nothing is emitted."""
        with QSignalBlocker(self):
            self.setValue(round((number - self._lowest) / self._step))

    def _report(self) -> None:
        if not self._gesture:
            self.gesture_began.emit()
        self.moved.emit(self.number, self._gesture)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture; a press beside the handle brings it there, so that the drag goes on from the pointer."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.gesture_began.emit()
        self._gesture = new_gesture(self.objectName())
        self._bring_knob_to(event.position().toPoint())
        super().mousePressEvent(event)

    def _bring_knob_to(self, place: QPoint) -> None:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
        knob = self.style().subControlRect(control, option, part, self)
        if not knob.contains(place):
            left, reach = place.x() - knob.width() // 2, self.width() - knob.width()
            self.setValue(QStyle.sliderValueFromPosition(0, self.maximum(), left, reach, option.upsideDown))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture."""
        super().mouseReleaseEvent(event)
        self._gesture = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift makes an arrow a large step."""
        large = {
            Qt.Key.Key_Right: QSlider.SliderAction.SliderPageStepAdd,
            Qt.Key.Key_Up: QSlider.SliderAction.SliderPageStepAdd,
            Qt.Key.Key_Left: QSlider.SliderAction.SliderPageStepSub,
            Qt.Key.Key_Down: QSlider.SliderAction.SliderPageStepSub,
        }.get(Qt.Key(event.key()))
        if large is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.triggerAction(large)
        else:
            super().keyPressEvent(event)

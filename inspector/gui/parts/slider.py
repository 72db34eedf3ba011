"""The slider of a parameter: its scale, flips and knob."""

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count, pairwise
from typing import ClassVar, Protocol

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from inspector.assembly.policy import Parameter
from inspector.gui.palettes import Theme
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import theme

_DIGITS = 9
_SMALL = (0, 1, 2, 4, 8, 16, 32, 64)
_ROUND = (10, 15, 20, 30, 40, 50, 60, 80)
"""The factors for the powers of ten from 10 on."""
_TICKS_BETWEEN = 16
"""The resolution for numbers between two stops."""


class SliderScale(Protocol):
    """The numbers of a slider. `leap` is the number of steps for Page Up and Page Down."""

    leap: ClassVar[int]

    @property
    def last_tick(self) -> int:
        """The tick at the upper end."""
        ...

    def tick(self, number: float) -> int:
        """Return the tick nearest to a number."""
        ...

    def number(self, tick: int) -> float:
        """Return the number chosen by a handle at a tick."""
        ...

    def stepped(self, number: float, steps: int) -> float:
        """Return the number this many steps up, or down for less than 0, but never beyond the end of the slider."""
        ...

    def shifted(self, number: float, direction: int) -> float:
        """Return the number for Shift with an arrow: up for 1, down for -1."""
        ...


@dataclass(frozen=True, slots=True)
class EvenScale:
    """From `minimum` to `maximum` in steps of `step`; Shift takes ten steps at once."""

    leap: ClassVar[int] = 10

    minimum: float
    maximum: float
    step: float

    @property
    def last_tick(self) -> int:
        """The tick at the upper end, at least 1."""
        return max(1, round((self.maximum - self.minimum) / self.step))

    def tick(self, number: float) -> int:
        """Return the tick nearest to a number."""
        return min(max(round((number - self.minimum) / self.step), 0), self.last_tick)

    def number(self, tick: int) -> float:
        """Return the number at a tick."""
        return round(self.minimum + tick * self.step, _DIGITS)

    def stepped(self, number: float, steps: int) -> float:
        """Return the number this many steps from the handle's."""
        tick = self.tick(number)
        wanted = min(max(tick + steps, 0), self.last_tick)
        return number if wanted == tick else self.number(wanted)

    def shifted(self, number: float, direction: int) -> float:
        """Return the number ten steps away."""
        return self.stepped(number, direction * self.leap)


@dataclass(frozen=True, slots=True)
class StopScale:
    """From stop to stop, all equally far apart; Shift takes a `fine` step instead.

    A number between two stops is shown between them, and is kept until the handle is moved.
    """

    leap: ClassVar[int] = 4

    stops: tuple[float, ...]
    fine: float

    @property
    def last_tick(self) -> int:
        """The tick of the last stop."""
        return _TICKS_BETWEEN * (len(self.stops) - 1)

    def tick(self, number: float) -> int:
        """Return the tick of a number, between those of its neighbours."""
        below = min(max(bisect_right(self.stops, number) - 1, 0), len(self.stops) - 2)
        start, end = self.stops[below : below + 2]
        share = (number - start) / (end - start)
        return min(max(round(_TICKS_BETWEEN * (below + share)), 0), self.last_tick)

    def number(self, tick: int) -> float:
        """Return the stop nearest to a tick."""
        return self.stops[(tick + _TICKS_BETWEEN // 2) // _TICKS_BETWEEN]

    def stepped(self, number: float, steps: int) -> float:
        """Return the stop this many stops above a number, or below it."""
        if steps > 0:
            above = min(bisect_right(self.stops, number) + steps - 1, len(self.stops) - 1)
            return max(number, self.stops[above])
        below = max(bisect_left(self.stops, number) + steps, 0)
        return min(number, self.stops[below])

    def shifted(self, number: float, direction: int) -> float:
        """Return the number a fine step away, usually between stops."""
        lowest, highest = min(number, self.stops[0]), max(number, self.stops[-1])
        return min(max(number + direction * self.fine, lowest), highest)


def scale_of(parameter: Parameter) -> SliderScale:
    """Return the declared scale of a parameter. Its default is a stop, so that the keys lead back to it."""
    if parameter.scale == "log":
        stops = round_numbers(parameter.minimum, parameter.maximum, parameter.default)
        return StopScale(stops, parameter.step)
    return EvenScale(parameter.minimum, parameter.maximum, parameter.step)


def round_numbers(minimum: float, maximum: float, *others: float) -> tuple[float, ...]:
    """Return both ends, numbers round for people (100, 150, 200 …) or machines (128, 256 …) between, and `others`."""
    numbers: set[float] = {minimum, maximum, *others, *_SMALL}
    power = 10
    while power <= maximum:
        numbers |= {power * factor for factor in _ROUND}
        power *= 10
    power = 128
    while power <= maximum:
        numbers.add(power)
        power *= 2
    return tuple(sorted(number for number in numbers if minimum <= number <= maximum))


def eighths(smallest: int, largest: int, *others: float) -> tuple[float, ...]:
    """Return the powers of two in a range with seven whole numbers between each and the next, and `others`."""
    powers = [2**exponent for exponent in range(smallest.bit_length() - 1, largest.bit_length())]
    between = (low + part * (high - low) // 8 for low, high in pairwise(powers) for part in range(8))
    return tuple(sorted({*between, powers[-1], *others}))


_TICK_WIDTH, _TICK_HEIGHT = 2, 4
_MARK_WIDTH, _MARK_HEIGHT = 7, 4
_GROOVE = 4
_KNOB = 14
_SHORT, _TARGET = 40, 24
Hue = Callable[[Theme], QColor]
"""A colour of the theme in use."""


@dataclass(frozen=True)
class SliderFlips:
    """The values at which the selected item flips, and the next at which any item does, with a description.

    `next_ones` are below and above the value of the slider, as far as there are any.
    """

    of_item: tuple[float, ...]
    next_ones: tuple[float, ...]
    words: str


def paint_flips(painter: QPainter, slider: QSlider, scale: SliderScale, flips: SliderFlips) -> None:
    """Draw ticks below the groove where the item flips, and triangles above it at the next flip of any item."""
    look = theme()
    painter.setPen(Qt.PenStyle.NoPen)
    bottom = slider.height()
    painter.setBrush(look.accent)
    for x in places_of(slider, scale, flips.of_item):
        painter.drawRect(QRectF(x - _TICK_WIDTH / 2, bottom - _TICK_HEIGHT, _TICK_WIDTH, _TICK_HEIGHT))
    painter.setBrush(look.muted_text)
    for x in places_of(slider, scale, flips.next_ones):
        tip, half = QPointF(x, _MARK_HEIGHT), _MARK_WIDTH / 2
        painter.drawPolygon(QPolygonF([QPointF(x - half, 0), QPointF(x + half, 0), tip]))


def paint_track(painter: QPainter, slider: QSlider, knob: QRectF, hue: QColor) -> None:
    """Draw the groove of a slider, filled from its start to the middle of the knob, and the knob."""
    look, middle = theme(), slider.height() / 2
    ends = QRectF(knob.width() / 2, middle - _GROOVE / 2, slider.width() - knob.width(), _GROOVE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.border)
    painter.drawRoundedRect(ends, _GROOVE / 2, _GROOVE / 2)
    ink = hue if slider.isEnabled() else look.outline
    painter.setBrush(ink)
    painter.drawRoundedRect(QRectF(ends.left(), ends.top(), knob.center().x() - ends.left(), _GROOVE), 2, 2)
    is_lit = slider.isSliderDown() or slider.underMouse()
    painter.setBrush(look.button if slider.isEnabled() else look.window)
    painter.setPen(QPen(look.muted_text if is_lit and slider.isEnabled() else look.outline, 1))
    painter.drawEllipse(knob.center(), _KNOB / 2, _KNOB / 2)


def places_of(slider: QSlider, scale: SliderScale, numbers: Iterable[float]) -> list[int]:
    """Return the middle of the knob for these numbers, in pixels, without those beyond the ends of the slider."""
    knob = knob_of(slider).width()
    lowest, highest = scale.number(0), scale.number(scale.last_tick)
    ticks = {scale.tick(number) for number in numbers if lowest <= number <= highest}
    place = QStyle.sliderPositionFromValue
    return sorted({place(0, scale.last_tick, tick, slider.width() - knob) + knob // 2 for tick in ticks})


def bring_knob_to(slider: QSlider, place: QPoint) -> None:
    """Give a horizontal slider the value whose knob would be under a place; on the knob nothing changes."""
    knob = knob_of(slider)
    if not knob.contains(place):
        left, reach = place.x() - knob.width() // 2, slider.width() - knob.width()
        slider.setValue(QStyle.sliderValueFromPosition(0, slider.maximum(), left, reach))


def knob_of(slider: QSlider) -> QRect:
    """Return the place of the knob for the mouse."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(control, option, part, slider)


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

    Arrows move by a step, Page Up and Page Down by several, Shift with an arrow according to the scale. Its groove is
    filled with a `hue`, by default the accent.
    """

    moved = Signal(float, str)
    gesture_began = Signal()

    def __init__(
        self, scale: SliderScale, parent: QWidget | None = None, hue: Hue = operator.attrgetter("accent")
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._scale, self._hue = scale, hue
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

    def sizeHint(self) -> QSize:
        """Return a short slider: it takes the free width."""
        return QSize(_SHORT, max(super().sizeHint().height(), _TARGET))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

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
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_track(painter, self, QRectF(knob_of(self)), self._hue(theme()))
        if self._flips is not None:
            paint_flips(painter, self, self._scale, self._flips)
        painter.end()

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

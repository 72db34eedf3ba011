"""The marks on a slider for values that change a decision. Independent of policies."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

from inspector.gui.parts.slider_scale import SliderScale
from inspector.gui.theme import theme

_TICK_WIDTH, _TICK_HEIGHT = 2, 4
_MARK_WIDTH, _MARK_HEIGHT = 7, 4


@dataclass(frozen=True)
class SliderFlips:
    """The values at which the selected item flips, and the next at which any item does, with a description.

    `next_ones` are below and above the value of the slider, as far as there are any.
    """

    of_item: tuple[float, ...]
    next_ones: tuple[float, ...]
    words: str


def paint_flips(slider: QSlider, scale: SliderScale, flips: SliderFlips) -> None:
    """Draw ticks below the groove where the item flips, and triangles above it at the next flip of any item."""
    painter, look = QPainter(slider), theme()
    painter.setPen(Qt.PenStyle.NoPen)
    bottom = slider.height()
    painter.setBrush(look.accent)
    for x in places_of(slider, scale, flips.of_item):
        painter.drawRect(QRectF(x - _TICK_WIDTH / 2, bottom - _TICK_HEIGHT, _TICK_WIDTH, _TICK_HEIGHT))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(look.muted_text)
    for x in places_of(slider, scale, flips.next_ones):
        tip, half = QPointF(x, _MARK_HEIGHT), _MARK_WIDTH / 2
        painter.drawPolygon(QPolygonF([QPointF(x - half, 0), QPointF(x + half, 0), tip]))
    painter.end()


def places_of(slider: QSlider, scale: SliderScale, numbers: Iterable[float]) -> list[int]:
    """Return the middle of the knob for these numbers, in pixels, without those beyond the ends of the slider."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    knob = slider.style().subControlRect(control, option, part, slider).width()
    lowest, highest = scale.number(0), scale.number(scale.last_tick)
    ticks = {scale.tick(number) for number in numbers if lowest <= number <= highest}
    place = QStyle.sliderPositionFromValue
    return sorted({place(0, scale.last_tick, tick, slider.width() - knob) + knob // 2 for tick in ticks})

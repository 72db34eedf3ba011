"""Mouse presses on a slider: a press beside the knob moves it there, so that dragging continues from there."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider


def bring_knob_to(slider: QSlider, place: QPoint) -> None:
    """Give a horizontal slider the value whose knob would be under a place; on the knob nothing changes."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    knob = slider.style().subControlRect(control, option, part, slider)
    if not knob.contains(place):
        left, reach = place.x() - knob.width() // 2, slider.width() - knob.width()
        slider.setValue(QStyle.sliderValueFromPosition(0, slider.maximum(), left, reach, option.upsideDown))

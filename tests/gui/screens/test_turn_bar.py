"""The turn bar: steps, drags and keys give turns; showing a turn tells nobody."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QSlider, QStyle, QStyleOptionSlider, QToolButton
from pytestqt.qtbot import QtBot

from inspector.gui.screens.turns.view import TurnBar


@pytest.fixture
def bar(qtbot: QtBot) -> TurnBar:
    """A bar of ten turns, at the end."""
    made = TurnBar()
    qtbot.addWidget(made)
    made.resize(600, 40)
    made.show_turn(None, 10)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def told(bar: TurnBar) -> list[tuple[int | None, str]]:
    """What the bar said."""
    heard: list[tuple[int | None, str]] = []
    bar.turn_changed.connect(lambda at, gesture: heard.append((at, gesture)))
    return heard


def slider_of(bar: TurnBar) -> QSlider:
    return bar.findChildren(QSlider, "turn_slider")[0]


def label_of(bar: TurnBar) -> str:
    return bar.findChildren(QLabel)[0].text()


def button_of(bar: TurnBar, name: str) -> QToolButton:
    return next(button for button in bar.findChildren(QToolButton) if button.accessibleName() == name)


def test_showing_a_turn_says_nothing_and_tells_it_in_words(bar: TurnBar, told: list) -> None:
    bar.show_turn(4, 5882)
    assert (slider_of(bar).value(), label_of(bar)) == (4, "turn 4 of 5,882")
    bar.show_turn(None, 5882)
    assert label_of(bar) == "turn 5,882 of 5,882"
    assert told == []


def test_buttons_step_by_one_turn(bar: TurnBar, told: list, qtbot: QtBot) -> None:
    qtbot.mouseClick(button_of(bar, "Previous turn"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(button_of(bar, "Previous turn"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(button_of(bar, "Next turn"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(button_of(bar, "Next turn"), Qt.MouseButton.LeftButton)
    assert told == [(9, ""), (8, ""), (9, ""), (None, "")]
    assert not button_of(bar, "Next turn").isEnabled()


def test_keys_step_and_jump(bar: TurnBar, told: list, qtbot: QtBot) -> None:
    slider = slider_of(bar)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_End):
        qtbot.keyClick(slider, key)
    assert told == [(9, ""), (0, ""), (1, ""), (None, "")]


def handle_centre(slider: QSlider) -> QPoint:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    style = slider.style()
    return style.subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
    ).center()


def test_a_drag_is_one_gesture_and_the_next_drag_another(bar: TurnBar, told: list, qtbot: QtBot) -> None:
    slider = slider_of(bar)
    for target in (0.5, 0.2):
        start = handle_centre(slider)
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
        for step in range(1, 6):
            x = start.x() + (slider.width() * target - start.x()) * step / 5
            qtbot.mouseMove(slider, QPoint(int(x), start.y()))
        qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(int(slider.width() * target), start.y()))
    gestures = [gesture for _, gesture in told]
    assert len(told) >= 4
    assert "" not in gestures
    assert len(set(gestures)) == 2
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert told[-1][1] == ""


def test_the_wheel_changes_nothing(bar: TurnBar, told: list) -> None:
    slider = slider_of(bar)
    place = QPointF(slider.rect().center())
    wheel = QWheelEvent(
        place,
        slider.mapToGlobal(place),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(slider, wheel)
    assert (slider.value(), told) == (10, [])


def test_without_messages_there_is_nothing_to_move(bar: TurnBar) -> None:
    bar.show_turn(None, 0)
    assert not bar.isEnabled()
    assert label_of(bar) == "no turns yet"

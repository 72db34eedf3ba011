"""The turn bar: steps, drags and keys give turns; showing a turn tells nobody."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QSlider, QStyle, QStyleOptionSlider, QToolButton
from pytestqt.qtbot import QtBot

from inspector.gui.screens.turns.view import TurnBar
from inspector.model import Message


def said(count: int, first: datetime | None = None) -> tuple[Message, ...]:
    """So many messages, a day apart where there is a first time."""
    times = (first and first + timedelta(days=number) for number in range(count))
    return tuple(Message(f"m{number}", "user", "w", time=time) for number, time in enumerate(times))


@pytest.fixture
def bar(qtbot: QtBot) -> TurnBar:
    """A bar of ten turns, at the end."""
    made = TurnBar()
    qtbot.addWidget(made)
    made.resize(600, 40)
    made.show_turn(None, said(10))
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
    return labelled(bar, "Turn shown")


def labelled(bar: TurnBar, name: str) -> str:
    return next(label for label in bar.findChildren(QLabel) if label.accessibleName() == name).text()


def button_of(bar: TurnBar, name: str) -> QToolButton:
    return next(button for button in bar.findChildren(QToolButton) if button.accessibleName() == name)


def test_showing_a_turn_says_nothing_and_tells_it_in_words(bar: TurnBar, told: list) -> None:
    bar.show_turn(4, said(5882))
    assert (slider_of(bar).value(), label_of(bar)) == (4, "turn 4 of 5,882")
    bar.show_turn(None, said(5882))
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
    bar.show_turn(None, ())
    assert not bar.isEnabled()
    assert label_of(bar) == "no turns yet"


def test_a_click_leads_to_its_place_and_a_drag_goes_on_from_there(bar: TurnBar, told: list, qtbot: QtBot) -> None:
    slider = slider_of(bar)
    place = QPoint(slider.width() * 3 // 10, slider.height() // 2)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=place)
    assert slider.value() == 3
    qtbot.mouseMove(slider, QPoint(slider.width() // 2, place.y()))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, place.y()))
    assert (told[0][0], told[-1][0], slider.value()) == (3, 5, 5)
    assert len({gesture for _, gesture in told}) == 1
    assert told[0][1]


def test_other_buttons_of_the_mouse_move_nothing(bar: TurnBar, told: list, qtbot: QtBot) -> None:
    qtbot.mouseClick(slider_of(bar), Qt.MouseButton.RightButton, pos=QPoint(30, 5))
    assert told == []


def test_the_dates_of_the_first_the_last_and_the_shown_message_are_told(bar: TurnBar) -> None:
    bar.show_turn(4, said(10, datetime(2024, 5, 1, 9, 30, tzinfo=UTC)))
    ends = [labelled(bar, f"Date of the {which} message") for which in ("first", "last")]
    assert ends == ["2024-05-01", "2024-05-10"]
    assert label_of(bar) == "turn 4 of 10, 2024-05-04 09:30"
    bar.show_turn(0, said(10, datetime(2024, 5, 1, 9, 30, tzinfo=UTC)))
    assert label_of(bar) == "turn 0 of 10"


def test_the_knob_stays_where_it_is_when_the_shown_time_comes_and_goes(bar: TurnBar, qtbot: QtBot) -> None:
    slider, messages = slider_of(bar), said(10, datetime(2024, 5, 1, tzinfo=UTC))
    widths = []
    for turn in (0, 5, 10):
        bar.show_turn(turn, messages)
        QApplication.processEvents()
        widths.append((slider.x(), slider.width()))
    assert len(set(widths)) == 1


def test_dates_give_way_where_the_slider_would_lead_nowhere(bar: TurnBar, qtbot: QtBot) -> None:
    bar.show_turn(None, said(337, datetime(2026, 2, 10, 12, tzinfo=UTC)))
    dates = [label for label in bar.findChildren(QLabel) if label.accessibleName().startswith("Date of")]
    bar.resize(1200, 40)
    qtbot.waitUntil(lambda: all(date.isVisible() for date in dates))
    for width in (760, 700):
        bar.resize(width, 40)
        QApplication.processEvents()
        assert slider_of(bar).width() >= 75, width
    assert not any(date.isVisible() for date in dates)
    bar.resize(1200, 40)
    qtbot.waitUntil(lambda: all(date.isVisible() for date in dates))

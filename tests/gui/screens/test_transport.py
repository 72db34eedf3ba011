"""The transport row: steps, drags and keys give turns; showing a turn tells nobody."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Action
from inspector.gui.parts.painted_line import PaintedLine
from inspector.gui.parts.turn_slider import TurnSlider
from inspector.gui.screens.replay.transport import Transport
from inspector.gui.session.turns import Player
from inspector.gui.theme import theme
from inspector.model import Message


def said(count: int, first: datetime | None = None) -> tuple[Message, ...]:
    """So many messages, a day apart where there is a first time."""
    times = (first and first + timedelta(days=number) for number in range(count))
    return tuple(Message(f"m{number}", "user", "w", time=time) for number, time in enumerate(times))


@pytest.fixture
def bar(qtbot: QtBot) -> Transport:
    """A bar of ten turns, at the end."""
    player = Player()
    made = Transport(player)
    player.setParent(made)
    qtbot.addWidget(made)
    made.resize(1100, 44)
    made.show_turn(10, said(10))
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def told(bar: Transport) -> list[tuple[int, str]]:
    """What the row said."""
    heard: list[tuple[int, str]] = []
    bar.turned.connect(lambda turn, gesture: heard.append((turn, gesture)))
    return heard


def slider_of(bar: Transport) -> TurnSlider:
    return bar.findChildren(TurnSlider, "turn_slider")[0]


def label_of(bar: Transport) -> str:
    return next(line for line in bar.findChildren(PaintedLine) if line.accessibleName() == "Turn shown").text()


def button_of(bar: Transport, name: str) -> QToolButton:
    return next(button for button in bar.findChildren(QToolButton) if button.accessibleName() == name)


def test_showing_a_turn_says_nothing_and_tells_it_in_words(bar: Transport, told: list) -> None:
    bar.show_turn(4, said(5882))
    assert (slider_of(bar).value(), label_of(bar)) == (4, "Turn 4 of 5,882")
    bar.show_turn(5882, said(5882))
    assert label_of(bar) == "Turn 5,882 of 5,882"
    assert told == []


def test_buttons_step_by_one_turn_and_to_the_ends(bar: Transport, told: list, qtbot: QtBot) -> None:
    messages = said(10)
    bar.turned.connect(lambda turn, _: bar.show_turn(turn, messages))
    for name in ("Previous turn", "Previous turn", "Next turn", "First turn", "Next turn"):
        qtbot.mouseClick(button_of(bar, name), Qt.MouseButton.LeftButton)
    assert told == [(9, ""), (8, ""), (9, ""), (0, ""), (1, "")]
    assert button_of(bar, "First turn").isEnabled()
    qtbot.mouseClick(bar.back, Qt.MouseButton.LeftButton)
    assert told[-1] == (10, "")
    assert not button_of(bar, "Next turn").isEnabled()
    assert not bar.back.isEnabled()


def test_keys_step_and_jump(bar: Transport, told: list, qtbot: QtBot) -> None:
    slider = slider_of(bar)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_End):
        qtbot.keyClick(slider, key)
    assert told == [(9, ""), (0, ""), (1, ""), (10, "")]


def handle_centre(slider: TurnSlider) -> QPoint:
    return QPoint(round(slider.place_of(slider.value())), slider.height() // 2)


def test_a_drag_is_one_gesture_and_the_next_drag_another(bar: Transport, told: list, qtbot: QtBot) -> None:
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


def test_the_wheel_changes_nothing(bar: Transport, told: list) -> None:
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


def test_without_messages_there_is_nothing_to_move(bar: Transport) -> None:
    bar.show_turn(0, ())
    assert not bar.isEnabled()
    assert label_of(bar) == "No turns yet"


def test_a_click_leads_to_its_place_and_a_drag_goes_on_from_there(bar: Transport, told: list, qtbot: QtBot) -> None:
    slider = slider_of(bar)
    place = QPoint(slider.width() * 3 // 10, slider.height() // 2)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=place)
    assert slider.value() == 3
    qtbot.mouseMove(slider, QPoint(slider.width() // 2, place.y()))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, place.y()))
    assert (told[0][0], told[-1][0], slider.value()) == (3, 5, 5)
    assert len({gesture for _, gesture in told}) == 1
    assert told[0][1]


def test_other_buttons_of_the_mouse_move_nothing(bar: Transport, told: list, qtbot: QtBot) -> None:
    qtbot.mouseClick(slider_of(bar), Qt.MouseButton.RightButton, pos=QPoint(30, 5))
    assert told == []


def test_the_time_of_the_shown_message_is_told_where_there_is_room(bar: Transport) -> None:
    messages = said(10, datetime(2024, 5, 1, 9, 30, tzinfo=UTC))
    bar.show_turn(4, messages)
    assert label_of(bar) == "Turn 4 of 10, 4 May 09:30"
    bar.show_turn(0, messages)
    assert label_of(bar) == "Turn 0 of 10"
    bar.show_turn(4, messages)
    bar.resize(800, 44)
    assert label_of(bar) == "Turn 4 of 10"
    assert bar.back.accessibleName() == "Back to the last turn"
    assert not bar.back.text()


def test_nothing_moves_when_the_shown_turn_changes(bar: Transport) -> None:
    messages = said(1200, datetime(2024, 5, 1, tzinfo=UTC))
    bar.show_turn(1200, messages)
    places = []
    for turn in (0, 5, 1200):
        bar.show_turn(turn, messages)
        QApplication.processEvents()
        places.append([part.geometry() for part in (slider_of(bar), bar.label, bar.back, bar.next)])
    assert places[0] == places[1] == places[2]


def test_the_slider_can_be_used_in_a_narrow_row(bar: Transport, qtbot: QtBot) -> None:
    bar.show_turn(337, said(337, datetime(2026, 2, 10, 12, tzinfo=UTC)))
    bar.resize(bar.minimumSizeHint().width(), 44)
    QApplication.processEvents()
    assert bar.minimumSizeHint().width() <= 700
    assert slider_of(bar).width() >= 75


def test_turns_at_which_much_falls_are_marked(bar: Transport) -> None:
    slider = slider_of(bar)
    plain = slider.grab().toImage()
    slider.show_marks(np.array([2, 7]))
    marked = slider.grab().toImage()
    assert marked != plain
    ink, y = theme().action_color(Action.DROPPED), slider.height() // 2 - 7
    reds = [x for x in range(marked.width()) if marked.pixelColor(x, y).name() == ink.name()]
    assert all(min(abs(x - slider.place_of(turn)) for turn in (2, 7)) <= 2 for x in reds)
    assert len(reds) >= 2

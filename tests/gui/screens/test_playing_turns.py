"""Playing: turn after turn by itself, as one step that is undone at once; the next drop is found and gone to."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.replay.falling import fell
from inspector.assembly.edits import go_to_turn
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.replay.transport import Transport
from inspector.gui.session.turns import SPEEDS, Player
from inspector.model import Message


@pytest.fixture
def player(qtbot: QtBot) -> Player:
    made = Player()
    made.set_speed(SPEEDS[-1])
    return made


def told_by(player: Player) -> list[int]:
    turns: list[int] = []
    player.stepped.connect(turns.append)
    return turns


def test_it_plays_to_the_last_turn_and_stops(player: Player, qtbot: QtBot) -> None:
    turns = told_by(player)
    player.stand_at(7, 10)
    player.play()
    qtbot.waitUntil(lambda: not player.is_playing)
    assert turns == [8, 9, 10]


def test_from_the_end_it_begins_anew_and_a_pause_stays(player: Player) -> None:
    turns = told_by(player)
    player.stand_at(10, 10)
    player.toggle()
    assert (turns, player.is_playing) == ([1], True)
    player.toggle()
    assert not player.is_playing


def test_without_turns_nothing_plays(player: Player) -> None:
    player.stand_at(0, 0)
    player.play()
    assert not player.is_playing


def test_play_and_pause_are_one_button_of_one_width(player: Player, qtbot: QtBot) -> None:
    row = Transport(player)
    qtbot.addWidget(row)
    row.show_turn(2, [Message(f"m{number}", "user", "w") for number in range(6)])
    player.stand_at(2, 6)
    row.speed.setCurrentIndex(len(SPEEDS) - 1)
    row.show()
    width = row.play.width()
    row.play.click()
    assert (row.play.text().strip(), row.play.width()) == ("Pause", width)
    qtbot.waitUntil(lambda: not player.is_playing)
    assert (row.play.text().strip(), row.play.width()) == ("Play", width)


def test_a_run_is_one_gesture_and_the_next_another(companion: MainWindow, qtbot: QtBot) -> None:
    session, turns = companion.session, companion.turns
    turns.player.set_speed(SPEEDS[-1])
    session.edit(go_to_turn, 333)
    qtbot.waitUntil(lambda: session.is_ready)
    count = session.undo_stack.count()
    for run in (1, 2):
        turns.player.play()
        qtbot.waitUntil(lambda: not turns.player.is_playing)
        assert session.scenario.at is None
        assert session.undo_stack.count() == count + run
        session.edit(go_to_turn, 333)
        count += 1
    qtbot.waitUntil(lambda: session.is_ready)


def player_of(window: MainWindow) -> Player:
    return window.turns.player


def test_the_space_bar_plays_and_pauses_and_one_undo_takes_it_back(companion: MainWindow, qtbot: QtBot) -> None:
    session, player = companion.session, player_of(companion)
    session.edit(go_to_turn, 100)
    player.set_speed(SPEEDS[-1])
    companion.do("present")
    QTest.keyClick(companion, Qt.Key.Key_Space)
    assert player.is_playing
    qtbot.waitUntil(lambda: (session.scenario.at or 0) >= 103)
    QTest.keyClick(companion, Qt.Key.Key_Space)
    assert not player.is_playing
    session.undo_stack.undo()
    assert session.scenario.at == 100


def test_the_space_bar_plays_wherever_the_keyboard_is_when_others_look_on(companion: MainWindow, qtbot: QtBot) -> None:
    session, player = companion.session, player_of(companion)
    session.edit(go_to_turn, 100)
    companion.activateWindow()
    companion.do("present")
    qtbot.waitUntil(lambda: session.is_ready)
    table = companion.findChild(QWidget, "falling_list")
    assert table is not None
    table.setFocus()
    for is_playing in (True, False):
        QTest.keyClick(table, Qt.Key.Key_Space)
        assert player.is_playing is is_playing
    companion.select(int(session.answer.assembly.order[-1]))  # type: ignore[union-attr]
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert player.is_playing
    player.pause()


def test_the_next_drop_is_the_next_turn_at_which_something_falls(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    session.edit(go_to_turn, 60)
    qtbot.waitUntil(lambda: session.is_ready)
    before = session.assembly
    companion.do("next_drop")
    qtbot.waitUntil(lambda: session.scenario.at != 60 and session.is_ready)
    found = session.scenario.at
    assert found is not None
    assert found > 60
    session.edit(go_to_turn, found - 1)
    qtbot.waitUntil(lambda: session.is_ready)
    earlier = session.assembly
    session.edit(go_to_turn, found)
    qtbot.waitUntil(lambda: session.is_ready)
    assert before is not None
    assert earlier is not None
    assert session.assembly is not None
    assert len(fell(earlier, session.assembly))
    assert found == 61 or not len(fell(before, earlier))

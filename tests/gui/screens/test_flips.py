"""Alt with an arrow takes a slider from flip to flip, of the selected item and of any."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.analysis.survival.ask import survival
from inspector.assembly.columns import Action
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.slider import ParameterSlider

NAME = "memory_candidates"


def slider_of(window: MainWindow, name: str) -> ParameterSlider:
    found = window.findChild(ParameterSlider, name)
    assert isinstance(found, ParameterSlider)
    return found


def press(window: MainWindow, name: str, key: Qt.Key) -> None:
    QTest.keyClick(slider_of(window, name), key, Qt.KeyboardModifier.AltModifier)


def test_alt_right_goes_to_the_next_flip_of_the_selected_item_and_alt_left_back(
    companion: MainWindow, qtbot: QtBot
) -> None:
    session = companion.session
    found = survival(session.pipeline.fork(), session.scenario, NAME)
    today = int(getattr(session.policy, NAME))
    row = next(row for row in range(len(found)) if (found.next_flip(today, 1, np.array([row])) or 0) > today + 1)
    wanted = found.next_flip(today, 1, np.array([row]))
    companion.select(row)
    press(companion, f"parameter:{NAME}", Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: session.scenario.parameters.get(NAME) == wanted and session.is_ready)
    assembly = session.assembly
    assert assembly is not None
    assert assembly.action[row] == Action.KEPT
    press(companion, f"parameter:{NAME}", Qt.Key.Key_Left)
    assert wanted is not None
    qtbot.waitUntil(lambda: session.scenario.parameters.get(NAME) == wanted - 1 and session.is_ready)
    session.undo_stack.undo()
    assert session.scenario.parameters[NAME] == wanted
    qtbot.waitUntil(lambda: session.is_ready)


def test_alt_down_goes_to_the_next_flip_of_any_item(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    found = survival(session.pipeline.fork(), session.scenario, "context_window")
    today = session.pipeline.case(session.scenario).model.window.tokens
    companion.select(None)
    press(companion, "context_window:slider", Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: session.scenario.context_window == found.next_flip(today, -1) and session.is_ready)

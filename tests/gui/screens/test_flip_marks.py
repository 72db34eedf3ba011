"""Flips are marked on the sliders: of the selected item, and next of any; in words; never while a slider is held."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.analysis.survival.ask import survival
from inspector.assembly.edits import use_policy
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.slider import EvenScale, ParameterSlider, SliderFlips, places_of
from inspector.gui.screens.settings.flip_marks import NAME
from inspector.model import Workspace

WINDOW, SHARE = "context_window:slider", "parameter:history_share"


def slider_of(window: MainWindow, name: str) -> ParameterSlider:
    found = window.findChild(ParameterSlider, name)
    assert isinstance(found, ParameterSlider)
    return found


def wait_for_marks(window: MainWindow, qtbot: QtBot, *names: str) -> None:
    qtbot.waitUntil(lambda: all(slider_of(window, name).flips is not None for name in names))


def test_a_slider_marks_the_flips_of_the_selected_item_and_the_next_ones_of_any(
    companion: MainWindow, qtbot: QtBot
) -> None:
    session = companion.session
    found = survival(session.pipeline.fork(), session.scenario, "context_window")
    today = session.pipeline.case(session.scenario).model.window.tokens
    row = int(np.flatnonzero(np.diff(found.bounds) > 1)[0])
    companion.select(row)
    wait_for_marks(companion, qtbot, WINDOW)
    slider = slider_of(companion, WINDOW)
    assert slider.flips is not None
    assert slider.flips.of_item == tuple(found.numbers_of(np.array([row])).tolist())
    assert slider.flips.next_ones == (found.next_flip(today, -1), found.next_flip(today, 1))
    tip = tip_text(slider.toolTip())
    assert "The context window" in tip
    assert (
        f"The next change of any item is at {found.next_flip(today, -1):,} and at {found.next_flip(today, 1):,}" in tip
    )
    assert found.words(row) in tip


def test_another_item_has_other_ticks_and_no_item_none(companion: MainWindow, qtbot: QtBot) -> None:
    companion.select(None)
    wait_for_marks(companion, qtbot, WINDOW)
    slider = slider_of(companion, WINDOW)
    assert slider.flips is not None
    assert slider.flips.of_item == ()
    companion.select(0)
    qtbot.waitUntil(lambda: slider.flips is not None and slider.flips.of_item != ())


def test_a_slider_that_moves_keeps_its_own_marks_and_takes_those_of_others_off(
    companion: MainWindow, qtbot: QtBot
) -> None:
    wait_for_marks(companion, qtbot, WINDOW, SHARE)
    slider = slider_of(companion, WINDOW)
    before = slider.flips
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert not companion.session.tasks.is_running(NAME)
    companion.session.flush()
    assert slider.flips is not None
    assert before is not None
    assert slider.flips.of_item == before.of_item
    assert slider.flips.next_ones != before.next_ones
    assert slider_of(companion, SHARE).flips is None
    assert "next change" not in tip_text(slider_of(companion, SHARE).toolTip())
    wait_for_marks(companion, qtbot, SHARE)


def test_taking_hold_of_a_slider_stops_the_search(companion: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: companion.session.tasks.is_running(NAME))
    slider = slider_of(companion, WINDOW)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center())
    assert not companion.session.tasks.is_running(NAME)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center())
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_sliders_of_another_policy_are_marked_and_an_empty_workspace_has_no_marks(
    companion: MainWindow, qtbot: QtBot
) -> None:
    wait_for_marks(companion, qtbot, WINDOW)
    companion.session.edit(use_policy, "reserve")
    qtbot.waitUntil(lambda: companion.session.is_ready)
    wait_for_marks(companion, qtbot, WINDOW)
    companion.session.show_workspace(Workspace())
    assert slider_of(companion, WINDOW).flips is None


def test_ticks_stand_where_the_knob_would_and_none_beyond_the_ends(qtbot: QtBot) -> None:
    scale = EvenScale(0, 10, 1)
    slider = ParameterSlider(scale)
    qtbot.addWidget(slider)
    slider.resize(200, 24)
    places = places_of(slider, scale, (-1, 0, 5, 10, 11))
    assert len(places) == 3
    assert abs(places[0] + places[2] - 2 * places[1]) <= 1
    blank = slider.grab().toImage()
    slider.show_flips(SliderFlips((0, 10), (5,), "The next change of any item is at 5."))
    assert slider.grab().toImage() != blank
    slider.show_flips(None)
    assert slider.grab().toImage() == blank
    assert slider.toolTip() == ""

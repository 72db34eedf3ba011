"""Locked shares: marks on sliders, jumps, the map and what would keep items say what the sliders do with the locks."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from inspector.analysis.survival.ask import survival
from inspector.analysis.survival.stretches import Survival
from inspector.assembly.edits import use_policy
from inspector.gui.keeping.dialog import KeepingDialog
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.slider import ParameterSlider
from inspector.gui.screens.settings.flip_marks import NAME
from inspector.gui.screens.survival.view import SurvivalView

SHARE, LOCKED = "history_share", frozenset({"memory_share"})


def slider_of(window: MainWindow, name: str = SHARE) -> ParameterSlider:
    found = window.findChild(ParameterSlider, f"parameter:{name}")
    assert isinstance(found, ParameterSlider)
    return found


def lock(window: MainWindow, qtbot: QtBot, name: str = "memory_share") -> None:
    button = window.findChild(QToolButton, f"parameter:{name}:lock")
    assert isinstance(button, QToolButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def with_lock(window: MainWindow, name: str = SHARE) -> Survival:
    return survival(window.session.pipeline.fork(), window.session.scenario, name, locked=LOCKED)


def moved_row(window: MainWindow) -> int:
    """An item, a memory, that flips elsewhere, or nowhere, along the slider where the share of memories is locked."""
    free, held = survival(window.session.pipeline.fork(), window.session.scenario, SHARE), with_lock(window)
    differs = (row for row in range(len(free)) if list(free.stretches(row)) != list(held.stretches(row)))
    return next(differs)


def survival_view(window: MainWindow, qtbot: QtBot, slider: str) -> SurvivalView:
    window.do("tune")
    window.show_screen("survival")
    view = window.screens["survival"].view
    assert isinstance(view, SurvivalView)
    view.slider.setCurrentIndex(view.slider.findData(slider))
    qtbot.waitUntil(lambda: view.survived is not None and view.survived.slider.name == slider and not view.is_waiting)
    return view


def test_marks_are_those_of_the_slider_as_it_moves_with_the_locks(companion: MainWindow, qtbot: QtBot) -> None:
    row, slider = moved_row(companion), slider_of(companion)
    companion.select(row)
    qtbot.waitUntil(lambda: slider.flips is not None)
    before = slider.flips
    lock(companion, qtbot)
    assert slider.flips is None, "what held without the lock is taken off at once"
    qtbot.waitUntil(lambda: slider.flips is not None)
    assert slider.flips is not None
    assert slider.flips != before
    found = with_lock(companion)
    wanted = found.axis.values(found.numbers_of(np.array([row]))).tolist()
    assert list(slider.flips.of_item) == pytest.approx(wanted)
    qtbot.waitUntil(lambda: not companion.session.tasks.is_running(NAME))
    lock(companion, qtbot)
    qtbot.waitUntil(lambda: slider.flips == before)


def test_a_jump_to_a_flip_leaves_locked_shares_where_they_are(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    memory = session.pipeline.case(session.scenario).policy.memory_share  # type: ignore[union-attr]
    lock(companion, qtbot)
    companion.select(None)
    found = with_lock(companion)
    today = found.axis.number(found.axis.today)
    wanted = found.next_flip(today, 1)
    assert wanted is not None
    QTest.keyClick(slider_of(companion), Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: session.scenario.parameters.get(SHARE) == found.axis.value(wanted) and session.is_ready)
    assert session.scenario.parameters["memory_share"] == memory
    shares = [session.scenario.parameters[f"{name}_share"] for name in ("memory", "history", "reserve")]
    assert sum(shares) == pytest.approx(1)


def test_the_map_is_looked_for_again_and_setting_a_value_keeps_the_locks(companion: MainWindow, qtbot: QtBot) -> None:
    view, session = survival_view(companion, qtbot, SHARE), companion.session
    row = moved_row(companion)
    lock(companion, qtbot)
    qtbot.waitUntil(lambda: view.survived is not None and view.survived.locked == LOCKED)
    assert view.survived is not None
    assert list(view.survived.found.stretches(row)) == list(with_lock(companion).stretches(row))
    memory = session.policy.memory_share  # type: ignore[union-attr]
    view.value_chosen.emit(0.2, "")
    qtbot.waitUntil(lambda: session.scenario.parameters.get(SHARE) == 0.2 and session.is_ready)
    assert session.scenario.parameters["memory_share"] == memory
    assert view.survived is not None
    assert not view.is_waiting, "moving the slider itself changes nothing of its map"


def test_the_map_of_a_locked_share_says_that_it_does_not_move(companion: MainWindow, qtbot: QtBot) -> None:
    lock(companion, qtbot)
    view = survival_view(companion, qtbot, "memory_share")
    qtbot.waitUntil(lambda: "memories is locked and does not move" in view.state.text().lower())
    assert view.survived is not None
    assert not len(view.survived.found.flips)
    steps = companion.session.undo_stack.count()
    QTest.keyClick(view.plot, Qt.Key.Key_End)
    QTest.keyClick(view.plot, Qt.Key.Key_Return)
    assert companion.session.undo_stack.count() == steps


def test_what_would_keep_items_moves_no_locked_share(companion: MainWindow, qtbot: QtBot) -> None:
    assembly = companion.session.assembly
    assert assembly is not None
    row = next(row for row in range(len(assembly.in_prompt) - 1, -1, -1) if not assembly.in_prompt[row])
    lock(companion, qtbot)
    companion.select(row)
    companion.do("keep")
    dialog = companion.findChild(KeepingDialog)
    assert isinstance(dialog, KeepingDialog)
    qtbot.waitUntil(lambda: not companion.session.tasks.is_running("keeping"))
    memory = companion.session.policy.memory_share  # type: ignore[union-attr]
    changes = [dict(way.changes) for way in dialog.ways]
    assert changes
    assert all(each.get("memory_share", memory) == memory for each in changes)
    dialog.reject()


def test_a_lock_is_a_step_that_modifies_no_file_and_another_policy_has_none(
    companion: MainWindow, qtbot: QtBot
) -> None:
    session = companion.session

    def shown() -> tuple[bool, bool]:
        """Whether the lock is closed, and the slider can be moved."""
        button = companion.findChild(QToolButton, "parameter:memory_share:lock")
        return isinstance(button, QToolButton) and button.isChecked(), slider_of(companion, "memory_share").isEnabled()

    for _ in range(2):
        lock(companion, qtbot)
        assert (session.locked, shown(), session.is_modified) == (LOCKED, (True, False), False)
        assert session.undo_stack.undoText() == "Lock memories"
        companion.do("undo")
        assert (session.locked, shown(), session.is_modified) == (frozenset(), (False, True), False)
        companion.do("redo")
        assert (session.locked, shown()) == (LOCKED, (True, False))
        session.edit(use_policy, "reserve")
        qtbot.waitUntil(lambda: session.is_ready)
        assert session.locked == frozenset()
        companion.do("undo")
        qtbot.waitUntil(lambda: session.is_ready)
        assert (session.locked, shown(), session.is_modified) == (LOCKED, (True, False), False)
        lock(companion, qtbot)
        assert (session.locked, session.undo_stack.undoText()) == (frozenset(), "Unlock memories")

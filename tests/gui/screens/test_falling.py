"""What falls out of the prompt as the turns go on, under the large bar."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QSlider
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Action, State
from inspector.assembly.edits import go_to_turn
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.falling.model import JUST_NOW
from inspector.gui.screens.falling.view import FallingView


@pytest.fixture
def stage(companion: MainWindow) -> MainWindow:
    """A window at an early turn, seen by others."""
    companion.session.edit(go_to_turn, 100)
    companion.session.flush()
    companion.do("present")
    QApplication.processEvents()
    return companion


def view(window: MainWindow) -> FallingView:
    found = window.screens["falling"].view
    assert isinstance(found, FallingView)
    return found


def fallen(window: MainWindow) -> list[str]:
    """The ids of what fell last, as the table marks them."""
    model = view(window).table.model()
    return [
        model.index(row, 0).data(Qt.ItemDataRole.UserRole)
        for row in range(model.rowCount())
        if model.index(row, 0).data() == JUST_NOW
    ]


def test_the_bar_is_large_only_there(stage: MainWindow, qtbot: QtBot) -> None:
    large = stage.screens["budget"].view.height()
    stage.do("inspect")
    QApplication.processEvents()
    assert stage.screens["budget"].view.height() < 0.6 * large
    qtbot.waitUntil(lambda: stage.session.is_ready)


def test_what_is_out_is_listed_without_what_does_not_exist_yet(stage: MainWindow, qtbot: QtBot) -> None:
    assembly = stage.session.assembly
    assert assembly is not None
    model = view(stage).table.model()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, stage)
    out = (assembly.action != Action.KEPT) & (assembly.candidates.state != State.NOT_YET)
    assert model.rowCount() == int(out.sum()) < int((assembly.action != Action.KEPT).sum())
    assert fallen(stage) == []
    qtbot.waitUntil(lambda: stage.session.is_ready)


def test_a_step_of_the_slider_marks_what_falls(stage: MainWindow, qtbot: QtBot) -> None:
    before = stage.session.assembly
    slider = stage.findChild(QSlider, "turn_slider")
    assert isinstance(slider, QSlider)
    slider.setFocus()
    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_PageUp)
        stage.session.flush()
        after = stage.session.assembly
        assert before is not None
        assert after is not None
        whole = (before.action == Action.KEPT) & (before.candidates.state != State.NOT_YET)
        lost = (whole & (after.action != Action.KEPT)) | (before.in_prompt & ~after.in_prompt)
        ids = [after.candidates.ids[row] for row in np.flatnonzero(lost)]
        assert ids
        assert sorted(fallen(stage)) == sorted(ids)
        assert f"{len(ids):,} fell with the last step" in view(stage).heading.text()
        before = after
    qtbot.waitUntil(lambda: stage.session.is_ready)
    assert fallen(stage), "measuring is no step"


def test_the_same_settings_answered_anew_mark_what_fell_with_the_step_before(stage: MainWindow, qtbot: QtBot) -> None:
    stage.session.use_policy("langchain_trim")
    stage.session.flush()
    marked, before = fallen(stage), stage.session.assembly
    assert marked
    stage.session.pipeline.stage("columns", (), lambda: None)  # as if more were known of the texts
    stage.session.request_assembly()
    stage.session.flush()
    assert stage.session.assembly is not before
    assert fallen(stage) == marked
    qtbot.waitUntil(lambda: stage.session.is_ready)
    assert fallen(stage) == marked

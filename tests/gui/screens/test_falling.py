"""What falls out of the prompt as the turns go on, under the large bar."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QSlider, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Action, State
from inspector.assembly.edits import go_to_turn
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.present.falling import Falling
from inspector.gui.screens.present.view import PresentView


@pytest.fixture
def stage(companion: MainWindow) -> MainWindow:
    """A window at an early turn, seen by others."""
    companion.session.edit(go_to_turn, 100)
    companion.session.flush()
    companion.do("present")
    QApplication.processEvents()
    return companion


def view(window: MainWindow) -> PresentView:
    found = window.screens["present"].view
    assert isinstance(found, PresentView)
    return found


def fallen(window: MainWindow) -> list[str]:
    """The ids of what fell last; nothing if the list is of all that is out."""
    falling = view(window).falling._falling
    assert falling is not None
    return [falling.assembly.candidates.ids[row] for row in falling.rows] if falling.is_fresh else []


def test_what_is_out_is_listed_without_what_does_not_exist_yet(stage: MainWindow, qtbot: QtBot) -> None:
    assembly = stage.session.assembly
    assert assembly is not None
    falling = view(stage).falling._falling
    assert falling is not None
    out = (assembly.action != Action.KEPT) & (assembly.candidates.state != State.NOT_YET)
    assert len(falling.rows) == int(out.sum()) < int((assembly.action != Action.KEPT).sum())
    assert fallen(stage) == []
    assert view(stage).falling.heading[0] == "Out of the prompt"
    qtbot.waitUntil(lambda: stage.session.is_ready)


def test_a_step_of_the_slider_lists_what_falls(stage: MainWindow, qtbot: QtBot) -> None:
    before = stage.session.assembly
    slider = stage.findChild(QSlider, "present_turn_slider")
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
        gone = int((lost & (after.action == Action.DROPPED)).sum())
        told, heading = view(stage).caption.text(), view(stage).falling.heading[0]
        if gone:
            assert told.startswith(f"{gone:,} thing")
            assert heading == "Just fell out"
        else:
            assert told == f"{len(ids):,} things are shortened from now on."
            assert heading == "Just shortened"
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


def test_rows_are_selected_by_mouse_and_keys_and_the_list_scrolls(stage: MainWindow, qtbot: QtBot) -> None:
    listed = view(stage).falling
    rows = listed.shown_rows
    place = QPoint(300, round((52 + 60 * 1.5) * view(stage).unit))
    qtbot.mouseClick(listed, Qt.MouseButton.LeftButton, pos=place)
    assert stage.row == rows[1]
    qtbot.keyClick(listed, Qt.Key.Key_Up)
    assert stage.row == rows[0]
    for _ in range(len(rows)):
        qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert stage.row not in rows
    assert stage.row == listed.shown_rows[-1]
    qtbot.waitUntil(lambda: stage.session.is_ready)


def test_the_next_drop_is_told_as_a_fall_from_wherever_it_is_asked_for(stage: MainWindow, qtbot: QtBot) -> None:
    session, shown = stage.session, view(stage)
    for start in (5, 100):
        session.edit(go_to_turn, start)
        qtbot.waitUntil(lambda: session.is_ready)
        steps = session.undo_stack.count()
        qtbot.keyClick(shown, Qt.Key.Key_N)
        qtbot.waitUntil(lambda start=start: session.scenario.at != start and session.is_ready)
        assert session.undo_stack.count() == steps + 1
        assert shown.falling.heading[0] in ("Just fell out", "Just shortened")
        assert not shown.caption.text().startswith("Nothing falls")
        assert shown.spotlight.text() != shown.caption.text(), "said once"
        session.undo_stack.undo()
        assert session.scenario.at == start
    qtbot.waitUntil(lambda: session.is_ready)


def test_what_is_only_shortened_did_not_fall_out(stage: MainWindow, qtbot: QtBot) -> None:
    assembly = stage.session.assembly
    assert assembly is not None
    short = np.flatnonzero(assembly.action == Action.SUMMARIZED)[:1]
    fresh = np.zeros(len(assembly.candidates), np.bool_)
    fresh[short] = True
    shown = view(stage).falling
    shown.show_falling(Falling(assembly, fresh))
    assert shown.heading == ("Just shortened", "1")
    assert not shown.grab().isNull()
    fresh[np.flatnonzero(assembly.action == Action.DROPPED)[-1]] = True
    shown.show_falling(Falling(assembly, fresh))
    assert shown.heading[0] == "Just fell out"
    qtbot.waitUntil(lambda: stage.session.is_ready)


def test_small_turns_of_the_wheel_add_up_in_both_directions(stage: MainWindow, qtbot: QtBot) -> None:
    stage.resize(900, 500)
    QApplication.processEvents()
    shown = view(stage).falling
    first = shown.shown_rows[0]
    for angle in (-40, -40):
        turn_wheel(shown, angle)
    assert shown.shown_rows[0] == first, "not a notch yet"
    turn_wheel(shown, -40)
    assert shown.shown_rows[0] != first
    for angle in (40, 40, 40):
        turn_wheel(shown, angle)
    assert shown.shown_rows[0] == first
    qtbot.waitUntil(lambda: stage.session.is_ready)


def turn_wheel(widget: QWidget, angle: int) -> None:
    place = QPointF(widget.rect().center())
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(widget, QWheelEvent(place, place, QPoint(), QPoint(0, angle), *none, False))

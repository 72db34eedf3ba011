"""Nothing moves under the mouse: while a slider is dragged, a baseline set or a value refused, controls stay."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from cells import header_of
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inspector.assembly import edits
from inspector.assembly.columns import Action
from inspector.assembly.marks import write_note
from inspector.gui.bar.view import BudgetBar
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.decisions.view import DecisionView
from inspector.gui.screens.settings.share_rows import QuietField
from inspector.gui.screens.settings.view import SettingsView
from inspector.gui.table.view import ArrayTableView
from inspector.resources import samples_folder
from tests.examples import cases

SCREENS = (SettingsView, BudgetBar, DecisionView)
CONTROLS = (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    BudgetBar,
)
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
Places = Mapping[str, QRect]


@pytest.fixture(params=[pytest.param((1600, 1000), marks=pytest.mark.long), (1280, 720)], ids=["1600x1000", "1280x720"])
def window(opened: Callable[..., MainWindow], request: pytest.FixtureRequest, qtbot: QtBot) -> MainWindow:
    folder = samples_folder()
    files = folder / "companion.workspace.yaml", folder / "companion.scenario.yaml"
    made = opened(files[0], scenario=files[1], size=request.param)
    settle(qtbot, made)
    return made


def settle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready)
    for _ in range(5):
        QApplication.processEvents()


def settle_layout() -> None:
    for _ in range(5):
        QApplication.processEvents()


def places(window: MainWindow) -> Places:
    """Where each control of the screens is in the window, by what it is called."""
    found: dict[str, QRect] = {}
    for screen in SCREENS:
        shown = window.findChild(screen)
        assert isinstance(shown, QWidget)
        for number, control in enumerate([shown, *shown.findChildren(QWidget)]):
            if isinstance(control, CONTROLS) and not isinstance(control, QScrollBar) and control.isVisible():
                corner = control.mapTo(window, QPoint())
                found[f"{type(control).__name__} {control.objectName() or number}"] = QRect(corner, control.size())
    return found


def moved(before: Places, after: Places) -> list[str]:
    return [
        f"{name}: {place} → {after[name]}" for name, place in before.items() if name in after and after[name] != place
    ]


def slider(window: MainWindow, name: str) -> QSlider:
    found = window.findChild(QSlider, name)
    assert isinstance(found, QSlider)
    return found


def knob(of: QSlider) -> QPoint:
    option = QStyleOptionSlider()
    of.initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    return of.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, of).center()


@pytest.mark.parametrize("name", ["context_window:slider", "parameter:memory_share"])
def test_dragging_a_slider_moves_no_other_control(qtbot: QtBot, window: MainWindow, name: str) -> None:
    dragged, before = slider(window, name), places(window)
    start = knob(dragged)
    QTest.mousePress(dragged, LEFT, NO_KEY, start)
    for distance in (30, 80, 130, -20, -60):
        QTest.mouseMove(dragged, start + QPoint(distance, 0))
        for _ in range(5):
            QApplication.processEvents()
        assert moved(before, places(window)) == [], distance
    QTest.mouseRelease(dragged, LEFT, NO_KEY, start - QPoint(60, 0))
    settle(qtbot, window)
    assert moved(before, places(window)) == []


def test_a_baseline_moves_no_control(qtbot: QtBot, window: MainWindow) -> None:
    before = places(window)
    for name in ("pin_baseline", "clear_baseline"):
        action = window.findChild(QAction, f"action:{name}")
        assert isinstance(action, QAction)
        action.trigger()
        settle(qtbot, window)
        assert moved(before, places(window)) == [], name


def choice_above(window: MainWindow) -> Places:
    """The controls that every policy and every model has; the names of policies share their box with those of presets.

    The line of the model is named by its number.
    """
    names = ("model_picker", "context_window", "draft")
    return {name: place for name, place in places(window).items() if any(part in name for part in names)}


def test_another_model_or_policy_moves_no_control_that_both_have(qtbot: QtBot, window: MainWindow) -> None:
    before = choice_above(window)
    assert len(before) >= 4
    for model in ("claude-sonnet-4", "o200k", "llama-3.1-8b-instruct"):
        window.session.edit(edits.use_model, model)
        settle(qtbot, window)
        assert moved(before, choice_above(window)) == [], model
    for policy in ("naive", "adaptive", "slots"):
        window.session.use_policy(policy)
        settle(qtbot, window)
        assert moved(before, choice_above(window)) == [], policy


@pytest.mark.parametrize(
    "refused",
    [
        {"memory_share": 0.9, "history_share": 0.9},
        {"min_exchanges": -1},
        {"system_limit": 0.01},
        {"colour": "red"},
    ],
    ids=["shares", "a value", "a limit", "no parameter"],
)
def test_a_refusal_moves_no_control(qtbot: QtBot, window: MainWindow, refused: dict[str, object]) -> None:
    before = places_above(window, refused)
    assert before
    window.session.edit(edits.set_parameters, refused, "refused")
    for _ in range(5):
        QApplication.processEvents()
    answer = window.session.answer
    assert answer is not None
    assert answer.assembly.error is not None
    assert moved(before, places(window)) == []
    window.session.undo_stack.undo()
    settle(qtbot, window)
    assert moved(before, places(window)) == []


def places_above(window: MainWindow, refused: Mapping[str, object]) -> Places:
    """The places of all controls but those below a refused one, where the complaint takes room."""
    known = [found for name in refused if (found := window.findChild(QWidget, f"parameter:{name}")) is not None]
    panel = window.findChild(SettingsView)
    assert isinstance(panel, SettingsView)
    low = min([one.mapTo(window, one.rect().bottomLeft()).y() for one in known], default=0)
    area = QRect(panel.mapTo(window, QPoint()), panel.size())
    return {name: at for name, at in places(window).items() if at.bottom() <= low or not area.contains(at.center())}


def test_values_that_are_the_presets_again_leave_everything_where_it_was(qtbot: QtBot, window: MainWindow) -> None:
    before = places(window)
    reset = window.findChild(QAbstractButton, "parameters:reset")
    assert isinstance(reset, QAbstractButton)
    qtbot.mouseClick(reset, LEFT)
    settle(qtbot, window)
    assert not reset.isEnabled()
    assert moved(before, places(window)) == []


def test_value_boxes_of_the_panel_stand_in_one_column_beside_their_sliders(window: MainWindow) -> None:
    panel = window.findChild(SettingsView)
    assert isinstance(panel, SettingsView)
    panel.unfold({"conversation": True})
    settle_layout()
    boxes = [box for box in panel.findChildren(QAbstractSpinBox) if box.isVisible()]
    assert len(boxes) > 6
    sides = {box.mapTo(panel, box.rect().topRight()).x() for box in boxes if not isinstance(box, QuietField)}
    assert len(sides) == 1
    for name in ("parameter:recent_messages:value", "parameter:min_exchanges:value"):
        box = panel.findChild(QAbstractSpinBox, name)
        beside = slider(window, name.removesuffix(":value"))
        assert isinstance(box, QAbstractSpinBox)
        middles = [one.mapTo(panel, one.rect().center()).y() for one in (box, beside)]
        assert abs(middles[0] - middles[1]) <= 1, name


def test_a_wheel_over_the_panel_and_the_bar_changes_no_value(window: MainWindow) -> None:
    scenario, bar = window.session.scenario, window.findChild(BudgetBar)
    assert isinstance(bar, BudgetBar)
    panel = window.findChild(SettingsView)
    assert isinstance(panel, SettingsView)
    kinds = (QSlider, QAbstractSpinBox, QComboBox)
    for control in (bar, *(one for one in panel.findChildren(QWidget) if isinstance(one, kinds))):
        place = QPointF(control.rect().center())
        event = QWheelEvent(
            place,
            control.mapToGlobal(place),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            NO_KEY,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(control, event)
        assert not control.hasFocus()
    assert window.session.scenario == scenario
    assert bar.zoom.is_whole


def test_the_first_mark_leaves_every_column_where_it_is(qtbot: QtBot, window: MainWindow) -> None:
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    columns = [column.key for column in table.array_model.columns]
    before = {key: header_of(table, key)[1:] for key in columns}
    table.setFocus()
    table.step(1)
    qtbot.keyClick(table, Qt.Key.Key_M)
    settle(qtbot, window)
    window.session.mark(write_note, window.session.answer.assembly.candidates.items, 0, window.session.workspace, "so")  # type: ignore[union-attr]
    settle(qtbot, window)
    assert window.session.marks.must_survive
    assert {key: header_of(table, key)[1:] for key in columns} == before


def in_sight(table: ArrayTableView) -> dict[str, int]:
    """The items whose rows are seen, from the top, and where each stands."""
    model = table.array_model
    last = table.rowAt(table.viewport().height() - 1)
    places = range(table.rowAt(0), last + 1 if last >= 0 else len(model.rows))
    return {model.ids[int(model.rows[place])]: table.rowViewportPosition(place) for place in places}


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
@pytest.mark.parametrize("which", cases([0, 0.3, 0.8, 1], [0.3, 1]))
def test_a_row_that_leaves_its_place_takes_the_view_nowhere(
    qtbot: QtBot, opened: Callable[..., MainWindow], order: Qt.SortOrder, which: float
) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml")
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    window.session.use_policy("naive")  # where nothing else changes its place
    settle(qtbot, window)
    table.sort_by("outcome", order)
    kept = np.flatnonzero(window.session.answer.assembly.action[table.array_model.rows] == Action.KEPT)  # type: ignore[union-attr]
    table.verticalScrollBar().setValue(int(kept[len(kept) // 2]) - 8)
    before = in_sight(table)
    names = list(before)
    one = names[round(which * (len(names) - 2))]
    qtbot.mouseClick(table.viewport(), LEFT, pos=QPoint(80, before[one] + 4))
    qtbot.keyClick(table, Qt.Key.Key_X)
    settle(qtbot, window)
    after = in_sight(table)
    assert one not in after
    above, below = names[: names.index(one)], names[names.index(one) + 1 :]
    closed = table.rowHeight(0) if above else 0
    assert {name: after.get(name) for name in above} == {name: before[name] for name in above}
    assert {name: after.get(name) for name in below} == {name: before[name] - closed for name in below}
    assert table.selected_rows() == [list(table.array_model.ids).index(one)]


@pytest.mark.parametrize("shown", ["all", "sorted", "kept only"])
@pytest.mark.parametrize("key", cases([Qt.Key.Key_Down, Qt.Key.Key_J, Qt.Key.Key_Up], [Qt.Key.Key_Down]))
def test_the_keys_go_on_from_where_an_excluded_row_stood(
    qtbot: QtBot, opened: Callable[..., MainWindow], shown: str, key: Qt.Key
) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml", size=(1280, 720))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    window.session.use_policy("naive")
    settle(qtbot, window)
    if shown == "sorted":
        table.sort_by("outcome", Qt.SortOrder.AscendingOrder)
    elif shown == "kept only":
        window.filter_items("action:kept")
    table.verticalScrollBar().setValue(30)
    before = in_sight(table)
    names = list(before)
    wanted = names[2:5] if key != Qt.Key.Key_Up else names[4:1:-1]
    qtbot.mouseClick(table.viewport(), LEFT, pos=QPoint(80, before[wanted[0]] + 4))
    for name in wanted:
        assert [table.array_model.ids[row] for row in table.selected_rows()] == [name]
        qtbot.keyClick(table, Qt.Key.Key_X)
        settle(qtbot, window)
        qtbot.keyClick(table, key)
        settle(qtbot, window)
    assert set(window.session.scenario.excluded) == set(wanted)
    assert table.visualRect(table.currentIndex()).top() in before.values()


def test_the_same_key_again_includes_the_row_that_left(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml", size=(1280, 720))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    before = in_sight(table)
    qtbot.mouseClick(table.viewport(), LEFT, pos=QPoint(80, before[list(before)[6]] + 4))
    for excluded in (1, 0):
        qtbot.keyClick(table, Qt.Key.Key_X)
        settle(qtbot, window)
        assert len(window.session.scenario.excluded) == excluded
    assert in_sight(table) == before

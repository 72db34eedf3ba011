"""A window fits the screen that it is on, and in the smallest no part lies over another."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from cells import header_of, settle
from edges import dock_of, drag_edge
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QPushButton,
    QSpinBox,
    QStatusBar,
    QTabBar,
    QToolBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Fate
from inspector.assembly.edits import go_to_turn, set_value, use_model
from inspector.gui.layout import PERSPECTIVES, Rectangle, WindowLayout
from inspector.gui.main_window import MINIMUM_SIZE, MainWindow
from inspector.gui.parts.page import PageView
from inspector.gui.screens.budget.view import PromptHeader
from inspector.gui.screens.decisions.filter_line import ActionChip
from inspector.gui.screens.present.view import StageView
from inspector.gui.screens.replay.view import ReplayView
from inspector.gui.table.view import ArrayTableView
from inspector.gui.window_state import WindowState, on_screen, rectangle_of
from inspector.resources import samples_folder
from tests.examples import cases

SAMPLE = samples_folder() / "companion.workspace.yaml"
SIZES = [(1600, 1000), (1280, 720), (800, 500), MINIMUM_SIZE.toTuple()]


def parts(window: MainWindow) -> dict[str, QRect]:
    """What lies side by side in a window: the centre, bars, tabs and docks that can be seen."""
    kinds = (QDockWidget, QToolBar, QTabBar, QStatusBar)
    children = window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    there = [part for part in children if isinstance(part, kinds) or part in (window.centralWidget(), window.menuBar())]
    return {
        f"{part.objectName() or type(part).__name__} {number}": part.geometry()
        for number, part in enumerate(there)
        if part.isVisible() and part.geometry().right() >= 0 and not part.isWindow() and not part.size().isEmpty()
    }


def overlaps(window: MainWindow) -> Iterator[str]:
    pairs = combinations(parts(window).items(), 2)
    yield from (f"{one} {here} and {other} {there}" for (one, here), (other, there) in pairs if here.intersects(there))
    room = window.rect()
    yield from (f"{name} {place} is outside" for name, place in parts(window).items() if not room.contains(place))


@pytest.mark.parametrize("perspective", ["inspect", "tune"])
def test_the_item_table_has_room_in_a_small_window(opened: Callable[..., MainWindow], perspective: str) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    window.do(perspective)
    QApplication.processEvents()
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert table.viewport().height() >= (6 if perspective == "inspect" else 4) * table.rowHeight(0)
    assert header_of(table, "text")[2] >= 240
    assert header_of(table, "reason")[2] >= 160, "reasons are cut off"
    workspace = window.screens["workspace"].view
    if workspace.isVisible():
        assert workspace.width() <= workspace.parentWidget().width(), "it has to be scrolled sideways"


def test_a_low_window_shows_rows_of_items_and_what_was_decided_of_them(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(792, 457))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert table.viewport().height() >= 7 * table.rowHeight(0)
    assert table.horizontalScrollBar().maximum() == 0, "columns lie off the screen"
    assert all(table.shows(key) for key in ("text", "action", "reason"))
    assert min(header_of(table, key)[2] for key in ("text", "reason")) >= 100
    window.show_screen("explanation")
    QApplication.processEvents()
    assert window.screens["explanation"].view.isVisible()
    assert table.viewport().height() >= 7 * table.rowHeight(0), "what is looked at besides takes no rows away"


@pytest.mark.parametrize("size", cases([(792, 457), (1000, 560), (1272, 690)], [(792, 457)]))
def test_the_item_table_of_tune_does_not_scroll_sideways(
    opened: Callable[..., MainWindow], size: tuple[int, int]
) -> None:
    window = opened(SAMPLE, size=size)
    window.do("tune")
    QApplication.processEvents()
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert table.horizontalScrollBar().maximum() == 0, "columns lie off the screen"
    assert all(table.shows(key) for key in ("text", "action"))


def test_large_text_leaves_the_table_its_rows(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    docks = {dock.objectName(): window.dockWidgetArea(dock) for dock in window.findChildren(QDockWidget)}
    try:
        for _ in range(5):
            window.do("zoom_in")
        qtbot.waitUntil(lambda: table.viewport().height() >= 6 * table.rowHeight(0), timeout=2_000)
        assert list(overlaps(window)) == []
        assert header_of(table, "text")[2] >= 240
    finally:
        window.do("zoom_reset")
    QApplication.processEvents()
    assert {dock.objectName(): window.dockWidgetArea(dock) for dock in window.findChildren(QDockWidget)} == docks
    assert window.screens["workspace"].view.isVisible()


@pytest.mark.parametrize("size", cases([(792, 457), (1272, 690)], [(792, 457)]))
def test_a_layout_of_a_large_screen_leaves_the_table_its_rows_on_a_small_one(
    opened: Callable[..., MainWindow], tmp_path: Path, size: tuple[int, int]
) -> None:
    file = samples_folder() / "companion.workspace.yaml"
    large = opened(file, size=(2400, 1400))
    drag_edge(large, "explanation", Qt.Edge.TopEdge, dock_of(large, "explanation").height() - 800)
    drag_edge(large, "workspace", Qt.Edge.RightEdge, 600 - dock_of(large, "workspace").width())
    drag_edge(large, "policy", Qt.Edge.LeftEdge, dock_of(large, "policy").width() - 700)
    state = WindowState()
    state.keep(Rectangle(0, 40, *size), False, large._arrangement.layout)
    window = opened(file, size=size, state=state)
    QApplication.processEvents()
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert table.viewport().height() >= 5 * table.rowHeight(0)
    assert table.viewport().width() >= 330
    assert list(overlaps(window)) == []


@pytest.mark.parametrize("small", cases([(1272, 690), (1000, 640), (792, 457)], [(792, 457)]))
def test_docks_are_as_a_person_sized_them_when_room_is_back(
    opened: Callable[..., MainWindow], qtbot: QtBot, small: tuple[int, int]
) -> None:
    window = opened(SAMPLE)
    drag_edge(window, "explanation", Qt.Edge.TopEdge, -150)
    drag_edge(window, "workspace", Qt.Edge.RightEdge, 80)
    drag_edge(window, "policy", Qt.Edge.LeftEdge, -60)
    names = ("explanation", "workspace", "policy")
    before = [dock_of(window, name).geometry() for name in names]
    made = window._arrangement.layout
    dock_of(window, "workspace").visibilityChanged.connect(lambda _: window._arrangement.layout)  # as autosaving asks
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    window.resize(*small)
    qtbot.waitUntil(lambda: table.viewport().height() >= 4 * table.rowHeight(0))
    assert list(overlaps(window)) == []
    assert window._arrangement.layout == made, "it is remembered as it was made"
    window.do("tune")
    window.do("inspect")
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: [dock_of(window, name).geometry() for name in names] == before)


@pytest.mark.parametrize("size", cases([(640, 330), (792, 457), (1120, 700)], [(792, 457)]))
def test_a_panel_that_a_person_sized_in_a_small_window_keeps_its_width(
    opened: Callable[..., MainWindow], size: tuple[int, int]
) -> None:
    file, state = samples_folder() / "companion.workspace.yaml", WindowState()
    window = opened(file, size=size, state=state)
    window.setMinimumSize(*size)  # as on a screen that has no more room
    window.resize(*size)
    QApplication.processEvents()
    first = dock_of(window, "policy").width()
    drag_edge(window, "policy", Qt.Edge.LeftEdge, -60)
    before = [dock_of(window, name).geometry() for name in ("policy", "workspace")]
    assert before[0].width() >= first + 40
    window.do("tune")
    window.do("inspect")
    QApplication.processEvents()
    assert [dock_of(window, name).geometry() for name in ("policy", "workspace")] == before
    state.keep(Rectangle(0, 40, *size), False, window._arrangement.layout)
    again = opened(file, size=size, state=WindowState())
    again.setMinimumSize(*size)
    again.resize(*size)
    QApplication.processEvents()
    assert dock_of(again, "policy").width() == before[0].width(), "at the next start, too"
    again.do("zoom_in")
    again.do("zoom_in")
    QApplication.processEvents()
    again.do("zoom_reset")
    QApplication.processEvents()
    assert dock_of(again, "policy").width() == before[0].width()


def test_a_layout_of_a_large_screen_is_whole_again_after_a_run_on_a_small_one(
    opened: Callable[..., MainWindow],
) -> None:
    file, state = samples_folder() / "companion.workspace.yaml", WindowState()
    first = opened(file, state=state)
    drag_edge(first, "explanation", Qt.Edge.TopEdge, -150)
    drag_edge(first, "workspace", Qt.Edge.RightEdge, 80)
    before = [dock_of(first, name).geometry() for name in ("explanation", "workspace", "policy")]
    state.keep(Rectangle(0, 40, 1600, 1000), False, first._arrangement.layout)
    small = opened(file, size=(792, 457), state=WindowState())
    QApplication.processEvents()
    assert dock_of(small, "workspace").isHidden(), "there is no room for it"
    state.keep(Rectangle(0, 40, 792, 457), False, small._arrangement.layout)
    again = opened(file, state=WindowState())
    QApplication.processEvents()
    assert [dock_of(again, name).geometry() for name in ("explanation", "workspace", "policy")] == before


def test_a_new_window_that_grows_has_the_docks_of_a_large_one(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(SAMPLE, size=(792, 457))
    QApplication.processEvents()
    assert dock_of(window, "workspace").isHidden()
    window.show_screen("findings")
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: not dock_of(window, "workspace").isHidden())
    assert window.dockWidgetArea(dock_of(window, "findings")) == Qt.DockWidgetArea.BottomDockWidgetArea
    assert window.screens["findings"].view.isVisible(), "what was in front stays there"


def test_what_a_person_opens_or_closes_in_a_small_window_stays_so(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened(SAMPLE, size=(792, 457))
    QApplication.processEvents()
    dock_of(window, "workspace").toggleViewAction().trigger()
    window.show_screen("findings")
    QApplication.processEvents()
    dock_of(window, "findings").toggleViewAction().trigger()
    for perspective in ("tune", "inspect"):
        window.do(perspective)
        QApplication.processEvents()
    assert not dock_of(window, "workspace").isHidden()
    assert dock_of(window, "findings").isHidden()
    window.resize(1600, 1000)
    below = Qt.DockWidgetArea.BottomDockWidgetArea
    qtbot.waitUntil(lambda: window.dockWidgetArea(dock_of(window, "explanation")) == below)
    assert not dock_of(window, "workspace").isHidden()
    assert dock_of(window, "findings").isHidden()


def test_a_narrow_explanation_has_its_buttons_below_its_words(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(792, 457))
    window.show_screen("explanation")
    window.select(0)
    QApplication.processEvents()
    view = window.screens["explanation"].view
    assert view.width() <= view.parentWidget().width(), "it has to be scrolled sideways"
    buttons = [button for button in view.findChildren(QPushButton) if button.isVisible()]
    assert len(buttons) == 3
    assert all(view.rect().contains(button.geometry()) for button in buttons)


@pytest.mark.parametrize("screen", ["shootout", "recommend"])
def test_a_low_window_has_room_for_what_it_is_tuned_by(opened: Callable[..., MainWindow], screen: str) -> None:
    window = opened(SAMPLE, size=(792, 457))
    window.do("tune")
    window.show_screen(screen)
    QApplication.processEvents()
    assert window.screens[screen].view.isVisible()
    dock = window.findChild(QDockWidget, f"{screen}_dock")
    assert isinstance(dock, QDockWidget)
    assert dock.height() >= 230
    assert dock.width() >= 0.55 * window.width()


def test_a_panel_of_a_laptop_is_seen_whole(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    window.do("tune")
    for screen in ("survival", "replay", "recommend", "comparison"):
        window.show_screen(screen)
        view = window.screens[screen].view
        qtbot.waitUntil(lambda view=view: view.isVisible() and window.session.is_ready, timeout=30_000)
        qtbot.waitUntil(
            lambda view=view: not getattr(view, "is_waiting", False) and not window.session.tasks.is_running()
        )
        QApplication.processEvents()
        assert view.width() <= view.parentWidget().width(), f"{screen} has to be scrolled sideways"


def test_a_replay_of_a_laptop_says_all_of_what_was_replayed(companion: MainWindow, qtbot: QtBot) -> None:
    companion.resize(1280, 720)
    companion.do("tune")
    companion.show_screen("replay")
    view = companion.screens["replay"].view
    assert isinstance(view, ReplayView)
    qtbot.waitUntil(lambda: len(view.found) > 0 and not view.is_waiting and "turns" in view.summaries[0].text())
    QApplication.processEvents()
    said = view.summaries[0]
    assert said.fontMetrics().horizontalAdvance(said.text()) <= said.contentsRect().width()
    room = view.parentWidget()
    assert room is not None
    assert view.height() <= room.height(), "it has to be scrolled"


@pytest.mark.parametrize("size", [(792, 457), (1272, 690)])
def test_a_panel_of_a_small_window_has_no_scroll_bars_beside_that_of_its_table(
    opened: Callable[..., MainWindow], qtbot: QtBot, size: tuple[int, int]
) -> None:
    window = opened(SAMPLE, scenario=samples_folder() / "companion.scenario.yaml", size=size)
    for screen in ("summaries", "memories", "shootout"):
        window.do("tune" if screen == "shootout" else "inspect")
        window.show_screen(screen)
        view = window.screens[screen].view
        table = view.findChild(ArrayTableView)
        assert table is not None
        qtbot.waitUntil(lambda table=table: table.isVisible() and len(table.array_model.rows) > 0)
        QApplication.processEvents()
        assert view.width() <= view.parentWidget().width(), f"{screen} has to be scrolled sideways"
        if screen != "shootout":
            assert table.horizontalScrollBar().maximum() == 0, screen
            assert table.viewport().height() >= 3 * table.rowHeight(0), screen
        for label in view.findChildren(QLabel):
            if label.isVisible() and label.wordWrap():
                assert label.height() + 2 >= label.heightForWidth(label.width()), label.text()


def test_a_low_window_presents_rows_of_what_fell(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(792, 457))
    window.do("present")
    QApplication.processEvents()
    table = window.findChild(ArrayTableView, "falling_table")
    assert table is not None
    assert table.viewport().height() >= 4 * table.rowHeight(0)


def test_a_flat_window_presents_rows_and_whole_captions(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(SAMPLE, size=(1280, 800))
    window.give_tour(str(samples_folder() / "birthday.tour.yaml"))
    view, stage, header = (window.screens[name].view for name in ("falling", "stage", "budget"))
    table = view.table
    assert isinstance(table, ArrayTableView)
    assert isinstance(stage, StageView)
    assert isinstance(header, PromptHeader)
    qtbot.waitUntil(lambda: window.session.is_ready and stage.on.isEnabled())
    as_usual = [stage.sizeHint(), header.height(), stage.title.text()]
    window.setMinimumSize(632, 331)  # as on a laptop at 200 %
    window.resize(632, 331)
    qtbot.waitUntil(lambda: header.height() < as_usual[1])
    QApplication.processEvents()
    assert table.viewport().height() >= 2.9 * table.rowHeight(0)
    assert view.height() <= view.parentWidget().height(), "it has to be scrolled"
    window.setMinimumSize(632, 318)  # with the title that the desktop gives it
    window.resize(632, 318)
    qtbot.waitUntil(lambda: window.height() == 318)
    QApplication.processEvents()
    assert view.height() <= view.parentWidget().height(), "it has to be scrolled"
    assert table.viewport().height() >= 2 * table.rowHeight(0)
    for number in range(7):
        assert stage.title.text() == f"step {number + 1} of 7"
        caption, line = stage.caption.text(), stage.caption.fontMetrics()
        assert line.horizontalAdvance(caption) < 1.9 * stage.caption.width(), f"cut off: {caption}"
        assert stage.caption.geometry().bottom() < stage.on.geometry().top()
        qtbot.mouseClick(stage.on, Qt.MouseButton.LeftButton)
    for _ in range(6):
        qtbot.mouseClick(stage.back, Qt.MouseButton.LeftButton)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: [stage.sizeHint(), header.height(), stage.title.text()] == as_usual)
    assert table.horizontalHeader().isVisible()


@pytest.mark.parametrize("steps", [2, 5])
def test_large_text_does_not_make_the_policy_panel_scroll_sideways(
    opened: Callable[..., MainWindow], qtbot: QtBot, steps: int
) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    panel = window.screens["policy"].view
    try:
        for _ in range(steps):
            window.do("zoom_in")
        qtbot.waitUntil(lambda: panel.horizontalScrollBar().maximum() == 0, timeout=2_000)
        assert panel.width() <= panel.parentWidget().width(), "it has to be scrolled sideways"
        fields = [field for field in panel.findChildren(QSpinBox) if field.isVisible()]
        assert len(fields) > 4
        for field in fields:
            needed = field.fontMetrics().horizontalAdvance(field.text())
            assert field.lineEdit().width() > needed, f"{field.text()} is cut off"
    finally:
        window.do("zoom_reset")


def test_quick_filters_say_less_where_there_is_no_room_for_their_words(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(792, 470))
    view = window.screens["decisions"].view
    chips = [chip for chip in view.findChildren(ActionChip) if chip.isVisible()]
    assert view.width() <= view.parentWidget().width(), "it has to be scrolled sideways"
    assert chips[-1].text().startswith("✕ ")
    assert "ropped" not in chips[-1].text()
    assert chips[-1].mapTo(view, chips[-1].rect().topRight()).x() < view.width()
    window.resize(1600, 1000)
    QApplication.processEvents()
    assert "Dropped" in chips[-1].text()


def test_quick_filters_never_lie_over_each_other(opened: Callable[..., MainWindow], qapp: QApplication) -> None:
    window = opened(SAMPLE)
    window.setMinimumSize(640, 340)  # as on a laptop at 200 %
    window.resize(640, 340)
    for perspective, turn in (("inspect", None), ("tune", None), ("tune", 20), ("inspect", 20)):
        window.do(perspective)
        window.session.edit(go_to_turn, turn)
        settle(qapp)
        view = window.screens["decisions"].view
        texts = [chip.text() for chip in view.findChildren(ActionChip) if chip.isVisible()]
        assert (texts[0] == "All 444") == ((perspective, turn) == ("inspect", None)), "numbers where they fit"
        places = [chip.geometry() for chip in view.findChildren(ActionChip) if chip.isVisible()]
        assert len(places) == len(Fate) + (turn is not None), "what is not there yet only in a replay"
        assert all(here.right() < there.left() for here, there in pairwise(places)), perspective
        assert places[-1].right() < view.width(), (perspective, places)


@pytest.mark.parametrize("width", cases([640, 800, 1067], [640]))
def test_a_narrow_list_of_conversations_keeps_what_the_setting_makes_of_them(
    opened: Callable[..., MainWindow], width: int
) -> None:
    window = opened(samples_folder())
    window.setMinimumSize(width, 340)
    window.resize(width, 340)
    window.do("archive")
    QApplication.processEvents()
    table = window.findChild(ArrayTableView, "conversations_table")
    assert table is not None
    for key in ("title", "messages", "prompt", "dropped"):
        assert header_of(table, key)[2] > 0, key
    assert table.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("model", ["gpt-4o", "claude-sonnet-4"])
def test_the_page_of_the_tokens_is_read_without_scrolling_sideways(
    opened: Callable[..., MainWindow], qtbot: QtBot, model: str
) -> None:
    folder = samples_folder()
    window = opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml", size=(1272, 690))
    window.session.edit(use_model, model)
    window.session.edit(set_value, "safety_margin", 1_024)
    qtbot.waitUntil(lambda: window.session.is_ready)
    pages = [page for page in window.findChildren(PageView) if page.isVisible()]
    assert pages
    assert [page.horizontalScrollBar().maximum() for page in pages] == [0] * len(pages)


def test_nothing_lies_over_anything_else(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(SAMPLE, size=SIZES[0])
    for size in SIZES:
        window.resize(*size)
        window.do("reset_layout")
        check_overlaps(window, size)
        qtbot.waitUntil(lambda: window.session.is_ready)


def check_overlaps(window: MainWindow, size: tuple[int, int]) -> None:
    """Look at every perspective and every panel of a window of this size."""
    assert window.size().toTuple() == size
    for perspective in PERSPECTIVES:
        window.do(perspective)
        QApplication.processEvents()
        assert list(overlaps(window)) == [], perspective
    window.do("inspect")
    for name, screen in window.screens.items():
        if screen.area not in ("centre", "top bar", "bottom bar"):
            window.show_screen(name)
            QApplication.processEvents()
            assert window.size().toTuple() == size, f"{name} makes it larger"
            assert list(overlaps(window)) == [], name


def test_a_low_window_has_its_panels_as_they_were_after_another_perspective(
    opened: Callable[..., MainWindow],
) -> None:
    window = opened(SAMPLE, size=(792, 457))
    window.do("tune")
    window.show_screen("shootout")
    QApplication.processEvents()
    dock = window.findChild(QDockWidget, "shootout_dock")
    assert isinstance(dock, QDockWidget)
    before = dock.geometry()
    window.do("inspect")
    window.do("tune")
    QApplication.processEvents()
    assert dock.geometry() == before


def test_a_window_that_becomes_lower_keeps_rows_of_the_table(companion: MainWindow, qtbot: QtBot) -> None:
    table = companion.findChild(ArrayTableView, "decision_table")
    assert table is not None
    companion.resize(1000, 560)
    qtbot.waitUntil(lambda: table.viewport().height() >= 4 * table.rowHeight(0), timeout=2_000)
    assert list(overlaps(companion)) == []


def test_a_window_that_becomes_smaller_stays_in_order(companion: MainWindow, qtbot: QtBot) -> None:
    for perspective in PERSPECTIVES:
        companion.do(perspective)
        for size in (*SIZES, *reversed(SIZES)):
            companion.resize(*size)
            QApplication.processEvents()
            assert list(overlaps(companion)) == [], (perspective, size)
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_what_has_less_room_than_it_needs_can_be_scrolled(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(800, 500))
    window.show_screen("workspace")
    QApplication.processEvents()
    for name in ("decisions", "policy"):
        view = window.screens[name].view
        assert view.width() >= view.minimumSizeHint().width()
        assert view.width() >= view.minimumWidth()


def test_a_narrow_window_begins_without_what_it_has_no_room_for(opened: Callable[..., MainWindow]) -> None:
    window = opened(size=(800, 500))
    assert window.findChild(QDockWidget, "workspace_dock").isHidden()  # type: ignore[union-attr]
    assert not window.findChild(QDockWidget, "policy_dock").isHidden()  # type: ignore[union-attr]


def test_a_place_of_another_screen_is_held_on_this_one(qapp: QApplication) -> None:
    room = qapp.primaryScreen().availableGeometry()
    for place in (Rectangle(-5000, -5000, 400, 300), Rectangle(9000, 9000, 400, 300), Rectangle(0, 0, 20_000, 20_000)):
        held = on_screen(place)
        assert room.contains(held)
        assert held.top() > room.top(), "its title can be held"
    middle = Rectangle(room.left() + 100, room.top() + 100, 300, 200)
    assert on_screen(middle).topLeft() == QPoint(middle.left, middle.top)


def test_a_window_comes_back_where_it_lay_however_low_its_title_is(opened: Callable[..., MainWindow]) -> None:
    state, lay = WindowState(), Rectangle(3, 27, 760, 500)
    state.keep(lay, False, WindowLayout({}, ""))
    window = opened(state=state, size=(lay.width, lay.height))
    assert rectangle_of(window.geometry()) == lay
    window.do("tune")
    assert WindowState().place == lay
    assert rectangle_of(on_screen(replace(lay, top=0))) == replace(lay, top=0), "it has no title, or none on this side"


SCRIPT = """
from PySide6.QtCore import QTimer
from inspector.gui.app import make_application, open_window
from inspector.gui.theme import apply_theme
application = make_application()
apply_theme(application, "light")
window = open_window([])
window.show()
application.processEvents()
room = window.screen().availableGeometry()
print(room.width(), room.height(), window.width(), window.height(), room.contains(window.frameGeometry()))
window.close()
"""


@pytest.mark.parametrize("factor", ["1", "1.5", "2"])
def test_a_first_window_fits_a_screen_of_any_scale(tmp_path: Path, factor: str) -> None:
    screen = {"name": "one", "x": 0, "y": 0, "width": 1600, "height": 1000, "logicalDpi": 96, "dpr": 1}
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [screen]}))
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen:configfile=screens.json",
        "QT_SCALE_FACTOR": factor,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=tmp_path)
    room_width, room_height, width, height, fits = done.stdout.split()
    assert abs(int(room_width) - 1600 / float(factor)) <= 1
    assert fits == "True"
    assert int(room_width) - 20 < int(width) < int(room_width)
    assert int(room_height) - 60 < int(height) < int(room_height)

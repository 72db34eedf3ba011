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
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QSpinBox,
    QToolBar,
)
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import go_to_turn, set_value, use_model
from inspector.gui.main_window import MINIMUM_SIZE, MainWindow
from inspector.gui.parts.page import PageView
from inspector.gui.remembered.layout import PERSPECTIVES, Rectangle, WindowLayout
from inspector.gui.remembered.window_state import WindowState, on_screen, rectangle_of
from inspector.gui.screens.decisions.chips import ActionChip
from inspector.gui.table.view import ArrayTableView
from inspector.gui.window.body import Body
from inspector.resources import samples_folder
from tests.examples import cases

SAMPLE = samples_folder() / "companion.workspace.yaml"
SIZES = [(1600, 1000), (1280, 720), (800, 500), MINIMUM_SIZE.toTuple()]


def parts(window: MainWindow) -> dict[str, QRect]:
    """The rectangles of the visible regions of a window: its bars, its header, its columns and its pages."""
    body = window.findChild(Body)
    assert isinstance(body, Body)
    regions = {
        "menu": window.menuBar(),
        "tool bar": window.findChild(QToolBar, "tool_bar"),
        "header": window.screens["budget"].view,
        "left": body.rail if body.rail.isVisible() else body.side,
        "pages": body.pages,
        "right": body.right,
        "status": window.statusBar(),
    }
    shown = {name: part for name, part in regions.items() if part is not None and part.isVisible()}
    shown = {name: part for name, part in shown.items() if part is not body._over}
    return {name: QRect(part.mapTo(window, QPoint()), part.size()) for name, part in shown.items()}


def overlaps(window: MainWindow) -> Iterator[str]:
    pairs = combinations(parts(window).items(), 2)
    yield from (f"{one} {here} and {other} {there}" for (one, here), (other, there) in pairs if here.intersects(there))
    room = window.rect()
    yield from (f"{name} {place} is outside" for name, place in parts(window).items() if not room.contains(place))


def test_the_item_table_has_room_in_a_small_window(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert table.viewport().height() >= 14 * table.rowHeight(0)
    assert table.horizontalScrollBar().maximum() == 0, "columns lie off the screen"
    assert header_of(table, "text")[2] >= 160


def test_a_low_window_shows_rows_of_items_and_details(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(792, 457))
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    assert table.viewport().height() >= table.rowHeight(0)
    assert table.horizontalScrollBar().maximum() == 0, "columns lie off the screen"
    assert window.screens["details"].is_visible


def test_a_panel_of_a_laptop_is_seen_whole(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    window.do("tune")
    for screen in ("survival", "recommend", "changes"):
        window.show_screen(screen)
        view = window.screens[screen].view
        qtbot.waitUntil(lambda view=view: view.isVisible() and window.session.is_ready, timeout=30_000)
        qtbot.waitUntil(
            lambda view=view: not getattr(view, "is_waiting", False) and not window.session.tasks.is_running()
        )
        QApplication.processEvents()
        assert view.width() <= view.parentWidget().width(), f"{screen} has to be scrolled sideways"


@pytest.mark.parametrize("size", [(792, 457), (1272, 690)])
def test_a_panel_of_a_small_window_has_no_scroll_bars_beside_that_of_its_table(
    opened: Callable[..., MainWindow], qtbot: QtBot, size: tuple[int, int]
) -> None:
    window = opened(SAMPLE, scenario=samples_folder() / "companion.scenario.yaml", size=size)
    for screen in ("summaries", "memories", "side_by_side"):
        window.do("compare" if screen == "side_by_side" else "inspect")
        window.show_screen(screen)
        view = window.screens[screen].view
        table = view.findChild(ArrayTableView, "memory_table") or view.findChild(ArrayTableView)
        assert table is not None
        qtbot.waitUntil(lambda table=table: table.isVisible() and len(table.array_model.rows) > 0)
        QApplication.processEvents()
        assert view.width() <= view.parentWidget().width(), f"{screen} has to be scrolled sideways"
        if screen != "side_by_side":
            assert table.horizontalScrollBar().maximum() == 0, screen
            assert table.viewport().height() >= 3 * table.rowHeight(0), screen
        for label in view.findChildren(QLabel):
            if label.isVisible() and label.wordWrap():
                assert label.height() + 2 >= label.heightForWidth(label.width()), label.text()


@pytest.mark.parametrize("steps", [2, 5])
def test_large_text_does_not_make_the_policy_panel_scroll_sideways(
    opened: Callable[..., MainWindow], qtbot: QtBot, steps: int
) -> None:
    window = opened(SAMPLE, size=(1272, 690))
    panel = window.screens["settings"].view
    try:
        for _ in range(steps):
            window.do("zoom_in")
        qtbot.waitUntil(lambda: panel.area.horizontalScrollBar().maximum() == 0, timeout=2_000)
        assert panel.width() <= panel.parentWidget().width(), "it has to be scrolled sideways"
        fields = [field for field in panel.findChildren(QSpinBox) if field.isVisible()]
        assert len(fields) >= 4
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
    assert chips[-1].mapTo(view, chips[-1].rect().topRight()).x() < view.width()
    window.resize(1600, 1000)
    QApplication.processEvents()
    assert "Dropped" in chips[-1].text()  # the last of those that this prompt has


def test_quick_filters_never_lie_over_each_other(opened: Callable[..., MainWindow], qapp: QApplication) -> None:
    window = opened(SAMPLE)
    window.setMinimumSize(640, 340)  # as on a laptop at 200 %
    window.resize(640, 340)
    for perspective, turn in (("inspect", None), ("inspect", 20)):
        window.do(perspective)
        window.session.edit(go_to_turn, turn)
        settle(qapp)
        view = window.screens["decisions"].view
        texts = [chip.text() for chip in view.findChildren(ActionChip) if chip.isVisible()]
        assert texts[0].startswith("All")
        places = [chip.geometry() for chip in view.findChildren(ActionChip) if chip.isVisible()]
        assert len(places) >= 3 + (turn is not None), "all, in, dropped; and in a replay what is not there yet"
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
        check_overlaps(window, size, qtbot)
        qtbot.waitUntil(lambda: window.session.is_ready)


def check_overlaps(window: MainWindow, size: tuple[int, int], qtbot: QtBot) -> None:
    """Look at every perspective and every panel of a window of this size."""
    assert window.size().toTuple() == size
    for perspective in PERSPECTIVES:
        window.do(perspective)
        qtbot.waitUntil(lambda: list(overlaps(window)) == [])
    window.do("inspect")
    for name, screen in window.screens.items():
        if screen.area in ("page", "left", "right"):
            window.show_screen(name)
            QApplication.processEvents()
            assert window.size().toTuple() == size, f"{name} makes it larger"
            qtbot.waitUntil(lambda: list(overlaps(window)) == [])


def test_a_window_that_becomes_lower_keeps_rows_of_the_table(companion: MainWindow, qtbot: QtBot) -> None:
    table = companion.findChild(ArrayTableView, "decision_table")
    assert table is not None
    companion.resize(1000, 700)
    qtbot.waitUntil(lambda: table.viewport().height() >= 4 * table.rowHeight(0), timeout=2_000)
    assert list(overlaps(companion)) == []


def test_a_window_that_becomes_smaller_stays_in_order(companion: MainWindow, qtbot: QtBot) -> None:
    for perspective in PERSPECTIVES:
        companion.do(perspective)
        for size in (*SIZES, *reversed(SIZES)):
            companion.resize(*size)
            qtbot.waitUntil(lambda: list(overlaps(companion)) == [])
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_what_has_less_room_than_it_needs_can_be_scrolled(opened: Callable[..., MainWindow]) -> None:
    window = opened(SAMPLE, size=(800, 500))
    window.show_screen("sources")
    QApplication.processEvents()
    for name in ("decisions", "settings"):
        view = window.screens[name].view
        assert view.width() >= view.minimumSizeHint().width()
        assert view.width() >= view.minimumWidth()


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

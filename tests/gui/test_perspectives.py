"""Perspectives: four layouts of the same docks, each with its screens at hand, and each is found as it was left."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
import yaml
from edges import drag_edge
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLineEdit,
    QSlider,
    QTabBar,
    QTableView,
    QToolBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.layout import PERSPECTIVES
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.chooser import Chooser
from inspector.gui.window_state import WindowState
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Open = Callable[..., MainWindow]
Kind = TypeVar("Kind", bound=QObject)
KEYS = {name: getattr(Qt.Key, f"Key_{number}") for number, name in enumerate(PERSPECTIVES, 1)}


def child(window: MainWindow, kind: type[Kind], name: str) -> Kind:
    found = window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def go(window: MainWindow, perspective: str) -> None:
    """Go there by its keys."""
    QTest.keyClick(window, KEYS[perspective], Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    QApplication.processEvents()
    assert seen_perspective(window) == perspective


def seen_perspective(window: MainWindow) -> str:
    """What the switch and the menu say, which is the same."""
    pressed = [button.text() for button in switch_buttons(window) if button.isChecked()]
    checked = [name for name in PERSPECTIVES if child(window, QAction, f"action:{name}").isChecked()]
    assert [text.lower() for text in pressed] == checked
    return checked[0]


def switch_buttons(window: MainWindow) -> list[QToolButton]:
    return child(window, QWidget, "perspective_switch").findChildren(QToolButton)


def tabs(window: MainWindow) -> set[str]:
    """The docks that are at hand, in front or as tabs."""
    docks = window.findChildren(QDockWidget)
    return {dock.objectName().removesuffix("_dock") for dock in docks if not dock.isHidden()}


def in_front(window: MainWindow) -> set[str]:
    return {name for name in tabs(window) if not child(window, QDockWidget, f"{name}_dock").visibleRegion().isEmpty()}


def bars(window: MainWindow) -> set[str]:
    return {bar.objectName().removesuffix("_tool_bar") for bar in window.findChildren(QToolBar) if bar.isVisible()}


def in_the_centre(window: MainWindow) -> str:
    return next(name for name, screen in window.screens.items() if screen.area == "centre" and screen.is_visible)


def test_each_perspective_has_its_screens_at_hand(companion: MainWindow, qtbot: QtBot) -> None:
    window = companion
    assert seen_perspective(window) == "inspect"
    assert tabs(window) == {
        *("workspace", "policy", "explanation", "text", "prompt", "comparison", "findings", "memories"),
    }
    go(window, "tune")
    assert tabs(window) == {
        *("policy", "explanation", "comparison", "snapshots", "shootout", "replay", "survival"),
        *("tokenizers", "recommend"),
    }
    assert in_front(window) == {"policy", "shootout"}
    assert (in_the_centre(window), bars(window)) == ("decisions", {"budget", "turns"})
    go(window, "archive")
    assert (in_the_centre(window), tabs(window), bars(window)) == ("conversations", set(), set())
    go(window, "present")
    assert (in_the_centre(window), tabs(window), bars(window)) == ("falling", set(), {"stage", "budget", "turns"})
    go(window, "inspect")
    assert in_front(window) == {"workspace", "policy", "explanation"}
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_the_switch_stays_where_it_is(companion: MainWindow, qtbot: QtBot) -> None:
    places = []
    for button in (*switch_buttons(companion), switch_buttons(companion)[0]):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert seen_perspective(companion) == button.text().lower()
        places.append([other.mapToGlobal(other.rect().center()) for other in switch_buttons(companion)])
    assert all(place == places[0] for place in places)
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_palette_leads_to_a_perspective(companion: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(companion, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = child(companion, Chooser, "palette")
    qtbot.waitUntil(palette.isVisible)
    qtbot.keyClicks(palette.found.line, "archive")
    qtbot.keyClick(palette.found.line, Qt.Key.Key_Return)
    assert seen_perspective(companion) == "archive"


def test_each_is_found_as_it_was_left(companion: MainWindow, qtbot: QtBot) -> None:
    window = companion
    drag_edge(window, "workspace", Qt.Edge.RightEdge, 333 - child(window, QDockWidget, "workspace_dock").width())
    window.show_screen("findings")
    go(window, "tune")
    window.show_screen("servers")
    child(window, QDockWidget, "comparison_dock").hide()
    go(window, "inspect")
    assert in_front(window) == {"workspace", "policy", "findings"}
    assert child(window, QDockWidget, "workspace_dock").width() == 333
    assert "servers" not in tabs(window)
    go(window, "tune")
    assert in_front(window) == {"policy", "servers"}
    assert "comparison" not in tabs(window)
    child(window, QAction, "action:reset_layout").trigger()
    assert in_front(window) == {"policy", "shootout"}
    go(window, "inspect")
    assert in_front(window) == {"workspace", "policy", "findings"}, "the others stay"
    qtbot.waitUntil(lambda: window.session.is_ready)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_selection_scroll_and_filter_outlive_a_look_elsewhere(
    companion: MainWindow, qtbot: QtBot, share: float
) -> None:
    table = child(companion, QTableView, "decision_table")
    edit = child(companion, QLineEdit, "filter_edit")
    qtbot.keyClicks(edit, "section:history")
    bar = table.verticalScrollBar()
    bar.setValue(round(bar.maximum() * share))
    places = [table.rowAt(30), table.rowAt(100)]
    for place, keys in zip(places, (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier), strict=True):
        where = table.visualRect(table.model().index(place, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, keys, where)
    selected, row = companion.screens["decisions"].view.selected_rows(), companion.row
    assert len(selected) == 2
    top = table.rowAt(0)
    for perspective in (*PERSPECTIVES[1:], "inspect"):
        go(companion, perspective)
    assert (companion.screens["decisions"].view.selected_rows(), companion.row) == (selected, row)
    assert edit.text() == "section:history"
    assert table.rowAt(0) == top
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_keyboard_selects_nothing_on_its_way_and_comes_back(companion: MainWindow, qtbot: QtBot) -> None:
    table, slider = child(companion, QTableView, "decision_table"), child(companion, QSlider, "turn_slider")
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(int(assembly.order[3]))
    row = companion.row
    table.setFocus()
    go(companion, "present")
    assert companion.focusWidget() is companion, "the table was left behind"
    assert companion.row == row
    slider.setFocus()
    go(companion, "inspect")
    assert companion.focusWidget() is table, "where it was there"
    assert companion.row == row
    go(companion, "present")
    assert companion.focusWidget() is slider
    go(companion, "archive")
    assert companion.focusWidget() in (slider, companion)
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_a_table_without_a_selection_gets_the_keyboard_back_without_one(companion: MainWindow, qtbot: QtBot) -> None:
    table = companion.screens["decisions"].view.table
    table.setFocus()
    companion.select(None)
    table.selectionModel().clear()
    go(companion, "tune")
    qtbot.waitUntil(table.hasFocus)
    assert companion.row is None
    assert not table.selectionModel().hasSelection()


def test_what_is_selected_elsewhere_is_selected_in_the_table_that_is_out_of_sight(companion: MainWindow) -> None:
    go(companion, "present")
    companion.select(7)
    go(companion, "inspect")
    assert companion.screens["decisions"].view.selected_rows() == [7]


def test_a_dock_that_the_menu_opens_comes_to_the_front(companion: MainWindow, qtbot: QtBot) -> None:
    child(companion, QDockWidget, "timeline_dock").toggleViewAction().trigger()
    QApplication.processEvents()
    assert "timeline" in in_front(companion)
    child(companion, QAction, "action:shootout").trigger()
    QApplication.processEvents()
    assert "shootout" in in_front(companion), "shown here, though it is at home elsewhere"
    assert seen_perspective(companion) == "inspect"
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_a_dock_behind_another_comes_to_the_front_before_the_menu_closes_it(companion: MainWindow) -> None:
    dock, tabs = child(companion, QDockWidget, "timeline_dock"), child(companion, QDockWidget, "comparison_dock")
    companion.show_screen("timeline")
    companion.show_screen("comparison")
    QApplication.processEvents()
    assert "timeline" not in in_front(companion)
    assert not dock.isHidden()
    dock.toggleViewAction().trigger()
    QApplication.processEvents()
    assert "timeline" in in_front(companion)
    assert dock.toggleViewAction().isChecked()
    dock.toggleViewAction().trigger()
    QApplication.processEvents()
    assert dock.isHidden()
    assert not tabs.isHidden()


def test_no_title_of_a_tab_is_shortened(opened: Open, qtbot: QtBot) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml", size=(1280, 720))
    for name in ("lore", "summaries", "timeline", "shootout", "tokenizers", "servers"):
        window.show_screen(name)
    QApplication.processEvents()
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = [bar for bar in bars if isinstance(bar, QTabBar) and bar.isVisible() and bar.count() > 1]
    assert max(bar.count() for bar in shown) == 12
    for bar in shown:
        assert bar.usesScrollButtons()
        for index in range(bar.count()):
            assert bar.tabRect(index).width() >= bar.fontMetrics().horizontalAdvance(bar.tabText(index))
        assert bar.rect().contains(bar.tabRect(bar.currentIndex()).center()), "the one in front can be seen"
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_the_totals_and_the_filter_lead_back(companion: MainWindow, qtbot: QtBot) -> None:
    go(companion, "present")
    qtbot.keyClick(companion, Qt.Key.Key_Escape)
    assert seen_perspective(companion) == "inspect"
    assert "explanation" in in_front(companion)
    go(companion, "archive")
    child(companion, QAction, "action:find").trigger()
    assert seen_perspective(companion) == "inspect"
    assert child(companion, QLineEdit, "filter_edit").hasFocus() or not companion.isActiveWindow()
    go(companion, "tune")
    qtbot.keyClick(companion, Qt.Key.Key_Escape)
    assert seen_perspective(companion) == "tune", "they are at hand there"
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_an_inspection_holds_every_perspective(
    companion: MainWindow, opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "work.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    companion.show_screen("memories")
    go(companion, "tune")
    companion.show_screen("comparison")
    child(companion, QAction, "action:save").trigger()
    assert companion.session.tasks.finish_writing()
    layout = yaml.safe_load(file.read_text())["layout"]
    assert (layout["perspective"], list(layout["perspectives"])) == ("tune", ["tune"])
    again = opened(file)
    assert seen_perspective(again) == "tune"
    assert "comparison" in in_front(again)
    go(again, "inspect")
    assert "memories" in in_front(again)
    qtbot.waitUntil(lambda: companion.session.is_ready and again.session.is_ready)


def test_the_layout_of_an_older_inspection_is_that_of_inspect(
    companion: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    source = samples_folder() / "companion.workspace.yaml"
    layout = {"left": {"size": 300, "tabs": [{"docks": ["findings", "workspace"], "front": "findings"}]}}
    value = {"format": "prompt-inspector/inspection@1", "sources": [{"path": str(source)}], "layout": layout}
    file = tmp_path / "old.inspection.yaml"
    file.write_text(yaml.safe_dump(value))
    go(companion, "archive")
    companion.open_paths([str(file)])
    qtbot.waitUntil(lambda: companion.session.saved is not None and companion.session.is_ready)
    assert seen_perspective(companion) == "archive", "it does not say"
    go(companion, "inspect")
    assert companion.dockWidgetArea(child(companion, QDockWidget, "findings_dock")).name == "LeftDockWidgetArea"


def test_the_next_window_lies_as_the_last(qtbot: QtBot) -> None:
    for expected in ("inspect", "tune"):
        window = open_window([], state=WindowState())
        window.show()
        assert seen_perspective(window) == expected
        child(window, QAction, "action:tune").trigger()
        window.show_screen("tokenizers")
        window.close()
    last = open_window([], state=WindowState())
    last.show()
    QApplication.processEvents()
    front = in_front(last)
    last.close()
    assert "tokenizers" in front

"""The window's places: six perspectives with pages and columns, each found as it was left."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
import yaml
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QSlider, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.parameter_row import ParameterRow
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.search.box import SearchBox
from inspector.gui.window.actions import PAGES, menu_named
from inspector.gui.window.body import Body
from inspector.gui.window.pages import PageTabs, PageWindow
from inspector.resources import samples_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Open = Callable[..., MainWindow]
Kind = TypeVar("Kind", bound=QObject)
KEYS = {name: getattr(Qt.Key, f"Key_{number}") for number, name in enumerate(PERSPECTIVES, 1)}
CONTROL = Qt.KeyboardModifier.ControlModifier


def child(window: QWidget, kind: type[Kind], name: str = "") -> Kind:
    found = window.findChild(kind, name) if name else window.findChild(kind)
    assert isinstance(found, kind), name
    return found


def go(window: MainWindow, perspective: str) -> None:
    """Go there by its keys."""
    QTest.keyClick(window, KEYS[perspective], CONTROL | Qt.KeyboardModifier.AltModifier)
    QApplication.processEvents()
    assert perspective_of(window) == perspective


def perspective_of(window: MainWindow) -> str:
    """Return the perspective that the menu and the tool bar show, which is the same."""
    checked = [name for name in PERSPECTIVES if child(window, QAction, f"action:{name}").isChecked()]
    pressed = [name for name in PERSPECTIVES[:-1] if child(window, QToolButton, f"tool:{name}").isChecked()]
    assert pressed == [name for name in checked if name != "present"]
    return checked[0]


def pages(window: MainWindow) -> list[str]:
    tabs = child(window, PageTabs)
    return [tabs.name_at(index) for index in range(tabs.count())]


def front(window: MainWindow) -> str:
    """Return the name of the page in front, of which the view can be seen."""
    tabs = child(window, PageTabs)
    name = tabs.name_at(tabs.currentIndex())
    assert window.screens[name].is_visible
    return name


def is_seen(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def at_home(window: MainWindow, area: str, perspective: str) -> list[str]:
    return [name for name, one in window.screens.items() if one.area == area and perspective in one.perspectives]


def test_each_perspective_has_its_pages_and_columns(companion: MainWindow, qtbot: QtBot) -> None:
    assert perspective_of(companion) == "inspect"
    body = child(companion, Body)
    for perspective in (*PERSPECTIVES[1:], "inspect"):
        go(companion, perspective)
        assert pages(companion) == at_home(companion, "page", perspective)
        assert front(companion) == pages(companion)[0]
        assert is_seen(body.side) == (perspective in ("inspect", "tune", "replay"))
        assert is_seen(body.rail) == (perspective == "compare")
        tells_itself = companion.screens[front(companion)].has_details
        has_right = bool(at_home(companion, "right", perspective)) and not tells_itself
        assert body.right.isVisible() == has_right
        assert child(companion, QWidget, "tool_bar").isVisible() == (perspective != "present")
        assert companion.menuBar().isVisible() == (perspective != "present")
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_tool_bar_stays_in_its_place(companion: MainWindow, qtbot: QtBot) -> None:
    buttons = [child(companion, QToolButton, f"tool:{name}") for name in PERSPECTIVES[:-1]]
    places = []
    for button in (*buttons, buttons[0]):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert f"tool:{perspective_of(companion)}" == button.objectName()
        places.append([other.mapToGlobal(other.rect().center()) for other in buttons])
    assert all(place == places[0] for place in places)
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_a_button_of_the_tool_bar_says_name_key_and_why_it_is_off(companion: MainWindow) -> None:
    undo = child(companion, QToolButton, "tool:undo")
    assert "Undo (Ctrl+Z)" in undo.toolTip()
    assert undo.accessibleName() == "Undo"
    assert not undo.isEnabled()
    assert child(companion, QToolButton, "tool:left_column").toolTip().count("Ctrl+B") == 1


def test_keys_bring_pages_to_the_front_and_then_move_the_focus_there(companion: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(companion, Qt.Key.Key_2, CONTROL)
    assert front(companion) == "prompt"
    view = companion.screens["prompt"].view
    qtbot.keyClick(companion, Qt.Key.Key_2, CONTROL)
    qtbot.waitUntil(lambda: companion.focusWidget() is not None and view.isAncestorOf(companion.focusWidget()))
    qtbot.keyClick(companion, Qt.Key.Key_1, CONTROL)
    assert front(companion) == "decisions"
    numbers = [one for one in companion.findChildren(QShortcut) if one.objectName().startswith("page:")]
    assert len(numbers) == 9


def test_the_menu_lists_the_pages_of_the_perspective(companion: MainWindow) -> None:
    menu = menu_named(companion, PAGES)
    for perspective in ("compare", "inspect"):
        go(companion, perspective)
        menu.aboutToShow.emit()
        assert len(menu.actions()) == len(pages(companion)) + 1, "one is the separator"
    menu.actions()[2].trigger()
    assert front(companion) == pages(companion)[1]


def test_a_screen_of_another_perspective_is_shown_there(companion: MainWindow, qtbot: QtBot) -> None:
    companion.show_screen("snapshots")
    assert (perspective_of(companion), front(companion)) == ("compare", "snapshots")
    companion.do("find")
    assert (perspective_of(companion), front(companion)) == ("inspect", "decisions")
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_box_leads_to_a_perspective(companion: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(companion, Qt.Key.Key_K, CONTROL)
    box = child(companion, SearchBox, "search_box")
    qtbot.waitUntil(box.isVisible)
    qtbot.keyClicks(box.line, "> what do all my chats")
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert perspective_of(companion) == "archive"


def drag(qtbot: QtBot, handle: QWidget, by: int) -> None:
    """Drag a hairline sideways."""
    start = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(handle, start + QPoint(by, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=start + QPoint(by, 0))


def test_each_perspective_is_found_as_it_was_left(companion: MainWindow, qtbot: QtBot) -> None:
    body = child(companion, Body)
    usual = body.side.width()
    drag(qtbot, body.outer.handle(1), 40)
    companion.show_screen("findings")
    assert body.side.width() == usual + 40
    go(companion, "tune")
    assert body.side.width() == usual, "each has its own width"
    qtbot.keyClick(companion, Qt.Key.Key_B, CONTROL)
    assert is_seen(body.rail)
    go(companion, "inspect")
    assert (front(companion), body.side.width(), is_seen(body.rail)) == ("findings", usual + 40, False)
    go(companion, "tune")
    assert is_seen(body.rail)
    companion.do("reset_layout")
    assert not is_seen(body.rail)
    go(companion, "inspect")
    assert front(companion) == "findings", "the others stay"
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_columns_close_and_open_by_their_keys(companion: MainWindow, qtbot: QtBot) -> None:
    body = child(companion, Body)
    for key, part in ((Qt.Key.Key_B, body.side), (Qt.Key.Key_J, body.right)):
        for shown in (False, True):
            qtbot.keyClick(companion, key, CONTROL)
            assert is_seen(part) == shown
    body.resize(body.size())
    qtbot.keyClick(companion, Qt.Key.Key_J, CONTROL)
    companion.do("explain")
    assert is_seen(body.right), "the details open their column"


def test_a_column_of_another_perspective_floats_over_the_pages_until_the_focus_leaves(
    companion: MainWindow, qtbot: QtBot
) -> None:
    go(companion, "tune")
    body, right = child(companion, Body), at_home(companion, "right", "inspect")[0]
    before = body.inner.geometry()
    companion.show_screen(right)
    assert is_seen(body.right)
    assert body.inner.geometry() == before, "the pages do not move"
    qtbot.keyClick(body.right, Qt.Key.Key_Escape)
    assert not is_seen(body.right)
    companion.show_screen(right)
    qtbot.keyClick(companion, Qt.Key.Key_1, CONTROL)  # into the page
    qtbot.waitUntil(lambda: not is_seen(body.right))


@pytest.mark.parametrize("size", [(800, 500), (1000, 700)])
def test_a_narrow_window_has_a_rail_and_details_below(opened: Open, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml", size=size)
    body = child(window, Body)
    assert is_seen(body.rail)
    assert not is_seen(body.side)
    assert body.right.mapTo(body, QPoint()).y() > body.pages.mapTo(body, QPoint()).y()
    assert body.right.height() == pytest.approx(body.height() * 0.45, abs=12)
    qtbot.mouseClick(child(body, QToolButton, "rail:settings"), Qt.MouseButton.LeftButton)
    assert is_seen(body.side)
    assert body.side.geometry().left() == body.rail.width()
    child(window, QTableView, "decision_table").setFocus()
    qtbot.waitUntil(lambda: not is_seen(body.side))
    window.resize(1600, 1000)
    QApplication.processEvents()
    assert is_seen(body.side)
    assert body.right.mapTo(body, QPoint()).x() > body.pages.mapTo(body, QPoint()).x()
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_the_columns_are_as_wide_as_designed(opened: Open, qtbot: QtBot) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml")
    body = child(window, Body)
    assert (body.side.width(), body.right.width()) == (320, 404)
    window.resize(1280, 720)
    QApplication.processEvents()
    assert (body.side.width(), body.right.width()) == (288, 352)
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_a_page_in_a_window_of_its_own_comes_back_when_that_is_closed(
    companion: MainWindow, opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tabs, file = child(companion, PageTabs), tmp_path / "work.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    index = tabs.index_of("prompt")
    tabs.customContextMenuRequested.emit(tabs.tabRect(index).center())
    menu = child(tabs, QMenu)
    menu.actions()[0].trigger()
    menu.close()
    page = child(companion, PageWindow, "prompt_window")
    assert page.isWindow()
    assert is_seen(companion.screens["prompt"].view)
    assert "prompt" not in pages(companion)
    page.setGeometry(QRect(40, 60, 420, 260))
    go(companion, "tune")
    companion.do("save")
    assert companion.session.tasks.finish_writing()
    windows = yaml.safe_load(file.read_text())["layout"]["perspectives"]["inspect"]["windows"]
    assert windows == {"prompt": {"left": 40, "top": 60, "width": 420, "height": 260}}
    again = opened(file)
    assert child(again, PageWindow, "prompt_window").geometry() == QRect(40, 60, 420, 260)
    for window in (companion, again):
        child(window, PageWindow, "prompt_window").close()
        window.do("inspect")
        assert "prompt" in pages(window)
        window.show_screen("prompt")
        assert front(window) == "prompt"
    qtbot.waitUntil(lambda: companion.session.is_ready and again.session.is_ready)


@pytest.mark.parametrize("perspective", ["tune", "replay", "archive"])
def test_escape_opens_no_details_where_there_are_none(companion: MainWindow, perspective: str, qtbot: QtBot) -> None:
    companion.select(7)
    go(companion, perspective)
    QTest.keyClick(companion, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert companion.row is None
    assert not is_seen(companion.screens["details"].view)
    go(companion, "inspect")
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert is_seen(companion.screens["details"].view)


def test_the_keys_of_the_window_work_in_a_page_of_its_own_and_close_it(companion: MainWindow, qtbot: QtBot) -> None:
    companion._arrangement.take_out("prompt")
    page = child(companion, PageWindow, "prompt_window")
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    QTest.keyClick(page, KEYS["tune"], CONTROL | Qt.KeyboardModifier.AltModifier)
    assert perspective_of(companion) == "tune"
    QTest.keyClick(page, KEYS["inspect"], CONTROL | Qt.KeyboardModifier.AltModifier)
    assert "prompt" not in pages(companion)
    QTest.keyClick(page, Qt.Key.Key_W, CONTROL)
    assert "prompt" in pages(companion)
    qtbot.waitUntil(lambda: companion.session.is_ready)


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
    for place, keys in zip(places, (Qt.KeyboardModifier.NoModifier, CONTROL), strict=True):
        where = table.visualRect(table.model().index(place, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, keys, where)
    selected, row = companion.screens["decisions"].view.selected_rows(), companion.row
    assert len(selected) == 2
    top = table.rowAt(0)
    for perspective in (*PERSPECTIVES[1:], "inspect"):
        go(companion, perspective)
    assert (companion.screens["decisions"].view.selected_rows(), companion.row) == (selected, row)
    assert edit.text() == "section:history"
    qtbot.waitUntil(lambda: table.rowAt(0) == top)  # as soon as it has its height again
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_focus_selects_nothing_on_its_way_and_comes_back(companion: MainWindow, qtbot: QtBot) -> None:
    table = child(companion, QTableView, "decision_table")
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(int(assembly.order[3]))
    row = companion.row
    table.setFocus()
    go(companion, "archive")
    assert companion.row == row
    go(companion, "inspect")
    qtbot.waitUntil(table.hasFocus)
    assert companion.row == row
    companion.select(None)
    table.selectionModel().clear()
    go(companion, "tune")
    go(companion, "inspect")
    qtbot.waitUntil(table.hasFocus)
    assert companion.row is None
    assert not table.selectionModel().hasSelection()


def test_a_selection_made_elsewhere_is_selected_in_the_hidden_table(companion: MainWindow) -> None:
    go(companion, "archive")
    companion.select(7)
    go(companion, "inspect")
    assert companion.screens["decisions"].view.selected_rows() == [7]


def test_escape_leaves_presenting_for_the_perspective_before(companion: MainWindow, qtbot: QtBot) -> None:
    go(companion, "tune")
    go(companion, "present")
    assert not companion.menuBar().isVisible()
    qtbot.keyClick(companion, Qt.Key.Key_Escape)
    assert perspective_of(companion) == "tune"
    companion.do("full_screen")
    assert (perspective_of(companion), companion.isFullScreen()) == ("present", True)
    qtbot.keyClick(companion, Qt.Key.Key_Escape)
    assert (perspective_of(companion), companion.isFullScreen()) == ("tune", False)
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_no_title_of_a_tab_is_shortened(opened: Open, qtbot: QtBot) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml", size=(1280, 720))
    tabs = child(window, PageTabs)
    for perspective in ("compare", "tune", "inspect"):
        go(window, perspective)
        for index in filter(tabs.isTabVisible, range(tabs.count())):
            assert tabs.tabRect(index).width() >= tabs.fontMetrics().horizontalAdvance(tabs.tabText(index))
            assert tabs.tabRect(index).right() <= tabs.width(), "all are in sight at this size"
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_an_inspection_holds_every_perspective(
    companion: MainWindow, opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "work.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    companion.show_screen("memories")
    companion.show_screen("snapshots")
    companion.do("save")
    assert companion.session.tasks.finish_writing()
    layout = yaml.safe_load(file.read_text())["layout"]
    assert layout["perspective"] == "compare"
    assert layout["perspectives"] == {"inspect": {"page": "memories"}, "compare": {"page": "snapshots"}}
    again = opened(file)
    assert (perspective_of(again), front(again)) == ("compare", "snapshots")
    go(again, "inspect")
    assert front(again) == "memories"
    qtbot.waitUntil(lambda: companion.session.is_ready and again.session.is_ready)


def test_the_layout_of_an_earlier_version_changes_nothing(companion: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    source = samples_folder() / "companion.workspace.yaml"
    layout = {"left": {"size": 300, "tabs": [{"docks": ["findings", "workspace"], "front": "findings"}]}}
    value = {"format": "prompt-inspector/inspection@1", "sources": [{"path": str(source)}], "layout": layout}
    file = tmp_path / "old.inspection.yaml"
    file.write_text(yaml.safe_dump(value))
    go(companion, "tune")
    companion.open_paths([str(file)])
    qtbot.waitUntil(lambda: companion.session.saved is not None and companion.session.is_ready)
    assert perspective_of(companion) == "tune"


def test_the_next_window_lies_as_the_last_but_never_starts_presenting(qtbot: QtBot) -> None:
    for expected in ("inspect", "compare"):
        window = open_window([], state=WindowState())
        window.show()
        assert perspective_of(window) == expected
        window.show_screen("tokenizers")
        window.do("present")
        window.close()
    last = open_window([], state=WindowState())
    last.show()
    QApplication.processEvents()
    tabs = child(last, PageTabs)
    seen = perspective_of(last), tabs.name_at(tabs.currentIndex())
    last.close()
    assert seen == ("compare", "tokenizers")


def test_pointing_at_the_bar_lights_the_share_and_holding_a_share_outlines_its_limit(
    companion: MainWindow, qtbot: QtBot
) -> None:
    bar = companion.screens["budget"].view.bar
    shown: list[str] = []
    bar.show_limit = shown.append
    rows = {row.parameter.name: row for row in companion.findChildren(ParameterRow)}
    bar.hovered.emit("memory")
    assert rows["memory_share"].autoFillBackground()
    assert not rows["history_share"].autoFillBackground()
    bar.hovered.emit("")
    assert not rows["memory_share"].autoFillBackground()
    slider = child(companion, QSlider, "parameter:history_share")
    slider.sliderPressed.emit()
    slider.sliderReleased.emit()
    assert shown == ["memory", "", "history", ""]


def test_a_window_begins_with_the_named_page_even_where_an_inspection_has_a_layout(
    opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "work.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    first = opened(samples_folder() / "companion.workspace.yaml")
    first.show_screen("findings")
    first.do("save")
    assert first.session.tasks.finish_writing()
    window = open_window([str(file)], first=("compare", "snapshots"))
    window.show()
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert (perspective_of(window), front(window)) == ("compare", "snapshots")
    window.close()

"""Panels of small windows are read without scrolling sideways, and leave rows of what they show."""

from collections.abc import Callable, Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLayout, QScrollArea, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.plots.legend import Legend
from inspector.gui.table.matrix_model import MatrixTable
from inspector.gui.window.body import Body
from inspector.resources import samples_folder
from tests.examples import cases

LAPTOPS = [(1280, 696), (800, 476), (720, 440)]
"""1280×720, 1600×1000 at 200 %, each without the title that the desktop gives a window, and the smallest window."""


def window_of(opened: Callable[..., MainWindow], size: tuple[int, int]) -> MainWindow:
    folder = samples_folder()
    files = [folder / "companion.workspace.yaml", folder / "companion.probes.yaml"]
    window = opened(*files, scenario=folder / "companion.scenario.yaml")
    window.setMinimumSize(*size)
    window.resize(*size)
    return window


def is_whole(part: QWidget, view: QWidget) -> bool:
    return view.rect().contains(part.rect().translated(part.mapTo(view, QPoint())))


def controls_seen(view: QWidget) -> list[QWidget]:
    """Buttons and boxes that are seen, but for those in a part of the view that is scrolled by itself."""
    areas = view.findChildren(QScrollArea)
    controls = [*view.findChildren(QAbstractButton), *view.findChildren(QComboBox)]
    return [part for part in controls if part.isVisible() and not any(area.isAncestorOf(part) for area in areas)]


@pytest.mark.parametrize("size", cases(LAPTOPS, LAPTOPS[1:]))
def test_a_panel_does_not_scroll_sideways(
    opened: Callable[..., MainWindow], qtbot: QtBot, size: tuple[int, int]
) -> None:
    window = window_of(opened, size)
    for screen in ("prompt", "memories", "snapshots", "survival", "recommend", "replay", "timeline"):
        check_panel(window, qtbot, screen)


def check_panel(window: MainWindow, qtbot: QtBot, screen: str) -> None:
    """Bring a panel up: all of it fits into the width that it has."""
    window.show_screen(screen)
    view = window.screens[screen].view
    qtbot.waitUntil(lambda: view.isVisible() and window.session.is_ready)
    qtbot.waitUntil(lambda: not getattr(view, "is_waiting", False) and not window.session.tasks.is_running())
    QApplication.processEvents()
    room = view.parentWidget().parentWidget()
    assert isinstance(room, QScrollArea)
    qtbot.waitUntil(lambda: len(controls_seen(view)) > 0)
    QApplication.processEvents()
    assert room.horizontalScrollBar().maximum() == 0, screen
    assert all(is_whole(part, view) for part in controls_seen(view)), f"a control of {screen} is cut off"
    for legend in view.findChildren(Legend):
        assert legend.height() >= legend.heightForWidth(legend.width()), f"lines of a legend of {screen} are cut off"


def laid_out(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout that are seen, and those of the layouts in it."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        assert item is not None
        widget, inner = item.widget(), item.layout()
        if widget is not None and widget.isVisible():
            yield widget
        elif inner is not None:
            yield from laid_out(inner)


def overlapping(view: QWidget) -> list[tuple[QWidget, QWidget]]:
    """What a layout of a view lays over each other."""
    layouts = (part.layout() for part in (view, *view.findChildren(QWidget)) if part.isVisible())
    pairs = (pair for layout in layouts if layout is not None for pair in combinations(laid_out(layout), 2))
    return [(one, other) for one, other in pairs if one.geometry().intersects(other.geometry())]


@pytest.mark.parametrize("size", cases(LAPTOPS, LAPTOPS[-1:]))
def test_nothing_in_a_panel_lies_over_anything_else(
    opened: Callable[..., MainWindow], qtbot: QtBot, size: tuple[int, int]
) -> None:
    window = window_of(opened, size)
    for screen in ("survival", "replay", "recommend", "prompt", "memories", "snapshots", "timeline"):
        window.show_screen(screen)  # in Inspect, where panels are narrower than in Tune
        view = window.screens[screen].view
        qtbot.waitUntil(lambda view=view: view.isVisible() and window.session.is_ready)
        qtbot.waitUntil(lambda: not window.session.tasks.is_running())

        def is_settled(view: QWidget = view, screen: str = screen) -> None:
            assert overlapping(view) == [], screen

        qtbot.waitUntil(is_settled)


def test_a_panel_with_room_has_its_controls_in_one_line(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = window_of(opened, (1280, 696))
    window.do("tune")
    window.show_screen("survival")
    view = window.screens["survival"].view
    boxes = view.findChildren(QComboBox)
    qtbot.waitUntil(lambda: view.isVisible() and all(box.isVisible() for box in boxes))
    QApplication.processEvents()
    middles = {box.mapTo(view, box.rect().center()).y() for box in boxes}
    assert len(middles) == 1
    room = view.parentWidget().parentWidget()
    assert isinstance(room, QScrollArea)
    assert room.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("screen", ["side_by_side", "tokenizers"])
def test_a_flat_window_has_rows_below_the_header_of_what_is_compared(
    opened: Callable[..., MainWindow], qtbot: QtBot, screen: str
) -> None:
    window = window_of(opened, (640, 360))
    window.show_screen(screen)
    if window.findChild(Body).is_right_open:  # type: ignore[union-attr]
        window.do("right_column")  # details take almost half of the height
    table = window.screens[screen].view.table
    assert isinstance(table, MatrixTable)
    if screen == "tokenizers":
        window.screens[screen].view.pages.choose(1)
    header = table.header
    qtbot.waitUntil(lambda: len(header.findChildren(QToolButton)) > 2 and len(table.array_model.rows) > 0)
    QApplication.processEvents()
    assert table.viewport().height() >= 1.2 * table.rowHeight(0)
    assert header.height() < 3 * header.fontMetrics().lineSpacing()
    buttons = [button for button in header.findChildren(QToolButton) if button.isVisible()]
    assert all(button.geometry().bottom() <= header.height() for button in buttons), "a button is cut off"
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: header.height() > 4 * header.fontMetrics().lineSpacing())

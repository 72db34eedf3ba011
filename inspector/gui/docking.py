"""Docks and layouts: reading the current layout of the docks, and applying a layout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import shiboken6
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QScrollBar, QTabBar

from inspector.gui.layout import AREAS, Area, Layout, Tabs
from inspector.gui.window_state import on_screen, rectangle_of

Docks = Mapping[str, QDockWidget]
Scrolled = Mapping[QScrollBar, tuple[int, int]]

_QT_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "above": Qt.DockWidgetArea.TopDockWidgetArea,
    "below": Qt.DockWidgetArea.BottomDockWidgetArea,
}
_SIDES = ("left", "right")


def layout_of(window: QMainWindow, docks: Docks, before: Layout) -> Layout:
    """Return the current layout of the docks in a window.

    Qt does not report the position of a hidden dock among tabs; it is taken from `before`, which places every dock.
    """
    _settle(window)
    seen = {name: dock for name, dock in docks.items() if not (dock.isHidden() or dock.isFloating())}
    areas = {area: _area(window, area, seen) for area in AREAS}
    layout = Layout(
        {name: area for name, area in areas.items() if area.tabs},
        tuple(name for name, dock in docks.items() if dock.isHidden()),
        {name: rectangle_of(dock.geometry()) for name, dock in docks.items() if dock.isFloating()},
    )
    for name, area, _ in before.places:
        if name not in seen:
            layout = layout.with_dock(name, _area_name(window, docks[name]) or area, before)
    return layout


def lay_out(window: QMainWindow, docks: Docks, layout: Layout) -> None:
    """Lay out the docks of a window. The layout places every one of them."""
    for dock in docks.values():
        dock.setFloating(False)  # even if docked: without this, Qt lays it out differently
        window.removeDockWidget(dock)
    for name, area in layout.areas.items():
        for tabs in area.tabs:
            _add_tabs(window, name, [docks[dock] for dock in tabs.docks])
    for name, dock in docks.items():
        dock.setVisible(name not in layout.hidden)
    _settle(window)  # only placed docks can get tabs and sizes
    for area in layout.areas.values():
        for tabs in area.tabs:
            docks[tabs.front or tabs.docks[0]].raise_()
    give_sizes(window, docks, layout)
    _settle(window)
    for name, place in layout.floating.items():
        docks[name].setFloating(True)
        docks[name].setGeometry(on_screen(place))


def give_sizes(window: QMainWindow, docks: Docks, layout: Layout) -> None:
    """Give the docks of a window, already in their places, the sizes of a layout."""
    away = {*layout.hidden, *layout.floating}
    for name, area in layout.areas.items():
        seen = [(tabs, dock) for tabs in area.tabs if (dock := _first_seen(tabs, away))]
        if seen and area.size is not None:
            window.resizeDocks([docks[seen[0][1]]], [area.size], _across(name))
        sized = [(docks[dock], tabs.size) for tabs, dock in seen if tabs.size is not None]
        if len(sized) > 1:
            window.resizeDocks([dock for dock, _ in sized], [size for _, size in sized], _along(name))


def is_seen(dock: QDockWidget) -> bool:
    """Return whether a dock is shown and not behind another; Qt moves those behind out of sight."""
    return dock.isVisible() and (dock.isFloating() or dock.geometry().right() >= 0)


def scrolled(window: QMainWindow) -> Scrolled:
    """Return the scroll position of everything visible: value and maximum of each scroll bar."""
    bars = (bar for bar in window.findChildren(QScrollBar) if isinstance(bar, QScrollBar))
    return {bar: (bar.value(), bar.maximum()) for bar in bars if bar.isVisible()}


def scroll_back(places: Scrolled) -> None:
    """Restore scroll positions, except where the content has become longer or shorter."""
    for bar, (value, last) in places.items():
        if shiboken6.isValid(bar) and bar.maximum() == last:
            bar.setValue(value)


def show_whole_titles(bar: QTabBar) -> None:
    """Make every tab as wide as its title. The arrows of the bar reach tabs without room."""
    bar.setElideMode(Qt.TextElideMode.ElideNone)
    bar.setUsesScrollButtons(True)
    bar.setAccessibleName("Panels")


def _settle(window: QMainWindow) -> None:
    """Move everything to its assigned place."""
    if (layout := window.layout()) is not None:
        layout.activate()


def _add_tabs(window: QMainWindow, area: str, docks: Sequence[QDockWidget]) -> None:
    window.addDockWidget(_QT_AREAS[area], docks[0], _along(area))
    for before, dock in pairwise(docks):
        window.tabifyDockWidget(before, dock)


def _first_seen(tabs: Tabs, away: set[str]) -> str:
    return next((dock for dock in tabs.docks if dock not in away), "")


def _along(area: str) -> Qt.Orientation:
    """Return the direction in which tabs of an area lie beside each other."""
    return Qt.Orientation.Vertical if area in _SIDES else Qt.Orientation.Horizontal


def _across(area: str) -> Qt.Orientation:
    return Qt.Orientation.Horizontal if area in _SIDES else Qt.Orientation.Vertical


def _area(window: QMainWindow, area: str, seen: Docks) -> Area:
    """Return an area with the docks visible there."""
    left = {dock: name for name, dock in seen.items() if window.dockWidgetArea(dock) == _QT_AREAS[area]}
    names, stacks = dict(left), list[_Stack]()
    while left:
        dock = next(iter(left))
        mates = [mate for mate in window.tabifiedDockWidgets(dock) if mate in left]  # Qt includes floating docks
        stacks.append(_stack(window, [dock, *mates]))
        left = {dock: name for dock, name in left.items() if dock not in stacks[-1].docks}
    at_side = area in _SIDES
    stacks.sort(key=lambda stack: stack.geometry.top() if at_side else stack.geometry.left())
    along, across = (QRect.height, QRect.width) if at_side else (QRect.width, QRect.height)
    tabs = tuple(
        Tabs(tuple(names[dock] for dock in stack.docks), names[stack.front], along(stack.geometry) or None)
        for stack in stacks
    )
    return Area(tabs, max((across(stack.geometry) for stack in stacks), default=0) or None)


@dataclass(frozen=True)
class _Stack:
    """Docks on top of each other in the order of their tabs, and the rectangle covered by them and the tabs."""

    docks: Sequence[QDockWidget]
    front: QDockWidget
    geometry: QRect


def _stack(window: QMainWindow, mates: Sequence[QDockWidget]) -> _Stack:
    front = next((mate for mate in mates if is_seen(mate)), mates[0])
    bars = [(bar, docks) for bar in _bars(window) if {*(docks := _docks_of(bar, mates))} == {*mates}]
    if len(mates) == 1 or not bars:
        return _Stack(mates, front, front.geometry())
    bar, docks = min(bars, key=lambda found: _gap(found[0], front))
    return _Stack(docks, front, front.geometry().united(bar.geometry()))


def _bars(window: QMainWindow) -> list[QTabBar]:
    """Return the tab bars of docks. Qt leaves unused ones in the window, empty or not."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in bars if isinstance(bar, QTabBar)]


def _docks_of(bar: QTabBar, docks: Sequence[QDockWidget]) -> list[QDockWidget]:
    """Return the docks with tabs in a bar, in their order; the data of a tab is the address of its dock."""
    by_address = {shiboken6.getCppPointer(dock)[0]: dock for dock in docks}
    data = [bar.tabData(index) for index in range(bar.count())]
    return [by_address[address] for address in data if address in by_address]


def _gap(bar: QTabBar, front: QDockWidget) -> int:
    """Return the distance in pixels from a bar to the front dock it might belong to."""
    tabs, dock = bar.geometry(), front.geometry()
    return abs(tabs.left() - dock.left()) + min(abs(tabs.bottom() - dock.top()), abs(tabs.top() - dock.bottom()))


def _area_name(window: QMainWindow, dock: QDockWidget) -> str:
    return next((name for name, area in _QT_AREAS.items() if area == window.dockWidgetArea(dock)), "")

"""Where the screens lie in the window: the centre, docks and bars of each perspective, and how they come into sight."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QToolBar, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.docking import Scrolled, is_seen, lay_out, layout_of, scroll_back, scrolled
from inspector.gui.fitting import LEAST_BELOW, first_in, held_in, moved_docks
from inspector.gui.fitting import Room as WindowRoom
from inspector.gui.layout import PERSPECTIVES, Area, Layout, Tabs, WindowLayout
from inspector.gui.parts.dock import Dock
from inspector.gui.parts.room import Room
from inspector.gui.screens.screen import Screen

BAR_AREAS = {"top bar": Qt.ToolBarArea.TopToolBarArea, "bottom bar": Qt.ToolBarArea.BottomToolBarArea}
FIRST_SIZES = {"left": 250, "right": 340, "below": 300}
FIRST_BELOW = {"tune": 460, "present": 240}
"""Where that area is what a perspective is for, it is higher; where others look on, lower."""
LEAST_RIGHT, SCROLL_BAR = 300, 20
"""Pixels that a panel of sliders needs, and the bar that scrolls it."""
PANEL_TEXT = "2,000,000 tokens of 2,000,000 tokens"
"""As wide as a panel of sliders: with larger text it needs more."""
KEYS = 9


class Arrangement(QObject):
    """Lays the screens out in a window. `on_sight` is called with a screen whenever it comes into sight.

    `perspective_changed` tells the name of the perspective that is seen now.
    """

    perspective_changed = Signal(str)

    def __init__(self, window: QMainWindow, screens: Mapping[str, Screen], on_sight: Callable[[Screen], None]) -> None:
        super().__init__(window)
        self._window, self._screens, self._on_sight = window, screens, on_sight
        self.docks: dict[str, QDockWidget] = {}
        self._bars: dict[str, QToolBar] = {}
        self._centres: dict[str, QWidget] = {}
        self._centre = QStackedWidget(window)
        window.setCentralWidget(self._centre)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        tabs_above = window.tabPosition(Qt.DockWidgetArea.TopDockWidgetArea)
        window.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, tabs_above)
        for screen in screens.values():
            self._place(screen)
        self._below = [name for name in self.docks if screens[name].area == "below"]
        docked = [screens[name] for name in self.docks]
        self._wanted = {name: _first_layout(docked, name) for name in PERSPECTIVES}
        self._first = self._wanted
        self._has_begun = False
        self._kept: dict[str, Layout] = {}
        self._scrolled: dict[str, Scrolled] = {}
        self._is_laying_out = False
        self.perspective = PERSPECTIVES[0]
        self._lay(self.perspective)
        for name, dock in self.docks.items():
            dock.visibilityChanged.connect(partial(self._take_visibility, name))
            dock.toggleViewAction().triggered.connect(lambda shown, name=name: self._take_toggle(name, shown))
        window.installEventFilter(self)

    @property
    def layout(self) -> WindowLayout:
        """How the docks lie now, and how they lay in those other perspectives that were seen."""
        return WindowLayout({**self._kept, self.perspective: self._measured()}, self.perspective)

    def apply(self, layout: WindowLayout) -> None:
        """Lay the docks as a layout says; those that it does not name, where they lie at first."""
        for name, one in layout.layouts.items():
            self._kept[name] = one.completed(self._first[name])
        self._lay(layout.perspective or self.perspective)

    def reset(self) -> None:
        """Put every dock of this perspective back to its first place."""
        self._kept.pop(self.perspective, None)
        self._lay(self.perspective)

    def begin(self) -> None:
        """Lay the docks in the window that is seen for the first time, as suits its size.

        Before, Qt neither gives docks their sizes nor brings tabs to the front.
        """
        self._has_begun = True
        self._fit_first()
        self._lay(self.perspective)

    def _fit_first(self) -> None:
        room = self._room()
        self._first = {name: first_in(room, layout, name) for name, layout in self._wanted.items()}

    def _room(self) -> WindowRoom:
        window = self._window
        return WindowRoom(window.width(), window.height(), window.fontMetrics().lineSpacing(), panel_width(window))

    def switch(self, perspective: str) -> None:
        """Show another perspective; each screen in it is as it was left."""
        if perspective != self.perspective:
            self._kept[self.perspective] = self._measured()
            self._scrolled[self.perspective] = scrolled(self._window)
            self._lay(perspective)
            # What comes into sight learns how long it is when it has got its size.
            QTimer.singleShot(0, self, lambda: scroll_back(self._scrolled.get(perspective, {})))

    def show(self, name: str) -> None:
        """Bring a screen to the front: a dock in the perspective that is seen, others where they are at hand."""
        if name in self.docks:
            self.docks[name].show()
            self.docks[name].raise_()
        else:
            self.go_to(name)

    def go_to(self, name: str) -> None:
        """Bring a screen to the front where it is at hand: in this perspective, else in the first that has it."""
        at_hand = self._screens[name].perspectives
        if at_hand and self.perspective not in at_hand:
            self.switch(at_hand[0])
        if name in self.docks:
            self.show(name)

    def show_headings(self, answer: Answer | None) -> None:
        """Write on the tabs what they say of an answer."""
        for name, dock in self.docks.items():
            heading = self._screens[name].heading(answer)
            if heading != dock.windowTitle():
                dock.setWindowTitle(heading)

    def add_toggles(self, before: QAction) -> None:
        """Every dock in the menu of an action, above it; Ctrl+1 … Ctrl+9 bring those below the table to the front."""
        menu = next(other for other in before.associatedObjects() if other is not self._window)
        assert isinstance(menu, QWidget)
        menu.insertActions(before, [dock.toggleViewAction() for dock in self.docks.values()])
        separator = QAction(menu)
        separator.setSeparator(True)
        menu.insertAction(before, separator)
        for number, name in enumerate(self._below[:KEYS], 1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self._window)
            shortcut.setObjectName(f"panel:{name}")
            shortcut.activated.connect(lambda name=name: self.show(name))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """With larger text, docks at the right become as wide as a panel of sliders needs, and the table keeps rows."""
        if event.type() == QEvent.Type.FontChange and watched is self._window and self._has_begun:
            self._follow_text()
            self._widen()
        if event.type() == QEvent.Type.Resize and watched is self._window and self._has_begun:
            QTimer.singleShot(0, self, self._lower)  # once the docks have their places in the new size
        return super().eventFilter(watched, event)

    def _lower(self) -> None:
        """In a window that has become lower, docks below give way so that the table keeps rows."""
        room, below = self._room(), Qt.DockWidgetArea.BottomDockWidgetArea
        most = max(room.down, LEAST_BELOW * room.line // 2)
        docks = [dock for dock in self.docks.values() if is_seen(dock) and not dock.isFloating()]
        high = [dock for dock in docks if self._window.dockWidgetArea(dock) == below and dock.height() > most]
        if high and self.perspective != "present":
            self._window.resizeDocks(high, [most] * len(high), Qt.Orientation.Vertical)

    def _follow_text(self) -> None:
        """Where docks lie as they lay at first, they lie as they would with text of this size."""
        measured, before = self._measured(), self._first[self.perspective]
        self._fit_first()
        after = self._first[self.perspective]
        if not moved_docks(before, measured) and (moved_docks(before, after) or {*before.hidden} != {*after.hidden}):
            opened, closed = {*before.hidden} - {*measured.hidden}, {*measured.hidden} - {*before.hidden}
            hidden = tuple(name for name in self.docks if name in ({*after.hidden} - opened) | closed)
            self._kept[self.perspective] = replace(after, hidden=hidden)
            self._lay(self.perspective)
        elif held_in(self._room(), measured, self.perspective) != measured:
            self._kept[self.perspective] = measured
            self._lay(self.perspective)

    def _widen(self) -> None:
        least, right = panel_width(self._window), Qt.DockWidgetArea.RightDockWidgetArea
        for dock in self.docks.values():
            if is_seen(dock) and self._window.dockWidgetArea(dock) == right and dock.width() < least:
                self._window.resizeDocks([dock], [least], Qt.Orientation.Horizontal)

    def _place(self, screen: Screen) -> None:
        if screen.area == "centre":
            self._centres[screen.name] = Room(screen.view) if screen.at_once else QWidget()
            self._centre.addWidget(self._centres[screen.name])
        elif screen.area in BAR_AREAS:
            self._add_bar(screen)
        else:
            self._add_dock(screen)

    def _add_bar(self, screen: Screen) -> None:
        bar = QToolBar(self._window)
        bar.setObjectName(f"{screen.name}_tool_bar")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addWidget(screen.view)
        if any(self._screens[name].area == screen.area for name in self._bars):
            self._window.addToolBarBreak(BAR_AREAS[screen.area])  # each bar has all of the width
        self._window.addToolBar(BAR_AREAS[screen.area], bar)
        self._bars[screen.name] = bar

    def _add_dock(self, screen: Screen) -> None:
        dock = Dock(screen.title, self._window)
        dock.setObjectName(f"{screen.name}_dock")
        if screen.at_once:
            dock.setWidget(Room(screen.view))
        self.docks[screen.name] = dock

    def _measured(self) -> Layout:
        before = self._kept.get(self.perspective, self._first[self.perspective])
        return layout_of(self._window, self.docks, before)

    def _lay(self, perspective: str) -> None:
        """Lay everything as it lay in a perspective, or lies there at first."""
        self.perspective = perspective
        self._is_laying_out = True  # meanwhile docks come into sight that are soon behind others
        self._show_centre()
        for name, bar in self._bars.items():
            bar.setVisible(perspective in self._screens[name].perspectives)
        lay_out(self._window, self.docks, self._layout_for(perspective))
        self._is_laying_out = False
        for screen in self._screens.values():
            if screen.is_made and perspective in screen.perspectives:
                screen.show_perspective(perspective)
        for name, dock in self.docks.items():
            if is_seen(dock):
                self._come_into_sight(name)
        self.perspective_changed.emit(perspective)

    def _layout_for(self, perspective: str) -> Layout:
        """The layout of before, held in the window as it is now; else the first."""
        if (kept := self._kept.get(perspective)) is None:
            return self._first[perspective]
        return held_in(self._room(), kept, perspective) if self._has_begun else kept

    def _show_centre(self) -> None:
        """Show what this perspective has in the centre; made now if it was never seen."""
        name = next(name for name in self._centres if self.perspective in self._screens[name].perspectives)
        screen, place = self._screens[name], self._centres[name]
        if not isinstance(place, Room):
            self._centres[name] = Room(screen.view)
            self._centre.addWidget(self._centres[name])
            self._centre.removeWidget(place)
            place.deleteLater()
        self._centre.setCurrentWidget(self._centres[name])
        self._on_sight(screen)

    def _take_visibility(self, name: str, visible: bool) -> None:
        if visible and not self._is_laying_out:
            self._come_into_sight(name)

    def _take_toggle(self, name: str, shown: bool) -> None:
        """A dock that the menu opens comes to the front of its tabs."""
        if shown:
            self.show(name)

    def _come_into_sight(self, name: str) -> None:
        """Make the view if it was never seen, and show what it missed."""
        screen, dock = self._screens[name], self.docks[name]
        if dock.widget() is None:
            dock.setWidget(Room(screen.view))
        self._on_sight(screen)


def _first_layout(screens: Sequence[Screen], perspective: str) -> Layout:
    """The layout of a new window: the docks of each area as tabs in their order, those not at hand hidden.

    In front is the first that has its home here, else the first that is at hand.
    """
    at_hand = [screen for screen in screens if perspective in screen.perspectives]
    at_home = [screen for screen in at_hand if screen.perspectives[0] == perspective]
    sizes = FIRST_SIZES | ({"below": FIRST_BELOW[perspective]} if perspective in FIRST_BELOW else {})
    areas: dict[str, Area] = {}
    for area, size in sizes.items():
        docks = tuple(screen.name for screen in screens if screen.area == area)
        front = next((screen.name for screen in (*at_home, *at_hand) if screen.area == area), "")
        if docks:
            areas[area] = Area((Tabs(docks, front),), size)
    return Layout(areas, tuple(screen.name for screen in screens if screen not in at_hand))


def panel_width(window: QWidget) -> int:
    """How wide a panel of sliders is at least, in pixels, with text of the size that there is now."""
    return max(LEAST_RIGHT, window.fontMetrics().horizontalAdvance(PANEL_TEXT) + SCROLL_BAR)

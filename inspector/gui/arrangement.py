"""Where the screens lie in the window: the centre, docks and bars, and how they come into sight."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.docking import is_seen, lay_out, layout_of
from inspector.gui.layout import Area, Layout, Tabs
from inspector.gui.screens.screen import Screen

BAR_AREAS = {"top bar": Qt.ToolBarArea.TopToolBarArea, "bottom bar": Qt.ToolBarArea.BottomToolBarArea}
FIRST_SIZES = {"left": 250, "right": 340, "below": 300}
KEYS = 9


class Arrangement(QObject):
    """Lays the screens out in a window. `on_sight` is called with a screen whenever its dock comes into sight."""

    def __init__(self, window: QMainWindow, screens: Mapping[str, Screen], on_sight: Callable[[Screen], None]) -> None:
        super().__init__(window)
        self._window, self._screens, self._on_sight = window, screens, on_sight
        self.docks: dict[str, QDockWidget] = {}
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        tabs_above = window.tabPosition(Qt.DockWidgetArea.TopDockWidgetArea)
        window.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, tabs_above)
        for screen in screens.values():
            self._place(screen)
        self._below = [name for name in self.docks if screens[name].area == "below"]
        self._first = self._last = _first_layout([screens[name] for name in self.docks])
        self._is_laying_out = False
        self.apply(self._first)
        for name, dock in self.docks.items():
            dock.visibilityChanged.connect(partial(self._take_visibility, name))

    @property
    def layout(self) -> Layout:
        """How the docks lie now."""
        return layout_of(self._window, self.docks, self._last)

    def apply(self, layout: Layout) -> None:
        """Lay the docks as a layout says; those that it does not name, where they lie at first."""
        self._last = layout.completed(self._first)
        self._is_laying_out = True  # meanwhile docks come into sight that are soon behind others
        lay_out(self._window, self.docks, self._last)
        self._is_laying_out = False
        for name, dock in self.docks.items():
            if is_seen(dock):
                self._come_into_sight(name)

    def reset(self) -> None:
        """Put every dock back to its first place."""
        self.apply(self._first)

    def show(self, name: str) -> None:
        """Bring the dock of a screen to the front."""
        self.docks[name].show()
        self.docks[name].raise_()

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

    def _place(self, screen: Screen) -> None:
        if screen.area == "centre":
            self._window.setCentralWidget(screen.view)
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
        self._window.addToolBar(BAR_AREAS[screen.area], bar)

    def _add_dock(self, screen: Screen) -> None:
        dock = QDockWidget(screen.title, self._window)
        dock.setObjectName(f"{screen.name}_dock")
        if screen.at_once:
            dock.setWidget(screen.view)
        self.docks[screen.name] = dock

    def _take_visibility(self, name: str, visible: bool) -> None:
        if visible and not self._is_laying_out:
            self._come_into_sight(name)

    def _come_into_sight(self, name: str) -> None:
        """Make the view if it was never seen, and show what it missed."""
        screen, dock = self._screens[name], self.docks[name]
        if dock.widget() is None:
            dock.setWidget(screen.view)
        self._on_sight(screen)


def _first_layout(screens: Sequence[Screen]) -> Layout:
    """The layout of a new window: the docks of each area as tabs in their order, the first in front."""
    names = {area: tuple(screen.name for screen in screens if screen.area == area) for area in FIRST_SIZES}
    areas = {area: Area((Tabs(docks),), FIRST_SIZES[area]) for area, docks in names.items() if docks}
    return Layout(areas, tuple(screen.name for screen in screens if not screen.at_hand))

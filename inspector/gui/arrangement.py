"""Where the screens lie in the window: the centre, docks and bars, and how they come into sight."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

DOCK_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "below": Qt.DockWidgetArea.BottomDockWidgetArea,
}
BAR_AREAS = {"top bar": Qt.ToolBarArea.TopToolBarArea, "bottom bar": Qt.ToolBarArea.BottomToolBarArea}
SIDE_WIDTHS = {"left": 250, "right": 340}
HEIGHT_BELOW = 300
KEYS = 9


class Arrangement(QObject):
    """Lays the screens out in a window. `on_sight` is called with a screen whenever its dock comes into sight."""

    def __init__(self, window: QMainWindow, screens: Mapping[str, Screen], on_sight: Callable[[Screen], None]) -> None:
        super().__init__(window)
        self._window, self._screens, self._on_sight = window, screens, on_sight
        self.docks: dict[str, QDockWidget] = {}
        window.setCorner(Qt.Corner.BottomLeftCorner, DOCK_AREAS["left"])
        window.setCorner(Qt.Corner.BottomRightCorner, DOCK_AREAS["right"])
        for screen in screens.values():
            self._place(screen)
        self._below = [name for name in self.docks if screens[name].area == "below"]
        self._give_sizes()
        self._first = QByteArray(window.saveState())
        for name, dock in self.docks.items():
            dock.visibilityChanged.connect(lambda visible, name=name: self._come_into_sight(name) if visible else None)

    def show(self, name: str) -> None:
        """Bring the dock of a screen to the front."""
        self.docks[name].show()
        self.docks[name].raise_()

    def reset(self) -> None:
        """Put every dock back to its first place."""
        self._window.restoreState(self._first)

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
        self._window.addDockWidget(DOCK_AREAS[screen.area], dock)
        first = next((other for name, other in self.docks.items() if self._screens[name].area == screen.area), None)
        if first is not None:
            self._window.tabifyDockWidget(first, dock)
        dock.setVisible(screen.at_hand)
        self.docks[screen.name] = dock

    def _give_sizes(self) -> None:
        window = self._window
        tabs = window.tabPosition(Qt.DockWidgetArea.TopDockWidgetArea)
        window.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, tabs)
        sides = {name: SIDE_WIDTHS[area] for name in self.docks if (area := self._screens[name].area) in SIDE_WIDTHS}
        window.resizeDocks([self.docks[name] for name in sides], list(sides.values()), Qt.Orientation.Horizontal)
        for name in self._below[:1]:
            window.resizeDocks([self.docks[name]], [HEIGHT_BELOW], Qt.Orientation.Vertical)
            self.docks[name].raise_()

    def _come_into_sight(self, name: str) -> None:
        """Make the view if it was never seen, and show what it missed."""
        screen, dock = self._screens[name], self.docks[name]
        if dock.widget() is None:
            dock.setWidget(screen.view)
        self._on_sight(screen)

"""The places of screens in the window: centre, docks and bars of each perspective, and bringing screens into sight."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QToolBar, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.docking import Scrolled, give_sizes, is_seen, lay_out, layout_of, scroll_back, scrolled
from inspector.gui.fitting import Room as WindowRoom
from inspector.gui.fitting import moved_docks, shown_in
from inspector.gui.focus import Entrance, can_be_seen
from inspector.gui.layout import PERSPECTIVES, Area, Layout, Tabs, WindowLayout
from inspector.gui.parts.dock import Dock
from inspector.gui.parts.room import Room
from inspector.gui.screens.screen import Screen


def unsized(layout: Layout) -> Layout:
    """Return the layout without any chosen sizes."""
    return replace(layout, areas={name: Area(area.tabs) for name, area in layout.areas.items()})


def with_changes(made: Layout, shown: Layout, now: Layout, room: WindowRoom) -> Layout:
    """Return a layout with the user's changes to the docks between `shown` and `now`, except sizes.

    If docks were moved or stacked differently, all docks are taken over as they are now.
    """
    opened, closed = {*shown.hidden} - {*now.hidden}, {*now.hidden} - {*shown.hidden}
    hidden = (*(dock for dock in made.hidden if dock not in opened), *(closed - {*made.hidden}))
    hidden = tuple(sorted(hidden, key=[dock for dock, _, _ in now.places].index))
    floating = {
        dock: made.floating.get(dock, place) if shown.floating.get(dock) == place else place
        for dock, place in now.floating.items()
    }
    base = made if _lies_as(shown, now) else _sized_in(room, now)
    raised = {*_fronts(now)} - {*_fronts(shown)}
    areas = {name: _with_fronts(area, raised) for name, area in base.areas.items()}
    return replace(base, areas=areas, hidden=hidden, floating=floating)


def with_sizes(made: Layout, before: Layout, after: Layout, room: WindowRoom) -> Layout:
    """Return a layout with the sizes that the user gave to areas and to neighbouring tabs in them."""
    areas = dict(made.areas)
    for name, area in made.areas.items():
        was, now = before.areas.get(name), after.areas.get(name)
        if was is not None and now is not None:
            tabs = _resized(area.tabs, was.tabs, now.tabs)
            is_as_it_was = was.size == now.size
            areas[name] = replace(area, tabs=tabs) if is_as_it_was else Area(tabs, now.size, room.lines(name))
    return replace(made, areas=areas)


def _sized_in(room: WindowRoom, layout: Layout) -> Layout:
    """Return a layout whose areas have their current sizes in a window."""
    areas = {name: replace(area, sized_in=area.size and room.lines(name)) for name, area in layout.areas.items()}
    return replace(layout, areas=areas)


def _lies_as(shown: Layout, now: Layout) -> bool:
    """Return whether the docks now in place are as the layout shows them, even if formerly floating or hidden.

    The layout may be requested while the mouse holds a dock, which then floats. For docks that were hidden, only the
    tabs to which they return are known, not their position in them.
    """
    in_place = {dock for dock, _, _ in now.places} - {*now.hidden, *now.floating}
    known = in_place - {*shown.hidden}
    return _stacks(shown, known) == _stacks(now, known) and _mates(shown, in_place) == _mates(now, in_place)


def _mates(layout: Layout, among: Collection[str]) -> Mapping[str, set[frozenset[str]]]:
    """Return for each area which of these docks are on top of each other."""
    return {name: {frozenset(stack) for stack in stacks} for name, stacks in _stacks(layout, among).items()}


def _stacks(layout: Layout, among: Collection[str]) -> Mapping[str, list[list[str]]]:
    """Return for each area the stacks of these docks."""
    stacks = {
        name: [[dock for dock in tabs.docks if dock in among] for tabs in area.tabs]
        for name, area in layout.areas.items()
    }
    return {name: kept for name, found in stacks.items() if (kept := [stack for stack in found if stack])}


def _fronts(layout: Layout) -> Collection[str]:
    return [tabs.front or tabs.docks[0] for area in layout.areas.values() for tabs in area.tabs]


def _with_fronts(area: Area, raised: Collection[str]) -> Area:
    """Return an area with these docks in front."""
    fronts = [next((dock for dock in tabs.docks if dock in raised), tabs.front) for tabs in area.tabs]
    tabs = (replace(tabs, front=front) for tabs, front in zip(area.tabs, fronts, strict=True))
    return replace(area, tabs=tuple(tabs))


def _resized(tabs: tuple[Tabs, ...], before: tuple[Tabs, ...], after: tuple[Tabs, ...]) -> tuple[Tabs, ...]:
    """Return the tabs with new sizes, if there were as many side by side before and after."""
    if not len(tabs) == len(before) == len(after):
        return tabs
    together = zip(tabs, before, after, strict=True)
    return tuple(one if was.size == now.size else replace(one, size=now.size) for one, was, now in together)


FIRST_SIZES = {"left": 250, "right": 340, "below": 300}
FIRST_BELOW = {"tune": 460, "present": 240}
"""This area is higher in perspectives that are about it, and lower in those for an audience."""


def first_layout(screens: Sequence[Screen], perspective: str) -> Layout:
    """Return the layout of a new window: the docks of each area as tabs in order, unavailable ones hidden.

    In front is the first dock at home here, else the first available.
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


BAR_AREAS = {"top bar": Qt.ToolBarArea.TopToolBarArea, "bottom bar": Qt.ToolBarArea.BottomToolBarArea}
LEAST_RIGHT, SCROLL_BAR = 300, 20
"""The width in pixels of a panel of sliders, and of its scroll bar."""
PANEL_TEXT = "2,000,000 tokens of 2,000,000 tokens"
"""As wide as a panel of sliders, which needs more room with larger text."""
KEYS = 9


class Arrangement(QObject):
    """Lays out the screens in a window. `on_sight` is called with a screen whenever it comes into sight.

    Layouts are remembered as made by the user, and shown as fitted to the window; given more room they are restored.
    `perspective_changed` carries the name of the current perspective.
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
        self._first = {name: first_layout(docked, name) for name in PERSPECTIVES}
        self._has_begun = False
        self._made: dict[str, Layout] = {}
        self._opened: dict[str, set[str]] = {name: set() for name in PERSPECTIVES}
        self._gripped: Layout | None = None
        self._scrolled: dict[str, Scrolled] = {}
        self._keyboard: dict[str, QWidget | None] = {}
        self._was_seen: dict[str, bool] = {}
        self._is_laying_out = False
        self.perspective = PERSPECTIVES[0]
        self._lay(self.perspective)
        for name, dock in self.docks.items():
            dock.visibilityChanged.connect(partial(self._take_visibility, name))
            dock.toggleViewAction().toggled.connect(partial(self._note_sight, name))
            dock.toggleViewAction().triggered.connect(lambda shown, name=name: self._take_toggle(name, shown))
        self._holding = QTimer(self, interval=0, singleShot=True)  # after the docks are placed in the new size
        self._holding.timeout.connect(self._hold)
        window.installEventFilter(self)

    @property
    def layout(self) -> WindowLayout:
        """The user's layouts of this perspective and of all others seen so far."""
        self._note_changes()
        return WindowLayout(dict(self._made), self.perspective)

    def apply(self, layout: WindowLayout) -> None:
        """Lay out the docks as given. Docks missing from the layout go to their first places."""
        self._note_changes()
        for name, one in layout.layouts.items():
            self._made[name] = one.completed(self._first[name])
        self._lay(layout.perspective or self.perspective)

    def reset(self) -> None:
        """Move every dock of this perspective back to its first place."""
        self._made.pop(self.perspective, None)
        self._opened[self.perspective].clear()
        self._lay(self.perspective)

    def begin(self) -> None:
        """Lay out the docks to suit the size of the newly shown window.

        Earlier, Qt neither gives docks their sizes nor brings tabs to the front.
        """
        self._has_begun = True
        self._lay(self.perspective)

    def _room(self) -> WindowRoom:
        window = self._window
        return WindowRoom(window.width(), window.height(), window.fontMetrics().lineSpacing(), panel_width(window))

    def switch(self, perspective: str) -> None:
        """Show another perspective, with each screen in its previous state."""
        if perspective != self.perspective:
            self._note_changes()
            self._scrolled[self.perspective] = scrolled(self._window)
            self._keyboard[self.perspective] = self._window.focusWidget()
            self._window.setFocus()  # Qt would choose the next table, which would select its first row
            places = self._keyboard.get(perspective), self._keyboard[self.perspective]
            self._lay(perspective)
            # Newly visible views know their length only after they have their size.
            QTimer.singleShot(0, self, lambda: scroll_back(self._scrolled.get(perspective, {})))
            QTimer.singleShot(0, self, lambda: self._give_keyboard(places))

    def _give_keyboard(self, places: Sequence[QWidget | None]) -> None:
        """Give the focus back to the first visible of these places, unless another widget already has it."""
        if self._window.focusWidget() is self._window:
            in_sight = (place for place in places if place and shiboken6.isValid(place) and can_be_seen(place))
            next(in_sight, self._window).setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def show(self, name: str) -> None:
        """Bring a screen to the front: a dock in the current perspective, other screens where they are available."""
        if name in self.docks:
            self.docks[name].show()
            self.docks[name].raise_()
        else:
            self.go_to(name)

    def enter(self, name: str) -> None:
        """Bring a screen to the front and move the focus into it as soon as it can take it."""
        self.show(name)
        if self._screens[name].is_made:
            Entrance(self._screens[name].view)

    def _show_or_enter(self, name: str) -> None:
        """Show a panel and leave the focus where it is, such as in the table. Enter a panel that is already visible."""
        if is_seen(self.docks[name]):
            self.enter(name)
        else:
            self.show(name)

    def go_to(self, name: str) -> None:
        """Bring a screen to the front in this perspective if available there, else in the first that has it."""
        at_hand = self._screens[name].perspectives
        if at_hand and self.perspective not in at_hand:
            self.switch(at_hand[0])
        if name in self.docks:
            self.show(name)

    def show_headings(self, answer: Answer | None) -> None:
        """Show on each tab its heading for an answer."""
        for name, dock in self.docks.items():
            heading = self._screens[name].heading_of(answer)
            if heading != dock.windowTitle():
                dock.setWindowTitle(heading)

    def add_toggles(self, before: QAction) -> None:
        """List every dock above `before` in its menu. Ctrl+1 … Ctrl+9 bring the docks below the table to the front.

        Pressed again, they move the focus into it.
        """
        menu = next(other for other in before.associatedObjects() if other is not self._window)
        assert isinstance(menu, QWidget)
        menu.insertActions(before, [dock.toggleViewAction() for dock in self.docks.values()])
        separator = QAction(menu)
        separator.setSeparator(True)
        menu.insertAction(before, separator)
        for number, name in enumerate(self._below[:KEYS], 1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self._window)
            shortcut.setObjectName(f"panel:{name}")
            shortcut.activated.connect(lambda name=name: self._show_or_enter(name))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the layout to a new window or text size, and note sizes set with the mouse.

        The window itself receives only presses on the edges between docks.
        """
        if watched is self._window and self._has_begun:
            if event.type() == QEvent.Type.FontChange:
                self._hold()
                self._widen()
            elif event.type() == QEvent.Type.Resize:
                self._holding.start()
            elif event.type() == QEvent.Type.MouseButtonPress:
                self._gripped = self._measured()
            elif event.type() == QEvent.Type.MouseButtonRelease and self._gripped is not None:
                self._note_changes()
                self._made[self.perspective] = with_sizes(self._as_made(), self._gripped, self._shown, self._room())
                self._gripped = None
        return super().eventFilter(watched, event)

    def _hold(self) -> None:
        """Show the layout as far as it fits now."""
        self._note_changes()
        wanted = self._layout_for(self.perspective)
        if moved_docks(self._shown, wanted) or {*self._shown.hidden} != {*wanted.hidden}:
            self._lay(self.perspective)
        else:
            give_sizes(self._window, self.docks, wanted)
            self._show_perspective()

    def _widen(self) -> None:
        least, right = panel_width(self._window), Qt.DockWidgetArea.RightDockWidgetArea
        for dock in self.docks.values():
            if is_seen(dock) and self._window.dockWidgetArea(dock) == right and dock.width() < least:
                self._window.resizeDocks([dock], [least], Qt.Orientation.Horizontal)

    def _place(self, screen: Screen) -> None:
        if screen.area == "centre":
            self._centres[screen.name] = Room(screen.shown_in, self._centre) if screen.at_once else QWidget()
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
        bar.addWidget(screen.shown_in(bar))
        if any(self._screens[name].area == screen.area for name in self._bars):
            self._window.addToolBarBreak(BAR_AREAS[screen.area])  # each bar takes the whole width
        self._window.addToolBar(BAR_AREAS[screen.area], bar)
        self._bars[screen.name] = bar

    def _add_dock(self, screen: Screen) -> None:
        dock = Dock(screen.title, self._window)
        dock.setObjectName(f"{screen.name}_dock")
        if screen.at_once:
            dock.setWidget(Room(screen.shown_in, dock))
        self.docks[screen.name] = dock

    def _measured(self) -> Layout:
        return layout_of(self._window, self.docks, self._shown)

    def _as_made(self) -> Layout:
        """Return the user's layout of this perspective so far."""
        return self._made.get(self.perspective, unsized(self._first[self.perspective]))

    def _note_changes(self) -> None:
        """Carry over the user's changes to the docks since the last layout, except sizes, which the mouse reports."""
        if self._is_laying_out:
            return  # the layout is requested because a dock came or went
        now = self._measured()
        self._made[self.perspective] = with_changes(self._as_made(), self._shown, now, self._room())
        opened = self._opened[self.perspective]
        opened.update({*self._shown.hidden} - {*now.hidden})
        opened.difference_update(now.hidden)
        self._shown = now

    def _lay(self, perspective: str) -> None:
        """Lay out everything in its last or first place in a perspective."""
        self.perspective = perspective
        self._is_laying_out = True  # docks are visible meanwhile that will be behind others
        self._show_centre()
        for name, bar in self._bars.items():
            bar.setVisible(perspective in self._screens[name].perspectives)
        layout = self._layout_for(perspective)
        lay_out(self._window, self.docks, layout)
        self._shown = layout_of(self._window, self.docks, layout)
        self._is_laying_out = False
        self._show_perspective()
        for name, dock in self.docks.items():
            if is_seen(dock):
                self._come_into_sight(name)
        self.perspective_changed.emit(perspective)

    def _show_perspective(self) -> None:
        """Let screens be as large as this perspective wants and the window allows."""
        for screen in self._screens.values():
            if screen.is_made and self.perspective in screen.perspectives:
                screen.tell(screen.show_perspective, self.perspective)

    def _layout_for(self, perspective: str) -> Layout:
        """Return the user's layout, or the first one, fitted to the current window."""
        first = self._first[perspective]
        made = self._made.get(perspective, unsized(first))
        if not self._has_begun:
            return made
        return shown_in(self._room(), made, first, perspective, self._opened[perspective])

    def _show_centre(self) -> None:
        """Show the centre of this perspective, made now if necessary."""
        name = next(name for name in self._centres if self.perspective in self._screens[name].perspectives)
        screen, place = self._screens[name], self._centres[name]
        if not isinstance(place, Room):
            self._centres[name] = Room(screen.shown_in, self._centre)
            self._centre.addWidget(self._centres[name])
            self._centre.removeWidget(place)
            place.deleteLater()
        self._centre.setCurrentWidget(self._centres[name])
        self._on_sight(screen)

    def _take_visibility(self, name: str, visible: bool) -> None:
        if visible and not self._is_laying_out:
            self._come_into_sight(name)

    def _take_toggle(self, name: str, shown: bool) -> None:
        """Bring a dock opened from the menu to the front of its tabs, and also a dock that was behind another."""
        if shown or not self._was_seen[name]:
            self.show(name)

    def _note_sight(self, name: str, _shown: bool) -> None:
        """Note whether a dock was visible before the menu closes it; Qt gives no earlier notice."""
        self._was_seen[name] = is_seen(self.docks[name])

    def _come_into_sight(self, name: str) -> None:
        """Make the view if necessary, and show the changes it missed."""
        screen, dock = self._screens[name], self.docks[name]
        if dock.widget() is None:
            dock.setWidget(Room(screen.shown_in, dock))
        self._on_sight(screen)


def panel_width(window: QWidget) -> int:
    """Return the least width in pixels of a panel of sliders, at the current text size."""
    return max(LEAST_RIGHT, window.fontMetrics().horizontalAdvance(PANEL_TEXT) + SCROLL_BAR)

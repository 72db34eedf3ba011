"""The places of screens in the window: the header, the columns, and the pages of each perspective."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.parts.focus import Entrance, can_be_seen
from inspector.gui.parts.room import Room
from inspector.gui.parts.texts import control_text
from inspector.gui.remembered.layout import PERSPECTIVES, Column, Layout, Rectangle, WindowLayout
from inspector.gui.remembered.window_state import on_screen, rectangle_of
from inspector.gui.screens.screen import Screen
from inspector.gui.window.body import RIGHT, Body
from inspector.gui.window.pages import PageTabs, PageWindow

KEYS = 9
RIGHT_WIDTHS = {"archive": 476}
"""The usual width of the right column where it differs."""
RAILS = ("compare",)
"""Perspectives whose left column is usually a rail."""
WITHOUT_CHROME = "present"


class Arrangement(QObject):
    """Lays out the screens in a window. `on_sight` is called with a screen whenever it comes into sight.

    `perspective_changed` carries the name of the current perspective; `changed` follows every change of the layout.
    `notices` is the place below the header.
    """

    perspective_changed = Signal(str)
    changed = Signal()

    def __init__(self, window: QMainWindow, screens: Mapping[str, Screen], on_sight: Callable[[Screen], None]) -> None:
        super().__init__(window)
        self._window, self._screens, self._on_sight = window, screens, on_sight
        self.perspective = PERSPECTIVES[0]
        self._before_present = PERSPECTIVES[0]
        self._layouts: dict[str, Layout] = {}
        self._rooms: dict[str, Room] = {}
        self._headers: dict[str, QWidget] = {}
        self._windows: dict[str, PageWindow] = {}
        self._keyboard: dict[str, QWidget | None] = {}
        self._page_actions: list[QAction] = []
        self._answer: Answer | None = None
        self._start: Room | None
        self.tabs, self._stack, self._nothing = PageTabs(), QStackedWidget(), QWidget()
        self._stack.addWidget(self._nothing)
        pages = QWidget()
        pages.setBackgroundRole(QPalette.ColorRole.Base)
        pages.setAutoFillBackground(True)
        self._pages = _below_each_other(pages, self.tabs, self._stack)
        self.body = Body(pages)
        central = QWidget(window)
        self._header = QWidget()
        self._header_row = _below_each_other(self._header)
        self._notices = QWidget()
        self.notices = _below_each_other(self._notices)
        rows = _below_each_other(central)
        rows.addWidget(self._header)
        rows.addWidget(self._notices)
        rows.addWidget(self.body, 1)
        self._rows, self._start, self._is_start_left = rows, None, False
        window.setCentralWidget(central)
        for screen in screens.values():
            self._place(screen)
        self.tabs.currentChanged.connect(self._take_tab)
        self.tabs.window_requested.connect(self.take_out)
        self.body.resized.connect(self._take_widths)
        self.body.changed.connect(self.changed)
        self.body.rail.chosen.connect(self.show)
        self._telling = QTimer(self, interval=0, singleShot=True)  # after everything has its new size
        self._telling.timeout.connect(self._tell_perspective)
        window.installEventFilter(self)
        for number in range(1, KEYS + 1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), window)
            shortcut.setObjectName(f"page:{number}")
            shortcut.activated.connect(lambda number=number: self._show_number(number))
        self._lay(self.perspective)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all screens that can be shown: pages and columns."""
        return tuple(name for name, screen in self._screens.items() if screen.area in ("page", "left", "right"))

    @property
    def layout(self) -> WindowLayout:
        """The user's layouts of all perspectives, and the current one; while presenting, the one before."""
        for name, page in self._windows.items():
            home = self._home(name)
            windows = {**self._layout_of(home).windows, name: rectangle_of(page.geometry())}
            self._layouts[home] = replace(self._layout_of(home), windows=windows)
        current = self._before_present if self.perspective == WITHOUT_CHROME else self.perspective
        return WindowLayout({name: one for name, one in self._layouts.items() if one != Layout()}, current)

    def apply(self, layout: WindowLayout) -> None:
        """Lay out the window as given."""
        for name in tuple(self._windows):
            self._put_back(name)
        self._layouts = dict(layout.layouts)
        self._lay(layout.perspective or self.perspective)
        for perspective, one in layout.layouts.items():
            for name, place in one.windows.items():
                if perspective in self._screens[name].perspectives:
                    self._take_out(name, place)

    def reset(self) -> None:
        """Return to the first layout of this perspective."""
        for name in tuple(self._windows):
            if self.perspective in self._screens[name].perspectives:
                self._put_back(name)
        self._layouts.pop(self.perspective, None)
        self._lay(self.perspective)

    def switch(self, perspective: str) -> None:
        """Show another perspective, with each screen in its previous state."""
        if perspective != self.perspective:
            self._keyboard[self.perspective] = self._window.focusWidget()
            self._window.setFocus()  # Qt would choose the next table, which would select its first row
            places = self._keyboard.get(perspective), self._keyboard[self.perspective]
            if perspective == WITHOUT_CHROME:
                self._before_present = self.perspective
            self._lay(perspective)
            # Newly visible views can take the focus only after they have their size.
            QTimer.singleShot(0, self, lambda: self._give_keyboard(places))

    @property
    def shows_start(self) -> bool:
        """Whether the start page stands in place of the header, the columns and the pages."""
        return self._start is not None and not self._start.isHidden()

    def show_start(self, anew: bool) -> None:
        """Show the start page, unless the user has left it for a screen, or if `anew` even then."""
        screen = next((one for one in self._screens.values() if one.area == "start"), None)
        self._is_start_left = self._is_start_left and not anew
        if screen is None or self.shows_start or self._is_start_left:
            return
        if self._start is None:
            self._start = Room(screen.shown_in)
            self._rows.addWidget(self._start, 1)
        for part in (self._header, self.body):
            part.hide()
        self._start.show()
        self._on_sight(screen)
        self.focus_start()

    def focus_start(self) -> None:
        """Move the focus to the first action of the start page, if it is shown and the focus is nowhere."""
        if self.shows_start and self._window.focusWidget() in (None, self._window):
            for screen in self._screens.values():
                if screen.area == "start":
                    screen.tell(screen.take_keyboard)

    def leave_start(self, for_screen: bool = False) -> None:
        """Show header, columns and pages in place of the start page, which `for_screen` then stays away."""
        self._is_start_left = for_screen
        if self._start is None or not self.shows_start:
            return
        if self._start.isAncestorOf(self._window.focusWidget()):
            self._window.setFocus()  # as in `switch`
        self._start.hide()
        for part in (self._header, self.body):
            part.show()

    def leave_present(self) -> None:
        """Return from presenting to the perspective before."""
        if self.perspective == WITHOUT_CHROME:
            self.switch(self._before_present)

    def show(self, name: str) -> None:
        """Bring a screen to the front: in this perspective if it has the screen, else in the first that has."""
        screen = self._screens[name]
        self.leave_start(for_screen=True)
        if screen.area == "page":
            self._show_page(screen)
        elif screen.area in ("left", "right"):
            self._show_column(screen)

    def enter(self, name: str) -> None:
        """Bring a screen to the front and move the focus into it as soon as it can take it."""
        self.show(name)
        if self._screens[name].is_made:
            Entrance(self._screens[name].view)

    def turn_column(self, side: str) -> None:
        """Open or close a column of this perspective; what has no room beside the pages opens over them."""
        is_left = side == "left"
        if self.body.is_left_open if is_left else self.body.is_right_open:
            self.body.close_over()
            self._take_column(side, is_open=False)
        elif self._has(side) and not (is_left and self.body.is_narrow):
            self._take_column(side, is_open=True)
        elif self._has(side):
            self.body.open_over(side)

    def take_out(self, name: str) -> None:
        """Give a page a window of its own."""
        place = self._layout_of(self._home(name)).windows.get(name)
        self._take_out(name, place or _beside(self._window))
        self.changed.emit()

    def show_answer(self, answer: Answer | None) -> None:
        """Show on each tab its count for an answer, and only the pages that have anything to show."""
        self._answer = answer
        for index in range(self.tabs.count()):
            name = self.tabs.name_at(index)
            screen = self._screens[name]
            self.tabs.show_count(name, screen.count_of(answer), screen.tone_of(answer))
            offered = screen.is_offered_for(answer) or index == self.tabs.currentIndex()
            if self.tabs.isTabVisible(index) != offered:
                self.tabs.setTabVisible(index, offered)

    def fill_menu(self, menu: QMenu) -> None:
        """Let a menu list the pages of the current perspective whenever it opens."""

        def fill() -> None:
            for action in self._page_actions:
                menu.removeAction(action)
                action.deleteLater()
            self._page_actions = []
            for index in range(self.tabs.count()):
                name = self.tabs.name_at(index)
                action = QAction(control_text(self._screens[name].title), menu, checkable=True)
                action.setObjectName(f"page:{name}")
                action.setChecked(index == self.tabs.currentIndex())
                action.triggered.connect(lambda _=False, name=name: self.show(name))
                self._page_actions.append(action)
            menu.addActions(self._page_actions)

        menu.aboutToShow.connect(fill)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let screens suit a new size of the window or of its text."""
        if watched is self._window and event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._telling.start()
        return super().eventFilter(watched, event)

    def _place(self, screen: Screen) -> None:
        if screen.area == "header":
            self._headers[screen.name] = screen.shown_in(self._header)
            self._header_row.addWidget(self._headers[screen.name])
        elif screen.area == "left":
            self.body.side.add(screen.shown_in(self.body.side), screen.stretches)
            self.body.rail.add(screen.name, screen.icon, screen.title)
        elif screen.at_once:
            self._made(screen)

    def _made(self, screen: Screen) -> Room:
        """Return the room of a page or of a part of the right column, made now if necessary."""
        if screen.name not in self._rooms:
            stack = self.body.right if screen.area == "right" else self._stack
            room = self._rooms[screen.name] = Room(screen.shown_in, stack)
            stack.addWidget(room)
        return self._rooms[screen.name]

    def _of(self, area: str, perspective: str) -> list[Screen]:
        return [one for one in self._screens.values() if one.area == area and perspective in one.perspectives]

    def _has(self, side: str) -> bool:
        """Return whether this perspective has a column, beside the page in front."""
        name = self.tabs.name_at(self.tabs.currentIndex())
        is_closed = side == "right" and bool(name) and self._screens[name].has_details
        return bool(self._of(side, self.perspective)) and not is_closed

    def _home(self, name: str) -> str:
        """Return the perspective whose layout has a page: this one if it has the page."""
        at_hand = self._screens[name].perspectives
        return self.perspective if self.perspective in at_hand else at_hand[0]

    def _layout_of(self, perspective: str) -> Layout:
        return self._layouts.get(perspective, Layout())

    def _change(self, **changes: object) -> None:
        self._layouts[self.perspective] = replace(self._layout_of(self.perspective), **changes)  # type: ignore[arg-type]

    def _lay(self, perspective: str) -> None:
        """Lay out everything as last seen in a perspective."""
        self.perspective = perspective
        self._stack.setCurrentWidget(self._nothing)  # a page resized on its way would scroll
        layout, chrome = self._layout_of(perspective), perspective != WITHOUT_CHROME
        self._show_chrome(chrome)
        for name, header in self._headers.items():
            header.setVisible(perspective in self._screens[name].perspectives)
        pages = {one.name: one.title for one in self._of("page", perspective) if one.name not in self._windows}
        self.tabs.blockSignals(True)
        self.tabs.show_pages(pages, [f"Ctrl+{number}" for number in range(1, KEYS + 1)])
        front = max(self.tabs.index_of(layout.page), 0)
        self.tabs.setCurrentIndex(front)
        self.tabs.blockSignals(False)
        self.tabs.setVisible(chrome and len(pages) > 1)
        has = self._has("left"), self._has("right")
        usual = perspective not in RAILS, RIGHT_WIDTHS.get(perspective, RIGHT)
        for screen in self._of("right", perspective):
            self.body.right.setCurrentWidget(self._made(screen))
        self.body.lay_out(layout.left, layout.right, has, usual)
        self._tell_perspective()
        _settle(self._window)
        self._front_page()
        self.show_answer(self._answer)
        for screen in (*self._of("left", perspective), *self._of("right", perspective)):
            self._on_sight(screen)
        self.perspective_changed.emit(perspective)
        self.changed.emit()

    def _show_chrome(self, shown: bool) -> None:
        window = self._window
        for part in (window.menuBar(), window.statusBar(), window.findChild(QWidget, "tool_bar"), self._notices):
            if part is not None:
                part.setVisible(shown)

    def _tell_perspective(self) -> None:
        """Let screens be as large as this perspective wants and the window allows."""
        for screen in self._screens.values():
            if screen.is_made and self.perspective in screen.perspectives:
                screen.tell(screen.show_perspective, self.perspective)

    def _front_page(self) -> None:
        """Show the page of the current tab."""
        name = self.tabs.name_at(self.tabs.currentIndex())
        if name:
            screen = self._screens[name]
            self._stack.setCurrentWidget(self._made(screen))
            screen.tell(screen.show_perspective, self.perspective)
            self._on_sight(screen)

    def _take_tab(self, index: int) -> None:
        if name := self.tabs.name_at(index):
            self._change(page=name)
            self._front_page()
            self._fit_columns()
            self.changed.emit()

    def _show_number(self, number: int) -> None:
        """Bring a page to the front, or move the focus into it if it is there already; none on the start page."""
        name = "" if self.shows_start else self.tabs.name_at(number - 1)
        if name and number - 1 == self.tabs.currentIndex():
            self.enter(name)
        elif name:
            self.show(name)

    def _show_page(self, screen: Screen) -> None:
        if screen.name in self._windows:
            self._windows[screen.name].show()
            self._windows[screen.name].raise_()
            self._windows[screen.name].activateWindow()
            return
        if self.perspective not in screen.perspectives:
            self.switch(screen.perspectives[0])
        index = self.tabs.index_of(screen.name)
        self.tabs.setTabVisible(index, True)
        self.tabs.setCurrentIndex(index)

    def _show_column(self, screen: Screen) -> None:
        """Open the column of a screen, over the pages where this perspective does not have it."""
        side = screen.area
        if side == "right":
            self.body.right.setCurrentWidget(self._made(screen))
        is_open = self.body.is_left_open if side == "left" else self.body.is_right_open
        if not is_open and self._has(side) and not (side == "left" and self.body.is_narrow):
            self._take_column(side, is_open=True)
        elif not is_open:
            self.body.open_over(side)
        self._on_sight(screen)

    def _take_column(self, side: str, is_open: bool) -> None:
        before = getattr(self._layout_of(self.perspective), side)
        self._change(**{side: Column(before.width, is_open)})
        self._fit_columns()

    def _fit_columns(self) -> None:
        layout = self._layout_of(self.perspective)
        usual = self.perspective not in RAILS, RIGHT_WIDTHS.get(self.perspective, RIGHT)
        self.body.lay_out(layout.left, layout.right, (self._has("left"), self._has("right")), usual)

    def _take_widths(self) -> None:
        """Remember the widths that the user gave to the columns."""
        layout, (left, right) = self._layout_of(self.perspective), self.body.widths
        changes = {} if left is None else {"left": Column(left, layout.left.is_open)}
        changes |= {} if right is None else {"right": Column(right, layout.right.is_open)}
        self._change(**changes)
        self.changed.emit()

    def _take_out(self, name: str, place: Rectangle) -> None:
        if name in self._windows:
            return
        screen = self._screens[name]
        page = PageWindow(name, screen.title, self._made(screen), self._window)
        self._windows[name] = page
        page.closed.connect(self._put_back)
        page.setGeometry(on_screen(place))
        page.show()
        self._lay(self.perspective)
        self._on_sight(screen)

    def _put_back(self, name: str) -> None:
        """Return a page from its own window to the pages."""
        page = self._windows.pop(name, None)
        if page is None:
            return
        home = self._home(name)
        left = {other: place for other, place in self._layout_of(home).windows.items() if other != name}
        self._layouts[home] = replace(self._layout_of(home), windows=left)
        self._stack.addWidget(self._rooms[name])
        page.deleteLater()
        self._lay(self.perspective)

    def _give_keyboard(self, places: Sequence[QWidget | None]) -> None:
        """Give the focus back to the first visible of these places, unless another widget already has it."""
        if self._window.focusWidget() is self._window:
            in_sight = (place for place in places if place and shiboken6.isValid(place) and can_be_seen(place))
            next(in_sight, self._window).setFocus(Qt.FocusReason.ActiveWindowFocusReason)


def _below_each_other(parent: QWidget, *parts: QWidget) -> QVBoxLayout:
    rows = QVBoxLayout(parent)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    for part in parts:
        rows.addWidget(part)
    return rows


def _settle(window: QMainWindow) -> None:
    """Give everything its place now."""
    for part in (window, window.centralWidget()):
        if part is not None and (layout := part.layout()) is not None:
            layout.activate()


def _beside(window: QWidget) -> Rectangle:
    """Return the first place for a page in a window of its own: a part of the window, moved a little."""
    place = window.geometry()
    return Rectangle(place.left() + 60, place.top() + 60, place.width() * 2 // 3, place.height() * 2 // 3)

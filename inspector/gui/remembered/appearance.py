"""The appearance of the window: text size, colours and height of rows, remembered between runs."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from inspector.gui.remembered.window_state import WindowState
from inspector.gui.theme import ThemeName, apply_theme, rows_are_compact, set_compact_rows, set_font, theme_name

THEMES = ("system", "light", "dark")
SMALLEST_POINTS, LARGEST_POINTS = 6.0, 28.0


class Appearance(QObject):
    """Text size and theme of the application. Without a state, nothing is remembered."""

    def __init__(self, state: WindowState | None, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self._actions: Mapping[str, QAction] = {}

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the declared View actions, by name."""
        return {
            "compact_rows": lambda: self._make_compact(not rows_are_compact()),
            "zoom_in": lambda: self._zoom(1),
            "zoom_out": lambda: self._zoom(-1),
            "zoom_reset": lambda: self._zoom(0),
            "theme_system": lambda: self._choose_theme("system"),
            "theme_light": lambda: self._choose_theme("light"),
            "theme_dark": lambda: self._choose_theme("dark"),
        }

    def restore(self, actions: Mapping[str, QAction]) -> None:
        """Restore text size and rows of the last window, and check the current theme in the menu.

        A theme given on the command line is not remembered; the next window uses the previous theme again.
        """
        self._actions = actions
        self._check_theme(theme_name())
        actions["compact_rows"].setCheckable(True)
        self._make_compact(self._state.compact if self._state is not None else rows_are_compact())
        if self._state is not None and (steps := self._state.zoom):
            self._zoom(steps)

    def _zoom(self, steps: int) -> None:
        """Change the size of all text by this many points, or with 0 return to the system's."""
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            return
        normal = application.property("normal_point_size") or application.font().pointSizeF()
        application.setProperty("normal_point_size", normal)
        font = application.font()
        points = font.pointSizeF() + steps if steps else normal
        font.setPointSizeF(max(SMALLEST_POINTS, min(LARGEST_POINTS, points)))
        set_font(application, font)
        if self._state is not None:
            self._state.zoom = round(font.pointSizeF() - normal)

    def _make_compact(self, is_compact: bool) -> None:
        """Make rows lower, or as high as usual again, in this window and the next."""
        application = QApplication.instance()
        if isinstance(application, QApplication) and is_compact != rows_are_compact():
            set_compact_rows(application, is_compact)
        self._actions["compact_rows"].setChecked(is_compact)
        if self._state is not None and self._state.compact != is_compact:
            self._state.compact = is_compact

    def _choose_theme(self, name: ThemeName) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, name)
        if self._state is not None:
            self._state.theme = name
        self._check_theme(name)

    def _check_theme(self, name: str) -> None:
        for other in THEMES:
            self._actions[f"theme_{other}"].setChecked(other == name)

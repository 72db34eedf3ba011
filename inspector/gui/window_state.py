"""What a window remembers between runs: geometry, layout, theme, text size and recent files (QSettings)."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow

_RECENT = 10
_USED = 60


class WindowState:
    """The remembered state of the main window."""

    def __init__(self) -> None:
        self._settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "prompt-inspector", "window")

    def restore(self, window: QMainWindow) -> None:
        """Give a window the geometry and layout of the last one."""
        for key, use in (("geometry", window.restoreGeometry), ("layout", window.restoreState)):
            value = self._settings.value(key)
            if isinstance(value, QByteArray):
                use(value)

    def keep(self, window: QMainWindow) -> None:
        """Remember the geometry and layout of a window."""
        self._settings.setValue("geometry", window.saveGeometry())
        self._settings.setValue("layout", window.saveState())

    @property
    def recent(self) -> list[str]:
        """The recently opened paths, newest first."""
        return self._texts("recent")

    def add_recent(self, paths: Sequence[str]) -> None:
        """Remember that these paths were opened."""
        recent = [*paths, *(path for path in self.recent if path not in paths)]
        self._settings.setValue("recent", recent[:_RECENT])

    @property
    def used(self) -> list[str]:
        """The keys of what was chosen lately, newest first."""
        return self._texts("used")

    @used.setter
    def used(self, keys: Sequence[str]) -> None:
        self._settings.setValue("used", list(keys[:_USED]))

    def _texts(self, name: str) -> list[str]:
        value = self._settings.value(name, [])
        if isinstance(value, str):
            return [value]
        return [str(text) for text in value] if isinstance(value, list) else []

    @property
    def theme(self) -> str:
        """The chosen theme: system, light or dark."""
        return str(self._settings.value("theme", "system"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._settings.setValue("theme", name)

    @property
    def zoom(self) -> int:
        """Text size as steps of one point from the system's."""
        value = self._settings.value("zoom", 0)
        return int(value) if isinstance(value, int | str) else 0

    @zoom.setter
    def zoom(self, steps: int) -> None:
        self._settings.setValue("zoom", steps)

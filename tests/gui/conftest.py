"""Fixtures of the window: a session and a main window that must leave nothing behind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder

READY_MILLISECONDS = 60_000


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Opens a window on paths and waits until it is ready; afterwards no top-level widget and no task may be left."""
    apply_theme(qapp, "light")
    windows: list[MainWindow] = []

    def open_on(
        *paths: str | Path, scenario: str | Path | None = None, size: tuple[int, int] = (1600, 1000)
    ) -> MainWindow:
        window = open_window([str(path) for path in paths], str(scenario) if scenario else None)
        windows.append(window)
        window.resize(*size)
        window.show()
        if paths:
            qtbot.waitUntil(lambda: window.session.is_ready, timeout=READY_MILLISECONDS)
        return window

    yield open_on
    for window in windows:
        session = window.session
        window.close()
        assert not session.tasks.is_running(), "a task outlived its window"
    qapp.processEvents()
    qtbot.waitUntil(lambda: not _left_over(), timeout=5000)


def _left_over() -> list[str]:
    return [type(widget).__name__ for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow)]


@pytest.fixture
def companion(opened: Callable[..., MainWindow]) -> MainWindow:
    """A window on the first sample with its scenario."""
    folder = samples_folder()
    return opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml")

"""Fixtures of the window: a session and a main window that must leave nothing behind."""

import gc
import shutil
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder
from tests.gui.kept import KEPT, KeptWindow

PATIENCE_MILLISECONDS = 60_000
_CLOSED = count(1)
_AT_ONCE = 30
"""After so many windows what they left is collected: each keeps 4 MB, for a window that opens freezes all there is."""


class PatientQtBot(QtBot):
    """Waits for a state as long as a busy machine may take to reach it; whoever expects none says how long."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MILLISECONDS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MILLISECONDS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: list[Any], *, timeout: int = PATIENCE_MILLISECONDS, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MILLISECONDS) -> Any:
        return super().waitExposed(widget, timeout=timeout)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Widgets that a test gave back are deleted now: a test without an event loop would leave them to the next.

    After a double click of QTest the button counts as pressed, which would hold up all that waits for its release.
    """
    yield
    if QApplication.instance() is None:
        return
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if (pressed := QApplication.mouseButtons()) != Qt.MouseButton.NoButton:
        QTest.mouseRelease(QWidget(), pressed)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The one of pytest-qt, with patience."""
    return PatientQtBot(request)


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Opens a window on paths and waits until it is ready; afterwards no top-level widget and no task may be left."""
    apply_theme(qapp, "light")
    windows: list[MainWindow] = []

    def open_on(
        *paths: str | Path,
        scenario: str | Path | None = None,
        size: tuple[int, int] = (1600, 1000),
        state: WindowState | None = None,
    ) -> MainWindow:
        window = open_window([str(path) for path in paths], str(scenario) if scenario else None, state)
        windows.append(window)
        window.resize(*size)
        window.show()
        if paths:
            qtbot.waitUntil(lambda: window.session.is_ready)
        return window

    yield open_on
    for window in windows:
        session = window.session
        window.close()
        assert not session.tasks.is_running(), "a task outlived its window"
    qapp.processEvents()
    qtbot.waitUntil(lambda: not _left_over())
    if next(_CLOSED) % _AT_ONCE == 0:
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def _left_over() -> list[str]:
    windows = (widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
    return [type(window).__name__ for window in windows if not window.property(KEPT)]


@pytest.fixture(scope="module")
def kept_window(qapp: QApplication) -> Iterator[KeptWindow]:
    """The window that the tests of a module share."""
    window = KeptWindow()
    yield window
    window.close()
    qapp.processEvents()


@pytest.fixture
def emptied(kept_window: KeptWindow, qtbot: QtBot, qapp: QApplication) -> Callable[..., MainWindow]:
    """The shared window as at first, with nothing open; the named screens were seen before."""

    def wait(window: MainWindow) -> None:
        qtbot.waitUntil(lambda: window.session.is_ready)
        qapp.processEvents()

    apply_theme(qapp, "light")
    return partial(kept_window.empty, wait)


@pytest.fixture
def companion_alone(tmp_path: Path) -> Path:
    """The first sample in a folder without its scenario."""
    return Path(shutil.copy(samples_folder() / "companion.workspace.yaml", tmp_path))


@pytest.fixture
def companion(opened: Callable[..., MainWindow]) -> MainWindow:
    """A window on the first sample with its scenario."""
    folder = samples_folder()
    return opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml")

"""The composition root, where application, session and window are made and connected."""

import ctypes
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import TracebackType

from PySide6.QtCore import QEventLoop, QMessageLogContext, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from inspector import __version__
from inspector.gui.icons import app_icon, image_content, picture_content
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.focus import name_roles
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens import screen_classes
from inspector.gui.session.session import Session
from inspector.gui.theme import apply_theme
from inspector.model import Problem
from inspector.reading.png import KEY, TEXT

_ARENAS = "MALLOC_ARENA_MAX"
_M_ARENA_MAX = -8  # malloc.h of glibc


def share_heap() -> None:
    """Let all threads share one heap, before any are started. A `MALLOC_ARENA_MAX` set by the user takes precedence.

    The C library of Linux gives each thread its own heap, and free memory in one cannot be used by another: driven at
    random, a window grew by 5 MB a minute for as long as was measured, and does not with a shared heap. Counting is no
    slower. Other systems, and other C libraries, have no such setting.
    """
    if sys.platform == "linux" and _ARENAS not in os.environ:
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_ARENA_MAX, 1)


SCREENSHOT_SECONDS = 300
_TURN_MILLISECONDS = 100
_LOOK_MILLISECONDS = 20
WAIT_SECONDS = 0.0005
"""How long the window's thread waits for a worker to release the interpreter, each time it returns from Qt.

With Python's default of 5 ms, an event that passes ten times between Qt and Python takes 50 ms while a file loads.
"""
First = tuple[str | None, str | None]
"""The perspective and the page to begin with, None for the first or the last seen."""
ExceptHook = Callable[[type[BaseException], BaseException, TracebackType | None], None]
_log = logging.getLogger(__name__)


def open_window(
    paths: Sequence[str],
    scenario_file: str | None = None,
    state: WindowState | None = None,
    autosaves: bool = False,
    repairs: frozenset[str] = frozenset(),
    tour: str | None = None,
    first: First = (None, None),
) -> MainWindow:
    """Return a window on these files, not yet shown, inside a running QApplication.

    `state` remembers geometry, theme and recent files (None: nothing). With `autosaves`, unsaved work is kept, and
    restored if nothing else is opened. `repairs` lists files to repair if broken. A `tour` is given by its file and
    opens the files it is about. `first` are the perspective and the page to begin with.
    """
    name_roles()
    gc.disable()  # the objects of a window stay; collections would walk through all of them
    try:
        window = MainWindow(Session(), state, autosaves)
    finally:
        gc.freeze()
        gc.enable()
    window.start(list(paths), scenario_file, repairs, tour)
    if any(first):
        window.begin_with(*first)
    return window


def page_names() -> tuple[str, ...]:
    """Return the names of the pages of the window."""
    return tuple(screen.name for screen in screen_classes() if screen.area == "page")


def run(
    paths: Sequence[str],
    scenario_file: str | None,
    theme: str | None,
    repairs: frozenset[str],
    tour: str | None = None,
    first: First = (None, None),
) -> int:
    """Show the window until it is closed, with a tour if its file is given. Returns the exit code."""
    application = make_application()
    state = WindowState()
    apply_theme(application, theme or state.theme)  # type: ignore[arg-type]
    window = open_window(paths, scenario_file, state, autosaves=True, repairs=repairs, tour=tour, first=first)
    sys.excepthook = _report_uncaught(window)
    window.show()
    return application.exec()


@dataclass(frozen=True)
class Screenshot:
    """A picture of a window as the content of a file, and the files opened for it."""

    content: bytes
    opened: Sequence[str]


def take_screenshot(
    paths: Sequence[str],
    scenario_file: str | None,
    kind: str,
    size: tuple[int, int],
    theme: str | None,
    repairs: frozenset[str] = frozenset(),
    tour: str | None = None,
    first: First = (None, None),
) -> Screenshot:
    """Return a picture of the window, once everything is counted and drawn, in a file format such as `png`.

    With a `tour`, it shows the first step. Its metadata name this program. Raises ValueError if Qt does not know the
    format.
    """
    start = partial(open_window, paths, scenario_file, repairs=repairs, tour=tour, first=first)
    with drawn_window(start, size, theme) as (window, wait):
        wait(lambda: is_at_rest(window))
        content, opened = _grabbed(window, kind), window.session.opened_files
    return Screenshot(content, opened)


def take_tour(file: str, steps: int, size: tuple[int, int], theme: str | None) -> Iterator[Screenshot]:
    """Yield a picture of each step of a tour, as PNG, once everything is counted and drawn."""
    with drawn_window(partial(open_window, [], tour=file), size, theme) as (window, wait):
        for number in range(steps):
            if number:
                window.do("tour_next")
            wait(lambda: is_at_rest(window))
            yield Screenshot(_grabbed(window, "png"), window.session.opened_files)


@contextmanager
def drawn_window(
    start: Callable[[], MainWindow], size: tuple[int, int], theme: str | None
) -> Iterator[tuple[MainWindow, Callable[[Callable[[], bool]], None]]]:
    """Yield a window of this size, shown in a theme, and a function that waits for a state of it.

    The window is closed afterwards.
    """
    application, loop = make_application(), QEventLoop()
    with _interruptible(loop) as is_interrupted:
        apply_theme(application, theme or "light")  # type: ignore[arg-type]
        window = start()
        window.resize(*size)
        window.show()
        looking = QTimer(window, interval=_LOOK_MILLISECONDS)
        looking.timeout.connect(loop.quit)
        looking.start()

        def wait(is_there: Callable[[], bool]) -> None:
            patience = QTimer(singleShot=True, interval=SCREENSHOT_SECONDS * 1000)
            patience.start()
            while patience.isActive() and not (is_there() or is_interrupted()):
                loop.exec()
            application.processEvents()

        try:
            yield window, wait
        finally:
            window.close()


def is_at_rest(window: MainWindow) -> bool:
    """Return whether everything in sight is as it will stay: counted, asked for, computed and drawn."""
    session = window.session
    asks = any(view.is_waiting and view.is_in_sight for view in window.findChildren(AskingView))
    return session.is_ready and not asks and not session.tasks.is_running()


def _grabbed(window: MainWindow, kind: str) -> bytes:
    image = window.grab().toImage()
    image.setText(KEY, TEXT)
    return image_content(image, kind)


@contextmanager
def _interruptible(loop: QEventLoop) -> Iterator[Callable[[], bool]]:
    """Let Ctrl+C end the loop, and raise KeyboardInterrupt at the end of the block. Yields a test for the interruption.

    Python itself would raise it inside a callback of Qt, which prints it and continues.
    """
    asked = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: asked.set())
    turns = QTimer(interval=_TURN_MILLISECONDS)  # Python handles signals only when Qt returns to it
    turns.timeout.connect(lambda: loop.quit() if asked.is_set() else None)
    turns.start()
    try:
        yield asked.is_set
    finally:
        turns.stop()
        signal.signal(signal.SIGINT, before)
    if asked.is_set():
        raise KeyboardInterrupt


def picture_of_drawing(drawing: bytes) -> bytes:
    """Return a drawing (SVG) as the content of a PNG file."""
    make_application()
    return picture_content(drawing)


def make_application() -> QApplication:
    """Return the running application, or a new one."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    qInstallMessageHandler(_log_qt_message)
    sys.setswitchinterval(WAIT_SECONDS)
    share_heap()
    application = QApplication(sys.argv[:1])
    application.setApplicationName("prompt-inspector")
    application.setApplicationDisplayName("Prompt Inspector")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("prompt-inspector")
    application.setWindowIcon(app_icon())
    return application


def _log_qt_message(kind: QtMsgType, _: QMessageLogContext, message: str) -> None:
    """Write Qt's own messages to the log instead of the user's terminal."""
    serious = kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
    _log.log(logging.ERROR if serious else logging.INFO, "Qt: %s", message)


def _report_uncaught(window: MainWindow) -> ExceptHook:
    """Return an exception hook that logs errors raised in slots and reports them in the window, which stays open."""

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        _log.error("not caught", exc_info=(kind, error, trace))
        window.session.problem_reported.emit(Problem("", "", f"An error inside the program: {kind.__name__}: {error}"))

    return report

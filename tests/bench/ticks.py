"""A whole slider tick in the window (policy, table, bar, repaint, offscreen) against one frame at 60 Hz."""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator

from PySide6.QtWidgets import QApplication, QSlider

from inspector.assembly.edits import use_policy, use_window
from inspector.assembly.presets import load_presets
from inspector.gui.app import make_application, open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.session.assembling import MOST_AT_ONCE
from inspector.gui.theme import apply_theme
from tests.bench.gaps import LONGEST_SECONDS
from tests.bench.loading import Beat
from tests.bench.measure import FRAME_SECONDS, Row
from tests.bench.texts import workspace_of

SIZES = (1_000, 10_000, 100_000, 1_000_000)
LARGE = 100_000
TICKS = 200
TICKS_OF_A_PAIR = 40
WARMING = 10
FIXED_SECONDS = 0.005
"""What a tick may cost that does not grow with what is open."""
FIRST_WINDOW = 100_000
WITH_MANY_MEMORIES = (("reserve", "document"), ("reserve", "ibex-2026"))


def rows() -> Iterator[Row]:
    """Median and 99th percentile of a tick: by the number of candidates, by policy and preset, with many memories."""
    application = make_application()
    apply_theme(application, "light")
    yield from _by_size(application)
    yield from _by_policy(application, sorted(load_presets()), LARGE, 200, f"{LARGE:,} messages")
    yield from _by_policy(application, WITH_MANY_MEMORIES, 1_000, LARGE, f"{LARGE:,} memories")


def _by_size(application: QApplication) -> Iterator[Row]:
    for size in SIZES:
        window = _opened(application, size, memories=200)
        times = _drag(application, window)
        gap = _longest_gap(application, window) if size > MOST_AT_ONCE else None
        _close(application, window)
        what, median, late = f"slider tick, {size:,} candidates", statistics.median(times), _late(times)
        goal = 1.0 if size == LARGE else None
        if size == SIZES[0]:
            yield Row(f"{what}, median", median, "5 ms, the fixed part", FIXED_SECONDS, at_most=1.0)
        else:
            yield Row(f"{what}, median", median, "half a 60 Hz frame", FRAME_SECONDS / 2, at_most=goal)
        yield Row(f"{what}, p99", late, "one 60 Hz frame", FRAME_SECONDS, at_most=goal)
        if gap is not None:
            yield Row(f"longest gap while a slider moves, {size:,}", gap, "50 ms", LONGEST_SECONDS, at_most=1.0)


def _by_policy(
    application: QApplication, pairs: Iterable[tuple[str, str]], messages: int, memories: int, of: str
) -> Iterator[Row]:
    """Ticks of the context window, which every policy heeds, by one token each."""
    window = _opened(application, messages, memories)
    for policy, preset in pairs:
        window.session.edit(use_policy, policy, preset)
        _wait(application, window)
        times = _widen(application, window)
        what = f"tick, {of}, {policy} ({preset})"
        half = policy == "ratio"
        yield Row(
            f"{what}, median",
            statistics.median(times),
            "half a 60 Hz frame" if half else "one 60 Hz frame",
            FRAME_SECONDS / 2 if half else FRAME_SECONDS,
            at_most=1.0,
        )
        yield Row(f"{what}, p99", _late(times), "one 60 Hz frame", FRAME_SECONDS, at_most=1.0)
    _close(application, window)


def _late(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def _opened(application: QApplication, messages: int, memories: int) -> MainWindow:
    """A window on a chat of that many messages, given to the session as if it had been loaded."""
    window = open_window([])
    window.resize(1600, 1000)
    window.show()
    window.session.show_workspace(workspace_of(messages, memories))
    _wait(application, window)
    return window


def _wait(application: QApplication, window: MainWindow) -> None:
    application.processEvents()
    while not window.session.is_ready:
        application.processEvents()
        time.sleep(0.001)


def _close(application: QApplication, window: MainWindow) -> None:
    window.close()
    application.processEvents()


def _drag(application: QApplication, window: MainWindow) -> list[float]:
    """Ticks of a slider that is held and moved."""
    slider = window.findChild(QSlider, "parameter:history_share")
    assert slider is not None
    low, high = slider.minimum(), slider.maximum()
    slider.setSliderDown(True)

    def move(tick: int) -> None:
        slider.setValue(low + (high - low) // 4 + tick % ((high - low) // 3))

    times = _timed(application, window, move, TICKS)
    slider.setSliderDown(False)
    application.processEvents()
    return times


def _longest_gap(application: QApplication, window: MainWindow) -> float:
    """The longest time that the window does nothing else while the context window is made larger in every frame."""
    beat = Beat(window)
    for tick in range(TICKS):
        window.session.drag("window", use_window, FIRST_WINDOW + tick)
        _wait_for(application, FRAME_SECONDS)
    _wait(application, window)
    return beat.longest


def _wait_for(application: QApplication, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        application.processEvents()
        time.sleep(0.0005)  # the worker is to have the interpreter while there is nothing to do


def _widen(application: QApplication, window: MainWindow) -> list[float]:
    """Ticks of one gesture that makes the context window larger by a token each."""

    def widen(tick: int) -> None:
        window.session.drag("window", use_window, FIRST_WINDOW + tick)

    return _timed(application, window, widen, TICKS_OF_A_PAIR)


def _timed(application: QApplication, window: MainWindow, change: Callable[[int], None], ticks: int) -> list[float]:
    """Seconds from each change until everything that follows is painted, once a few have been made."""
    times = []
    for tick in range(WARMING + ticks):
        start = time.perf_counter()
        change(tick)
        window.session.flush()
        application.processEvents()
        times.append(time.perf_counter() - start)
    return times[WARMING:]

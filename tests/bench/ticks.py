"""A whole slider tick in the window (policy, table, bar, repaint, offscreen) against one frame at 60 Hz."""

import statistics
import time
from collections.abc import Iterator

from PySide6.QtWidgets import QApplication, QSlider

from inspector.gui.app import make_application, open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.theme import apply_theme
from tests.bench.measure import FRAME_SECONDS, Row
from tests.bench.texts import workspace_of

SIZES = (1_000, 10_000, 100_000, 1_000_000)
TICKS = 200


def rows() -> Iterator[Row]:
    """Median and 99th percentile by the number of candidates."""
    application = make_application()
    apply_theme(application, "light")
    for size in SIZES:
        window = _opened(application, size)
        times = _drag(application, window)
        window.close()
        application.processEvents()
        for name, value in (("median", statistics.median(times)), ("p99", sorted(times)[int(len(times) * 0.99)])):
            goal = 1.0 if size == 100_000 else None
            yield Row(
                f"slider tick, {size:,} candidates, {name}", value, "one 60 Hz frame", FRAME_SECONDS, at_most=goal
            )


def _opened(application: QApplication, size: int) -> MainWindow:
    """A window on a chat of that many messages, given to the session as if it had been loaded."""
    window = open_window([])
    window.resize(1600, 1000)
    window.show()
    window.session.show_workspace(workspace_of(size, memories=200))
    while not window.session.is_ready:
        application.processEvents()
        time.sleep(0.001)
    return window


def _drag(application: QApplication, window: MainWindow) -> list[float]:
    """Seconds from the change of a slider until everything that follows is painted."""
    slider = window.findChild(QSlider, "parameter:history_share")
    assert slider is not None
    times = []
    low, high = slider.minimum(), slider.maximum()
    slider.setSliderDown(True)
    for tick in range(TICKS):
        start = time.perf_counter()
        slider.setValue(low + (high - low) // 4 + tick % ((high - low) // 3))
        window.session.flush()
        application.processEvents()
        times.append(time.perf_counter() - start)
    slider.setSliderDown(False)
    application.processEvents()
    return times

"""How long the window stands still while a chat of many messages loads: the longest gap between two of its events."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from inspector.gui.app import make_application, open_window
from inspector.gui.main_window import MainWindow
from tests.bench.gaps import LONGEST_SECONDS
from tests.bench.measure import Row
from tests.bench.texts import chat_texts

SIZES = (100_000, 1_000_000)


def rows() -> Iterator[Row]:
    """The longest gap from the call that opens the file to the first picture of what is in it."""
    application = make_application()
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            file = write_chat(Path(folder, "chat.jsonl"), size)
            gap = _longest_gap(application, file)
        yield Row(f"longest gap while {size:,} messages load", gap, "50 ms", LONGEST_SECONDS, at_most=1.0)


def write_chat(file: Path, size: int) -> Path:
    """Writes a chat of so many messages as JSON lines."""
    roles = ("user", "assistant")
    with file.open("wb") as lines:
        for number, text in enumerate(chat_texts(size, seed=5)):
            lines.write(orjson.dumps({"role": roles[number % 2], "content": text}) + b"\n")
    return file


def _longest_gap(application: QApplication, file: Path) -> float:
    window = open_window([])
    window.show()
    application.processEvents()
    beat = _Beat(window)
    window.open_paths([str(file)])
    while window.session.answer is None:
        application.processEvents()
        time.sleep(0.0005)  # the worker is to have the interpreter while there is nothing to do
    for _ in range(3):
        application.processEvents()
    window.session.cancel_work()
    window.close()
    return beat.longest


class _Beat:
    """A timer that ticks as often as it may, and the longest time between two of its ticks."""

    def __init__(self, window: MainWindow) -> None:
        self.longest, self._last = 0.0, time.perf_counter()
        timer = QTimer(window, interval=1, timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._tick)
        timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now

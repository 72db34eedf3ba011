"""How long the window stands still while a chat of many messages loads and is counted, and what memory that takes.

Each size is opened by a process of its own, with nothing in its cache.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
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
MOST_MEGABYTES = 1_200
_HOMES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def rows() -> Iterator[Row]:
    """The longest gap to the first picture of a file and the longest after it, until all is counted; the peak."""
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            loading, counting, megabytes = _measured(write_chat(Path(folder, "chat.jsonl"), size), folder)
        for what, gap in (("load", loading), ("are counted", counting)):
            yield Row(f"longest gap while {size:,} messages {what}", gap, "50 ms", LONGEST_SECONDS, at_most=1.0)
        goal = MOST_MEGABYTES if size == max(SIZES) else None
        yield Row(f"memory at the peak, {size:,} messages", megabytes, "", goal, at_most=goal and 1.0, unit="MB")


def write_chat(file: Path, size: int) -> Path:
    """Writes a chat of so many messages as JSON lines."""
    roles = ("user", "assistant")
    with file.open("wb") as lines:
        for number, text in enumerate(chat_texts(size, seed=5)):
            lines.write(orjson.dumps({"role": roles[number % 2], "content": text}) + b"\n")
    return file


def _measured(file: Path, home: str) -> list[float]:
    """What `_measure` prints of a file, in a process that finds nothing at home."""
    command = [sys.executable, "-m", "tests.bench.loading", str(file)]
    homes = {**os.environ, **dict.fromkeys(_HOMES, home)}
    return orjson.loads(subprocess.run(command, env=homes, check=True, stdout=subprocess.PIPE).stdout)


def _measure(application: QApplication, file: str) -> list[float]:
    """Seconds of the longest gap to the first picture, and from there until all is counted; MB at the peak."""
    window = open_window([])
    window.show()
    application.processEvents()
    beat = Beat(window)
    window.open_paths([file])
    _wait(application, lambda: window.session.answer is not None)
    loading, beat.longest = beat.longest, 0.0
    _wait(application, lambda: window.session.is_ready)
    counting = beat.longest
    window.close()
    return [loading, counting, _peak_megabytes()]


def _peak_megabytes() -> float:
    """What this process took at its peak; `getrusage` would tell what the one that started it took."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / 1e6


def _wait(application: QApplication, is_done: Callable[[], bool]) -> None:
    while not is_done():
        application.processEvents()
        time.sleep(0.0005)  # the worker is to have the interpreter while there is nothing to do
    for _ in range(3):
        application.processEvents()


class Beat:
    """A timer that ticks as often as it may, and the longest time between two of its ticks."""

    def __init__(self, window: MainWindow) -> None:
        self.longest, self._last = 0.0, time.perf_counter()
        timer = QTimer(window, interval=1, timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._tick)
        timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


if __name__ == "__main__":
    print(orjson.dumps(_measure(make_application(), sys.argv[1])).decode())

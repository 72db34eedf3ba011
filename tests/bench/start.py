"""Starting: what --help and assemble import, and the time to the first window against a bare window."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from inspector.resources import samples_folder
from tests.bench.measure import Row

RUNS = 5
_OURS = """
import sys
from inspector.gui.app import make_application, open_window
from inspector.gui.theme import apply_theme
from PySide6.QtCore import QEventLoop
application = make_application()
apply_theme(application, "light")
window = open_window([sys.argv[2]])
window.resize(1600, 1000)
window.show()
while window.session.answer is None:
    application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
application.processEvents()
window.grab().save(sys.argv[1])
window.close()
"""
_BARE = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
import numpy, pyqtgraph, splintr, msgspec, orjson, yaml, click, platformdirs
application = QApplication(sys.argv[:1])
window = QMainWindow()
window.setCentralWidget(pyqtgraph.PlotWidget())
window.resize(1600, 1000)
window.show()
application.processEvents()
window.grab().save(sys.argv[1])
"""


def rows() -> Iterator[Row]:
    """From nothing to the window with a sample drawn, saved as a picture, against an empty plot drawn and saved."""
    with tempfile.TemporaryDirectory() as folder:
        picture = str(Path(folder) / "window.png")
        sample = str(samples_folder() / "companion.workspace.yaml")
        ours = [sys.executable, "-c", _OURS, picture, sample]
        bare = [sys.executable, "-c", _BARE, picture]
        seconds = ([], [])
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        for _ in range(RUNS + 1):
            for command, times in zip((ours, bare), seconds, strict=True):
                start = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True, env=environment)
                times.append(time.perf_counter() - start)
    first = [statistics.median(times[1:]) for times in seconds]
    yield Row("first window, sample drawn", first[0], "bare window, same libraries", first[1], at_most=1.5)

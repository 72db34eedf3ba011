"""Waits of a user: search as a word is typed, exact figures after a slider is let go, and an archive looked at."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inspector.analysis.archive.overview import overview
from inspector.analysis.basis import Basis
from inspector.assembly.edits import use_window
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.gui.app import make_application, open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.search.box import SearchBox
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder
from tests.bench.archives import CHATS, MESSAGES, write_chats
from tests.bench.measure import Row
from tests.bench.texts import pipeline_of, workspace_of

LARGE = 100_000
SEARCH_SECONDS, EXACT_SECONDS, CHAT_SECONDS = 0.3, 0.1, 1 / 100
QUERIES = ("e", "the", "harbour", "boat engine", "C++", "nowhere")
WINDOWS = (8_192, 128_000)
_DRAGS = 7


def rows() -> Iterator[Row]:
    """The slowest query, the median time until figures are exact, and the time for a chat of an archive."""
    application = make_application()
    apply_theme(application, "light")
    window = open_window([str(samples_folder() / "companion.workspace.yaml")])
    yield from _of_window(application, window, "Harbour talks", WINDOWS[:1])
    window = open_window([])
    window.session.show_workspace(workspace_of(LARGE))
    yield from _of_window(application, window, f"{LARGE:,} messages", WINDOWS)
    yield from _archive()


def _of_window(application: QApplication, window: MainWindow, of: str, sizes: tuple[int, ...]) -> Iterator[Row]:
    window.resize(1600, 1000)
    window.show()
    _wait(application, lambda: window.session.is_ready)
    window.do("search")
    (box,) = window.findChildren(SearchBox)
    for state in ("while its index is made", "with its index"):
        slowest = max(_searched(application, box, query) for query in QUERIES)
        yield Row(f"search over everything, {of}, {state}", slowest, "0.3 s", SEARCH_SECONDS, at_most=1.0)
        _wait(application, lambda: not window.session.tasks.is_running())
    box.close()
    for size in sizes:
        took = statistics.median(_let_go(application, window, size + 300 * drag) for drag in range(_DRAGS))
        yield Row(f"figures exact, {of}, window {size:,}", took, "0.1 s", EXACT_SECONDS, at_most=1.0)
    window.close()
    application.processEvents()


def _searched(application: QApplication, box: SearchBox, query: str) -> float:
    """Seconds from the last key of a query until its results are listed."""
    box.line.clear()
    QTest.keyClicks(box.line, query[:-1])
    start = time.perf_counter()
    QTest.keyClicks(box.line, query[-1])
    _wait(application, lambda: box.is_current)
    return time.perf_counter() - start


def _let_go(application: QApplication, window: MainWindow, size: int) -> float:
    """Seconds from the last change of a gesture until the figures of its answer are exact."""
    session = window.session
    for step in range(10):
        session.drag("window", use_window, size + step)
        session.flush()
    start = time.perf_counter()
    _wait(application, lambda: session.answer is not None and session.answer.ledger.rendered is not None)
    took = time.perf_counter() - start
    _wait(application, lambda: session.is_ready)
    return took


def _wait(application: QApplication, condition: Callable[[], bool]) -> None:
    application.processEvents()
    while not condition():
        application.processEvents()
        time.sleep(0.0005)


def _archive() -> Iterator[Row]:
    """An overview in this process, and the whole command in one of its own with counts known and unknown."""
    with tempfile.TemporaryDirectory() as folder:
        chats = write_chats(Path(folder, "chats"), CHATS)
        basis = Basis(pipeline_of(load_workspace([str(chats)])), Scenario(policy="ratio", context_window=4_096))
        start = time.perf_counter()
        number = sum(1 for _ in overview(basis))
        took = (time.perf_counter() - start) / number
        what = f"archive looked at, {CHATS:,} chats of {MESSAGES} messages: {1 / took:,.0f} chats a second, a chat"
        yield Row(what, took, "100 chats a second", CHAT_SECONDS, at_most=1.0)
        for state in ("", ", counts known"):
            took = _command(chats, Path(folder, "cache")) / number
            what = f"conversations, from start to end{state}: {1 / took:,.0f} chats a second, a chat"
            yield Row(what, took, "100 chats a second", CHAT_SECONDS, at_most=1.0)


def _command(chats: Path, cache: Path) -> float:
    command = [sys.executable, "-m", "inspector", "conversations", str(chats), "--format", "json"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    took = time.perf_counter() - start
    assert len(json.loads(done.stdout)["conversations"]) == CHATS
    return took

"""make soak: the real window, driven for minutes with edits, mouse and keys, against fresh assemblies and its memory.

Prints a line each minute. Exits with 1 where a comparison differed, an exception was raised, an error was logged, Qt
warned, or the process grew.
"""

import logging
import os
import random
import sys
import tempfile
import threading
import time
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

_WITHOUT_DISPLAY = "This plugin does not support"
_SHOWN = 2_000
_CHOSEN_BY_HANDS = 0.5


def main() -> int:
    """Drive the window for as long as is asked. Returns the exit code."""
    parser = ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        _live_in(Path(folder))
        return _soak(asked, Path(folder))


def _live_in(folder: Path) -> None:
    """A home of its own, no display and no network, before anything reads the environment."""
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    os.environ.update({"HOME": str(folder), "USERPROFILE": str(folder), "HF_HUB_OFFLINE": "1", **homes})
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def _soak(asked: Namespace, folder: Path) -> int:
    from inspector.gui.app import make_application, open_window
    from inspector.gui.theme import apply_theme
    from inspector.tokens.cache import CountCache
    from tests.soak.hands import Hands
    from tests.soak.moves import Moves
    from tests.soak.vitals import LEAST_MINUTES, SETTLING_MINUTES, troubles, vitals
    from tests.soak.walk import Walk
    from tests.soak.workspaces import opened_paths

    application, choose = make_application(), random.Random(asked.seed)
    faults = list[str]()
    with _slow_tokenizers(), _heard(faults), closing(CountCache(folder / "fresh.sqlite")) as cache:
        apply_theme(application, "light")
        openings = opened_paths(folder, asked.seed)
        window = open_window(openings[0])
        window.show()
        moves, hands = Moves(window.session, choose, window.open_paths, openings), Hands(window, choose)
        walk = Walk(
            window.session,
            lambda: (hands if choose.random() < _CHOSEN_BY_HANDS else moves).move(),
            choose,
            cache,
        )
        _see_everything(window, walk.wait_until_ready)
        minutes = []
        begin = time.monotonic()
        while time.monotonic() - begin < asked.minutes * 60:
            walk.step()
            if (time.monotonic() - begin) // 60 > len(minutes):
                walk.compare()
                minutes.append(vitals(window))
                _say(len(minutes), walk.findings, faults, minutes[-1])
        walk.compare()
        last = vitals(window)
        window.close()
        application.processEvents()
    found = [*walk.findings.differences, *faults, *troubles(minutes)]
    _say(round(asked.minutes, 1), walk.findings, faults, last)
    if len(minutes) < SETTLING_MINUTES + LEAST_MINUTES:
        print("too short to say whether memory stays flat")
    print(*(one[:_SHOWN] for one in found), sep="\n\n")
    return 1 if found else 0


def _see_everything(window: Any, wait_until_ready: Callable[[], None]) -> None:
    """Every screen and every vocabulary once: what is made when it is first asked for is no growth."""
    from PySide6.QtWidgets import QDockWidget

    from inspector.plugins import tokenizers
    from inspector.tokens.choice import load_tokenizer
    from inspector.tokens.models.loading import load_models
    from tests.soak.moves import COMPARED, MODELS, TOKENIZERS

    rows = (load_models().find(name).row for name in MODELS if name)
    named = {*TOKENIZERS, *COMPARED, *(row.tokenizer for row in rows if row)}
    for name in named - {"auto", "nobody:knows"}:
        load_tokenizer(name, tokenizers()[0]).count(["warm"])
    for dock in window.findChildren(QDockWidget):
        dock.show()
        dock.raise_()
        wait_until_ready()


def _say(minute: float, findings: Any, faults: list[str], held: Any) -> None:
    done = f"{findings.moves:,} moves, {findings.comparisons:,} comparisons, {len(findings.differences)} differences"
    print(f"minute {minute:g}: {done}, {len(faults)} faults, {held}", flush=True)


@contextmanager
def _slow_tokenizers() -> Iterator[None]:
    """The tokenizers `slow:NAME`, as if another distribution had brought them."""
    from inspector import plugins

    point = EntryPoint("slow", "tests.soak.slow_tokenizer:make", plugins.TOKENIZER_GROUP)
    installed, plugins.installed = plugins.installed, lambda: EntryPoints([point])
    plugins.plug_ins.cache_clear()
    try:
        yield
    finally:
        plugins.installed = installed


@contextmanager
def _heard(faults: list[str]) -> Iterator[None]:
    """Every exception that nobody caught, every logged error and every warning of Qt, as they come."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    class Errors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            faults.append(f"logged: {self.format(record)}")

    def hear_exception(kind: Any, error: Any, trace: Any) -> None:
        faults.append("".join(traceback.format_exception(kind, error, trace)))

    def hear_qt(kind: QtMsgType, _: object, message: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not message.startswith(_WITHOUT_DISPLAY):
            faults.append(f"Qt: {message}")

    errors = Errors(logging.ERROR)
    logging.getLogger().addHandler(errors)
    before = sys.excepthook, threading.excepthook, sys.unraisablehook, qInstallMessageHandler(hear_qt)
    sys.excepthook = hear_exception
    threading.excepthook = lambda found: hear_exception(found.exc_type, found.exc_value, found.exc_traceback)
    sys.unraisablehook = lambda found: hear_exception(found.exc_type, found.exc_value, found.exc_traceback)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = before[:3]
        qInstallMessageHandler(before[3])
        logging.getLogger().removeHandler(errors)


if __name__ == "__main__":
    sys.exit(main())

"""make soak: the real window, driven for minutes with edits, mouse and keys, against fresh assemblies and its memory.

Every dialog and every panel is used twice, then all of them at random. Prints a line each lap of moves. Exits with 1
where a comparison differed, an exception was raised, an error was logged, Qt warned, a dialog did not come, or the
process grew.
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
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

_WITHOUT_DISPLAY = "This plugin does not support"
_SHOWN = 2_000
_CHOSEN_BY_HANDS = 0.5
_LEAST_SEEN = 2


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
    from inspector.gui.remembered.window_state import WindowState
    from inspector.gui.theme import apply_theme
    from inspector.tokens.cache import CountCache
    from tests.soak.dialogs import OPENED, Dialogs, answer_file_dialogs
    from tests.soak.hands import Hands
    from tests.soak.moves import Moves
    from tests.soak.vitals import LAP, LEAST_LAPS, SETTLING_LAPS, troubles, vitals
    from tests.soak.walk import NotReadyError, Walk
    from tests.soak.workspaces import opened_paths

    application, choose = make_application(), random.Random(asked.seed)
    faults = Counter[str]()
    with _slow_tokenizers(), _heard(faults), closing(CountCache(folder / "fresh.sqlite")) as cache:
        apply_theme(application, "light")
        openings = opened_paths(folder, asked.seed)
        answer_file_dialogs(folder, choose, openings)
        window = open_window(openings[0], state=WindowState(), autosaves=True)
        window.show()
        dialogs = Dialogs(window, choose)
        moves, hands = Moves(window.session, choose, window.open_paths, openings), Hands(window, choose, dialogs)
        walk = Walk(
            window.session,
            lambda: (hands if choose.random() < _CHOSEN_BY_HANDS else moves).move(),
            choose,
            cache,
        )
        laps = []
        begin = time.monotonic()
        try:
            _count_with_everything()
            for opening in (openings[0], openings[-2]):
                window.open_paths(opening)
                hands.see_panels(walk.wait_until_ready)
                dialogs.each_twice(walk.wait_until_ready)
            while time.monotonic() - begin < asked.minutes * 60:
                walk.step()
                if walk.findings.moves % LAP == 0:
                    walk.compare()
                    laps.append(vitals(window))
                    _say((time.monotonic() - begin) / 60, walk.findings, faults, laps[-1])
            dialogs.close_all()
            walk.compare()
        except NotReadyError as late:
            faults[str(late)] += 1
        last = vitals(window)
        window.close()
        application.processEvents()
    unseen = [f"{name} came {dialogs.seen[name]} times" for name in OPENED if dialogs.seen[name] < _LEAST_SEEN]
    heard = [f"{times:,} times: {fault}" for fault, times in faults.items()]
    found = [*walk.findings.differences, *heard, *unseen, *troubles(laps)]
    _say(asked.minutes, walk.findings, faults, last)
    if len(laps) < SETTLING_LAPS + LEAST_LAPS:
        print("too short to say whether memory stays flat")
    print(*(one[:_SHOWN] for one in found), sep="\n\n")
    return 1 if found else 0


def _count_with_everything() -> None:
    """Every vocabulary once: what is made when it is first asked for is no growth."""
    from inspector.plugins import tokenizers
    from inspector.tokens.choice import load_tokenizer
    from inspector.tokens.models.loading import load_models
    from tests.soak.moves import COMPARED, MODELS, TOKENIZERS

    rows = (load_models().find(name).row for name in MODELS if name)
    named = {*TOKENIZERS, *COMPARED, *(row.tokenizer for row in rows if row)}
    for name in named - {"auto", "nobody:knows"}:
        load_tokenizer(name, tokenizers()[0]).count(["warm"])


def _say(minute: float, findings: Any, faults: Counter[str], held: Any) -> None:
    done = f"{findings.moves:,} moves, {findings.comparisons:,} comparisons, {len(findings.differences)} differences"
    print(f"minute {minute:.1f}: {done}, {faults.total()} faults of {len(faults)} kinds, {held}", flush=True)


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
def _heard(faults: Counter[str]) -> Iterator[None]:
    """Every exception that nobody caught, every logged error and every warning of Qt, as they come."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    class Errors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            faults[f"logged: {self.format(record)}"] += 1

    def hear_exception(kind: Any, error: Any, trace: Any) -> None:
        faults["".join(traceback.format_exception(kind, error, trace))] += 1

    def hear_qt(kind: QtMsgType, _: object, message: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not message.startswith(_WITHOUT_DISPLAY):
            faults[f"Qt: {message}"] += 1

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

"""Targets: the window itself, in which any file is opened, drawn and looked at."""

import logging
import sys
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from inspector.gui.app import make_application, open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.theme import apply_theme
from tests.fuzz.documents import WORKSPACE
from tests.fuzz.made import as_json
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.seeds import OTHER, files_by_format
from tests.fuzz.target import Target
from tests.fuzz.targets.own_files import TARGETS as OWN_FILES
from tests.fuzz.targets.using import chooser
from tests.gui.walking import everything

_LONGEST = 10_000
_EVENTS_MILLISECONDS = 20
_LOOKED_AT = 3
_log = logging.getLogger("inspector.fuzz")


def open_in_window(file: Path, scratch: Path) -> None:
    """Open a file in the window, alone or, for a scenario, with a chat; look at some screens and items of it."""
    window, rng = _window(), chooser(file.read_bytes())
    if ".scenario." in file.name:
        chat = scratch / "chat.workspace.json"
        chat.write_bytes(as_json(WORKSPACE))
        window.open_paths([str(chat)], str(file))
    else:
        window.open_paths([str(file)])
    _wait(window)
    assembly = window.session.assembly
    for name in rng.sample(sorted(window.screens), _LOOKED_AT):
        window.show_screen(name)
        if assembly is not None and len(assembly.candidates):
            window.select(rng.randrange(len(assembly.candidates)))
        _wait(window)
        window.grab()
    for shown in everything(window):
        if not isinstance(shown.text, str):
            raise BrokenPromiseError("a widget shows what is no text", repr(shown))


@cache
def _window() -> MainWindow:
    """One window for all files, as a person has it. What is raised in its slots is logged, and so noticed."""
    application = make_application()
    apply_theme(application, "light")
    sys.excepthook = _log_raised
    window = open_window([])
    window.show()
    return window


def _log_raised(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> Any:
    _log.error("raised in a slot", exc_info=(kind, problem, trace))


def _wait(window: MainWindow) -> None:
    """Let the window work until nothing is left to be done; who watches this process ends what takes too long."""
    application = QApplication.instance()
    assert application is not None
    while True:
        application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, _EVENTS_MILLISECONDS)
        if window.session.is_ready:
            break
    application.processEvents()


def _window_seeds() -> tuple[Input, ...]:
    """A few small files of every format, and scenarios."""
    by_format = (files for kind, files in files_by_format().items() if kind != OTHER)
    opened = tuple(file for files in by_format for file in files if len(file.data) <= _LONGEST)
    scenarios = next(target.seeds for target in OWN_FILES if target.name == "scenario")
    return (*opened, *scenarios())


TARGETS = (Target("window", _window_seeds, open_in_window, patience=4),)

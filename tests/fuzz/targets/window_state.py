"""Targets: what the window remembers between runs, in a file that may be anything."""

import os
import shutil
from functools import cache
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from inspector.gui.app import make_application
from inspector.gui.docking import lay_out, layout_of
from inspector.gui.layout import Area, Layout, Tabs
from inspector.gui.on_screen import on_screen, rectangle_of
from inspector.gui.theme import apply_theme
from inspector.gui.window_state import WindowState
from inspector.settings import window_file
from tests.fuzz.made import as_json, as_yaml
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.target import Target
from tests.fuzz.targets.own_files import LAYOUT

_FIRST = Layout({"left": Area((Tabs(("workspace", "policy", "explanation")), Tabs(("prompt", "timeline"))))})


def open_window_state(file: Path, scratch: Path) -> None:
    """Lay a window out as a file remembers it, and remember it again."""
    application = _application()
    own = window_file()
    own.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, own)
    state = WindowState()
    if not all(isinstance(path, str) for path in state.recent):
        raise BrokenPromiseError("a recent file is no text", repr(state.recent))
    apply_theme(application, state.theme)
    window, docks = _window()
    if state.place is not None:
        window.setGeometry(on_screen(state.place))
    layout = (state.layout(docks) or _FIRST).completed(_FIRST)
    window.show()
    lay_out(window, docks, layout)
    application.processEvents()
    state.add_recent(["x"])
    state.zoom = state.zoom + 1
    state.keep(rectangle_of(window.normalGeometry()), state.maximized, layout_of(window, docks, layout))
    if WindowState().recent != state.recent:
        raise BrokenPromiseError("what was remembered is another when it is read again", repr(state.recent))
    window.close()
    window.deleteLater()
    application.processEvents()
    shutil.rmtree(own.parent)


@cache
def _application() -> QApplication:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return make_application()


def _window() -> tuple[QMainWindow, dict[str, QDockWidget]]:
    """A window with docks like the real one, which takes longer to make."""
    window = QMainWindow()
    docks = {name: QDockWidget(name, window) for _, _, tabs in _FIRST.places for name in tabs.docks}
    for dock in docks.values():
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    return window, docks


def _state_seeds() -> tuple[Input, ...]:
    remembered = {
        "theme": "dark",
        "zoom": 2,
        "recent": ["/a/b.json", "c d.json"],
        "place": {"left": 10, "top": 10, "width": 1200, "height": 800},
        "maximized": False,
        "layout": LAYOUT,
    }
    return Input("window.yaml", as_yaml(remembered)), Input("flow.yaml", as_json(remembered))


TARGETS = (Target("window state", _state_seeds, open_window_state),)

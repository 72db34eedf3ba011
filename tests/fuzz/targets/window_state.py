"""Targets: what the window remembers between runs, in an INI file that may be anything."""

import base64
import os
import shutil
from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QToolBar

from inspector.gui.app import make_application
from inspector.gui.window_state import WindowState
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.target import Target


# What Qt writes for a window with the docks below.
_BLOBS = {
    "geometry": base64.b64decode(
        "AdnQywADAAAAAAAAAAAAAAAAAlsAAAGTAAAAAgAAAAIAAAJZAAABkQAAAAAAAAAAAyAAAAACAAAAAgAAAlkAAAGR"
    ),
    "layout": base64.b64decode(
        "AAAA/wAAAAD9AAAABAAAAAAAAAEpAAAAJvwCAAAAAvsAAAAcAHcAbwByAGsAcwBwAGEAYwBlAF8AZABvAGMAawEAAAC+AAAAEAAA"
        "ABAA////+wAAABoAdABpAG0AZQBsAGkAbgBlAF8AZABvAGMAawEAAADUAAAAEAAAABAA////AAAAAQAAASkAAAAm/AIAAAAB+wAA"
        "ABYAcABvAGwAaQBjAHkAXwBkAG8AYwBrAQAAAL4AAAAmAAAAEAD///8AAAACAAACWAAAAKf8AQAAAAH7AAAAIABlAHgAcABsAGEA"
        "bgBhAHQAaQBvAG4AXwBkAG8AYwBrAQAAAAAAAAJYAAAAMQD///8AAAADAAACWAAAAKb8AQAAAAH7AAAAFgBwAHIAbwBtAHAAdABf"
        "AGQAbwBjAGsBAAAAAAAAAlgAAAAxAP///wAAAAAAAAAmAAAABAAAAAQAAAAIAAAACPwAAAABAAAAAgAAAAEAAAAeAGIAdQBkAGcA"
        "ZQB0AF8AdABvAG8AbABfAGIAYQByAQAAAAD/////AAAAAAAAAAA="
    ),
}


def open_window_state(file: Path, scratch: Path) -> None:
    """Give a window what an INI file remembers."""
    application = _application()
    folder = Path(os.environ["XDG_CONFIG_HOME"], "prompt-inspector")
    folder.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".ini":
        shutil.copyfile(file, folder / "window.ini")
    else:
        _write_blob(file)
    state = WindowState()
    window = _window()
    state.restore(window)
    if not all(isinstance(path, str) for path in state.recent):
        raise BrokenPromiseError("a recent file is no text", repr(state.recent))
    if not isinstance(state.theme, str) or not isinstance(state.zoom, int):
        raise BrokenPromiseError("theme or zoom is of another type", repr((state.theme, state.zoom)))
    window.show()
    application.processEvents()
    state.keep(window)
    state.add_recent(["x"])
    window.close()
    window.deleteLater()
    application.processEvents()
    for left in folder.iterdir():
        left.unlink()


def _write_blob(file: Path) -> None:
    """The bytes of a file as the value that it is named after."""
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "prompt-inspector", "window")
    settings.setValue(file.stem, QByteArray(file.read_bytes()))
    settings.sync()


@cache
def _application() -> QApplication:
    application = make_application()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, os.environ["XDG_CONFIG_HOME"])
    return application


def _window() -> QMainWindow:
    """A window with docks and bars as the real one has them, which takes longer to make."""
    window = QMainWindow()
    for number, name in enumerate(("workspace", "policy", "explanation", "prompt", "timeline")):
        dock = QDockWidget(name, window)
        dock.setObjectName(f"{name}_dock")
        window.addDockWidget(tuple(Qt.DockWidgetArea)[number % 4], dock)
    bar = QToolBar(window)
    bar.setObjectName("budget_tool_bar")
    window.addToolBar(bar)
    return window


@cache
def _state_seeds() -> tuple[Input, ...]:
    """An INI file as the window writes it, and geometry and layout as Qt does."""
    header = "[General]\nrecent=/a/b.json, c d.json\ntheme=dark\nzoom=2\n"
    written = "".join(f"{name}={_escaped(blob)}\n" for name, blob in _BLOBS.items())
    blobs = (Input(f"{name}.bin", blob) for name, blob in _BLOBS.items())
    return Input("window.ini", f"{header}{written}".encode()), *blobs


def _escaped(blob: bytes) -> str:
    written = "".join(f"\\x{byte:x}" for byte in blob)
    return f"@ByteArray({written})"


TARGETS = (Target("window state", _state_seeds, open_window_state),)

"""The window's module: the only place where the command line imports it."""

import os
from types import ModuleType

from inspector.cli.failure import InputError

QT_LIBRARIES = (
    "libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libdbus-1-3"
)


def gui() -> ModuleType:
    """Return the window's module. End the command if Qt is unavailable."""
    try:
        from inspector.gui import app
    except ImportError as problem:
        if "PySide6" not in str(problem) and ".so" not in str(problem) and "DLL" not in str(problem):
            raise
        raise without_qt(str(problem)) from None
    return app


def without_qt(problem: str) -> InputError:
    """Return the error for a Qt that cannot start, with the packages to install."""
    return InputError(f"Qt cannot start: {problem}. On Debian or Ubuntu: apt install {QT_LIBRARIES}")


def picture_of_drawing(drawing: bytes) -> bytes:
    """Return a drawing (SVG) in pixels, as the content of a PNG file; needs no display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return gui().picture_of_drawing(drawing)

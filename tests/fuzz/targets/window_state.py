"""Targets: what the window keeps by itself: what it remembers between runs, and work that nobody saved."""

import os
import shutil
from functools import cache
from pathlib import Path

from PySide6.QtWidgets import QApplication

from inspector.gui.app import make_application
from inspector.gui.remembered.layout import Layout, Rectangle, WindowLayout
from inspector.gui.remembered.window_state import WindowState, on_screen
from inspector.gui.saving.autosaving import remove_unsaved, tidy_up, unsaved_work
from inspector.gui.theme import apply_theme
from inspector.settings import unsaved_folder, window_file
from tests.fuzz.made import as_json, as_yaml
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.target import Target
from tests.fuzz.targets.own_files import LAYOUT
from tests.fuzz.targets.own_files import TARGETS as OWN_FILES
from tests.fuzz.targets.using import chooser

_PAGES = ("decisions", "prompt", "findings", "survival")


def open_window_state(file: Path, scratch: Path) -> None:
    """Read what a file remembers of a window, and remember it again."""
    application = _application()
    own = window_file()
    own.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, own)
    state = WindowState()
    if not all(isinstance(path, str) for paths in state.recent for path in paths):
        raise BrokenPromiseError("a recent file is no text", repr(state.recent))
    apply_theme(application, state.theme)
    if state.place is not None:
        on_screen(state.place)
    layout = state.layout(_PAGES) or WindowLayout({"inspect": Layout("prompt")})
    for one in layout.layouts.values():
        for place in one.windows.values():
            on_screen(place)
    state.add_recent(["x"])
    state.zoom = state.zoom + 1
    state.keep(Rectangle(10, 10, 800, 600), state.maximized, layout)
    if WindowState().recent != state.recent:
        raise BrokenPromiseError("what was remembered is another when it is read again", repr(state.recent))
    if WindowState().layout(_PAGES) != layout:
        raise BrokenPromiseError("the layout that was remembered is another when it is read again", repr(layout))
    shutil.rmtree(own.parent)


def open_unsaved(file: Path, scratch: Path) -> None:
    """List unsaved work, of which a file or the version before it may be anything, and remove it."""
    folder = unsaved_folder()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    ending = "inspection" if chooser(file.read_bytes()).random() < 0.7 else "before"
    shutil.copyfile(file, folder / f"a.{ending}.yaml")
    works, problems = unsaved_work(_PAGES)
    if not works and not problems:
        raise BrokenPromiseError("unsaved work is neither there nor said to be unreadable")
    for work in works:
        f"{work.title} {work.folder}".encode("utf-8", "surrogatepass")
    tidy_up(())
    for work in works:
        remove_unsaved(work.file)
    if works and unsaved_work(())[0]:
        raise BrokenPromiseError("unsaved work that was removed is still there")
    shutil.rmtree(folder)


@cache
def _application() -> QApplication:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return make_application()


def _state_seeds() -> tuple[Input, ...]:
    remembered = {
        "theme": "dark",
        "zoom": 2,
        "recent": [["/a/b.json", "c d.json"], ["/e.json"]],
        "used": ["action:open", "model:gpt-4o"],
        "place": {"left": 10, "top": 10, "width": 1200, "height": 800},
        "maximized": False,
        "layout": LAYOUT,
    }
    return Input("window.yaml", as_yaml(remembered)), Input("flow.yaml", as_json(remembered))


_SEEDS = {target.name: target.seeds for target in OWN_FILES}
TARGETS = (
    Target("window state", _state_seeds, open_window_state),
    Target("unsaved work", _SEEDS["inspection"], open_unsaved),
)

"""prompt-inspector [PATH]…: the window, or, without a display, its contents as a table and a picture."""

import ctypes
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from inspector.analysis.tour import Tour, is_tour, read_tour, scenario_at
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import scenario_among
from inspector.cli.failure import InputError
from inspector.cli.loading import answer_for, named_failures, open_pipeline, report_problems
from inspector.cli.options import files_to_repair
from inspector.cli.output import say, say_written
from inspector.cli.piped import STANDARD_INPUT, piped_file
from inspector.cli.qt import gui, without_qt
from inspector.cli.scenarios import read_scenario
from inspector.formats import UnreadableError
from inspector.nearest import instead
from inspector.reading.png import is_own_picture
from inspector.resources import samples_elsewhere
from inspector.settings import pasted_folder
from inspector.sources import is_opened
from inspector.writing import free_name, write_file

if TYPE_CHECKING:
    from inspector.gui.app import Screenshot

PICTURE = "prompt-inspector.png"


@dataclass(frozen=True)
class _Start:
    """The start of the window: files and folders with an initial scenario, or a tour, which names both itself.

    `perspective` and `page` are shown first (None: as the window was left, or the first).
    """

    paths: tuple[str, ...]
    scenario_file: str | None = None
    tour_file: str | None = None
    perspective: str | None = None
    page: str | None = None


def window(
    paths: tuple[str, ...],
    scenario_file: str | None,
    tour_file: str | None,
    screenshot: str | None,
    folder: str | None,
    size: tuple[int, int],
    theme: str | None,
    perspective: str | None,
    page: str | None,
    desktop: str | None,
) -> None:
    """Run `prompt-inspector window` with the values of its options."""
    if desktop is not None:
        from inspector.cli.desktop import install_desktop, uninstall_desktop  # which no window needs

        (install_desktop if desktop == "install" else uninstall_desktop)()
        return
    if folder is not None:
        _save_tour(_Start(paths, scenario_file, tour_file), folder, size, theme)
        return
    with _named(paths, screenshot is None and has_display()) as files:
        _show(_Start(files, scenario_file, tour_file, perspective, page), screenshot, size, theme)


@contextmanager
def _named(paths: Sequence[str], stays: bool) -> Iterator[tuple[str, ...]]:
    """Yield the paths with a file in place of standard input; the file is kept if a window may open it again."""
    if STANDARD_INPUT not in paths:
        yield tuple(paths)
        return
    with nullcontext(pasted_folder()) if stays else TemporaryDirectory() as folder:
        file = piped_file(Path(folder))
        yield tuple(file if path == STANDARD_INPUT else path for path in paths)


def _show(start: _Start, screenshot: str | None, size: tuple[int, int], theme: str | None) -> None:
    """Show files in the window, or save its contents."""
    for path in start.paths:
        if not os.path.exists(path):
            raise InputError(f"{path}: there is no such file or folder{samples_elsewhere(path)}")
    if start.scenario_file is not None:
        read_scenario(start.scenario_file)
    if start.tour_file is None and start.scenario_file is None and len(start.paths) == 1 and is_tour(start.paths[0]):
        start = replace(start, paths=(), tour_file=start.paths[0])
    tour = None if start.tour_file is None else _tour(start.tour_file, start)
    if screenshot is not None:
        _save_screenshot(start, screenshot, size, theme)
    elif has_display():
        _check_libraries()
        first = start.perspective, _page(start)
        sys.exit(gui().run(start.paths, start.scenario_file, theme, _repairs(start.paths), start.tour_file, first))
    else:
        read = _print_table(start) if tour is None else _print_first_step(tour)
        _leave_picture(_screenshot(start, "png", size, theme), read)


def _save_tour(start: _Start, folder: str, size: tuple[int, int], theme: str | None) -> None:
    """Save the steps of a tour as pictures. End the command without a tour."""
    from inspector.cli.tour_pictures import write_tour  # which no window needs

    if start.tour_file is None:
        raise click.UsageError("--out is for the pictures of a tour: give --tour FILE with it")
    write_tour(_tour(start.tour_file, start), start.tour_file, folder, size, theme)


def _tour(file: str, start: _Start) -> Tour:
    """Return the tour of a file. End the command if it is not a tour, or if other files or a scenario are given,
    too.
    """
    if start.paths or start.scenario_file is not None:
        raise InputError("a tour names its own files: give no other PATH and no --scenario with it")
    try:
        tour, problems = read_tour(file)
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    report_problems(problems)
    return tour


def has_display() -> bool:
    """Return whether a window would be visible: always on Windows and macOS, elsewhere with an X or Wayland display."""
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in ("offscreen", "minimal"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _check_libraries() -> None:
    """End the command if an X display lacks a library: Qt itself would abort the process."""
    package = find_spec("PySide6")
    if sys.platform != "linux" or not os.environ.get("DISPLAY") or package is None:
        return
    for folder in package.submodule_search_locations or ():
        plugin = Path(folder) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.exists():
            try:
                ctypes.CDLL(str(plugin))
            except OSError as problem:
                raise without_qt(str(problem)) from None


def _screenshot(start: _Start, kind: str, size: tuple[int, int], theme: str | None) -> "Screenshot":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    repairs, first = _repairs(start.paths), (start.perspective, _page(start))
    return gui().take_screenshot(start.paths, start.scenario_file, kind, size, theme, repairs, start.tour_file, first)


def _page(start: _Start) -> str | None:
    """Return the page to begin with. End the command if there is none with this name."""
    pages = () if start.page is None else gui().page_names()
    if start.page is not None and start.page not in pages:
        raise InputError(f"--page {start.page} is not a page; {instead(start.page, pages, len(pages))}")
    return start.page


def _repairs(paths: Sequence[str]) -> frozenset[str]:
    """Return the files to repair if they are broken: all opened files, or none."""
    from inspector.formats.looking import find

    files = find(paths).files if paths else ()
    return frozenset(str(file) for file in files if str(file) in files_to_repair())


def _save_screenshot(start: _Start, file: str, size: tuple[int, int], theme: str | None) -> None:
    """Save the requested picture in the format of its file name."""
    try:
        kind = Path(file).suffix.removeprefix(".") or "png"
        picture = _screenshot(start, kind, size, theme)
    except ValueError as problem:
        raise InputError(f"{file}: {problem}") from None
    _write(file, picture.content, picture.opened)


def _print_table(start: _Start) -> list[str]:
    """Print the contents of the window for these files, and return the files read."""
    from inspector.cli.answering import answer
    from inspector.cli.assemble import ASSEMBLY

    say("There is no display, so here is the assembly as a table.")
    read = list(start.paths)
    if start.paths:
        pipeline = open_pipeline(start.paths)
        file = start.scenario_file or scenario_among(start.paths)
        read += [*_files(pipeline), *([str(file)] if file else [])]
        if file and not start.scenario_file and str(file) not in start.paths:
            say(f"The settings are those of {file}.")
        with named_failures():
            scenario = read_scenario(str(file)) if file else Scenario()
            answer(answer_for(pipeline, scenario), ASSEMBLY, "table")
    return read


def _print_first_step(tour: Tour) -> list[str]:
    """Print the contents of the window at the start of a tour, and return the files read."""
    from inspector.cli.answering import answer
    from inspector.cli.assemble import ASSEMBLY

    say("There is no display, so here is the first step of the tour as a table.")
    pipeline = open_pipeline(tour.open)
    start = read_scenario(tour.scenario) if tour.scenario else Scenario()
    with named_failures():
        answer(answer_for(pipeline, scenario_at(tour, start, 0)), ASSEMBLY, "table")
    return [*tour.open, *_files(pipeline), *([tour.scenario] if tour.scenario else [])]


def _files(pipeline: Pipeline) -> Iterator[str]:
    return (source.path for source in pipeline.workspace.sources)


def _leave_picture(picture: "Screenshot", read: Sequence[str]) -> None:
    """Save a picture in the current folder, overwriting only an own earlier picture, and no file that was read."""
    file = free_name(Path(PICTURE), lambda file: is_own_picture(file) and not is_opened(read, file))
    _write(file.resolve(), picture.content, read)


def _write(file: str | Path, content: bytes, opened: Sequence[str]) -> None:
    try:
        write_file(file, content, opened)
    except OSError as problem:
        raise InputError(f"{file}: cannot be written: {problem.strerror or problem}") from None
    say_written("the window's picture", file)

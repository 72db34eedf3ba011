"""A plot is the same file wherever it is made: exported by the window, written by the command, on a page."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from inspector.cli import group
from inspector.drawings.colors import DARK
from inspector.drawings.svg import svg
from inspector.gui.main_window import MainWindow
from inspector.gui.plots.exporting import plot_picture
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.lasting.view import LastingView
from inspector.gui.screens.replay.view import ReplayPage
from inspector.gui.screens.survival.view import SurvivalView
from inspector.gui.screens.timeline.view import TimelineView
from inspector.gui.theme import apply_theme
from inspector.resources import samples_folder

COMMANDS = {"replay": (), "survival": ("--parameter", "context_window"), "timeline": ()}
SAMPLE = samples_folder() / "companion.workspace.yaml"
GIVEN = (str(SAMPLE), "--scenario", str(samples_folder() / "companion.scenario.yaml"))
Written = Callable[..., bytes]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """What a command writes into a file."""

    def write(command: str, *options: str, name: str = "plot.svg") -> bytes:
        file = tmp_path / name
        done = CliRunner().invoke(group, [command, *GIVEN, *options, str(file)])
        assert done.exit_code == 0, done.output
        return file.read_bytes()

    return write


@pytest.mark.parametrize("name", COMMANDS)
def test_the_window_exports_the_plot_of_the_command(
    companion: MainWindow, qtbot: QtBot, qapp: QApplication, written: Written, name: str
) -> None:
    companion.do("tune")
    companion.show_screen(name)
    view = companion.screens[name].view
    if isinstance(view, ReplayPage):
        qtbot.waitUntil(lambda: companion.turns.is_fresh)
        assert view.lanes is not None
        companion.show_screen("lasting")
        lasting = companion.screens["lasting"].view
        assert isinstance(lasting, LastingView)
        qtbot.waitUntil(lambda: len(lasting.found) > 0)
        lanes, reach = (made[0].drawing for made in (view.lanes.shown_plots, lasting.shown_plots))
        assert lanes is not None
        assert reach is not None
        whole = replace(lanes, rows=(*lanes.rows, *reach.rows))
        assert svg([whole]) == written(name, *COMMANDS[name], "--plot")
        assert plot_picture(view.lanes.shown_plots, ".svg") == svg([lanes])
        return
    assert isinstance(view, SurvivalView | TimelineView)
    qtbot.waitUntil(lambda: view.plot.drawing is not None and not companion.session.tasks.is_running(name))
    plots: list[Plot] = [view.plot]
    assert plot_picture(plots, ".svg") == written(name, *COMMANDS[name], "--plot")
    drawings = [plot.drawing for plot in plots if plot.drawing]
    apply_theme(qapp, "dark")
    assert plot_picture(plots, ".svg") == svg(drawings, DARK)


def test_the_bar_is_the_same_in_the_window_the_command_and_a_page(
    companion: MainWindow, qtbot: QtBot, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "window.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    action = companion.findChild(QAction, "action:export_bar")
    assert action is not None
    action.trigger()
    qtbot.waitUntil(out.exists)
    bar = out.read_bytes()
    assert bar == written("report", "--out", name="bar.svg")
    assert bar in written("report", "--prompt", "--out", name="page.html")

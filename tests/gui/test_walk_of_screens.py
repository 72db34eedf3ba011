"""Every screen, filled, goes on under another policy, conversation and file, with nothing open and back, twice."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import choose_conversation, use_policy, use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.buttons import ViewSwitch
from inspector.model import Workspace
from inspector.resources import samples_folder
from tests.examples import rounds

FOLDER = samples_folder()
FIRST = [str(FOLDER / name) for name in ("companion.workspace.yaml", "companion.probes.yaml")]
OTHER = [str(FOLDER / "developer.workspace.yaml")]
STARTS = ("recommend_recall",)
"""The buttons that fill what is not filled by being looked at."""
CHOICES = ("one_setting_", "two_settings_", "replay_", "survival_")
"""The choices of what is drawn; in the middle of their entries are those that another policy does not have."""


class Walker:
    """Goes through the screens of a window, and looks at another view of each in every round."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self._window, self._qtbot, self._round = window, qtbot, 0

    def visit(self) -> None:
        """Rest, look at every screen, select an item, move a slider, and rest again, with Recommend in sight."""
        self._rest()
        session = self._window.session
        for number, (name, screen) in enumerate(self._window.screens.items(), self._round):
            self._window.show_screen(name)
            QApplication.processEvents()
            for switch in screen.view.findChildren(ViewSwitch):
                buttons = switch.findChildren(QToolButton)
                buttons[number % len(buttons)].click()
            for choice in screen.view.findChildren(QComboBox):
                if choice.objectName().startswith(CHOICES):
                    choice.setCurrentIndex(choice.count() // 2)
            for start in STARTS:
                button = screen.view.findChild(QPushButton, start)
                if button is not None and button.isVisible():
                    button.click()
            QApplication.processEvents()
        self._window.show_screen("recommend")
        self._window.select(self._round)
        session.edit(use_window, 6_000 + self._round)
        self._rest()
        self._round += 1

    def _rest(self) -> None:
        """Wait until nothing is being worked on, and nothing waits to be asked for; no screen may have failed."""
        session = self._window.session
        self._qtbot.waitUntil(lambda: session.is_ready and not session.tasks.is_running() and not self._is_asking())
        assert not [screen.name for screen in self._window.screens.values() if screen.has_failed]

    def _is_asking(self) -> bool:
        views = self._window.findChildren(AskingView)
        return any(view.is_in_sight and view.is_waiting for view in views)


def test_every_screen_goes_on_whatever_is_open(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(*FIRST)
    session, walker = window.session, Walker(window, qtbot)
    walker.visit()
    for policy in ("window_rag", "naive")[: rounds(2, 1)]:  # in ten rounds each screen shows each of its views
        session.edit(use_policy, policy)
        walker.visit()
        other = session.workspace.conversations[1].id
        session.edit(choose_conversation, session.workspace, other)
        walker.visit()
        window.open_paths(OTHER)
        qtbot.waitUntil(lambda: session.is_ready and session.paths == tuple(OTHER))
        walker.visit()
        session.show_workspace(Workspace())
        walker.visit()
        window.open_paths(FIRST)
        qtbot.waitUntil(lambda: session.is_ready and session.paths == tuple(FIRST))
        walker.visit()

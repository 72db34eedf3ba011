"""Notices: the banner under the budget bar, which says what could not be read of what was opened last."""

from pathlib import PurePath

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QToolBar

from inspector.figures import counted
from inspector.gui.parts.banner import Banner
from inspector.gui.screens.screen import Host
from inspector.model import Problem

_PATIENCE_MILLISECONDS = 100


class Notices(QObject):
    """Of one window. The banner comes under all bars that are there already, and pushes only what lies below it."""

    def __init__(self, window: QMainWindow, host: Host) -> None:
        super().__init__(window)
        self._session = host.session
        self._banner = Banner()
        self._bar = QToolBar(window)
        self._bar.setObjectName("banner_tool_bar")
        self._bar.setMovable(False)
        self._bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._bar.toggleViewAction().setVisible(False)
        self._bar.addWidget(self._banner)
        self._bar.setContentsMargins(0, 0, 0, 0)
        window.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
        window.addToolBar(Qt.ToolBarArea.TopToolBarArea, self._bar)
        self._bar.hide()
        self._later = QTimer(self, singleShot=True, interval=_PATIENCE_MILLISECONDS)
        self._later.timeout.connect(self._show)
        self._banner.details_requested.connect(lambda: host.do("show_problems"))
        self._banner.closed.connect(self._bar.hide)
        self._session.unread_changed.connect(self._show)

    def _show(self) -> None:
        """Say what could not be read; not while a mouse button is down, which would then hold something else."""
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._later.start()
            return
        problems = self._session.unread
        if problems:
            self._banner.say(notice(problems), problems[0].severity)
        self._bar.setVisible(bool(problems))


def notice(problems: tuple[Problem, ...]) -> str:
    """The first of some problems in one sentence, with how many more there are."""
    first, more = problems[0], len(problems) - 1
    name = PurePath(first.file).name or first.file
    sentence = ": ".join(part for part in (name, first.place, first.message) if part)
    return f"{sentence} · {counted(more, 'more problem')}" if more else sentence

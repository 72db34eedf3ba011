"""Notices: the banner under the budget bar, which says what could not be read of what was opened last, or written."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QToolBar

from inspector.derived import cached_property
from inspector.figures import problems_counted
from inspector.gui.opening import listed_problems
from inspector.gui.screens.screen import Host
from inspector.model import Problem

if TYPE_CHECKING:
    from inspector.gui.parts.banner import Banner

_PATIENCE_MILLISECONDS = 100


class Notices(QObject):
    """Of one window. The banner comes under all bars that are there already, and pushes only what lies below it."""

    def __init__(self, window: QMainWindow, host: Host) -> None:
        super().__init__(window)
        self._window, self._host, self._session = window, host, host.session
        self._later = QTimer(self, singleShot=True, interval=_PATIENCE_MILLISECONDS)
        self._later.timeout.connect(self._show)
        self._reported: list[Problem] = []
        self._session.opened.connect(lambda _: self._reported.clear())
        self._session.unread_changed.connect(self._show_unread)
        self._session.problem_reported.connect(self._take_reported)

    def take_back(self, problem: Problem) -> None:
        """What was reported is no problem any more."""
        if problem in self._reported:
            self._reported.remove(problem)
            self._show()

    def _show_unread(self) -> None:
        """Say what was found now; what was reported before is known."""
        if self._session.unread:
            self._reported.clear()
        self._show()

    def _take_reported(self, problem: Problem) -> None:
        """Say what went wrong, such as with a file that could not be written: the status line forgets it soon."""
        if problem.severity == "error" and problem not in self._session.unread:
            self._reported = [problem, *(one for one in self._reported if one != problem)]
            self._show()

    @cached_property
    def _banner(self) -> "Banner":
        """Made when there is something to say for the first time."""
        from inspector.gui.parts.banner import Banner

        banner = Banner()
        banner.details_requested.connect(lambda: self._host.do("show_problems"))
        banner.repair_requested.connect(lambda: self._host.do("repair"))
        banner.columns_requested.connect(lambda: self._host.do("columns"))
        banner.closed.connect(self._close)
        return banner

    @cached_property
    def _bar(self) -> QToolBar:
        bar = QToolBar(self._window)
        bar.setObjectName("banner_tool_bar")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.toggleViewAction().setVisible(False)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.addWidget(self._banner)
        self._window.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
        self._window.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
        return bar

    def _show(self) -> None:
        """Say what could not be read; not while a mouse button is down, which would then hold something else."""
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._later.start()
            return
        unread = self._session.unread
        problems = (*self._reported, *unread)
        if problems:
            repairable, is_table = (any(getattr(one, name) for one in problems) for name in ("repairable", "is_table"))
            listed = listed_problems(self._session.workspace, unread) if unread else ()
            sentence = notice(tuple(dict.fromkeys((*problems, *listed))))
            self._banner.say(sentence, problems[0].severity, repairable, is_table, listed=bool(unread))
            self._bar.show()
        elif "_bar" in vars(self):
            self._bar.hide()

    def _close(self) -> None:
        """It was read."""
        self._reported.clear()
        self._bar.hide()


def notice(problems: tuple[Problem, ...]) -> str:
    """The first of some problems in one sentence, with how many there are in all."""
    first = problems[0]
    name = PurePath(first.file).name or first.file
    sentence = ": ".join(part for part in (name, first.place, first.message) if part)
    return f"{sentence} · {', '.join(problems_counted(problems))} in all" if len(problems) > 1 else sentence

"""Notices: the banner under the budget bar, for files that could not be read when last opened, or not written."""

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
    """The notices of a window. The banner goes below all existing bars, and pushes down only the contents below it."""

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
        """Withdraw a reported problem that is solved."""
        if problem in self._reported:
            self._reported.remove(problem)
            self._show()

    def _show_unread(self) -> None:
        """Show the problems found now; earlier reports are dropped."""
        if self._session.unread:
            self._reported.clear()
        self._show()

    def _take_reported(self, problem: Problem) -> None:
        """Show an error, such as a file that could not be written; the status line shows it only for a while."""
        if problem.severity == "error" and problem not in self._session.unread:
            self._reported = [problem, *(one for one in self._reported if one != problem)]
            self._show()

    @cached_property
    def _banner(self) -> "Banner":
        """The banner, made for the first notice."""
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
        """Show the problems, but not while a mouse button is down, which would then hold another widget."""
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
        """Close the banner after it has been read."""
        self._reported.clear()
        self._bar.hide()


def notice(problems: tuple[Problem, ...]) -> str:
    """Return the first of some problems as a sentence, with their total number."""
    first = problems[0]
    name = PurePath(first.file).name or first.file
    sentence = ": ".join(part for part in (name, first.place, first.message) if part)
    return f"{sentence} · {', '.join(problems_counted(problems))} in all" if len(problems) > 1 else sentence

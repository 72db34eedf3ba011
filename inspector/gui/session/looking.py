"""Looking at all open chats: their figures under the current setting, gathered by a worker, for all screens."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.analysis.archive.agenda import Agenda, Progress
from inspector.analysis.archive.listing import Archive
from inspector.analysis.archive.overview import Looked, overview
from inspector.analysis.archive.survey import survey
from inspector.assembly.remembered import OF_A_CONVERSATION, left_as
from inspector.assembly.scenario import Scenario
from inspector.gui.session.session import Session
from inspector.model import Workspace

_TASK = "overview"
SHOWN_AFTER_MILLISECONDS = 200
"""Figures are gathered for this long before they are shown."""
SURVEYED_AFTER_MILLISECONDS = 500


class Looking(QObject):
    """The open chats with the figures known so far. `changed` follows new figures and every start, pause and end.

    `surveyed` follows a new survey; `only_requested(code, words)` asks for the chats with a kind of finding. `trouble`
    is the reason why not all chats could be looked at. Figures of another setting stay in sight, as `is_stale`, until
    the first new ones have come.
    """

    changed = Signal()
    surveyed = Signal()
    only_requested = Signal(str, str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.archive, self.survey, self.trouble = Archive((), ()), survey((), 0), ""
        self.is_paused = self.is_stale = self.is_running = False
        self._agenda, self._gathered = Agenda(()), dict[int, Looked]()
        self._begun, self._fresh = monotonic(), 0
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._soon.timeout.connect(self._show_gathered)
        self._later = QTimer(self, singleShot=True, interval=SURVEYED_AFTER_MILLISECONDS)
        self._later.timeout.connect(self._survey)

    @property
    def is_complete(self) -> bool:
        """Whether every chat that has been read has figures of the current setting."""
        return not (self.is_stale or self.is_running or self.trouble or self._missing())

    @property
    def progress(self) -> Progress:
        """How far the chats have been looked at."""
        looked = 0 if self.is_stale else len(self.archive.looked)
        return Progress(looked, self.readable, self._fresh, monotonic() - self._begun)

    @property
    def readable(self) -> int:
        """How many chats have been read, and can be looked at."""
        return sum(chat.is_read for chat in self.archive.conversations)

    def show_workspace(self, workspace: Workspace) -> None:
        """Take the chats of other files, still without figures."""
        self._stop()
        self.archive, self.trouble = Archive.of(workspace.conversations, is_asked=bool(workspace.probes)), ""
        self.is_paused = self.is_stale = False
        self._survey()
        self.changed.emit()

    def show_chosen(self, name: str) -> None:
        """Mark the inspected chat."""
        if name != self.archive.shown:
            self.archive = replace(self.archive, shown=name)
            self.changed.emit()

    def take_setting(self, before: Scenario, after: Scenario) -> bool:
        """Forget the figures that another scenario makes wrong: all, or those of the inspected chat, or none.

        Returns whether there are such figures.
        """
        if before == after:
            return False
        if _setting(before) != _setting(after):
            self._outdate()
            return True
        left = left_as(self._session.chats, after.conversation or "")
        is_edited = any(getattr(after, name) != value for name, value in left.items() if name != "conversation")
        if before.conversation == after.conversation or is_edited:
            row = self._row(after.conversation)
            known = {other: looked for other, looked in self.archive.looked.items() if other != row}
            self.archive = replace(self.archive, looked=known)
            self.changed.emit()
            return True
        return False

    def begin(self) -> None:
        """Look at all chats without figures of the current setting, unless paused."""
        if self.is_paused:
            return
        self._stop()
        if self.is_stale:
            self._gathered = {}
        self.trouble, self.is_running = "", True
        self._agenda = Agenda(range(len(self.archive.conversations)) if self.is_stale else self._missing())
        self._begun, self._fresh = monotonic(), 0
        ask = partial(overview, remembered=self._session.chats, rows=self._agenda)
        if not self._session.ask(_TASK, ask, self._take, self._end):
            self._end(self._session.trouble)
        self.changed.emit()

    def pause(self) -> None:
        """Stop for a while, and keep the figures known so far."""
        self._stop()
        self._show_gathered()
        self.is_paused = True
        self.changed.emit()

    def resume(self) -> None:
        """Go on after a pause."""
        self.is_paused = False
        self.begin()

    def ask_first(self, rows: Sequence[int]) -> None:
        """Look at these chats next, such as those in sight."""
        self._agenda.ask_first(rows)

    # Inside

    def _missing(self) -> list[int]:
        looked = self.archive.looked
        return [row for row, chat in enumerate(self.archive.conversations) if chat.is_read and row not in looked]

    def _row(self, name: str | None) -> int:
        """Return the row of a chat; None stands for the first."""
        names = (row for row, chat in enumerate(self.archive.conversations) if name in (chat.id, None))
        return next(names, -1)

    def _outdate(self) -> None:
        self._stop()
        self._gathered, self.is_stale = {}, bool(self.archive.looked)
        self.changed.emit()

    def _stop(self) -> None:
        self._session.tasks.cancel(_TASK)
        self._soon.stop()
        self.is_running = False

    def _take(self, looked: Looked) -> None:
        self._gathered[looked.row] = looked
        self._fresh += 1
        if not self._soon.isActive():
            self._soon.start()

    def _end(self, trouble: str) -> None:
        """The last chat has come, or `trouble` is the reason why not all did."""
        self._soon.stop()
        self.is_running, self.trouble = False, trouble
        self._show_gathered()
        self._survey()
        self.changed.emit()

    def _show_gathered(self) -> None:
        """Show the figures gathered so far, in place of those of another setting."""
        if self._gathered:
            before = {} if self.is_stale else self.archive.looked
            self.archive = replace(self.archive, looked={**before, **self._gathered})
            self._gathered, self.is_stale = {}, False
            if not self._later.isActive():
                self._later.start()
            self.changed.emit()

    def _survey(self) -> None:
        self._later.stop()
        self.survey = survey(list(self.archive.looked.values()), self.readable)
        self.surveyed.emit()


def _setting(scenario: Scenario) -> Scenario:
    """Return a scenario without what it says about its conversation."""
    return replace(scenario, **OF_A_CONVERSATION)

"""The beginning: the start page while nothing is open, and the perspective in which what was opened is first seen."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from inspector.assembly.pipeline import Pipeline
from inspector.figures import counted
from inspector.gui.files.opening import Opening
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.screens.screen import Screen
from inspector.gui.session.session import Session
from inspector.gui.window.arrangement import Arrangement
from inspector.gui.window.status import StatusLine
from inspector.plugins import formats

MOST_IN_INSPECT = 20
"""A folder with more chats is first seen as a whole."""


class Beginning(QObject):
    """Shows and leaves the start page of a window. `go_to` shows a perspective."""

    def __init__(
        self, session: Session, arrangement: Arrangement, status: StatusLine, page: Screen, go_to: Callable[[str], None]
    ) -> None:
        super().__init__(arrangement)
        self._session, self._arrangement, self._status, self._page = session, arrangement, status, page
        self._go_to, self._leads_to_inspect = go_to, False
        session.ready_changed.connect(lambda _: self.show())
        session.leaving.connect(self._take_leaving)
        session.opened.connect(self._take_opened)

    def show(self, anew: bool = False) -> None:
        """Show the start page if nothing is open and nothing is loading, else the columns.

        A screen that the user asked for meanwhile stays in sight, unless `anew`.
        """
        session = self._session
        if session.is_in_use:
            self._arrangement.leave_start()
        elif session.is_ready:
            self._arrangement.show_start(anew)
        if self._arrangement.shows_start:
            self._status.show_offer(offer(session.pipeline))

    def list_anew(self) -> None:
        """List recent and unsaved work anew on a visible start page."""
        if self._arrangement.shows_start:
            self._page.tell(self._page.show_details)

    def _take_leaving(self, _: Opening) -> None:
        """Note whether the start page, or a list of other chats, is in sight before something else is opened."""
        lists_others = self._session.is_anything_open and self._arrangement.perspective == "archive"
        self._leads_to_inspect = self._arrangement.shows_start or lists_others

    def _take_opened(self, opening: Opening) -> None:
        """Lead to Archive after a folder of many chats was opened; else from the start page and Archive to Inspect.

        An inspection brings its own layout, a tour its own screen.
        """
        if opening.layout is not None or opening.tour is not None or opening.recovered:
            return
        workspace = self._session.workspace
        is_folder = any(source.path not in opening.paths for source in workspace.sources)
        if is_folder and len(workspace.conversations) > MOST_IN_INSPECT:
            self._go_to("archive")
        elif self._leads_to_inspect:
            self._go_to(PERSPECTIVES[0])


def offer(pipeline: Pipeline) -> str:
    """Return how much can be opened and counted, and whether anything may be sent."""
    known, choices = len(formats()[0]), pipeline.choices
    ends = "" if pipeline.known.summarizing.endpoint else " · Offline"
    return f"{counted(known, 'format')} · {counted(len(choices.models.rows), 'model')}{ends}"

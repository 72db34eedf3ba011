"""The screen of the recorded requests: they come in while they are recorded, and the bar moves with the newest."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.analysis.requests.recording import Known, Recording
    from inspector.assembly.scenario import Scenario
    from inspector.gui.screens.requests.view import RequestsView

_FOLLOWING = "following requests"
"""The gesture of all requests that are followed in a row: one step for undo."""


class RequestsScreen(Screen["RequestsView"]):
    """Every request of the open recordings, as it was sent and under the settings of the window."""

    name, title, perspectives = "requests", "Recorded requests", ("replay",)
    _known: "Known | None" = None
    _asked: "Scenario | None" = None

    def show_workspace(self) -> None:
        """Read what was added; what was known of the same requests is not made again."""
        self.view.refresh()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again under other settings, and mark the request in sight."""
        from inspector.analysis.requests.recording import setting_in_question

        if after is None:
            return
        if (asked := setting_in_question(after.scenario)) != self._asked:
            self._asked = asked
            self.view.refresh()
        conversation = after.case.chosen.conversation
        self.view.show_chosen("" if conversation is None else conversation.id)

    def _request(self) -> None:
        from inspector.analysis.requests.recording import Known, recordings

        if self._known is None:
            self._known = Known()
        ask = partial(recordings, setting=self._asked, known=self._known)
        if not self.host.session.ask(self.name, ask, self._take, self.view.end):
            self._known = None
            self.view.show_nothing(self.host.session.trouble)

    def _take(self, found: "Recording") -> None:
        """Show what is known, and follow to the newest request if that is wanted."""
        is_first = self.view.found is None and self.host.session.scenario.conversation is None
        is_new = self.view.show_recording(found) or is_first
        if is_new and self.view.follows and len(found):
            self._choose(len(found) - 1, _FOLLOWING)

    def _choose(self, at: int, gesture: str = "") -> None:
        """Show a request before its answer: the bar, the items and all other pages are those of this prompt."""
        from inspector.assembly.edits import choose_request

        found, session = self.view.found, self.host.session
        if found is None:
            return
        request = found.requests[at]
        turn = request.turn if request.turn < len(request.messages) else None
        session.drag(gesture, choose_request, session.workspace, request.conversation, turn, session.chats)

    def _make(self, parent: QWidget) -> "RequestsView":
        from inspector.gui.screens.requests.view import RequestsView

        view = RequestsView(parent)
        view.requested.connect(self._request)
        view.outdated.connect(lambda: self.host.session.tasks.cancel(self.name))
        view.request_chosen.connect(self._choose)
        view.record_requested.connect(lambda: self.host.do("record"))
        return view

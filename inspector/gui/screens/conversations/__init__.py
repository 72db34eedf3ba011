"""The screen of the conversations: all open ones, with the results of the current setting."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.conversations.view import ConversationsView


_OVERVIEW = "overview"


class ConversationsScreen(Screen["ConversationsView"]):
    """All conversations of the workspace; an opened conversation is shown item by item."""

    name, title, perspectives = "conversations", "Chats", ("archive",)

    def show_workspace(self) -> None:
        """List the open conversations."""
        self.host.session.tasks.cancel(_OVERVIEW)
        self.view.show_conversations(self.host.session.workspace.conversations)

    def show_controls(self, controls: Controls) -> None:
        """Mark the inspected conversation."""
        chosen = controls.case.chosen.conversation
        self.view.show_chosen(chosen.id if chosen else "")

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request new figures if the setting changed; counts arriving meanwhile change nothing."""
        if after is None or before is None or after.scenario != before.scenario:
            self.view.refresh()

    def _make(self, parent: QWidget) -> "ConversationsView":
        from inspector.gui.screens.conversations.view import ConversationsView

        view = ConversationsView(parent)
        view.conversation_opened.connect(self._open)
        view.open_requested.connect(lambda: self.host.do("open"))
        view.requested.connect(self._look)
        return view

    def _look(self) -> None:
        from inspector.analysis.archive.overview import overview

        session, view = self.host.session, self.view
        if not session.ask(_OVERVIEW, partial(overview, remembered=session.chats), view.take, view.end):
            view.end(session.trouble)

    def _open(self, name: str) -> None:
        self.host.session.show_conversation(name)
        self.host.show_screen("decisions")

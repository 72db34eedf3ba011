"""The screen of the conversations: everything that is open, to choose from."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.edits import choose_conversation
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.conversations.view import ConversationsView


class ConversationsScreen(Screen["ConversationsView"]):
    """All conversations of the workspace; one that is opened is shown item by item."""

    name, title, area, perspectives = "conversations", "Conversations", "centre", ("archive",)

    def show_workspace(self) -> None:
        """List what is open."""
        self.view.show_conversations(self.host.session.workspace.conversations)

    def show_controls(self, controls: Controls) -> None:
        """Mark the conversation that is inspected."""
        chosen = controls.case.chosen.conversation
        self.view.show_chosen(chosen.id if chosen else "")

    def _make(self, parent: QWidget) -> "ConversationsView":
        from inspector.gui.screens.conversations.view import ConversationsView

        view = ConversationsView(parent)
        view.conversation_opened.connect(self._open)
        view.open_requested.connect(lambda: self.host.do("open"))
        return view

    def _open(self, name: str) -> None:
        session = self.host.session
        session.edit(choose_conversation, session.workspace, name)
        self.host.go_to_screen("decisions")

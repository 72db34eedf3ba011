"""The screen of local model servers: their models, and their counts."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.servers.view import ServersView


class ServersScreen(Screen["ServersView"]):
    """The servers of this machine, asked only at the user's request."""

    name, title, perspectives = "servers", "Servers", ("tune",)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Mark counts as outdated by another prompt; a ledger measured later leaves them valid."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.show_outdated()

    def _make(self, parent: QWidget) -> "ServersView":
        from inspector.gui.screens.servers.search import ServerSearch
        from inspector.gui.screens.servers.view import ServersView

        view = ServersView(parent)
        self.search = ServerSearch(self.host.session, view)
        return view

"""The screen of local model servers: what they tell, and what they count."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.servers.view import ServersView


class ServersScreen(Screen["ServersView"]):
    """Servers on this machine, asked when a person says so."""

    name, title, perspectives = "servers", "Servers", ()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Counts are those of one prompt; a ledger that is measured later changes none of it."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.show_outdated()

    def _make(self, parent: QWidget) -> "ServersView":
        from inspector.gui.screens.servers.search import ServerSearch
        from inspector.gui.screens.servers.view import ServersView

        view = ServersView(parent)
        self.search = ServerSearch(self.host.session, view)
        return view

"""The panel of local model servers: what they tell, and what they count."""

from typing import TYPE_CHECKING

from inspector.gui.screens.screen import Panel

if TYPE_CHECKING:
    from inspector.gui.screens.servers.view import ServersView


class ServersPanel(Panel["ServersView"]):
    """Servers on this machine, asked when a person says so."""

    name, title, at_hand = "servers", "Servers", False

    def _make(self) -> "ServersView":
        from inspector.gui.screens.servers.search import ServerSearch
        from inspector.gui.screens.servers.view import ServersView

        view = ServersView(self.window)
        self.search = ServerSearch(self.window.session, view)
        return view

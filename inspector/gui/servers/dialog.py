"""Prompt ▸ Local servers: a dialog that stays open during work, and follows the shown prompt."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.gui.parts.texts import window_title
from inspector.gui.remembered.remembered_columns import RememberedColumns
from inspector.gui.remembered.window_state import fitted
from inspector.gui.servers.asking import ServerSearch
from inspector.gui.servers.view import ServersView
from inspector.gui.session.session import Session
from inspector.gui.theme import UNIT

SIZE = QSize(240 * UNIT, 120 * UNIT)


class ServersDialog(QDialog):
    """The servers of this machine, asked only at the user's request. Closed, it keeps what was found."""

    def __init__(self, session: Session, columns: RememberedColumns, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("servers_dialog")
        self.setWindowTitle(window_title("Local servers"))
        self.resize(fitted(SIZE, self.screen()))
        self.view = ServersView(self)
        self.search = ServerSearch(session, self.view)
        columns.join(self.view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
        session.assembly_changed.connect(self._follow)

    def open_beside(self) -> None:
        """Show it, with the keyboard in the addresses."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.view.addresses.setFocus()

    def _follow(self, before: Answer | None, after: Answer | None) -> None:
        """Mark counts as outdated by another prompt; a ledger measured later leaves them valid."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.show_outdated()

"""The header of a shoot-out: over each policy its name and totals, and a button that makes it the one in use."""

from PySide6.QtWidgets import QWidget

from inspector.assembly.shootout import Shootout, contender_of
from inspector.gui.screens.shootout.model import header_lines
from inspector.gui.table.entry_header import EntryHeader
from inspector.gui.table.header_entries import HeaderEntry

LINES = 5
DIGITS = 17
"""How wide a policy is at least, in figures."""


class ShootoutHeader(EntryHeader):
    """Titles of the item columns, and five lines over each policy. `use_requested` tells the key of its column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(LINES, DIGITS, parent)

    def show_shootout(self, shootout: Shootout | None) -> None:
        """Show the totals of a shoot-out over its columns."""
        if shootout is None:
            self.show_entries(())
            return
        own = contender_of(shootout.scenario)
        self.show_entries(
            [
                HeaderEntry(contender.name, contender.name, "policy", contender == own, header_lines(shootout, place))
                for place, contender in enumerate(shootout.contenders)
            ]
        )
